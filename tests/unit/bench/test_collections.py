"""Collections of questions, read from BEIR's form."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from arxivscout.bench.collections import load_collection, numbered_id
from arxivscout.errors import UsageError
from arxivscout.papers import PaperId

DOCUMENTS = [
    {"_id": "a", "title": "On mesons", "text": "They decay."},
    {"_id": "b", "title": "", "text": "Galaxies rotate."},
]
QUERIES = [{"_id": "1", "text": "Do mesons decay?"}, {"_id": "2", "text": "x", "query_doc": "b"}]
JUDGED = "query-id\tcorpus-id\tscore\n1\ta\t1\n1\tb\t0\n2\ta\t2\n2\tgone\t1\n"


def written(folder: Path, *, packed: bool) -> Path:
    folder.mkdir(parents=True)
    for name, records in (("corpus", DOCUMENTS), ("queries", QUERIES)):
        lines = "".join(json.dumps(each) + "\n" for each in records).encode()
        if packed:
            (folder / f"{name}.jsonl.gz").write_bytes(gzip.compress(lines))
        else:
            (folder / f"{name}.jsonl").write_bytes(lines)
    (folder / "qrels_dev.tsv").write_text(JUDGED)
    return folder


@pytest.mark.parametrize("packed", [True, False])
def test_documents_become_papers_and_judgements_name_them(tmp_path: Path, packed: bool) -> None:
    written(tmp_path / "some" / "tiny", packed=packed)
    found = load_collection("tiny", tmp_path, "dev")
    assert [(each.arxiv_id, each.title) for each in found.papers] == [
        ("1501.00001", "On mesons"),
        ("1501.00002", "Galaxies rotate."),
    ]
    mesons, itself = found.asked
    assert mesons.gains == {"1501.00001": 1, "1501.00002": 0}
    assert itself.gains == {"1501.00001": 2}
    assert itself.like == itself.without == ("1501.00002",)


def test_a_large_collection_has_ids_of_arxiv_each_its_own() -> None:
    ids = [numbered_id(place) for place in (0, 1, 99_998, 99_999, 12 * 99_999, 5_000_000)]
    assert ids[:5] == ["1501.00001", "1501.00002", "1501.99999", "1502.00001", "1601.00001"]
    assert [PaperId.parse(each).value for each in ids] == ids


@pytest.mark.parametrize("amiss", ["nothing", "split", "line", "query"])
def test_what_is_no_collection_is_one_line(tmp_path: Path, amiss: str) -> None:
    folder = written(tmp_path / "tiny", packed=False)
    match amiss:
        case "nothing":
            folder.rename(tmp_path / "other")
        case "split":
            (folder / "qrels_dev.tsv").rename(folder / "qrels_test.tsv")
        case "line":
            (folder / "corpus.jsonl").write_text("{no")
        case "query":
            (folder / "queries.jsonl").write_text("")
    with pytest.raises(UsageError) as refused:
        load_collection("tiny", tmp_path, "dev")
    assert "\n" not in str(refused.value)
