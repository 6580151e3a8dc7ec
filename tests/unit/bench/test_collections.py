"""Collections of questions, read from BEIR's form."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from arxivscout.bench.collections import load_collection, load_others, name_among, numbered_id
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


@pytest.mark.parametrize("amiss", ["nothing", "several", "split", "line", "query", "columns"])
def test_what_is_no_collection_is_one_line(tmp_path: Path, amiss: str) -> None:
    folder = written(tmp_path / "tiny", packed=False)
    match amiss:
        case "nothing":
            (folder / "corpus.jsonl").unlink()
        case "several":
            folder.rename(tmp_path / "one")
            written(tmp_path / "other", packed=False)
        case "split":
            (folder / "qrels_dev.tsv").rename(folder / "qrels_test.tsv")
        case "line":
            (folder / "corpus.jsonl").write_text("{no")
        case "query":
            (folder / "queries.jsonl").write_text("")
        case "columns":
            (folder / "qrels_dev.tsv").write_text(JUDGED + "1\ta\n")
    with pytest.raises(UsageError) as refused:
        load_collection("tiny", tmp_path, "dev")
    assert "\n" not in str(refused.value)


def test_a_collection_of_any_name_lies_as_beir_packs_it(tmp_path: Path) -> None:
    folder = written(tmp_path / "nfcorpus", packed=False)
    (folder / "qrels").mkdir()
    (folder / "qrels_dev.tsv").rename(folder / "qrels" / "test.tsv")
    (folder / "qrels" / "train.tsv").write_text(JUDGED.replace("1\ta\t1", "1\tb\t1"))
    for data in (folder, tmp_path):
        assert load_collection("scifact", data).asked[0].gains["1501.00001"] == 1
    assert load_collection("scifact", folder, "train").asked[0].gains == {"1501.00002": 0}


def test_records_of_other_hands_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    documents = [
        {"_id": "doc/1 \u2028é", "text": "word " * 40, "metadata": {"url": "x"}},
        {"_id": 2, "title": "A title alone", "text": ""},
        {"_id": "<3>", "title": None, "text": "x" * 60_000},
        {"_id": "MED-4", "title": "", "text": "The same as its question."},
    ]
    lines = "\n\n".join(json.dumps(each, ensure_ascii=False) for each in documents)
    (folder / "corpus.jsonl").write_bytes(b"\xef\xbb\xbf" + lines.encode())
    queries = [{"_id": 7, "text": "odd"}, {"_id": "MED-4", "text": "The same as its question."}]
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)))
    (folder / "qrels.tsv").write_text(
        "7\t0\tdoc/1 \u2028é\t2\r\n7\t0\t2\t-1\r\n\r\nMED-4\t0\t<3>\t1\r\n"
    )
    found = load_collection("odd", folder)
    assert [each.cleaned().title for each in found.papers] == [
        " ".join(["word"] * 20), "A title alone", "x" * 100, "The same as its question.",
    ]  # fmt: skip
    odd, same = found.asked
    assert (odd.text, odd.gains) == ("odd", {"1501.00001": 2, "1501.00002": 0})
    assert (same.gains, same.without) == ({"1501.00003": 1}, ("1501.00004",))


def test_collections_of_one_name_are_kept_apart(tmp_path: Path) -> None:
    here = load_collection("tiny", written(tmp_path / "a" / "tiny", packed=True))
    there = load_collection("tiny", written(tmp_path / "b" / "tiny", packed=False))
    assert here.key == there.key
    (tmp_path / "b" / "tiny" / "corpus.jsonl").write_text(json.dumps(DOCUMENTS[0]))
    (tmp_path / "b" / "tiny" / "qrels_dev.tsv").write_text("1\ta\t1")
    other = load_collection("tiny", tmp_path / "b").key
    assert other != here.key
    assert other.startswith("tiny-")


def test_questions_are_put_to_the_other_collections_of_a_folder(tmp_path: Path) -> None:
    for name in ("own", "theirs", "others"):
        written(tmp_path / name, packed=False)
    assert [each.name for each in load_others("own", tmp_path)] == ["others", "theirs"]
    assert load_others("own", tmp_path / "own") == []
    assert name_among("own", tmp_path) == "own"
    assert name_among("scifact", tmp_path) == "others", "the first, where none is called so"
    assert name_among("scifact", tmp_path / "nowhere") == "scifact"
