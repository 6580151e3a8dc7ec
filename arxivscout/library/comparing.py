"""Papers side by side: what each asks, how, on what, what it finds, and where its limits are.

A cell is a sentence of what is stored of the paper, word for word, or nothing: it is chosen, never
written. Two things speak for a sentence in a row: the words that authors announce such things
with, and how near it is to sentences that say what the row is about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from arxivscout.library.rows import CUES, PROTOTYPES, ROWS, Row
from arxivscout.llm.limitations import limitation_cue
from arxivscout.llm.relevance import sentences_of
from arxivscout.papers import Paper

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Embed = Callable[[list[str]], NDArray[np.float32]]

MOST = 10
MOST_SENTENCES = 40  # of one paper
NOT_STATED = "not stated in what is held"
# A cue alone is enough, nearness alone is not: all sentences of abstracts are somewhat near to
# each other.
LEAST = 1.0
NEARNESS = 2.0
# Abstracts begin with what is known and what others could not do: their own comes late. A cue
# below `SURE` counts only where such sentences stand.
LATE = 0.5
SURE = 1.5


@dataclass(frozen=True, slots=True)
class Cell:
    """A sentence of the paper, verbatim, or "" where none says this."""

    arxiv_id: str
    text: str

    def __str__(self) -> str:
        if not self.text:
            return f"{NOT_STATED} of arXiv:{self.arxiv_id}"
        return f"{self.text} [arXiv:{self.arxiv_id}]"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The papers in the order asked for, and for each row one cell a paper."""

    papers: tuple[Paper, ...]
    rows: dict[Row, tuple[Cell, ...]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Plain values; a cell that states nothing is null."""
        return {
            "papers": [
                {
                    "arxiv_id": paper.arxiv_id,
                    "title": paper.title,
                    "url": paper.url,
                    "published": paper.published,
                    "withdrawn": paper.withdrawn,
                    "is_summary": paper.is_summary,
                }
                for paper in self.papers
            ],
            "rows": {
                row: [
                    {"arxiv_id": cell.arxiv_id, "text": cell.text} if cell.text else None
                    for cell in cells
                ]
                for row, cells in self.rows.items()
            },
        }


def compare(papers: Sequence[Paper], embed: Embed) -> Comparison:
    """The papers side by side; their sentences are embedded, all in one go.

    Args:
        embed: texts to vectors, float32 of shape (len(texts), dimension).
    """
    sentences = [sentences_of(paper)[:MOST_SENTENCES] for paper in papers]
    texts = [text for own in sentences for text in own if _announces(text)]
    prototypes = [text for row in ROWS for text in PROTOTYPES[row]]
    vectors = _unit(embed([*prototypes, *texts]))
    near = _nearness(vectors[: len(prototypes)], vectors[len(prototypes) :])
    nearness = dict(zip(texts, near, strict=True))
    chosen = [_choose(own, nearness) for own in sentences]
    return Comparison(
        tuple(papers),
        {
            row: tuple(
                Cell(paper.arxiv_id, cells.get(row, ""))
                for paper, cells in zip(papers, chosen, strict=True)
            )
            for row in ROWS
        },
    )


def scores(sentence: str, near: Sequence[float], place: float) -> dict[Row, float]:
    """How much speaks for a sentence in each row.

    Args:
        near: how much nearer it is to each row's prototypes than to those of all rows, in `ROWS`'
            order.
        place: where it stands among the paper's sentences, 0 (first) to 1 (last).
    """
    found: dict[Row, float] = {}
    for row, nearness in zip(ROWS, near, strict=True):
        if row == "limits":
            cue = limitation_cue(sentence)
        else:
            cue = max((weight for cue, weight in CUES[row] if cue.search(sentence)), default=0.0)
        if place < LATE and (row == "limits" or (row == "findings" and cue < SURE)):
            cue = 0.0
        if place >= LATE and row == "question" and cue < SURE:
            cue = 0.0
        found[row] = cue + NEARNESS * float(nearness)
    return found


def _announces(sentence: str) -> bool:
    """Whether a cue stands in it: without one no nearness is enough."""
    return any(cue.search(sentence) for row in ROWS for cue, _ in CUES[row])


def _choose(sentences: Sequence[str], near: Mapping[str, NDArray[np.float32]]) -> dict[Row, str]:
    """The best pairs of sentence and row first; each row once, each sentence once."""
    last = max(len(sentences) - 1, 1)
    pairs = [
        (score, -place, row, sentence)
        for place, sentence in enumerate(sentences)
        if sentence in near
        for row, score in scores(sentence, near[sentence].tolist(), place / last).items()
        if score >= LEAST
    ]
    chosen: dict[Row, str] = {}
    for _, _, row, sentence in sorted(pairs, reverse=True):
        if row not in chosen and sentence not in chosen.values():
            chosen[row] = sentence
    return chosen


def _nearness(prototypes: NDArray[np.float32], texts: NDArray[np.float32]) -> NDArray[np.float32]:
    """For each text and row: cosine with the row's nearest prototype, less the mean of all rows.

    Shape (texts, rows).
    """
    cosines = texts @ prototypes.T
    columns = []
    at = 0
    for row in ROWS:
        size = len(PROTOTYPES[row])
        columns.append(cosines[:, at : at + size].max(axis=1))
        at += size
    by_row = np.stack(columns, axis=1)
    return np.asarray(by_row - by_row.mean(axis=1, keepdims=True), dtype=np.float32)


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-9), dtype=np.float32)
