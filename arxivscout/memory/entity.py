"""Entity memory (semantic): people, papers, preferences, findings, as they are known now.

What turns out otherwise is superseded, not overwritten: the old row gets an end and a successor,
and only rows without an end are read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, LiteralString
from uuid import UUID

from psycopg import Connection

from arxivscout.errors import NotFound
from arxivscout.memory import vector_memory, vector_search
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
UPDATE {table} SET valid_to = clock_timestamp(), updated_at = now()
WHERE langchain_id = %(id)s AND valid_to IS NULL RETURNING langchain_id
"""

_SUCCEED: LiteralString = """
UPDATE {table} SET superseded_by = %(successor)s WHERE langchain_id = %(id)s
"""

ENTITY = VectorTable("entity", "entity_memory", _INSERT, _UPDATE, live=_LIVE)


def write(
    conn: Connection[Any],
    text: str,
    vector: Vector | None,
    metadata: Mapping[str, Any] | None = None,
    *,
    store: VectorTable = ENTITY,
) -> UUID:
    """Store an entity once; another text about the same category and name supersedes the old one.

    Args:
        metadata: `category` (preference, finding, person, paper, ...), `name`, `reason`,
            `thread_id`, `turn_id` and whatever else belongs to it.
    """
    metadata = clean_metadata(metadata)
    vector_memory.lock_kind(conn, store.kind)
    category = metadata.get("category") or metadata.get("type")
    name = metadata.get("name")
    if category and name and vector_memory.find(conn, store, text) is None:
        bound = {"category": str(category), "name": str(name)}
        namesakes = execute(conn, statement(_BY_NAME, store.name), bound)
        if namesakes:
            return update(conn, namesakes[0][0], text, vector, metadata, store=store)
    return vector_memory.write(conn, store, text, vector, metadata)


def search(
    conn: Connection[Any], vector: Vector, k: int, *, store: VectorTable = ENTITY
) -> list[Memory]:
    """The `k` entities, as they are known now, nearest to `vector`."""
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
    kept_text, kept_metadata = vector_memory.read(conn, store, entity_id)
    if text is None or clean_text(text) == kept_text:
        return vector_memory.update(conn, store, entity_id, None, vector, metadata, reason)
    forget(conn, entity_id, reason, store=store)
    given = dict(metadata or {})
    if reason is not None:
        given["reason"] = reason
    both = merged(kept_metadata, clean_metadata(given))
    successor = vector_memory.write(conn, store, text, vector, both)
    execute(conn, statement(_SUCCEED, store.name), {"id": entity_id, "successor": successor})
    return successor


def forget(
    conn: Connection[Any],
    entity_id: UUID | str,
    reason: str | None = None,
    *,
    store: VectorTable = ENTITY,
) -> None:
    """End an entity: it is no longer read, and the change log can bring it back.

    Raises:
        NotFound: this person has no such entity, or it is forgotten already.
    """
    vector_memory.give_reason(conn, reason)
    if not execute(conn, statement(_END, store.name), {"id": entity_id}):
        raise NotFound(f"There is no entity memory {entity_id}.")
