"""Workflow memory (procedural): steps taken for a task, and what came of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, LiteralString
from uuid import UUID

from psycopg import Connection

from arxivscout.memory import vector_memory, vector_search
from arxivscout.memory.vector_memory import Memory, Vector, VectorTable

_INSERT: LiteralString = """
INSERT INTO {table} (content, embedding, langchain_metadata, workflow_type, outcome, thread_id)
SELECT %(text)s, %(vector)s::vector, m, m ->> 'workflow_type',
       CASE WHEN m ->> 'outcome' IN ('success', 'failure') THEN m ->> 'outcome'
            ELSE 'unknown' END,
       left(m ->> 'thread_id', 100)
FROM (SELECT %(metadata)s::json AS m) AS given
RETURNING langchain_id
"""

_UPDATE: LiteralString = """
UPDATE {table}
SET content = %(text)s, embedding = COALESCE(%(vector)s::vector, embedding),
    langchain_metadata = m, workflow_type = m ->> 'workflow_type',
    outcome = CASE WHEN m ->> 'outcome' IN ('success', 'failure') THEN m ->> 'outcome'
                   ELSE 'unknown' END,
    thread_id = COALESCE(left(m ->> 'thread_id', 100), thread_id), updated_at = now()
FROM (SELECT %(metadata)s::json AS m) AS given
WHERE langchain_id = %(id)s
"""

# Cosine distance that a workflow must be nearer by to come before one that succeeded.
PENALTY = {"success": 0.0, "unknown": 0.05, "failure": 0.15}


WORKFLOW = VectorTable("workflow", "workflow_memory", _INSERT, _UPDATE)


def write(
    conn: Connection[Any],
    text: str,
    vector: Vector | None,
    metadata: Mapping[str, Any] | None = None,
    *,
    store: VectorTable = WORKFLOW,
) -> UUID:
    """Store a workflow once.

    Args:
        metadata: `workflow_type`, `outcome` (success, failure; anything else counts as unknown),
            `thread_id`, `steps` and whatever else belongs to it.
    """
    return vector_memory.write(conn, store, text, vector, metadata)


def search(
    conn: Connection[Any],
    vector: Vector,
    k: int,
    filter: Mapping[str, Any] | None = None,
    *,
    store: VectorTable = WORKFLOW,
) -> list[Memory]:
    """The `k` workflows nearest to `vector`; those that succeeded come before like ones."""
    nearest = vector_search.search(conn, store, vector, max(4 * k, 20) if k > 0 else k, filter)
    return sorted(nearest, key=_preference)[:k]


def _preference(memory: Memory) -> float:
    outcome = memory.metadata.get("outcome")
    return memory.distance + PENALTY.get(str(outcome), PENALTY["unknown"])


def judged(
    conn: Connection[Any],
    workflow_id: UUID | str,
    outcome: str,
    reason: str | None = None,
    *,
    store: VectorTable = WORKFLOW,
) -> UUID:
    """Record what came of a workflow, from later evidence such as feedback.

    Raises:
        ValueError: `outcome` is none of success, failure, unknown.
        NotFound: this person has no such workflow.
    """
    if outcome not in PENALTY:
        raise ValueError(f"a workflow's outcome is one of {', '.join(PENALTY)}, not {outcome!r}")
    return vector_memory.update(conn, store, workflow_id, None, None, {"outcome": outcome}, reason)
