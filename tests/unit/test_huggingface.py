"""Data sets from folders of each kind, and a Hub that is not there."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from arxivscout.errors import SourceError, UsageError
from arxivscout.papers import Paper, Skipped
from arxivscout.sources.huggingface import stream_papers

datasets = pytest.importorskip("datasets", reason="the extra hf is not installed")

# The fields of nick007x/arxiv-papers.
RECORDS = [
    {
        "arxiv_id": "0712.2288",
        "title": "CP Measurement in Quantum Teleportation",
        "authors": ["Yu Shi"],
        "submission_date": "2007-12-14",
        "comments": "4 pages",
        "primary_subject": "Quantum Physics (quant-ph)",
        "subjects": "Quantum Physics (quant-ph); High Energy Physics - Phenomenology (hep-ph)",
        "doi": "https://doi.org/10.48550/arXiv.0712.2288",
        "abstract": "Quantum teleportation using neutral mesons.",
        "file_path": "cs/0712.2288.pdf",
    },
    {
        "arxiv_id": "hep-th/9901001",
        "title": "Strings",
        "authors": ["Sør, A.", "B. Two"],
        "submission_date": "1 Jan 1999",
        "comments": None,
        "primary_subject": "hep-th",
        "subjects": "hep-th",
        "doi": None,
        "abstract": "About strings.",
        "file_path": None,
    },
    {**dict.fromkeys(["comments", "doi", "file_path"]), "arxiv_id": "no id", "title": "T"}
    | {
        "authors": [],
        "submission_date": "",
        "primary_subject": "",
        "subjects": "",
        "abstract": "A",
    },
]


# `datasets` takes the type of a column from the first file of all splits.
DATED = {"submission_date": "1999-01-01"}


def write(folder: Path, kind: str) -> None:
    folder.mkdir()
    if kind == "jsonl":
        text = "".join(json.dumps(record) + "\n" for record in RECORDS)
        (folder / "train.jsonl").write_text(text, "utf-8")
        return
    made = datasets.Dataset.from_list(RECORDS)
    if kind == "parquet":
        (folder / "data").mkdir()
        made.select([0, 1]).to_parquet(folder / "data" / "train-00000-of-00002.parquet")
        made.select([2]).to_parquet(folder / "data" / "train-00001-of-00002.parquet")
    else:
        made.save_to_disk(folder)


@pytest.mark.parametrize("kind", ["jsonl", "parquet", "saved"])
def test_a_folder_is_streamed(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "papers"
    write(folder, kind)
    first, second, third = stream_papers(str(folder), offline=True)
    assert first == Paper(
        arxiv_id="0712.2288",
        title="CP Measurement in Quantum Teleportation",
        abstract="Quantum teleportation using neutral mesons.",
        authors=("Yu Shi",),
        categories=("quant-ph", "hep-ph"),
        primary_category="quant-ph",
        published="2007-12-14",
        doi="https://doi.org/10.48550/arXiv.0712.2288",
        comments="4 pages",
        source="papers",
    )
    assert isinstance(second, Paper)
    assert (second.arxiv_id, second.published) == ("hep-th/9901001", "1999-01-01")
    assert isinstance(third, Skipped)
    assert third.where == "papers:3"
    assert [p.arxiv_id for p in stream_papers(str(folder), limit=1) if isinstance(p, Paper)] == [
        "0712.2288"
    ]


def test_all_splits_are_read(tmp_path: Path) -> None:
    for split, record in zip(["train", "test"], RECORDS, strict=False):
        (tmp_path / f"{split}.jsonl").write_text(json.dumps(record | DATED) + "\n", "utf-8")
    found = stream_papers(str(tmp_path))
    assert {p.arxiv_id for p in found if isinstance(p, Paper)} == {"0712.2288", "hep-th/9901001"}


def test_a_folder_that_holds_no_data_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="can't be read"):
        list(stream_papers(str(tmp_path)))


def test_a_broken_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "train.parquet").write_bytes(b"PAR1 and nothing more")
    with pytest.raises(SourceError):
        list(stream_papers(str(tmp_path)))


def test_what_is_no_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no data set"):
        stream_papers(str(tmp_path / "not" / "there"))


def test_offline_refuses_the_hub() -> None:
    with pytest.raises(SourceError, match="offline"):
        stream_papers(offline=True)


@pytest.mark.parametrize("answering", [False, True], ids=["refused", "hangs"])
def test_a_hub_that_is_not_there_is_told_in_one_line_and_bounded_time(answering: bool) -> None:
    # its address is read at import, so this takes a process of its own
    script = (
        "import warnings; warnings.simplefilter('error')\n"
        "from arxivscout.errors import SourceError\n"
        "from arxivscout.sources.huggingface import stream_papers\n"
        "try:\n    next(stream_papers())\n"
        "except SourceError as error:\n    print(error)\n"
    )
    with socket.create_server(("127.0.0.1", 0)) as listener:
        endpoint = f"http://127.0.0.1:{listener.getsockname()[1]}"
        if not answering:
            listener.close()
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "HF_ENDPOINT": endpoint},
            capture_output=True,
            text=True,
            timeout=120,
        )
    assert done.stdout.startswith("The Hugging Face Hub can't be reached: ")
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""
