"""Files of every known format, whole and broken: good records are in, bad ones are named."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import tracemalloc
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from arxivscout.errors import UsageError
from arxivscout.papers import Paper, Skipped
from arxivscout.sources.byte_stream import read_json_objects
from arxivscout.sources.files import read_papers

FIRST = {
    "arxiv_id": "0712.2288",
    "title": "CP, “Measurement”",
    "abstract": "Quantum\nteleportation.",
    "authors": ["Yu Shi", "Jane Doe"],
    "categories": ["quant-ph", "hep-ph"],
    "published": "2007-12-14",
}
SECOND = {"arxiv_id": "hep-th/9901001v2", "title": "Strings", "abstract": "About strings."}
FOUND = ["0712.2288", "hep-th/9901001"]


def line(record: object) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def as_csv(*records: dict[str, Any], delimiter: str = ",") -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(records[0]), delimiter=delimiter)
    writer.writeheader()
    for record in records:
        writer.writerow({k: ", ".join(v) if isinstance(v, list) else v for k, v in record.items()})
    return out.getvalue()


def write(path: Path, content: str | bytes) -> Path:
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def ids(path: Path) -> list[str]:
    return [item.arxiv_id if isinstance(item, Paper) else item.reason for item in read_papers(path)]


def skipped(path: Path) -> list[Skipped]:
    return [item for item in read_papers(path) if isinstance(item, Skipped)]


JSON_FORMS = {
    "lines.jsonl": line(FIRST) + line(SECOND),
    "lines.ndjson": "\n" + line(FIRST) + "\n  " + line(SECOND).rstrip("\n"),
    "windows.jsonl": (line(FIRST) + line(SECOND)).replace("\n", "\r\n"),
    "kaggle-like.json": line(FIRST) + line(SECOND),
    "array.json": json.dumps([FIRST, SECOND]),
    "array.jsonl": json.dumps([FIRST, SECOND]),
    "pretty.json": json.dumps([FIRST, SECOND], indent=2),
    "object.json": json.dumps({"papers": [FIRST, SECOND]}),
    "arrays.json": json.dumps({"about": "x", "a": [FIRST], "b": [SECOND]}, indent=1),
    "by-name.json": json.dumps({"0712.2288": FIRST, "other": SECOND}),
    "one-after-another.json": json.dumps(FIRST, indent=2) + "\n" + json.dumps(SECOND, indent=2),
    "no-suffix": line(FIRST) + line(SECOND),
    "marked.jsonl": "\ufeff" + line(FIRST) + line(SECOND),
    "marked.json": "\ufeff" + json.dumps([FIRST, SECOND]),
}


@pytest.mark.parametrize("name", JSON_FORMS)
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_json_in_its_forms(tmp_path: Path, name: str, suffix: str) -> None:
    assert ids(write(tmp_path / (name + suffix), JSON_FORMS[name])) == FOUND


def test_a_record_keeps_all_its_fields(tmp_path: Path) -> None:
    (paper,) = read_papers(write(tmp_path / "a.jsonl", line(FIRST)))
    assert paper == Paper(
        arxiv_id="0712.2288",
        title="CP, “Measurement”",
        abstract="Quantum teleportation.",
        authors=("Yu Shi", "Jane Doe"),
        categories=("quant-ph", "hep-ph"),
        primary_category="quant-ph",
        published="2007-12-14",
        source="a.jsonl",
    )


def test_a_single_object_is_a_record(tmp_path: Path) -> None:
    assert ids(write(tmp_path / "one.json", json.dumps(FIRST, indent=2))) == ["0712.2288"]


def test_the_name_does_not_decide_about_compression(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(gzip.compress(line(FIRST).encode()) + gzip.compress(line(SECOND).encode()))
    assert ids(path) == FOUND
    assert ids(write(tmp_path / "plain.jsonl", line(FIRST)).rename(tmp_path / "p.gz")) == FOUND[:1]


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.tsv", "a"])
def test_tables(tmp_path: Path, name: str, delimiter: str) -> None:
    second = {**dict.fromkeys(FIRST, ""), **SECOND}
    path = write(tmp_path / name, "\ufeff" + as_csv(FIRST, second, delimiter=delimiter))
    first, other = read_papers(path)
    assert isinstance(first, Paper)
    assert isinstance(other, Paper)
    assert first.authors == ("Yu Shi", "Jane Doe")
    assert first.categories == ("quant-ph", "hep-ph")
    assert first.abstract == "Quantum teleportation."
    assert (other.arxiv_id, other.version, other.published) == ("hep-th/9901001", 2, "1999-01")


def test_broken_rows_cost_themselves_only(tmp_path: Path) -> None:
    content = (
        "id,title,abstract\n"
        "0704.0001,One,Text\n"
        "0704.0002,Two\n"
        '0704.0003,"Three ""quoted""","Over\ntwo lines"\n'
        '0704.0004,"never closed,Text\n'
        "0704.0005,Five,Text\n"
        "\n"
        "0704.0006,Six\u2028still six,Text\r\n"
    ).encode() + b"0704.0007,Se\xffven,Text\n0704.0008,Eight,Text\n"
    path = write(tmp_path / "a.csv", content)
    assert [p.arxiv_id for p in read_papers(path) if isinstance(p, Paper)] == [
        f"0704.000{n}" for n in (1, 3, 5, 6, 8)
    ]
    assert [item.where for item in skipped(path)] == ["a.csv:3", "a.csv:6", "a.csv:10"]
    assert [item.reason for item in skipped(path)][0::2] == [
        "broken CSV: 2 columns where the header has 3",
        "not UTF-8 (byte 13)",
    ]


