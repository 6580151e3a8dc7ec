"""Job files: what is right reads back as it was meant, what is wrong is told line by line."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from arxivscout.batch.entries import MOST_JOBS
from arxivscout.batch.job import FORMATS, KNOWN_FORMATS, Job
from arxivscout.batch.job_file import MOST_BYTES, read_jobs
from arxivscout.errors import JobFileError, UsageError

SUFFIXES = ("yaml", "jsonl", "json", "csv")
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def put(content: str | bytes, suffix: str = "yaml") -> Path:
        path = tmp_path / f"jobs.{suffix}"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return put


def mistakes(path: Path) -> list[str]:
    with pytest.raises(JobFileError) as told:
        read_jobs(path)
    assert isinstance(told.value, UsageError)
    assert all(detail in str(told.value).split("\n") for detail in told.value.details)
    return list(told.value.details)


def whole(path: Path) -> str:
    """What is told of a file that is refused before its lines are looked at."""
    with pytest.raises(JobFileError) as told:
        read_jobs(path)
    assert told.value.details == ()
    return str(told.value).replace(str(path), "F")


# what is right


FULL = Job(
    question="What is known about quantum teleportation of neutral mesons?",
    id="mesons",
    category="quant-ph",
    since="2007",
    until="2015-06",
    author="Yu Shi",
    model="extractive",
    thread="mesons",
    formats=("html", "bib"),
    depth=3,
)


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (
            "yaml",
            """
            # overnight
            - question: What is known about quantum teleportation of neutral mesons?
              id: mesons
              category: quant-ph
              since: 2007
              until: 2015-06
              author: Yu Shi
              model: extractive
              thread: mesons
              formats: [html, bib]
              depth: 3
            - What is dark matter made of?
            """,
        ),
        (
            "yml",
            """
            defaults: {category: quant-ph, since: "2007", formats: html bib, depth: 3}
            jobs:
            - {question: What is known about quantum teleportation of neutral mesons?,
               id: mesons, until: 2015-06, author: Yu Shi, model: extractive, thread: mesons}
            - {question: What is dark matter made of?, category: null, since: ~, formats: ~,
               depth: 2}
            """,
        ),
        (
            "jsonl",
            json.dumps({**FULL.model_dump(mode="json"), "category": "QUANT-PH", "since": 2007})
            + '\n\n   "What is dark matter made of?" \n',
        ),
        (
            "json",
            """[{"question": "What is known about quantum teleportation of neutral mesons?",
            "id": "mesons", "category": "quant-ph", "since": "2007", "until": "2015-06",
            "author": "Yu Shi", "model": "extractive", "thread": "mesons", "formats": "html, bib",
            "depth": 3}, {"question": "What is dark matter made of?", "category": null}]""",
        ),
        (
            "csv",
            "Question;id;category;since;until;author;model;thread;formats;depth\r\n"
            "What is known about quantum teleportation of neutral mesons?;mesons;quant-ph;2007;"
            "2015-06; Yu Shi ;extractive;mesons;html bib;3\r\n"
            ";;;;\r\n"
            "What is dark matter made of?\r\n",
        ),
    ],
)  # fmt: skip
def test_each_format_says_the_same(write: Write, suffix: str, text: str) -> None:
    read = read_jobs(write(text, suffix))
    assert read[0] == FULL
    assert len(read) == 2
    second = read[1]
    assert (second.question, second.category, second.depth) == (
        "What is dark matter made of?",
        None,
        2,
    )
    if suffix != "yml":
        assert second == Job(question="What is dark matter made of?")
    assert read_jobs(write(b"\xef\xbb\xbf" + text.encode(), suffix)) == read
    assert read_jobs(write(text.replace("\r\n", "\n").replace("\n", "\r\n"), suffix)) == read


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_has_its_delimiter_from_the_header(write: Write, delimiter: str) -> None:
    rows = [["depth", "formats", "question"], ["1", "html;bib", "What, if\nanything; is\tnew?"]]
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(rows)
    (job,) = read_jobs(write(out.getvalue(), "csv"))
    assert job == Job(question="What, if\nanything; is\tnew?", depth=1, formats=("html", "bib"))


def test_yaml_means_what_it_looks_like(write: Write) -> None:
    (job,) = read_jobs(
        write("- {question: 12:30, id: 007, since: 2024-01-31, until: 2024, thread: 2024-01-01}")
    )
    assert (job.question, job.id, job.since, job.until) == ("12:30", "007", "2024-01-31", "2024")
    assert job.thread == "2024-01-01"
    assert read_jobs(write("- {question: !!str 42, id: 7}"))[0].id == "7"
    assert read_jobs(write('{"question": "x", "id": 7}', "jsonl"))[0].id == "7"


def test_text_is_cleaned(write: Write) -> None:
    escaped = r'{"question": " a\u0000b\ud800\u202e ", "thread": "t\u0000  u", "author": "a\nb"}'
    for suffix, text in (("jsonl", escaped), ("json", f"[{escaped}]")):
        (job,) = read_jobs(write(text, suffix))
        assert (job.question, job.thread, job.author) == ("ab", "t u", "a b")
    (job,) = read_jobs(write(r'- "a\0b\U0001F600"'))
    assert job.question == "ab\U0001f600"


def _job(**fields: Any) -> Job | None:
    try:
        return Job(**fields)
    except ValueError:
        return None


TEXT = st.text(max_size=60) | st.sampled_from(
    ["null", "~", "no", "2024", "0x1f", "1e3", "- a", "a: b", "&a", "*a", "!t", "#x", '"', "'", ",",
     "a,b;c\td", 'say "no"', "|", ">", "%", "@", "=", "<<", "a\nb", "a\r\nb", "a\n\n b", "{}", "[]"]
)  # fmt: skip
OPTIONAL = st.none() | TEXT
DATES = st.none() | st.sampled_from(["2007", "2012-02", "2012-02-29"])
LATER = st.none() | st.sampled_from(["2012-02-29", "2012-03", "2024"])
JOBS = st.builds(
    _job,
    question=TEXT,
    id=st.none() | st.text("abcXYZ0189-_. é語", min_size=1, max_size=20),
    category=st.none() | st.sampled_from(["cs.CL", "quant-ph", "cs", "astro-ph.GA"]),
    since=DATES,
    until=LATER,
    author=OPTIONAL,
    model=OPTIONAL,
    thread=OPTIONAL,
    formats=st.lists(st.sampled_from(KNOWN_FORMATS), min_size=1, max_size=4, unique=True),
    depth=st.sampled_from([1, 2, 3]),
).filter(lambda job: job is not None)
MANY = st.lists(
    JOBS,
    min_size=1,
    max_size=6,
    unique_by=(lambda job: job.key, lambda job: job.id.casefold() if job.id else object()),
)


def written(jobs: list[Job], suffix: str, plain: bool) -> str:
    """The file that a program would write: `plain` without what is not ASCII, and all fields."""
    dumped = [job.model_dump(mode="json", exclude_defaults=not plain) for job in jobs]
    if suffix == "yaml":
        return yaml.safe_dump(dumped, allow_unicode=not plain)
    if suffix == "jsonl":
        return "".join(json.dumps(each, ensure_ascii=plain) + "\n" for each in dumped)
    if suffix == "json":
        return json.dumps(dumped, ensure_ascii=plain, indent=None if plain else 1)
    out = io.StringIO(newline="")
    table = csv.DictWriter(out, list(Job.model_fields), quoting=csv.QUOTE_ALL if plain else 0)
    table.writeheader()
    for job in jobs:
        row = job.model_dump()
        table.writerow(row | {"formats": ";".join(row["formats"])})
    return out.getvalue()


@pytest.mark.parametrize("suffix", SUFFIXES)
@settings(max_examples=40)
@given(jobs=MANY, plain=st.booleans())
def test_any_jobs_read_back_the_same(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, jobs: list[Job], plain: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / f"round.{suffix}"
    path.write_bytes(written(jobs, suffix, plain).encode())
    read = read_jobs(path)
    assert read == jobs
    assert [job.key for job in read] == [job.key for job in jobs]


PIECES = st.sampled_from(
    ["- ", "question", ": ", "jobs:\n", "defaults:\n", "{", "}", "[", "]", '"', ",", "\n", "  ",
     "&a", " *a", "!!python/object:os.system ", "<<: ", "null", "1e999", "9" * 5000, "NaN", "\t",
     "---\n", "...\n", "%YAML 9\n", "|\n", "? ", "\\u0000", "\\ud800", "depth", "formats", "id",
     "é", "\x00", "\x07", "\x85", ";", "'", "2024-02-30", "question,depth\n"]
)  # fmt: skip
ANYTHING = (
    st.binary(max_size=200)
    | st.lists(PIECES, max_size=30).map(lambda parts: "".join(parts).encode())
    | st.text(max_size=100).map(lambda text: ("question\n" + text).encode("utf-8", "replace"))
)


@pytest.mark.parametrize("suffix", SUFFIXES)
@settings(max_examples=100)
@given(data=ANYTHING)
def test_any_bytes_are_jobs_or_one_error(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / f"any.{suffix}"
    path.write_bytes(data)
    try:
        read = read_jobs(path)
    except JobFileError as error:
        assert str(error)
        assert all("\n" not in detail and detail.isprintable() for detail in error.details)
    else:
        assert read and all(isinstance(job, Job) for job in read)


# what is wrong


def test_every_mistake_is_named_with_its_line(write: Write) -> None:
    text = """\
