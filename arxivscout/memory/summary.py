"""Summary memory (semantic): long conversations condensed, with the way back to what was said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, LiteralString
from uuid import UUID

from psycopg import Connection

from arxivscout.memory import conversation, vector_memory, vector_search
from arxivscout.memory.vector_memory import Memory, Vector, VectorTable, execute, statement

_INSERT: LiteralString = """
INSERT INTO {table} (content, embedding, langchain_metadata, thread_id)
SELECT %(text)s, %(vector)s::vector, m, left(m ->> 'thread_id', 100)
FROM (SELECT %(metadata)s::json AS m) AS given
RETURNING langchain_id
"""

_UPDATE: LiteralString = """
UPDATE {table}
SET content = %(text)s, embedding = COALESCE(%(vector)s::vector, embedding),
    langchain_metadata = m, thread_id = COALESCE(left(m ->> 'thread_id', 100), thread_id),
    updated_at = now()
FROM (SELECT %(metadata)s::json AS m) AS given
WHERE langchain_id = %(id)s
"""

_LINK: LiteralString = """
UPDATE {table} SET summary_id = %(summary)s
WHERE id = ANY(%(messages)s) AND summary_id IS DISTINCT FROM %(summary)s
"""

_UNLINK: LiteralString = "UPDATE {table} SET summary_id = NULL WHERE summary_id = %(summary)s"

SUMMARY = VectorTable("summary", "summary_memory", _INSERT, _UPDATE)
# What is found unasked: not what rests in the archive.
RECALLED = replace(SUMMARY, live=f"{SUMMARY.live} AND archived_at IS NULL")


def write(
    conn: Connection[Any],
    text: str,
    vector: Vector | None,
    metadata: Mapping[str, Any] | None = None,
    *,
    store: VectorTable = SUMMARY,
    messages_in: str = conversation.TABLE,
) -> UUID:
    """Store a summary once, and mark the messages that it condenses.

    Args:
        metadata: `thread_id` and `message_ids`, the ids of conversational rows, among others.

    Raises:
        ValueError: a message id that is no UUID.
    """
    summary_id = vector_memory.write(conn, store, text, vector, metadata)
    link(conn, summary_id, (metadata or {}).get("message_ids") or [], messages_in=messages_in)
    return summary_id


def link(
    conn: Connection[Any],
    summary_id: UUID,
    message_ids: Sequence[UUID | str],
    *,
    messages_in: str = conversation.TABLE,
) -> None:
    """Let messages point to the summary that condenses them."""
    if not message_ids:
        return
    messages = [UUID(str(message_id)) for message_id in message_ids]
    bound = {"summary": summary_id, "messages": messages}
    execute(conn, statement(_LINK, messages_in), bound)


def search(
    conn: Connection[Any], vector: Vector, k: int, *, store: VectorTable = SUMMARY
) -> list[Memory]:
    """The `k` summaries nearest to `vector`."""
    return vector_search.search(conn, store, vector, k)


def delete(
    conn: Connection[Any],
    summary_id: UUID | str,
    reason: str | None = None,
    *,
    store: VectorTable = SUMMARY,
    messages_in: str = conversation.TABLE,
) -> bool:
    """Delete a summary; what it condensed is no longer marked. Say whether there was one."""
    execute(conn, statement(_UNLINK, messages_in), {"summary": summary_id})
    return vector_memory.delete(conn, store, summary_id, reason)