BROKEN_LINES = [
    (b"{broken", "broken JSON: Expecting property name enclosed in double quotes (character 2)"),
    (b'{"arxiv_id": "0704.0001", "title": "T"', "broken JSON: Expecting ',' delimiter"),
    (b"[1, 2]", "no JSON object"),
    (b'"text"', "no JSON object"),
    (b'{"title": "\xff"}', "not UTF-8 (byte 12)"),
    (line(FIRST).encode("utf-16"), "not UTF-8 (byte 1)"),
    (b"[" * 100_000, "JSON that can't be read: RecursionError"),
    (b'{"a": ' + b"9" * 5000 + b"}", "JSON that can't be read: ValueError"),
    (line({**SECOND, "arxiv_id": None}).encode(), "no id"),
    (line({**SECOND, "arxiv_id": "abc"}).encode(), "'abc' is no arXiv id"),
    (line({**SECOND, "arxiv_id": 704.0001}).encode(), "arxiv_id 704.0001 is no text"),
    (line({**SECOND, "title": " "}).encode(), "title is missing or empty"),
    (line({**SECOND, "title": "\0"}).encode(), "title is empty"),
    (line({**SECOND, "title": {"a": 1}}).encode(), "title is no text but dict"),
    (line({**SECOND, "abstract": None}).encode(), "abstract is missing or empty"),
    (line({**SECOND, "abstract": "x" * 2_000_000}).encode(), "abstract of 2,000,000 characters"),
    (line({**SECOND, "authors": 7}).encode(), "authors are no list but int"),
    (line({**SECOND, "abstract": "x" * 10_000_000}).encode(), "a line longer than 8 MiB"),
]


@pytest.mark.parametrize(("broken", "reason"), BROKEN_LINES, ids=[r[:30] for _, r in BROKEN_LINES])
def test_a_broken_line_is_named_and_the_good_ones_are_in(
    tmp_path: Path, broken: bytes, reason: str
) -> None:
    content = line(FIRST).encode() + broken.rstrip(b"\n") + b"\n" + line(SECOND).encode()
    path = write(tmp_path / "a.jsonl", content)
    found = list(read_papers(path))
    assert [item.arxiv_id for item in found if isinstance(item, Paper)] == FOUND
    bad = skipped(path)[0]
    assert bad.where == "a.jsonl:2"
    assert bad.reason.startswith(reason)
    assert bad.reason.isprintable()
    assert len(bad.reason) < 200


def test_text_that_can_be_cleaned_is_taken(tmp_path: Path) -> None:
    content = '{"id": "0704.0001", "title": "a\\u0000b\\ud800", "abstract": "x\\u001b[31m\\ny"}\n'
    (paper,) = read_papers(write(tmp_path / "a.jsonl", content))
    assert isinstance(paper, Paper)
    assert (paper.title, paper.abstract) == ("ab", "x y")


