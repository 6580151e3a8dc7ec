"""What memory holds of a research job: how its turns went, and what is known of the papers found.

A job reads back what its turns have stored, so that one that is taken up again after a kill finds
what was done before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from arxivscout.memory.postgres import Database
from arxivscout.papers import clean_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TURN = """
SELECT question, COALESCE(model, ''), COALESCE(citations, '[]'), COALESCE(usage, '{}'),
       COALESCE(degraded, '[]')
FROM turn WHERE turn_id = %(turn)s AND status = 'answered'
"""

_CALLS = """
SELECT tool_name, tool_input, COALESCE(tool_output, ''), status, COALESCE(error_message, ''),
       duration_ms
FROM tool_log_memory WHERE thread_id = %(thread)s::text AND turn_id = %(turn)s ORDER BY seq
"""

_VECTORS = """
SELECT arxiv_id, embedding::real[] FROM semantic_memory
WHERE arxiv_id = ANY(%(ids)s::text[]) AND embedding IS NOT NULL
"""

# When the person first looked at each paper, the job's own turns aside.
_KNOWN = """
SELECT paper.name, min(edge.recorded_at)
FROM entity_memory AS paper JOIN relation_memory AS edge ON edge.object_id = paper.langchain_id
WHERE paper.category = 'paper' AND paper.valid_to IS NULL AND paper.name = ANY(%(ids)s::text[])
  AND edge.predicate = 'looked_at' AND edge.valid_to IS NULL
  AND (edge.turn_id IS NULL OR edge.turn_id <> ALL(%(turns)s::uuid[]))
GROUP BY paper.name
"""

_ASKED = """
SELECT max(started_at) FROM turn
WHERE user_id = scout_user() AND status = 'answered' AND turn_id <> ALL(%(turns)s::uuid[])
  AND lower(question) = lower(%(question)s::text)
"""


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call of a turn, as it was logged; `seconds` is how long it took."""

    tool: str
    arguments: dict[str, Any]
    output: str
    status: str
    error: str
    seconds: float


@dataclass(frozen=True, slots=True)
class TurnRead:
    """A turn that was answered, as memory has it."""

    question: str
    model: str
    citations: list[dict[str, Any]]
    usage: dict[str, Any]
    degraded: list[str]
    calls: list[Call]


def answered_turn(database: Database, user: str, thread: str, turn: UUID) -> TurnRead | None:
    """The turn with its tool calls in order; None unless it was answered whole."""
    bound = {"turn": turn, "thread": thread}
    turns, calls = database.batch(user, [(_TURN, bound), (_CALLS, bound)])
    if not turns:
        return None
    made = [
        Call(name, dict(given or {}), output, status, error, (ms or 0) / 1000)
        for name, given, output, status, error, ms in calls
    ]
    asked, model, citations, usage, degraded = turns[0]
    return TurnRead(asked, model, citations, usage, degraded, made)


def stored_vectors(database: Database, ids: Iterable[str]) -> dict[str, NDArray[np.float32]]:
    """The vectors that are stored of the papers, by arXiv id; unit length, shape (dimension,)."""
    import numpy as np

    (rows,) = database.batch("", [(_VECTORS, {"ids": list(ids)})])
    return {arxiv_id: np.asarray(vector, np.float32) for arxiv_id, vector in rows}


def known_before(
    database: Database, user: str, question: str, ids: Sequence[str], turns: Sequence[UUID]
) -> tuple[datetime | None, dict[str, datetime]]:
    """What the person knew before this job.

    Returns:
        when the same question was last answered, and since when each of the papers is known.
    """
    bound = {"ids": list(ids), "turns": list(turns), "question": clean_text(question).strip()}
    asked, known = database.batch(user, [(_ASKED, bound), (_KNOWN, bound)])
    return asked[0][0], dict(known)
