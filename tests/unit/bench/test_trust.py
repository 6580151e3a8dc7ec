"""The bench of the check: cases read, made by rule, and added up."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from extractive_world import embedder

from arxivscout.bench.mechanical import FILE, mechanical_cases
from arxivscout.bench.trust import check_case, report
from arxivscout.bench.trust_cases import load_cases, load_library
from arxivscout.errors import UsageError

RECORD = {
    "arxiv_id": "1307.0010",
    "title": "Tearing up the disc",
    "abstract": "A gas disc that orbits a binary at an angle tears into several separate planes. "
    "Tearing speeds up the accretion by as much as 42 percent against an aligned disc.",
}
CASE = {
    "id": "one",
    "class": "altered_number",
    "question": "How fast?",
    "answer": "Tearing speeds up accretion by 24 percent [arXiv:1307.0010].",
    "papers": [RECORD],
    "expect": {"flagged": True, "ids": ["1307.0010"]},
}


def written(folder: Path, *lines: str) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    return path


def test_a_case_is_read_checked_and_counted(tmp_path: Path) -> None:
    true = {
        **CASE,
        "class": "faithful",
        "answer": "Tearing speeds up accretion by 42 % [arXiv:1307.0010].",
        "expect": {"flagged": False},
    }
    path = written(tmp_path, json.dumps(CASE), json.dumps(true))
    cases = load_cases(path, load_library([]))
    assert [case.half for case in cases] == ["held out", "tuned"]
    results = [check_case(case, frozenset(), embedder().embed_array) for case in cases]
    found = report(results)
    assert {kind: each["share"] for kind, each in found["all"].items()} == {
        "altered_number": 1.0,
        "faithful": 1.0,
    }
    assert set(found) == {"all", "held out", "tuned"}


@pytest.mark.parametrize("line", ["{", "[]", '{"id": 1}', json.dumps({**CASE, "papers": ["x"]})])
def test_what_is_no_case_is_one_line(tmp_path: Path, line: str) -> None:
    with pytest.raises(UsageError, match="line 1 is no case"):
        load_cases(written(tmp_path, line), load_library([]))


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--cases"):
        load_cases(tmp_path / "none", load_library([]))
    with pytest.raises(UsageError, match="--data"):
        list(mechanical_cases(tmp_path))


def test_cases_made_by_rule_are_the_same_each_time_and_judged_rightly(tmp_path: Path) -> None:
    path = tmp_path / FILE
    path.parent.mkdir()
    other = {
        "arxiv_id": "0704.0001",
        "title": "Songs",
        "abstract": "Pitches of songs and of piano pieces follow power laws over long distances.",
    }
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(each) + "\n" for each in (RECORD, other))
    cases = list(mechanical_cases(tmp_path))
    assert cases == list(mechanical_cases(tmp_path))
    assert {case.kind for case in cases} == {
        "quoted", "told", "number changed", "word of a quotation changed", "under another id",
    }  # fmt: skip
    for case in cases:
        assert check_case(case, frozenset(), embedder().embed_array).right, case
