"""The papers that a research job stands on, as they are stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from arxivscout.agent.batch_state import BatchState
from arxivscout.agent.services import Services
from arxivscout.memory.evidence import stored_vectors
from arxivscout.memory.knowledge import papers_by_ids
from arxivscout.papers import Paper
from arxivscout.research.evidence import Evidence

if TYPE_CHECKING:
    from numpy.typing import NDArray


class JobPapers:
    """Reads papers, their vectors and what a job found them to be worth."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def papers(self, ids: Iterable[str]) -> dict[str, Paper]:
        """Those that are stored, by arXiv id, in the order given."""
        wanted = list(dict.fromkeys(ids))
        with self._services.database.shared() as conn:
            return {paper.arxiv_id: paper for paper in papers_by_ids(conn, wanted)}

    def vectors(self, papers: Sequence[Paper]) -> NDArray[np.float32]:
        """Shape (papers, dimension): those that are stored; others are embedded."""
        stored = stored_vectors(self._services.database, [each.arxiv_id for each in papers])
        missing = [each for each in papers if each.arxiv_id not in stored]
        if missing:
            made = self._services.embedder.embed_array([each.content for each in missing])
            stored |= {each.arxiv_id: row for each, row in zip(missing, made, strict=True)}
        dimension = self._services.embedder.identity.dimension
        rows = [stored[each.arxiv_id] for each in papers]
        return np.stack(rows) if rows else np.empty((0, dimension), np.float32)

    def evidence(self, state: BatchState) -> dict[str, Evidence]:
        """The merged findings of a job as values, by arXiv id."""
        held = self.papers(each["arxiv_id"] for each in state["evidence"])
        return {
            each["arxiv_id"]: Evidence(
                paper=held[each["arxiv_id"]],
                score=each["score"],
                questions=tuple(each["questions"]),
                why=each["why"],
            )
            for each in state["evidence"]
            if each["arxiv_id"] in held
        }
