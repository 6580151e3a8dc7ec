"""A paper under two ids is one; parts of a series, and what is about a paper, are not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.papers import Paper
from arxivscout.papers.near_identical import collapsed

ABSTRACT = (
    "We measure the rotation curves of forty spiral galaxies by their neutral hydrogen, and find "
    "that halos of dark matter with a core fit eleven of them better than halos with a cusp do."
)
PAPER = Paper(
    arxiv_id="0901.0001",
    title="Rotation curves of spiral galaxies and cores of halos",
    abstract=ABSTRACT,
    authors=("Anna Müller", "Yu Shi"),
)


def changed(**fields: object) -> Paper:
    return replace(PAPER, arxiv_id="0902.0002", **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "other",
    [
        changed(),
        changed(title="Rotation curves of spiral galaxies, and the cores of their halos"),
        changed(abstract=ABSTRACT.replace("forty", "40").replace("We measure", "We have measured")),
        changed(authors=("A. M\\\"uller", "Y. Shi", "C. New")),
        changed(authors=()),
        changed(title="A wholly new heading"),
    ],
)  # fmt: skip
def test_the_same_text_under_another_id_is_the_same(other: Paper) -> None:
    assert near_identical(PAPER, other) and near_identical(other, PAPER)


@pytest.mark.parametrize(
    "other",
    [
        changed(title=f"{PAPER.title}. II"),
        changed(title=f"{PAPER.title}: part 2"),
        changed(title=f"Comment on {PAPER.title}"),
        changed(title=f"Erratum: {PAPER.title}"),
        changed(title=f"Reply to the comment on {PAPER.title}"),
        changed(authors=("Carl Other",)),
        changed(abstract="Halos of dark matter are found around forty galaxies. " * 3),
        changed(abstract="This paper has been withdrawn by the authors."),
    ],
)
def test_a_series_and_what_is_about_a_paper_stay_apart(other: Paper) -> None:
    assert not near_identical(PAPER, other) and not near_identical(other, PAPER)


def test_parts_of_a_series_with_one_abstract_stay_apart() -> None:
    one, two = (changed(title=f"Galaxies. {part}. Cores") for part in ("I", "II"))
    assert not near_identical(one, two)


def test_short_formulas_of_withdrawal_are_no_text() -> None:
    gone = "This paper has been withdrawn by the author."
    assert not near_identical(changed(abstract=gone), replace(PAPER, abstract=gone))


def near_identical(one: Paper, other: Paper) -> bool:
    return len(collapsed([one, other], [(0, 1)])) == 1


def test_groups_stand_where_their_first_one_stands() -> None:
    other = Paper(arxiv_id="1001.0001", title="Other", abstract="Another text altogether.")
    papers = [other, PAPER, replace(other, arxiv_id="1001.0002"), changed(), changed()]
    every = [(i, j) for i in range(5) for j in range(i + 1, 5)]
    assert collapsed(papers, every) == [[0], [1, 3, 4], [2]]
    assert collapsed(papers, []) == [[0], [1], [2], [3], [4]]


@given(st.lists(st.sampled_from([PAPER, changed(title="Other", abstract="x y " * 20)]), max_size=8))
def test_no_paper_is_lost_or_doubled(papers: list[Paper]) -> None:
    every = [(i, j) for i in range(len(papers)) for j in range(i + 1, len(papers))]
    groups = collapsed(papers, every)
    assert sorted(place for group in groups for place in group) == list(range(len(papers)))
    assert all(group == sorted(group) for group in groups)
