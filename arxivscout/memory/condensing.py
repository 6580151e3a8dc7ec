"""Threads condensed as they grow: which messages wait for it, and a summary in their place.

Nothing is deleted: the messages point to their summary, and a summary to the one that condenses
it. Who stores a summary has looked, under a lock of the thread, that all it condenses still waits:
so two processes at the same thread store it once, and a kill in the middle leaves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import Connection

from arxivscout.memory import summary
from arxivscout.memory.vector_memory import Vector

MOST_READ = 400  # messages at a time: the rest waits for the next time

# In the order in which they were stored: a clock may go backwards, and then a question would stand
# behind its answer.
_WAITING = """
SELECT id, role, content, timestamp FROM conversational_memory AS said
WHERE user_id = scout_user() AND thread_id = %(thread)s::text AND summary_id IS NULL
  AND (%(turn)s::uuid IS NULL OR turn_id IS DISTINCT FROM %(turn)s::uuid)
  AND NOT EXISTS (SELECT FROM turn WHERE turn.turn_id = said.turn_id AND status = 'open')
ORDER BY seq LIMIT %(limit)s
"""

_SUMMARIES = """
SELECT langchain_id, 'summary', content, created_at FROM summary_memory
WHERE user_id = scout_user() AND thread_id = %(thread)s::text AND summary_id IS NULL
ORDER BY created_at, langchain_id LIMIT %(limit)s
"""

_LOCK = """
SELECT pg_advisory_xact_lock(
    hashtextextended('condense ' || scout_user() || ' ' || %(thread)s::text, 0))
"""

_STILL_WAIT = """
SELECT content FROM conversational_memory
WHERE id = ANY(%(ids)s) AND thread_id = %(thread)s::text AND summary_id IS NULL
ORDER BY seq FOR UPDATE
"""

_STILL_STAND = """
SELECT content FROM summary_memory
WHERE langchain_id = ANY(%(ids)s) AND thread_id = %(thread)s::text AND summary_id IS NULL
ORDER BY created_at, langchain_id FOR UPDATE
"""

_LINK_SUMMARIES = """
UPDATE summary_memory SET summary_id = %(summary)s WHERE langchain_id = ANY(%(ids)s)
"""

_PARTS = """
SELECT langchain_id, 'summary', content, created_at FROM summary_memory
WHERE summary_id = %(summary)s ORDER BY created_at, langchain_id
"""

_OF_TURN = """
SELECT DISTINCT summary_id FROM conversational_memory
WHERE turn_id = %(turn)s AND summary_id IS NOT NULL
"""
# Summaries and those that condense them, to the last.
_ABOVE = """
WITH RECURSIVE above AS (
    SELECT unnest(%(ids)s::uuid[]) AS summary_id
    UNION
    SELECT kept.summary_id FROM summary_memory AS kept
    JOIN above ON kept.langchain_id = above.summary_id WHERE kept.summary_id IS NOT NULL
)
SELECT summary_id FROM above
"""

_DISSOLVE = (
    "UPDATE conversational_memory SET summary_id = NULL WHERE summary_id = ANY(%(ids)s)",
    "UPDATE summary_memory SET summary_id = NULL WHERE summary_id = ANY(%(ids)s)",
    "DELETE FROM summary_memory WHERE langchain_id = ANY(%(ids)s)",
)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A message, or a summary, that no summary condenses yet."""

    id: UUID
    role: str
    content: str
    at: datetime


def waiting(
    conn: Connection[Any], thread_id: str, limit: int = MOST_READ, *, but: UUID | None = None
) -> list[Waiting]:
    """The oldest messages of a thread that wait to be condensed; none of a turn at work.

    Args:
        but: a turn of which none is wanted.
    """
    bound = {"thread": thread_id, "limit": limit, "turn": but}
    rows = conn.execute(_WAITING, bound).fetchall()
    return [Waiting(*row) for row in rows]


def standing(conn: Connection[Any], thread_id: str, limit: int = MOST_READ) -> list[Waiting]:
    """The summaries of a thread that no other condenses, the oldest first."""
    rows = conn.execute(_SUMMARIES, {"thread": thread_id, "limit": limit}).fetchall()
    return [Waiting(*row) for row in rows]


def parts(conn: Connection[Any], summary_id: UUID) -> list[Waiting]:
    """The summaries that a summary condenses, the oldest first."""
    rows = conn.execute(_PARTS, {"summary": summary_id}).fetchall()
    return [Waiting(*row) for row in rows]


def condense(
    conn: Connection[Any],
    thread_id: str,
    condensed: Sequence[Waiting],
    text: str,
    vector: Vector | None,
    *,
    extractive: bool = True,
) -> UUID | None:
    """Store the summary `text` of messages, or of summaries; None if they don't all wait any more.

    Args:
        condensed: all messages or all summaries, as they were read.
    """
    if not condensed:
        return None
    ids = [each.id for each in condensed]
    of_summaries = condensed[0].role == "summary"
    bound = {"thread": thread_id, "ids": ids}
    conn.execute(_LOCK, bound)
    found = conn.execute(_STILL_STAND if of_summaries else _STILL_WAIT, bound).fetchall()
    if sorted(content for (content,) in found) != sorted(each.content for each in condensed):
        return None
    metadata = {
        "thread_id": thread_id,
        "summary_ids" if of_summaries else "message_ids": [str(each) for each in ids],
        "extractive": extractive,
        "from": min(each.at for each in condensed).isoformat(),
        "until": max(each.at for each in condensed).isoformat(),
    }
    stored = summary.write(conn, text, vector, metadata)
    if of_summaries:
        if stored in ids:  # the very words of one of them
            return None
        conn.execute(_LINK_SUMMARIES, {"summary": stored, "ids": ids})
    return stored


def dissolve(conn: Connection[Any], turn_id: UUID) -> int:
    """Take back the summaries that hold what a turn said; its thread is condensed anew without it.

    Returns:
        how many there were.
    """
    return dissolve_all(conn, [each for (each,) in conn.execute(_OF_TURN, {"turn": turn_id})])


def dissolve_all(conn: Connection[Any], summary_ids: Sequence[UUID]) -> int:
    """Take back summaries, and those that condense them.

    Returns:
        how many there were.
    """
    if not summary_ids:
        return 0
    ids = [each for (each,) in conn.execute(_ABOVE, {"ids": list(summary_ids)})]
    for statement in _DISSOLVE:
        conn.execute(statement, {"ids": ids})
    return len(ids)
