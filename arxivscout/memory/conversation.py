"""Conversational memory (episodic): who said what in a thread, in its exact order.

Rows are ordered by the time of the event and, where times tie (all rows of one transaction have
the same), by the order in which they were written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from psycopg import Connection
from psycopg.types.json import Json

from arxivscout.errors import NotFound
from arxivscout.memory.kept_text import kept_metadata, kept_text
from arxivscout.memory.vector_memory import execute, give_reason, statement

TABLE = "conversational_memory"

# The same message of the same turn again replaces it; without a turn each one counts.
_APPEND: LiteralString = """
INSERT INTO {table} AS kept (thread_id, role, content, metadata, turn_id, timestamp)
VALUES (%(thread)s, %(role)s, %(content)s, %(metadata)s, %(turn)s,
        COALESCE(%(at)s::timestamptz, now()))
ON CONFLICT (turn_id, role) WHERE turn_id IS NOT NULL
DO UPDATE SET content = EXCLUDED.content, metadata = EXCLUDED.metadata
RETURNING id
"""

_RECENT: LiteralString = """
SELECT id, role, content, timestamp, metadata, turn_id, summary_id FROM {table}
WHERE thread_id = %(thread)s ORDER BY timestamp DESC, seq DESC LIMIT %(limit)s
"""

_FIRST: LiteralString = """
SELECT id, role, content, timestamp, metadata, turn_id, summary_id FROM {table}
WHERE thread_id = %(thread)s ORDER BY timestamp, seq LIMIT %(limit)s
"""

_CONDENSED: LiteralString = """
SELECT id, role, content, timestamp, metadata, turn_id, summary_id FROM {table}
WHERE summary_id = %(summary)s ORDER BY timestamp, seq
"""

_UPDATE: LiteralString = """
UPDATE {table}
SET content = COALESCE(%(content)s, content),
    metadata = COALESCE(metadata, '{{}}') || %(metadata)s::jsonb
WHERE id = %(id)s RETURNING id
"""

_DELETE: LiteralString = "DELETE FROM {table} WHERE id = %(id)s RETURNING id"

# Messages and tool calls are numbered apart. Where their times tie, a call stands behind the
# question of its turn, which is before the turn's answer; a call of no turn stands last. The newest
# of each are enough to have the newest of all.
_EVENTS = """
SELECT at, kind, name, text, status, duration_ms, turn_id FROM (
    (SELECT timestamp AS at, role AS kind, NULL AS name, content AS text,
            NULL AS status, NULL::integer AS duration_ms, turn_id, seq AS behind, 0 AS call
     FROM conversational_memory WHERE user_id = scout_user() AND thread_id = %(thread)s::text
     ORDER BY timestamp DESC, seq DESC LIMIT %(limit)s::bigint)
    UNION ALL
    (SELECT t.timestamp, 'tool', t.tool_name,
            CASE WHEN t.status = 'success' THEN t.tool_output ELSE t.error_message END,
            t.status, t.duration_ms, t.turn_id, q.seq, t.seq
     FROM (SELECT * FROM tool_log_memory
           WHERE user_id = scout_user() AND thread_id = %(thread)s::text
           ORDER BY timestamp DESC, seq DESC LIMIT %(limit)s::bigint) AS t
     LEFT JOIN conversational_memory AS q ON q.turn_id = t.turn_id AND q.role = 'user')
) AS event
ORDER BY at DESC, behind DESC NULLS FIRST, call DESC LIMIT %(limit)s::bigint
"""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a thread."""

    id: UUID
    role: str
    content: str
    at: datetime
    metadata: dict[str, Any] | None
    turn_id: UUID | None
    summary_id: UUID | None


@dataclass(frozen=True, slots=True)
class ThreadEvent:
    """Something said, or a tool called; `text` is what was said, given back, or went wrong."""

    at: datetime
    kind: str  # user, assistant or another role; tool
    name: str | None  # of the tool
    text: str | None
    status: str | None
    duration_ms: int | None
    turn_id: UUID | None


def append(
    conn: Connection[Any],
    thread_id: str,
    role: str,
    content: str,
    metadata: Mapping[str, Any] | None = None,
    turn_id: UUID | None = None,
    *,
    at: datetime | None = None,
    table: str = TABLE,
) -> UUID:
    """Add a message to a thread; every one counts, except a turn's own message written again.

    Args:
        at: when it was said; None means now.
    """
    parameters = {
        "thread": thread_id,
        "role": role,
        "content": kept_text(content),
        "metadata": Json(kept_metadata(metadata)),
        "turn": turn_id,
        "at": at,
    }
    return UUID(str(execute(conn, statement(_APPEND, table), parameters)[0][0]))


def recent(
    conn: Connection[Any], thread_id: str, limit: int = 20, *, table: str = TABLE
) -> list[Message]:
    """The newest `limit` messages of a thread, oldest of them first."""
    if limit < 0:
        raise ValueError(f"limit must not be negative: {limit}")
    bound = {"thread": thread_id, "limit": limit}
    return [Message(*row) for row in reversed(execute(conn, statement(_RECENT, table), bound))]


def first(
    conn: Connection[Any], thread_id: str, limit: int = 20, *, table: str = TABLE
) -> list[Message]:
    """The oldest `limit` messages of a thread, in their order."""
    bound = {"thread": thread_id, "limit": limit}
    return [Message(*row) for row in execute(conn, statement(_FIRST, table), bound)]


def condensed_in(
    conn: Connection[Any], summary_id: UUID | str, *, table: str = TABLE
) -> list[Message]:
    """The messages that a summary condenses, in their order."""
    rows = execute(conn, statement(_CONDENSED, table), {"summary": summary_id})
    return [Message(*row) for row in rows]


def update(
    conn: Connection[Any],
    message_id: UUID | str,
    content: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    reason: str | None = None,
    *,
    table: str = TABLE,
) -> UUID:
    """Correct a message, or merge metadata into it.

    Raises:
        NotFound: this person has no such message.
    """
    give_reason(conn, reason)
    parameters = {
        "id": message_id,
        "content": None if content is None else kept_text(content),
        "metadata": Json(kept_metadata(metadata)),
    }
    rows = execute(conn, statement(_UPDATE, table), parameters)
    if not rows:
        raise NotFound(f"There is no message {message_id}.")
    return UUID(str(rows[0][0]))


def delete(
    conn: Connection[Any],
    message_id: UUID | str,
    reason: str | None = None,
    *,
    table: str = TABLE,
) -> bool:
    """Delete one message; say whether there was one."""
    give_reason(conn, reason)
    return bool(execute(conn, statement(_DELETE, table), {"id": message_id}))


def events(conn: Connection[Any], thread_id: str, limit: int | None = None) -> list[ThreadEvent]:
    """Messages and tool calls of a thread, interleaved as they happened; the newest `limit`."""
    if limit is not None and limit < 0:
        raise ValueError(f"limit must not be negative: {limit}")
    rows = conn.execute(_EVENTS, {"thread": thread_id, "limit": limit}).fetchall()
    return [ThreadEvent(*row) for row in reversed(rows)]
