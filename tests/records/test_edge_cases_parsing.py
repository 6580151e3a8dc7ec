"""283 unusual records as arXiv itself keeps them, and the lists of oddities that name them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from arxivscout.papers import Paper, PaperId
from arxivscout.sources.files import read_papers

pytestmark = pytest.mark.records


@pytest.fixture(scope="module")
def index(data_dir: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads(
        (data_dir / "arxiv_edge_cases" / "index.json").read_text("utf-8")
    )
    return found


@pytest.fixture(scope="module")
def papers(data_dir: Path) -> list[Paper]:
    found = list(read_papers(data_dir / "arxiv_edge_cases" / "abs_files.jsonl.gz"))
    assert all(isinstance(item, Paper) for item in found)
    return [item for item in found if isinstance(item, Paper)]


@pytest.fixture(scope="module")
def core(data_dir: Path) -> dict[str, Paper]:
    found = read_papers(data_dir / "arxiv_meta" / "core_25k.jsonl.gz")
    return {item.arxiv_id: item for item in found if isinstance(item, Paper)}


def test_all_become_papers(papers: list[Paper], data_dir: Path) -> None:
    assert len(papers) == 283
    assert len({paper.arxiv_id for paper in papers}) == 218
    with gzip.open(data_dir / "arxiv_edge_cases" / "abs_files.jsonl.gz", "rt") as file:
        records = [json.loads(line) for line in file]
    assert [paper.version for paper in papers] == [record["version"] for record in records]
    assert [paper.published for paper in papers] == [record["published"] for record in records]
    assert all(paper.authors for paper in papers)
    assert not any(mark in name for p in papers for name in p.authors for mark in "\\{}$()~")


def test_withdrawn_ones_are_marked(
    papers: list[Paper], core: dict[str, Paper], index: dict[str, list[str]]
) -> None:
    # one version of each: 0704.0615 was withdrawn as v3 and published as v4
    marked = {paper.arxiv_id for paper in [*papers, *core.values()] if paper.withdrawn}
    assert len(index["withdrawn"]) == 204
    assert set(index["withdrawn"]) <= marked


@pytest.mark.parametrize(
    ("oddity", "check"),
    [
        ("old_style_id", lambda paper: "/" in paper.arxiv_id),
        ("multi_version_ge4", lambda paper: (paper.version or 4) >= 4),
        ("nonascii_title", lambda paper: not paper.title.isascii()),
        ("authors_gt_100", lambda paper: len(paper.authors) > 100),
        ("abstract_lt_60_chars", lambda paper: len(paper.abstract) < 60),
        ("single_word_title", lambda paper: " " not in paper.title),
        ("latex_heavy_abstract_ge40_dollars", lambda paper: paper.abstract.count("$") >= 40),
        ("categories_ge7", lambda paper: len(paper.categories) >= 7),
    ],
)
def test_oddities_survive(
    core: dict[str, Paper],
    index: dict[str, list[str]],
    oddity: str,
    check: object,
) -> None:
    assert callable(check)
    held = [core[arxiv_id] for arxiv_id in index[oddity] if arxiv_id in core]
    assert held
    assert [paper.arxiv_id for paper in held if not check(paper)] == []


def test_every_id_of_the_lists_is_one(index: dict[str, list[str]]) -> None:
    for ids in index.values():
        for item in ids:
            for arxiv_id in item if isinstance(item, list) else [item]:
                assert PaperId.parse(arxiv_id).value == arxiv_id
