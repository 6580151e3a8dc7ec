"""What the five vector stores have in common: write a text once, change it, delete it.

Every function takes a psycopg connection inside a user's transaction. A table is described by a
`VectorTable` with its own INSERT and UPDATE beside it; `{table}` is its name, which may be another
one than ours when `StoreManager` was given other names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, LiteralString
from uuid import UUID

from psycopg import Connection
from psycopg.rows import TupleRow, tuple_row
from psycopg.sql import SQL, Identifier
from psycopg.types.json import Json

from arxivscout.errors import NotFound
from arxivscout.memory.kept_text import kept_metadata, kept_text
from arxivscout.memory.metadata import merged

Vector = Sequence[float]
"""One embedding, shape (dimension,): a list or a numpy array."""

LOCK_KIND = """
SELECT pg_advisory_xact_lock(hashtextextended(%(kind)s::text || COALESCE(scout_user(), ''), 0))
"""

_FIND: LiteralString = """
SELECT langchain_id, langchain_metadata, embedding IS NULL FROM {table}
WHERE {own} AND {live} AND content_hash = md5(%(text)s)::uuid
ORDER BY created_at, langchain_id LIMIT 1
"""

_READ: LiteralString = """
SELECT content, langchain_metadata FROM {table}
WHERE langchain_id = %(id)s AND {own} AND {live} FOR UPDATE
"""

_DELETE: LiteralString = """
DELETE FROM {table} WHERE langchain_id = %(id)s AND {own} RETURNING langchain_id
"""

_GIVE_REASON = "SELECT set_config('arxivscout.reason', %(reason)s, true)"


@dataclass(frozen=True, slots=True)
class VectorTable:
    """A vector store's table: its name, what is live in it, and how its own columns are filled.

    Row security says again whose rows are seen; said here too, the planner can estimate how many
    they are.
    """

    kind: str
    name: str
    insert: LiteralString
    update: LiteralString
    live: LiteralString = "user_id = scout_user()"  # what is found
    own: LiteralString = "user_id = scout_user()"  # what may be changed
    columns: tuple[str, ...] = ()  # read with the metadata, behind it; filters take them as text


@dataclass(frozen=True, slots=True)
class Memory:
    """A stored text with its metadata and, from a search, its cosine distance (0 to 2)."""

    id: UUID
    content: str
    metadata: dict[str, Any]
    distance: float


def vector_text(vector: Vector | None) -> str | None:
    """`vector` in pgvector's text form; nine digits tell any float32 from all others."""
    return None if vector is None else "[" + ",".join(["%.9g"] * len(vector)) % tuple(vector) + "]"


@lru_cache(maxsize=256)
def statement(
    template: LiteralString, table: str, live: LiteralString = "true", own: LiteralString = "true"
) -> bytes:
    """A static statement on `table`."""
    return (
        SQL(template).format(table=Identifier(table), live=SQL(live), own=SQL(own)).as_bytes(None)
    )


def execute(conn: Connection[Any], query: bytes, parameters: Mapping[str, Any]) -> list[TupleRow]:
    """Run one statement, whatever rows the connection's owner likes; its rows, if it has any."""
    with conn.cursor(row_factory=tuple_row) as cursor:
        cursor.execute(query, parameters)
        return cursor.fetchall() if cursor.description else []


def give_reason(conn: Connection[Any], reason: str | None) -> None:
    """Why the changes of this transaction are made, for the change log."""
    if reason is not None:
        conn.execute(_GIVE_REASON, {"reason": kept_text(reason)})


def lock_kind(conn: Connection[Any], kind: str) -> None:
    """Let one writer of a person's memories of a kind look and write at a time.

    One lock for a kind, not one a text: writers of several texts in different order don't deadlock.
    """
    conn.execute(LOCK_KIND, {"kind": kind})


def find(conn: Connection[Any], table: VectorTable, text: str) -> tuple[UUID, bool] | None:
    """(id, whether it still lacks a vector) of the memory with this very text, or None."""
    row = _find(conn, table, kept_text(text))
    return (row[0], row[2]) if row else None


def _find(conn: Connection[Any], table: VectorTable, text: str) -> TupleRow | None:
    rows = execute(conn, statement(_FIND, table.name, table.live, table.own), {"text": text})
    return rows[0] if rows else None


def write(
    conn: Connection[Any],
    table: VectorTable,
    text: str,
    vector: Vector | None,
    metadata: Mapping[str, Any] | None = None,
) -> UUID:
    """Store `text` once: a text that is there gets the metadata merged into it, and keeps its id.

    Args:
        vector: embedding of `text`; None leaves it to be embedded later, or as it is.
    """
    text, metadata = kept_text(text), kept_metadata(metadata)
    lock_kind(conn, table.kind)
    row = _find(conn, table, text)
    if row is None:
        return insert(conn, table, text, vector, metadata)
    both = merged(row[1], metadata)
    if both != (row[1] or {}) or (row[2] and vector is not None):
        _update(conn, table, row[0], text, vector, both)
    return UUID(str(row[0]))


def insert(
    conn: Connection[Any],
    table: VectorTable,
    text: str,
    vector: Vector | None,
    metadata: Mapping[str, Any],
) -> UUID:
    """Store clean `text` and `metadata` as a new row."""
    parameters = {"text": text, "vector": vector_text(vector), "metadata": Json(metadata)}
    (row,) = execute(conn, statement(table.insert, table.name), parameters)
    return UUID(str(row[0]))


def update(
    conn: Connection[Any],
    table: VectorTable,
    memory_id: UUID | str,
    text: str | None,
    vector: Vector | None,
    metadata: Mapping[str, Any] | None = None,
    reason: str | None = None,
) -> UUID:
    """Give a memory another text, or merge metadata into it.

    Raises:
        NotFound: this person has no such memory.
    """
    old_text, old_metadata = read(conn, table, memory_id)
    give_reason(conn, reason)
    new_text = old_text if text is None else kept_text(text)
    both = merged(old_metadata, kept_metadata(metadata))
    return _update(conn, table, memory_id, new_text, vector, both)


def _update(
    conn: Connection[Any],
    table: VectorTable,
    memory_id: UUID | str,
    text: str,
    vector: Vector | None,
    metadata: Mapping[str, Any],
) -> UUID:
    parameters = {
        "id": memory_id,
        "text": text,
        "vector": vector_text(vector),
        "metadata": Json(metadata),
    }
    execute(conn, statement(table.update, table.name), parameters)
    return UUID(str(memory_id))


def read(
    conn: Connection[Any], table: VectorTable, memory_id: UUID | str
) -> tuple[str, dict[str, Any]]:
    """(text, metadata) of a memory, locked until the transaction ends.

    Raises:
        NotFound: this person has no such memory.
    """
    rows = execute(conn, statement(_READ, table.name, table.live, table.own), {"id": memory_id})
    if not rows:
        raise NotFound(f"There is no {table.kind} memory {memory_id}.")
    return rows[0][0], rows[0][1] or {}


def delete(
    conn: Connection[Any], table: VectorTable, memory_id: UUID | str, reason: str | None = None
) -> bool:
    """Delete a memory; say whether there was one."""
    give_reason(conn, reason)
    return bool(
        execute(conn, statement(_DELETE, table.name, table.live, table.own), {"id": memory_id})
    )
