"""Findings become one list: each paper once, best first, withdrawn ones last."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from arxivscout.papers import Paper, PaperHit
from arxivscout.research.evidence import BONUS, Finding, merge

OWLS = Paper(arxiv_id="2301.00001", title="How owls sleep through a long winter", abstract="Deep.")
BATS = Paper(arxiv_id="2301.00002", title="How bats sleep in caves of limestone", abstract="Less.")


def hit(paper: Paper, score: float) -> PaperHit:
    return PaperHit(paper=paper, score=score)


def test_a_paper_of_two_searches_is_one_and_passes_one_that_fits_one_a_little_better() -> None:
    found = merge(
        [
            Finding("owls", [hit(BATS, 0.62), hit(OWLS, 0.6)]),
            Finding("winter", [hit(OWLS, 0.5)]),
        ]
    )
    assert [each.paper for each in found] == [OWLS, BATS]
    assert found[0].questions == ("owls", "winter")
    assert found[0].score == 0.6 + BONUS * 0.4
    assert found[0].why == "owls · found by all 2 searches"
    assert found[1].why == "owls · found by 1 of 2 searches"


def test_why_a_paper_is_there_names_what_sets_its_best_search_apart() -> None:
    found = merge(
        [
            Finding("How do owls sleep?", [hit(OWLS, 0.4)]),
            Finding("owls sleep: methods", [hit(OWLS, 0.6), hit(BATS, 0.5)]),
            Finding("owls sleep: results", [hit(OWLS, 0.5)]),
        ]
    )
    assert [each.why for each in found] == [
        "methods · found by all 3 searches",
        "methods · found by 1 of 3 searches",
    ]


def test_versions_and_copies_of_one_title_are_one_paper() -> None:
    newer = replace(OWLS, arxiv_id="2301.00001v3", abstract="Deeper.")
    copy = replace(OWLS, arxiv_id="2405.00009", title="How Owls Sleep — through a long Winter")
    (found,) = merge([Finding("owls", [hit(OWLS, 0.4), hit(newer, 0.5), hit(copy, 0.3)])])
    assert found.paper.arxiv_id == "2301.00001"
    assert (found.paper.version, found.paper.abstract, found.score) == (3, "Deeper.", 0.5)


def test_short_titles_are_shared_by_different_papers() -> None:
    pair = [replace(OWLS, title="Dark matter"), replace(BATS, title="Dark matter")]
    assert len(merge([Finding("dark matter", [hit(each, 0.5) for each in pair])])) == 2


def test_withdrawn_papers_come_last_whatever_they_score() -> None:
    found = merge([Finding("q", [hit(replace(OWLS, withdrawn=True), 0.9), hit(BATS, 0.2)])])
    assert [each.paper.arxiv_id for each in found] == [BATS.arxiv_id, OWLS.arxiv_id]


papers = st.builds(
    Paper,
    arxiv_id=st.sampled_from(["2301.00001", "2301.00001v2", "2301.00002", "hep-th/9901001", "x"]),
    title=st.sampled_from(["", "Owls", "A long title of a paper about many owls", "Ωωλς"]),
    abstract=st.sampled_from(["", "One.", "Two."]),
    withdrawn=st.booleans(),
)
hits = st.builds(PaperHit, paper=papers, score=st.floats(-1, 2))
findings = st.builds(Finding, question=st.sampled_from(["a", "b", "c"]), hits=st.lists(hits))


@given(st.lists(findings, max_size=5), st.randoms())
def test_merging_keeps_scores_in_bounds_and_order_tells_nothing(given_, random) -> None:  # type: ignore[no-untyped-def]
    found = merge(given_)
    ids = [each.paper.arxiv_id for each in found]
    assert len(ids) == len(set(ids))
    assert all(0 <= each.score <= 1 and each.questions and each.why for each in found)
    assert [e.paper.withdrawn for e in found] == sorted(e.paper.withdrawn for e in found)
    random.shuffle(given_)
    again = merge(given_)
    assert [(e.paper, e.score, set(e.questions)) for e in again] == [
        (e.paper, e.score, set(e.questions)) for e in found
    ]
