"""Which of the papers shown are so."""

from __future__ import annotations

from datetime import date

import pytest

from arxivscout.llm.among import among_answer, asks_among
from arxivscout.papers import Paper

TODAY = date(2026, 11, 30)
KAONS = Paper(
    arxiv_id="2601.00001",
    title="Teleportation of kaons",
    abstract="We use type Ia supernovae to calibrate. The kaons are neutral.",
    authors=("Ada Lovelace",),
    published="2026-01-02",
)
BURSTS = Paper(
    arxiv_id="1801.00002",
    title="Bursts",
    abstract="Early dark energy is constrained by gamma-ray bursts.",
    authors=("Emmy Noether",),
    published="2018-01-02",
)
UNDATED = Paper(arxiv_id="0704.0003", title="Undated", abstract="Nothing is said of it here.")


@pytest.mark.parametrize(
    ("question", "what"),
    [
        ("Which of these are from 2026?", "are from 2026"),
        ("And which papers of those use MCMC?", "use MCMC"),
        ("Do any of them mention supernovae?", "mention supernovae"),
        ("Quali di questi sono del 2026?", "sono del 2026"),
        ("Which of these is the newest?", None),
        ("Which of these?", None),
        ("Which papers use MCMC?", None),
        ("What is known of these stars?", None),
    ],
)
def test_what_they_are_to_be_is_read(question: str, what: str | None) -> None:
    assert asks_among(question) == what


@pytest.mark.parametrize(
    ("what", "those"),
    [
        ("are from 2026", ["2601.00001"]),
        ("are from before 2020", ["1801.00002"]),
        ("are by Emmy Noether", ["1801.00002"]),
        ("use supernovae", ["2601.00001"]),
        ("mention early dark energy", ["1801.00002"]),
        ("use normalizing flows", []),
    ],
)
def test_those_that_are_so_are_told_and_the_others_by_their_ids(
    what: str, those: list[str]
) -> None:
    papers = [KAONS, BURSTS, UNDATED]

    told = among_answer(what, papers, TODAY)

    so = [each.arxiv_id for each in papers if f"[arXiv:{each.arxiv_id}]" in told.text]
    assert so == those
    assert all(each.arxiv_id in told.text for each in papers)
    assert all(line in told.text for line in told.quoted)
