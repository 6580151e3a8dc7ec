"""All 25,314 real records: every one becomes a paper, with nothing lost of what it says."""

from __future__ import annotations

import gzip
import json
import time
from collections import Counter
from pathlib import Path

import pytest

from arxivscout.papers import Paper, PaperId, Skipped, parse_papers, render_papers
from arxivscout.sources.authors import split_authors
from arxivscout.sources.files import read_papers
from arxivscout.sources.withdrawn import says_withdrawn

pytestmark = pytest.mark.records


@pytest.fixture(scope="module")
def path(data_dir: Path) -> Path:
    return data_dir / "arxiv_meta" / "core_25k.jsonl.gz"


@pytest.fixture(scope="module")
def records(path: Path) -> list[dict[str, object]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.fixture(scope="module")
def papers(path: Path) -> list[Paper]:
    began = time.monotonic()
    found = list(read_papers(path))
    print(f"{len(found)} records in {time.monotonic() - began:.1f} s")
    assert [item for item in found if isinstance(item, Skipped)] == []
    return [item for item in found if isinstance(item, Paper)]


def test_every_record_becomes_a_paper(
    papers: list[Paper], records: list[dict[str, object]]
) -> None:
    assert len(papers) == len(records) == 25_314
    assert [paper.arxiv_id for paper in papers] == [record["arxiv_id"] for record in records]
    assert sum("/" in paper.arxiv_id for paper in papers) == 2_702
    assert len({paper.record_hash for paper in papers}) == 25_314


def test_nothing_is_lost(papers: list[Paper], records: list[dict[str, object]]) -> None:
    changed = Counter[str]()
    for paper, record in zip(papers, records, strict=True):
        changed["title"] += paper.title != record["title"]
        changed["abstract"] += paper.abstract != record["abstract"]
        changed["categories"] += list(paper.categories) != record["categories"]
        changed["authors"] += list(paper.authors) != record.get("authors", list(paper.authors))
        changed["published"] += paper.published != record.get("published", paper.published)
        changed["version"] += paper.version != record.get("version", paper.version)
        changed["doi"] += paper.doi != record.get("doi")
    # 13 lists hold LaTeX or affiliations that are taken out, one abstract two blanks in a row, and
    # one date is cut short ("2023-05-1")
    assert changed == {
        "title": 0,
        "abstract": 1,
        "categories": 0,
        "authors": 13,
        "published": 1,
        "version": 0,
        "doi": 0,
    }


def test_authors_written_as_one_text_are_split_as_the_lists_are(
    records: list[dict[str, object]],
) -> None:
    both = [record for record in records if "authors_raw" in record and "authors" in record]
    same = sum(list(split_authors(str(r["authors_raw"]))) == r["authors"] for r in both)
    # those that differ name collaborations, which the lists drop or leave "for the …" with
    assert len(both) == 1_627
    assert same >= 1_585


def test_withdrawn_papers_are_found_by_their_words(records: list[dict[str, object]]) -> None:
    found = Counter(
        (
            bool(record["withdrawn"]),
            says_withdrawn(
                str(record["title"]), str(record["abstract"]), str(record.get("comments", ""))
            ),
        )
        for record in records
    )
    # the three that bear no mark do say "this … is being withdrawn"
    assert found == {(False, False): 25_107, (True, True): 198, (True, False): 6, (False, True): 3}


def test_real_papers_survive_rendering(papers: list[Paper]) -> None:
    rendered = render_papers(papers)
    parsed = parse_papers(rendered)
    assert [paper.arxiv_id for paper in parsed] == [paper.arxiv_id for paper in papers]
    assert [paper.withdrawn for paper in parsed] == [paper.withdrawn for paper in papers]
    assert render_papers(parsed[:1000]).count("[arXiv:") == 1000
    same = sum(new.abstract == old.abstract for new, old in zip(parsed, papers, strict=True))
    assert same > 25_250  # the others hold tags or citations, shown with other brackets


def test_ids_and_months_agree(papers: list[Paper]) -> None:
    for paper in papers:
        assert str(PaperId.parse(paper.arxiv_id)) == paper.arxiv_id
        assert paper.cleaned() == paper
