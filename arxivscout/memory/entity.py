"""Entity memory (semantic): people, papers, preferences, findings, as they are known now.

What turns out otherwise is superseded, not overwritten: the old row gets an end and a successor,
and only rows without an end are read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, LiteralString
from uuid import UUID

from psycopg import Connection

from arxivscout.errors import NotFound
from arxivscout.memory import gate, vector_memory, vector_search
from arxivscout.memory.candidate import Candidate
from arxivscout.memory.forgotten import leave_nowhere
from arxivscout.memory.kept_text import kept_text
from arxivscout.memory.metadata import clean_metadata, merged
from arxivscout.memory.vector_memory import Memory, Vector, VectorTable, execute, statement
from arxivscout.papers import clean_text

_LIVE: LiteralString = "user_id = scout_user() AND valid_to IS NULL"

# A turn's id stands in the metadata as text, where anything else may stand too.
_INSERT: LiteralString = """
INSERT INTO {table} (content, embedding, langchain_metadata, category, name, reason, thread_id,
                     turn_id)
SELECT %(text)s, %(vector)s::vector, m, COALESCE(m ->> 'category', m ->> 'type'), m ->> 'name',
       m ->> 'reason', left(m ->> 'thread_id', 100),
       CASE WHEN m ->> 'turn_id' ~* '^[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}$'
            THEN (m ->> 'turn_id')::uuid END
FROM (SELECT %(metadata)s::json AS m) AS given
RETURNING langchain_id
"""

_UPDATE: LiteralString = """
UPDATE {table}
SET content = %(text)s, embedding = COALESCE(%(vector)s::vector, embedding),
    langchain_metadata = m, category = COALESCE(m ->> 'category', m ->> 'type', category),
    name = COALESCE(m ->> 'name', name), reason = COALESCE(m ->> 'reason', reason),
    thread_id = COALESCE(left(m ->> 'thread_id', 100), thread_id), updated_at = now()
FROM (SELECT %(metadata)s::json AS m) AS given
WHERE langchain_id = %(id)s
"""

_BY_NAME: LiteralString = """
SELECT langchain_id FROM {table}
WHERE user_id = scout_user() AND category = %(category)s AND name = %(name)s AND valid_to IS NULL
"""

_END: LiteralString = """
UPDATE {table} SET valid_to = clock_timestamp(), ended_because = %(why)s, updated_at = now()
WHERE langchain_id = %(id)s AND valid_to IS NULL RETURNING langchain_id
"""

ENTITY = VectorTable("entity", "entity_memory", _INSERT, _UPDATE, live=_LIVE)
# What is found unasked: not what rests in the archive.
RECALLED = replace(ENTITY, live=f"{_LIVE} AND archived_at IS NULL")


def write(
    conn: Connection[Any],
    text: str,
    vector: Vector | None,
    metadata: Mapping[str, Any] | None = None,
    *,
    store: VectorTable = ENTITY,
) -> UUID:
    """Store an entity through the gate: what is remembered in other words gets the metadata.

    Another text about the same category and name supersedes the old one.

    Args:
        metadata: `category` (preference, finding, person, paper, ...), `name`, `reason`,
            `thread_id`, `turn_id` and whatever else belongs to it.

    Returns:
        the id of the memory that says it now.
    """
    metadata = clean_metadata(metadata)
    text = clean_text(text)
    vector_memory.lock_kind(conn, store.kind)
    category = str(metadata.get("category") or metadata.get("type") or "")
    name = str(metadata["name"]) if metadata.get("name") else None
    if category and name:
        bound = {"category": category, "name": name}
        namesakes = execute(conn, statement(_BY_NAME, store.name), bound)
        if namesakes:
            return update(conn, namesakes[0][0], text, vector, metadata, store=store)
    candidate = Candidate(
        category,
        text,
        name,
        reason=str(metadata["reason"]) if metadata.get("reason") else None,
        thread_id=str(metadata["thread_id"]) if metadata.get("thread_id") else None,
        turn_id=gate.turn_named(metadata),
        metadata=metadata,
    )
    (outcome,) = gate.remember(conn, [candidate], [], [vector], table=store.name)
    return outcome.id


def search(
    conn: Connection[Any], vector: Vector, k: int, *, store: VectorTable = RECALLED
) -> list[Memory]:
    """The `k` entities, as they are known now and not archived, nearest to `vector`."""
    return vector_search.search(conn, store, vector, k)


def update(
    conn: Connection[Any],
    entity_id: UUID | str,
    text: str | None,
    vector: Vector | None,
    metadata: Mapping[str, Any] | None = None,
    reason: str | None = None,
    *,
    store: VectorTable = ENTITY,
) -> UUID:
    """Supersede an entity by one with another text, or merge metadata into it.

    Returns:
        the id of the row that holds now: a new one when the text is another.

    Raises:
        NotFound: this person has no such entity, or it was superseded or forgotten.
    """
    vector_memory.lock_kind(conn, store.kind)
    old_text, old_metadata = vector_memory.read(conn, store, entity_id)
    if text is None or clean_text(text) == old_text:
        return vector_memory.update(conn, store, entity_id, None, vector, metadata, reason)
    vector_memory.give_reason(conn, reason)
    given = dict(metadata or {})
    if reason is not None:
        given["reason"] = reason
    both = merged(old_metadata, clean_metadata(given))
    return gate.correct(conn, UUID(str(entity_id)), text, vector, both, reason, table=store.name)


def forget(
    conn: Connection[Any],
    entity_id: UUID | str,
    reason: str | None = None,
    *,
    store: VectorTable = ENTITY,
) -> None:
    """End an entity: it is no longer read, and the change log can bring it back.

    What holds its words besides lets go of them: see `forgotten.py`.

    Raises:
        NotFound: this person has no such entity, or it is forgotten already.
    """
    vector_memory.give_reason(conn, reason)
    why = None if reason is None else kept_text(reason)
    if not execute(conn, statement(_END, store.name), {"id": entity_id, "why": why}):
        raise NotFound(f"There is no entity memory {entity_id}.")
    if store == ENTITY:
        leave_nowhere(conn, entity_id)
