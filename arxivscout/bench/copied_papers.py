"""Real papers and perturbed copies of them, for measuring at size.

A copy lies as near to its paper as the nearest of so many papers does: among those held that is
measured, on all of them and on a quarter, and goes on in proportion to the logarithm of their
number (.70 among 25,314, .82 among a million). It lies in a direction in which neighbours differ,
a random mixture of the differences of 400 papers from their nearest. Nearer copies would be forty
versions of one paper, which have no neighbours but each other, and noise in all directions alike
would be nobody's neighbour: an index finds either worse than papers. In a copy's text one word in
three is replaced by a word of another paper.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from arxivscout.bench.collections import numbered_id
from arxivscout.errors import UsageError
from arxivscout.memory.knowledge import paper_from_row
from arxivscout.papers import Paper

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from arxivscout.memory.postgres import Database

LEAST_HELD = 100
REPLACED = 1 / 3  # of the words
WORDS_TAKEN = 12  # of each paper, to replace them by
ASKED_FOR = 400  # papers whose nearest are looked for
NEAREST = 0.95  # a copy is never nearer
AT_A_TIME = 1_000

_HELD = """
SELECT arxiv_id, langchain_metadata, embedding FROM semantic_memory
WHERE arxiv_id IS NOT NULL AND embedding IS NOT NULL
  AND langchain_metadata ->> 'abstract' IS NOT NULL
ORDER BY arxiv_id LIMIT %(most)s
"""


@dataclass(frozen=True, slots=True)
class Held:
    """Real papers, with their vectors: float32 of shape (len(papers), dimension)."""

    papers: list[Paper]
    vectors: NDArray[np.float32]

    @property
    def words(self) -> list[str]:
        """What replaces others."""
        return [word for each in self.papers for word in each.abstract.split()[:WORDS_TAKEN]]


def held_papers(database: Database, most: int) -> Held:
    """The papers that the home holds, up to `most`.

    Raises:
        UsageError: too few to say anything.
    """
    import numpy as np

    with database.shared() as conn:
        rows = conn.execute(_HELD, {"most": most}, binary=True).fetchall()
    if len(rows) < LEAST_HELD:
        raise UsageError(
            f"Copies are made of the papers held, and there are {len(rows):,}.",
            f"Store at least {LEAST_HELD} first: arxivscout ingest file PATH.",
        )
    papers = [paper_from_row(arxiv_id, metadata) for arxiv_id, metadata, _ in rows]
    return Held(papers, unit(np.stack([numbers(vector) for *_, vector in rows])))


def copies(held: Held, count: int) -> Iterator[tuple[Paper, NDArray[np.float32]]]:
    """`count` papers: those held, then copies of them, all renumbered; the same every time."""
    import numpy as np

    # Words are replaced by the standard library's numbers: numpy's lets other threads in at each.
    random, words = Random(1), held.words
    normal = np.random.default_rng(1).normal
    moves, near = _neighbours(held.vectors, count)
    for start in range(0, count, AT_A_TIME):
        places = np.arange(start, min(start + AT_A_TIME, count))
        vectors = held.vectors[places % len(held.papers)]
        if start >= len(held.papers):
            away = normal(size=(len(vectors), len(moves))).astype(np.float32) @ moves
            away = unit(away - (away * vectors).sum(axis=1, keepdims=True) * vectors)
            vectors = near * vectors + (1 - near**2) ** 0.5 * away
        for place, vector in zip(places.tolist(), vectors, strict=True):
            paper = held.papers[place % len(held.papers)]
            if place >= len(held.papers):
                paper = _copy(paper, words, random)
            yield replace(paper, arxiv_id=numbered_id(place)), vector


def _neighbours(vectors: NDArray[np.float32], count: int) -> tuple[NDArray[np.float32], float]:
    """How some papers differ from their nearest, and the cosine of the nearest of `count` papers.

    The cosine is a median, and grows by the same with each doubling of the papers.
    """
    import numpy as np

    some = np.arange(0, len(vectors), max(len(vectors) // ASKED_FOR, 1))[:ASKED_FOR]
    cosines = vectors[some] @ vectors.T
    cosines[np.arange(len(some)), some] = -1
    moves = vectors[cosines.argmax(axis=1)] - vectors[some]
    of_all = float(np.median(cosines.max(axis=1)))
    of_a_quarter = float(np.median(cosines[:, 1::4].max(axis=1)))
    doublings = math.log2(max(count / len(vectors), 1))
    return moves, min(of_all + doublings * (of_all - of_a_quarter) / 2, NEAREST)


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    lengths: NDArray[np.float32] = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / lengths


def _copy(paper: Paper, words: Sequence[str], random: Random) -> Paper:
    return replace(
        paper,
        title=_perturbed(paper.title, words, random),
        abstract=_perturbed(paper.abstract, words, random),
    )


def _perturbed(text: str, words: Sequence[str], random: Random) -> str:
    given = text.split()
    many = round(len(given) * REPLACED)
    for place, other in zip(
        random.choices(range(len(given)), k=many), random.choices(words, k=many), strict=True
    ):
        given[place] = other
    return " ".join(given)


def numbers(vector: bytes) -> NDArray[np.float32]:
    """pgvector's binary form: the number of dimensions, an unused one, then the numbers."""
    import numpy as np

    return np.frombuffer(vector, ">f4", offset=4).astype(np.float32)