def test_a_truncated_gzip_gives_what_is_whole(tmp_path: Path) -> None:
    lines = [
        line({**SECOND, "arxiv_id": f"2301.{n:05}", "salt": os.urandom(300).hex()})
        for n in range(1, 2001)
    ]
    whole = gzip.compress("".join(lines).encode())
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(whole[: len(whole) // 2])
    found = list(read_papers(path))
    papers = [item.arxiv_id for item in found if isinstance(item, Paper)]
    assert len(papers) > 900
    assert papers == [f"2301.{n:05}" for n in range(1, len(papers) + 1)]
    assert skipped(path) == [Skipped(f"a.jsonl.gz:{len(papers) + 1}", "the gzip file is truncated")]
    path.write_bytes(whole[:30_000] + bytes(100) + whole[30_100:])
    assert skipped(path)[-1].reason.startswith(("the gzip data are broken", "broken JSON"))


@pytest.mark.parametrize("name", ["a.json", "a.json.gz"])
def test_a_broken_array_gives_what_is_whole(tmp_path: Path, name: str) -> None:
    broken = json.dumps([FIRST, {"arxiv_id": "0704.0001"}, SECOND, FIRST], indent=2)[:-40]
    path = write(tmp_path / name, broken)
    assert [item.arxiv_id for item in read_papers(path) if isinstance(item, Paper)] == FOUND
    assert [item.reason for item in skipped(path)] == [
        "title is missing or empty",
        "the text ends in the middle",
    ]
    assert skipped(path)[0].where == f"{name}:16"


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("empty.jsonl", b"", "is empty"),
        ("a.jsonl", line(FIRST).encode("utf-16"), "no UTF-8 text"),
        ("a.json", line(FIRST).encode("utf-16-le"), "no UTF-8 text"),
        ("a.pdf", b"%PDF-1.7 " + bytes(100), "no UTF-8 text"),
        ("a.json", b"hello", "format that is not known"),
        ("a.txt", b"hello,world\n1,2\n", "format that is not known"),
        ("a.csv", b"one,two\n1,2\n", "must name the columns"),
        ("a.parquet", b"hello", "no Parquet file"),
        ("a.parquet", b"PAR1 and more", "can't be read as Parquet"),
        ("a.jsonl.gz", b"\x1f\x8b\x08", "can't be read"),
    ],
)
def test_a_file_that_can_not_be_one_is_refused_at_once(
    tmp_path: Path, name: str, content: bytes, reason: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UsageError, match=reason) as caught:
        read_papers(path)
    assert "\n" not in str(caught.value)
    assert name in str(caught.value) or "columns" in reason


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        read_papers(tmp_path / "none.jsonl")
    with pytest.raises(UsageError, match="is a folder"):
        read_papers(tmp_path)


