"""Copies of papers, for searches at size."""

from __future__ import annotations

import numpy as np

from arxivscout.bench.scale import Held, copies
from arxivscout.papers import Paper

ABSTRACT = "Quantum teleportation with neutral mesons is verified by a measurement of CP here."
DIMENSION = 24


def held() -> Held:
    papers = [
        Paper(arxiv_id=f"2401.{n:05}", title=f"Title {n}", abstract=ABSTRACT) for n in range(1, 6)
    ]
    vectors = np.random.default_rng(3).normal(size=(5, DIMENSION)).astype(np.float32)
    return Held(papers, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def test_copies_lie_near_what_they_are_of_and_move_as_texts_do() -> None:
    moves = np.zeros((40, DIMENSION), np.float32)
    moves[:, :3] = np.random.default_rng(4).normal(0, 0.2, (40, 3))  # words move three numbers
    made = list(copies(held(), moves, 1_500))
    assert len({paper.arxiv_id for paper, _ in made}) == 1_500
    first = np.stack([vector for _, vector in made[:5]])
    np.testing.assert_array_equal(first, held().vectors)
    copied = np.stack([vector for _, vector in made[1_000:]])
    originals = np.tile(held().vectors, (100, 1))
    np.testing.assert_allclose(np.linalg.norm(copied, axis=1), 1, rtol=1e-5)
    cosines = (copied * originals).sum(axis=1)
    assert 0.85 < cosines.mean() < 0.99
    still = copied[:, 3:] / np.linalg.norm(copied[:, 3:], axis=1, keepdims=True)
    was = originals[:, 3:] / np.linalg.norm(originals[:, 3:], axis=1, keepdims=True)
    np.testing.assert_allclose(still, was, atol=1e-5)


def test_copies_are_the_same_every_time_and_of_other_words() -> None:
    moves = np.random.default_rng(4).normal(0, 0.02, (40, DIMENSION)).astype(np.float32)
    one, other = (list(copies(held(), moves, 1_200)) for _ in range(2))
    assert [paper for paper, _ in one] == [paper for paper, _ in other]
    np.testing.assert_array_equal([v for _, v in one], [v for _, v in other])
    changed = [paper.abstract != ABSTRACT for paper, _ in one[1_000:]]
    assert sum(changed) > 0.8 * len(changed)
