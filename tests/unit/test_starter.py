"""The starter collection as it is shipped; its facts are checked in tests/records."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from arxivscout.papers import Paper, PaperId, parse_papers, render_papers
from arxivscout.sources.files import read_papers

DATA = Path(__file__).parents[2] / "data"
ROWS: list[dict[str, Any]] = [
    json.loads(line) for line in (DATA / "starter.jsonl").read_text(encoding="utf-8").splitlines()
]
REQUIRED = {"arxiv_id", "title", "categories", "published", "summary", "is_summary"}
OPTIONAL = {"authors", "primary_category", "version", "doi", "journal_ref"}


def archive(row: dict[str, Any]) -> str:
    return str(row.get("primary_category") or row["categories"][0]).split(".")[0]


def strings(value: Any) -> list[str]:
    if isinstance(value, list):
        return [text for part in value for text in strings(part)]
    return [value] if isinstance(value, str) else []


def test_it_is_a_sampler_of_many_archives_and_years() -> None:
    assert 140 <= len(ROWS) <= 170
    assert len({archive(row) for row in ROWS}) >= 12
    years = Counter(row["published"][:4] for row in ROWS)
    assert min(years) == "1992" and max(years) >= "2026"
    assert len(years) >= 20


def test_ids_are_valid_and_no_paper_comes_twice() -> None:
    ids = [row["arxiv_id"] for row in ROWS]
    assert len(set(ids)) == len(ids)
    assert [str(PaperId.parse(arxiv_id)) for arxiv_id in ids] == ids
    titles = [row["title"].lower() for row in ROWS]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["arxiv_id"])
def test_a_row_is_whole_and_clean(row: dict[str, Any]) -> None:
    assert set(row) >= REQUIRED and set(row) <= REQUIRED | OPTIONAL
    assert row["is_summary"] is True
    assert re.fullmatch(r"\d{4}-\d\d(-\d\d)?", row["published"])
    assert row["authors"] if row["arxiv_id"] != "0712.2288" else "authors" not in row
    for text in strings(list(row.values())):
        assert text == text.strip() and text
        assert not any(unicodedata.category(letter).startswith("C") for letter in text)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["arxiv_id"])
def test_a_summary_has_two_to_four_sentences(row: dict[str, Any]) -> None:
    summary = row["summary"]
    assert 2 <= len(re.findall(r"[.!?](?=\s|$)", summary)) <= 4
    assert 25 <= len(summary.split()) <= 110
    assert summary.endswith(".")
    assert "$" not in summary and "\\" not in summary


def test_a_paper_keeps_the_day_its_id_tells() -> None:
    """An id carries the month of announcement: a few days after the submission at most."""
    for row in ROWS:
        found = re.search(r"(\d\d)(\d\d)(?:\.|\d{3}$)", row["arxiv_id"])
        assert found is not None
        year = int(found[1]) + (1900 if int(found[1]) > 90 else 2000)
        months = year * 12 + int(found[2])
        published = int(row["published"][:4]) * 12 + int(row["published"][5:7])
        assert -1 <= published - months <= 1, row["arxiv_id"]


def test_ingestion_reads_every_row_as_a_paper_with_a_summary() -> None:
    papers = list(read_papers(DATA / "starter.jsonl"))
    assert all(isinstance(paper, Paper) for paper in papers)
    for row, paper in zip(ROWS, papers, strict=True):
        assert isinstance(paper, Paper)
        assert (paper.arxiv_id, paper.title) == (row["arxiv_id"], row["title"])
        assert paper.abstract == row["summary"] and paper.is_summary
        assert paper.authors == tuple(row.get("authors", ()))
        assert paper.categories == tuple(row["categories"])
        assert paper.primary_category == row.get("primary_category", row["categories"][0])
        assert (paper.published, paper.doi) == (row["published"], row.get("doi"))
        assert paper.journal_ref == row.get("journal_ref")
        assert not paper.withdrawn
    seen = parse_papers(render_papers(paper for paper in papers if isinstance(paper, Paper)))
    assert [paper.arxiv_id for paper in seen] == [row["arxiv_id"] for row in ROWS]