def test_an_array_of_something_else_is_told(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", "[1, 2, 3]")
    assert skipped(path) == [Skipped("a.json:1", "no JSON object but a number")] * 3
    path = write(tmp_path / "a.json", "[ ]")
    assert skipped(path) == [Skipped("a.json:1", "it holds no JSON objects")]


ODD = r'5, -2.5e3, null, true, false, "a \" ] , {\\", [], [[{}], {"a": 1}], {"a": [1, "]"]}'
ODD_NAMED = ["a number", "a number", "null", "true", "false", "a text", "a list", "a list"]


@pytest.mark.parametrize("wrap", ["[%s]", '{"papers": [%s], "count": 3}'])
def test_elements_that_are_no_objects_are_told_with_their_place(tmp_path: Path, wrap: str) -> None:
    content = wrap % f"{json.dumps(FIRST)}, {ODD}, {json.dumps(SECOND)}"
    found = list(read_papers(write(tmp_path / "a.json", content)))
    assert [item.arxiv_id for item in found if isinstance(item, Paper)] == FOUND
    *told, object_with_no_id = [item.reason for item in found if isinstance(item, Skipped)]
    assert told == [f"no JSON object but {each}" for each in ODD_NAMED]
    assert object_with_no_id.startswith("no id")


@pytest.mark.parametrize(("wrap", "depth"), [("[\n%s]", 1), ('{"papers": [\n%s], "n": [3]}', 2)])
def test_elements_are_the_same_wherever_the_pieces_of_a_file_end(wrap: str, depth: int) -> None:
    content = (wrap % f'{{"a": "\\n"}}, {ODD}'.replace(", ", ",\n")).encode()
    expected = [(2, b'{"a": "\\n"}')]
    # an object's inside and the text's have a comma and an end of line of their own
    places = [3, 4, 5, 6, 7, 8, 10, 11]
    expected += zip(places, ODD_NAMED, strict=True)
    expected += [(13, b'{"a": [1,\n"]"]}')]
    if depth == 2:
        expected += [(14, "a number")]
    for size in range(1, len(content) + 1):
        pieces = (content[at : at + size] for at in range(0, len(content), size))
        assert list(read_json_objects(pieces, depth)) == expected, size


def test_an_array_of_no_objects_is_read_in_bounded_memory(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", "[" + "5," * 30_000 + f'"{"x" * 20_000_000}"]')
    tracemalloc.start()
    assert sum(1 for _ in read_papers(path)) == 30_001
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * 2**20


@pytest.mark.timeout(20)
def test_what_is_no_regular_file_is_refused_without_being_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    for path in (tmp_path / "pipe.jsonl", Path("/dev/zero")):
        with pytest.raises(UsageError, match="is no regular file"):
            read_papers(path)
    regular = tmp_path / "link.jsonl"
    regular.symlink_to(write(tmp_path / "a.jsonl", line(FIRST)))
    assert ids(regular) == FOUND[:1]


def test_a_list_for_each_field_is_told(tmp_path: Path) -> None:
    columns = {"id": ["0704.0001"], "title": ["T"], "abstract": ["A"]}
    (bad,) = skipped(write(tmp_path / "a.json", json.dumps(columns, indent=1)))
    assert "is no text" in bad.reason


def pieces(count: int) -> Iterator[str]:
    for number in range(count):
        record = {**SECOND, "arxiv_id": f"2301.{number % 99999 + 1:05}", "abstract": "x " * 10_000}
        yield json.dumps(record)


@pytest.mark.parametrize("form", ["jsonl", "array", "object", "csv"])
def test_memory_does_not_grow_with_the_file(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"a.{'json' if form in {'array', 'object'} else form}.gz"
    with gzip.open(path, "wt", compresslevel=1) as file:
        if form == "csv":
            file.write("arxiv_id,title,abstract\n")
            file.writelines(f"2301.{n + 1:05},T,{'x ' * 10_000}\n" for n in range(1_500))
        else:
            file.write({"array": "[", "object": '{"papers": ['}.get(form, ""))
            separator = "\n" if form == "jsonl" else ","
            for number, piece in enumerate(pieces(1_500)):
                file.write((separator if number else "") + piece)
            file.write({"array": "]", "object": "]}"}.get(form, ""))
    tracemalloc.start()
    assert sum(isinstance(item, Paper) for item in read_papers(path)) == 1_500
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # 30 MB of text; `object` first reads up to the 8 MiB that one record may have
    assert peak < (20 if form == "object" else 4) * 2**20


def test_a_line_beyond_all_bounds_is_not_kept_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(line(FIRST).encode() + b'{"abstract": "')
        for _ in range(100):
            file.write(b"x" * 2**20)
        file.write(b'"}\n' + line(SECOND).encode())
    tracemalloc.start()
    assert ids(path) == [FOUND[0], "a line longer than 8 MiB", FOUND[1]]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 30 * 2**20


def test_parquet(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as parquet

    table = pyarrow.Table.from_pylist(
        [
            {
                **FIRST,
                "published": None,
                "publication_date": date(2007, 12, 14),
            },
            {**SECOND, "authors": None, "categories": None},
            {**SECOND, "arxiv_id": None},
        ]
    )
    path = tmp_path / "a.parquet"
    parquet.write_table(table, path)
    packed = tmp_path / "b.parquet.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    for file in (path, packed):
        first, second, third = read_papers(file)
        assert isinstance(first, Paper)
        assert isinstance(second, Paper)
        assert (first.authors, first.published) == (("Yu Shi", "Jane Doe"), "2007-12-14")
        assert second.arxiv_id == "hep-th/9901001"
        assert third == Skipped(f"{file.name}:3", "no id (none of arxiv_id, arxivid, arxiv, id)")
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(UsageError, match="can't be read as Parquet"):
        read_papers(path)