defaults:
  formats: [html, pdf]
  depht: 2
  id: x
  category: cs.CL
jobs:
- question: ""
  since: 2015
  until: 2014
- question: 42
  category: cs.NONE
  until: 2024-02-30
- id: ../up
  thread: "{long}"
  depth: 4
- question: good
  formats: []
  format: html
- [a list]
-
- What is dark matter made of?
- What is dark matter made of?
- {question: one, id: A}
- {question: two, id: a}
- question: {a: b}
  question: twice
  author: true
  id: con.txt
""".replace("{long}", "x" * 101)
    assert mistakes(write(text)) == [
        "line 2: formats: 'pdf' is no format: use markdown, html, bib, json",
        "line 3: unknown field 'depht'; is depth meant?",
        "line 4: id is each job's own, and can't be a default",
        "line 7: question is empty",
        "line 9: until: 2014 is before since, 2015",
        "line 10: question must be text; put 42 in quotes",
        "line 11: category: 'cs.NONE' is no arXiv category, such as cs.CL or quant-ph",
        "line 12: until: '2024-02-30' is no date: use YYYY, YYYY-MM or YYYY-MM-DD",
        "line 13: question is missing",
        "line 13: id: '../up' can't name files (letters, digits, '-', '_' and '.' always can)",
        f"line 14: thread: '{'x' * 40}' can't name a thread. Use 1 to 100 printable characters",
        "line 15: depth: 4 is no depth: use 1, 2 or 3",
        "line 17: formats: nothing is no format: use markdown, html, bib, json",
        "line 18: unknown field 'format'; is formats meant?",
        "line 19: a job must be a question or fields with values, not a list",
        "line 20: a job must be a question or fields with values, not nothing",
        "line 22: the same job as on line 21",
        "line 24: id: 'a' is that of line 23 too",
        "line 25: question must be text, not fields",
        "line 26: question is given twice",
        "line 27: author must be text; put true in quotes",
        "line 28: id: 'con.txt' can't name files (letters, digits, '-', '_' and '.' always can)",
    ]


def test_the_error_tells_how_many_in_its_first_line(write: Write) -> None:
    path = write("- a\n- a\n- a\n")
    with pytest.raises(JobFileError) as told:
        read_jobs(path)
    assert str(told.value) == (
        f"{path} has 2 mistakes; none of its jobs is run.\n"
        "line 2: the same job as on line 1\n"
        "line 3: the same job as on line 1"
    )
    assert told.value.exit_code == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- a\n- 'b\n", ["line 2: broken YAML: found unexpected end of stream"]),
        ("- a\n- [", ["line 2: broken YAML: did not find expected node content"]),
        ("- {question: '', id: x}\n- a: b: c\n", ["line 1: question is empty", "line 2: broken"]),
        ("- a\n- b\x07\n", ["line 2: broken YAML: control characters are not allowed"]),
        ("- a\n--- \n- b\n", ["line 2: a second document begins; one is read"]),
        ("question: a\n", ["line 1: a list of jobs is expected: `- ` before each"]),
        ("a question\n", ["line 1: a list of jobs is expected: `- ` before each"]),
        ("jobs: 3\n", ["line 1: `jobs:` must be a list: `- ` before each job"]),
        ("jobs: [a]\njob: [b]\n", ["line 2: 'job' is neither `defaults:` nor `jobs:`"]),
        ("jobs: [a]\njobs: [b]\n", ["line 2: `jobs:` is given twice"]),
        ("defaults: 3\njobs: [a]\n", ["line 1: `defaults:` must be fields and their values"]),
        ("- question: a\n  1: b\n", ["line 2: a field's name must be text, not 1"]),
        ("- question: a\n  [x]: b\n", ["line 2: a field's name must be text, not ['x']"]),
        ("- !!python/object/apply:os.system [ls]\n", ["line 1: tags (tag:yaml.org,2002:python/"]),
        ("- &a b\n", ["line 1: anchors and aliases (&name, *name) are not read;"]),
    ],
)
def test_broken_yaml(write: Write, text: str, told: list[str]) -> None:
    found = mistakes(write(text))
    assert len(found) == len(told)
    for each, expected in zip(found, told, strict=True):
        assert each.startswith(expected)


@pytest.mark.parametrize(
    ("suffix", "text", "told"),
    [
        ("jsonl", '"a"\n{"question": "b"\n\n{x}\n3\n', [
            "line 2: broken JSON: Expecting ',' delimiter (column 17)",
            "line 4: broken JSON: Expecting property name enclosed in double quotes (column 2)",
            "line 5: a job must be an object or a question, not 3"]),
        ("jsonl", '{"question": "b", "depth": NaN}', ["line 1: broken JSON: NaN is no JSON"]),
        ("jsonl", '{"question": "b", "depth": 1.0, "id": "a", "id": "b"}', [
            "line 1: id is given twice", "line 1: depth: 1.0 is no depth: use 1, 2 or 3"]),
        ("jsonl", '{"question": ["a"], "since": 2015.5, "depth": true, "id": 1.5}', [
            "line 1: question must be text, not a list",
            "line 1: id must be text; put 1.5 in quotes",
            "line 1: since must be text; put 2015.5 in quotes",
            "line 1: depth: True is no depth: use 1, 2 or 3"]),
        ("json", '[\n"a",\n{"question": "b", "dept": 1}\n,\n]', [
            "line 3: unknown field 'dept'; is depth meant?",
            "line 5: broken JSON: Expecting value"]),
        ("json", '["a"', ["line 1: broken JSON: a comma or ] is expected"]),
        ("json", '["a"]\n x', ["line 2: broken JSON: something follows the list"]),
        ("json", '\n{"question": "a"}', ["line 2: a list of jobs is expected: ["]),
        ("csv", "question,Categry,,id,id\na,b,c\n", [
            "line 1: unknown field 'categry'; is category meant?",
            "line 1: a column has no name", "line 1: the column id is there twice"]),
        ("csv", "What is new?\nWhat is old?\n", [
            "line 1: the first row must name the columns, one of them `question`"]),
        ("csv", 'question,depth\n"a\nb",7\nc,2,d\n,2\ne,two\n', [
            "line 2: depth: 7 is no depth: use 1, 2 or 3",
            "line 4: 3 cells, and the first row names 2; a text with the delimiter in it needs "
            'quotes (")', "line 5: question is missing",
            "line 6: depth: 'two' is no depth: use 1, 2 or 3"]),
        ("csv", 'question\na\n"b" c\n"d\n', [
            "line 3: broken CSV: ',' expected after '\"'",
            "line 4: broken CSV: unexpected end of "]),
        ("csv", f"question\n{'x' * 10_001}\n", [
            "line 2: question has more than 10,000 characters"]),
        ("csv", f"question\n{'x' * 140_000}\n", ["line 2: "]),
    ],
)  # fmt: skip
def test_broken_tables(write: Write, suffix: str, text: str, told: list[str]) -> None:
    found = mistakes(write(text, suffix))
    assert len(found) == len(told), found
    for each, expected in zip(found, told, strict=True):
        assert each.startswith(expected)


@pytest.mark.parametrize(
    "bad",
    ["", ".", "..", "-x", "a/b", "a\\b", "a:b", "a*", "a?", "a.", "NUL", "Index", "results.md",
     "x" * 201, "é" * 101],
)  # fmt: skip
def test_what_can_name_no_file(bad: str) -> None:
    with pytest.raises(ValueError, match="can't name files"):
        Job(question="x", id=bad)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What is known about dark matter candidates?", "002-what-is-known-about-dark-matter"),
        (
            "What is known about dark matter halos, then",
            "002-what-is-known-about-dark-matter-halos",
        ),
        ("Why?", "002-why"),
        ("x" * 60, f"002-{'x' * 40}"),
        ("…", "002"),
    ],
)
def test_files_are_named_by_whole_words(question: str, name: str) -> None:
    assert Job(question=question).file_name(2) == name


def test_a_job_says_the_same_however_it_is_written() -> None:
    one = Job(question=" a\0b ", category="CS.cl", formats=["bib", "html", "bib"])  # type: ignore[arg-type]
    assert one == Job(question="ab", category="cs.CL", formats=("bib", "html"))
    assert Job(question="x", category="math.*").category == "math"
    assert Job(question="x").formats == FORMATS
    assert Job.model_validate(one.model_dump(mode="json")).key == one.key


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_files_that_are_none_of_jobs(write: Write, tmp_path: Path, suffix: str) -> None:
    empty = 'F holds no job. One is enough: - "What is …?"'
    nothing = ["", " \n\n", "\ufeff"]
    more = {"yaml": ["# all of it\n", "[]", "jobs: []"], "json": ["[ ]"], "csv": ["question,id\n"]}
    for text in [*nothing, *more.get(suffix, [])]:
        assert whole(write(text, suffix)) == empty
    latin = "- Schr\nödinger".encode("latin-1")
    assert whole(write(latin, suffix)) == "F is no UTF-8 text (line 2). Save it as UTF-8."
    assert whole(write("- a".encode("utf-16"), suffix)) == "F is UTF-16. Save it as UTF-8."
    large = write(b"", suffix)
    with large.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    assert whole(large) == "F is larger than 16 MiB. Use several files."
    large.unlink()
    assert whole(large) == "F can't be read: No such file or directory."
    large.mkdir()
    assert whole(large) == "F is a folder. Name a file of jobs."
    os.mkfifo(tmp_path / f"pipe.{suffix}")
    assert whole(tmp_path / f"pipe.{suffix}") == "F is no regular file. Name a file of jobs."
    assert "does not tell its format" in whole(tmp_path / "jobs.txt")
    assert "can't be read" in whole(Path(f"a\0b.{suffix}"))


@pytest.mark.timeout(30)
def test_what_is_made_to_burst_ends_soon(write: Write) -> None:
    laughs = "a: &a [lol]\n" + "\n".join(
        f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    assert mistakes(write(laughs))[0].startswith("line 1: anchors and aliases")
    assert mistakes(write("[" * 9 + "]" * 9)) == ["line 1: nested deeper than 8 levels"]
    assert "nest" in mistakes(write("[" * 100_000))[0]  # the parser looks ahead, and gives up first
    assert "broken YAML" in mistakes(write("{" * 100_000 + "\x00"))[0]
    deep = '{"question": ' + "[" * 100_000 + "]" * 100_000 + "}"
    assert mistakes(write(deep, "jsonl")) == ["line 1: broken JSON: nested too deeply"]
    assert mistakes(write(f"[{deep}]", "json")) == ["line 1: broken JSON: nested too deeply"]
    huge = '{"question": "a", "depth": ' + "9" * 10_000 + "}"
    assert mistakes(write(huge, "jsonl"))[0].startswith("line 1: broken JSON: Exceeds the limit")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_ten_thousand_jobs_and_no_more(write: Write, suffix: str) -> None:
    lines = {
        "yaml": [f"- question {n}" for n in range(MOST_JOBS)],
        "jsonl": [f'"question {n}"' for n in range(MOST_JOBS)],
        "json": [f'["question {n}"' if n == 0 else f',"question {n}"' for n in range(MOST_JOBS)],
        "csv": ["question", *(f"question {n}" for n in range(MOST_JOBS))],
    }[suffix]
    end = ["]"] if suffix == "json" else []
    assert len(read_jobs(write("\n".join([*lines, *end]), suffix))) == MOST_JOBS
    more = {"yaml": "- more", "jsonl": '"more"', "json": ',"more"', "csv": "more"}[suffix]
    (told,) = mistakes(write("\n".join([*lines, more, *end]), suffix))
    assert told == f"line {len(lines) + 1}: more than 10,000 jobs; use several files"
