"""Copies of papers, for searches at size."""

from __future__ import annotations

import numpy as np

from arxivscout.bench.copied_papers import NEAREST, Held, copies
from arxivscout.papers import Paper

ABSTRACT = "Quantum teleportation with neutral mesons is verified by a measurement of CP here."
PAPERS, DIMENSION = 800, 24
PLACE = 18  # papers differ in so many of the numbers


def held() -> Held:
    papers = [
        Paper(arxiv_id=f"2401.{n:05}", title=f"Title {n}", abstract=ABSTRACT)
        for n in range(1, PAPERS + 1)
    ]
    vectors = np.full((PAPERS, DIMENSION), 0.1, np.float32)
    vectors[:, :PLACE] = np.random.default_rng(3).normal(size=(PAPERS, PLACE))
    return Held(papers, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def nearness(count: int) -> float:
    """The median cosine of copies to what they are of, where `count` are made."""
    made = np.stack([vector for _, vector in copies(held(), count)][PAPERS + 200 :])
    np.testing.assert_allclose(np.linalg.norm(made, axis=1), 1, rtol=1e-5)
    originals = held().vectors[np.arange(PAPERS + 200, count) % PAPERS]
    return float(np.median((made * originals).sum(axis=1)))


def test_a_copy_is_as_near_as_the_nearest_of_so_many_papers() -> None:
    vectors = held().vectors
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1)
    nearest = float(np.median(cosines.max(axis=1)))
    assert nearest < nearness(4 * PAPERS) < nearness(16 * PAPERS) <= NEAREST + 1e-6


def test_a_copy_differs_as_neighbours_do() -> None:
    first = [vector for _, vector in copies(held(), PAPERS)]
    np.testing.assert_array_equal(np.stack(first), held().vectors)
    made = np.stack([vector for _, vector in copies(held(), 3_000)][1_000:])
    # What all have in common, they have in common with copies too.
    common = made[:, PLACE:]
    np.testing.assert_allclose(common, common[:, :1].repeat(DIMENSION - PLACE, axis=1), atol=1e-5)


def test_copies_are_the_same_every_time_and_of_other_words() -> None:
    one, other = (list(copies(held(), 1_200)) for _ in range(2))
    assert len({paper.arxiv_id for paper, _ in one}) == 1_200
    assert [paper for paper, _ in one] == [paper for paper, _ in other]
    np.testing.assert_array_equal([v for _, v in one], [v for _, v in other])
    changed = [paper.abstract != ABSTRACT for paper, _ in one[1_000:]]
    assert sum(changed) > 0.8 * len(changed)
