"""What the program itself says of each starter paper's record passes its own check."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from arxivscout.bench.trust_cases import load_library
from arxivscout.checking.source import Source
from arxivscout.checking.verdicts import check_answer
from arxivscout.llm.extractive_reading import Reading
from arxivscout.llm.extractive_records import paper_answer, record_answer
from arxivscout.llm.relevance import Judged
from arxivscout.papers import Paper

STARTER = Path(__file__).parents[3] / "data" / "starter.jsonl"
PAPERS = load_library(STARTER.read_text("utf-8").splitlines()).papers
NOBODY = Reading("", "")


def alarms(answer: str, paper: Paper) -> list[str]:
    """What the check tells of it; words only, nothing is embedded."""
    found = check_answer(
        answer, {paper.arxiv_id: Source(paper)}, lambda texts: np.zeros((len(texts), 1), np.float32)
    )
    assert found.verdicts[paper.arxiv_id].verdict == "supported", answer
    return [*found.problems, *found.verdicts[paper.arxiv_id].problems]


def facts(answer: str, paper: Paper) -> list[str]:
    """The problems that are no matter of meaning: numbers, quotations, names."""
    found = check_answer(
        answer, {paper.arxiv_id: Source(paper)}, lambda texts: np.ones((len(texts), 1), np.float32)
    )
    return list(found.verdicts[paper.arxiv_id].problems)


def test_no_record_raises_an_alarm() -> None:
    assert len(PAPERS) > 150
    for paper in PAPERS.values():
        line = paper_answer(NOBODY, [Judged(paper, 1.0, ())], [paper.arxiv_id]).text
        assert alarms(line, paper) == [], line
        for fact in ("authors", "date", "subjects", "newest"):
            line = record_answer(NOBODY, fact, [paper], [paper.arxiv_id]).text
            assert facts(line, paper) == [], line


@pytest.mark.parametrize(
    "says",
    ["{title} ({year}) shows this {cite}.", "See {title} ({year}), which discusses it {cite}."],
)
def test_a_title_in_a_sentence_is_no_author(says: str) -> None:
    for paper in PAPERS.values():
        year = (paper.published or "")[:4]
        said = says.format(title=paper.title, year=year, cite=f"[arXiv:{paper.arxiv_id}]")
        assert facts(said, paper) == [], said


@pytest.mark.parametrize(
    "says", ["Smith ({year}) shows this {cite}.", "{title} by Smith et al. ({year}) {cite}"]
)
def test_a_wrong_author_is_told_whatever_the_title(says: str) -> None:
    for paper in PAPERS.values():
        if paper.authors and not any("Smith" in author for author in paper.authors):
            year = (paper.published or "")[:4]
            said = says.format(title=paper.title, year=year, cite=f"[arXiv:{paper.arxiv_id}]")
            assert facts(said, paper) == ["Smith is no author of the paper"], said
