"""What the five vector stores have in common: write a text once, search by meaning, change, delete.

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
from psycopg.sql import SQL, Composable, Identifier
from psycopg.types.json import Json

from arxivscout.errors import NotFound
from arxivscout.memory.filters import compile_filter
from arxivscout.memory.metadata import clean_metadata, merged
from arxivscout.papers import clean_text

Vector = Sequence[float]
"""One embedding, shape (dimension,): a list or a numpy array."""

# Up to this many rows of a person, or that pass a filter, distances are computed for all of them
# (some 4 µs each): HNSW looks for neighbours among everybody's rows first. Where those that may be
# returned lie apart from the rest, its scan reached the count with 80 % of the right ones.
_EXACT_BELOW = 5_000
_ALL = 2**31 - 1

# A generic plan made for a large user starves a small one, and an iterative scan goes on until
# there are enough rows that row security and the filter let through.
_SEARCH_SETTINGS = """
SELECT set_config('plan_cache_mode', 'force_custom_plan', true),
       set_config('hnsw.iterative_scan', 'relaxed_order', true),
       set_config('hnsw.ef_search', '400', true),
       set_config('hnsw.max_scan_tuples', '1000000', true),
       set_config('hnsw.scan_mem_multiplier', '4', true)
"""

# One statement, two ways of which one runs: computing for few rows, the index for many. Relaxed
# iterative scans return out of order, so more than k are fetched and sorted outside; the planner
# takes the index's order for granted and would not sort, hence `+ 0`.
_SEARCH: LiteralString = """
WITH size AS MATERIALIZED (
    SELECT count(*) < %(exact_below)s AS small FROM (
        SELECT FROM {table} WHERE embedding IS NOT NULL AND {live} AND {filter}
        LIMIT %(exact_below)s) AS counted
), nearest AS MATERIALIZED (
    (SELECT langchain_id, embedding <=> %(vector)s::vector AS distance FROM {table}
     WHERE (SELECT small FROM size) AND embedding IS NOT NULL AND {live} AND {filter}
     ORDER BY (embedding <=> %(vector)s::vector) + 0, langchain_id LIMIT %(k)s)
    UNION ALL
    (SELECT langchain_id, embedding <=> %(vector)s::vector AS distance FROM {table}
     WHERE (SELECT NOT small FROM size) AND embedding IS NOT NULL AND {live} AND {filter}
     ORDER BY embedding <=> %(vector)s::vector LIMIT %(fetched)s)
)
SELECT t.langchain_id, t.content, t.langchain_metadata, n.distance, (SELECT small FROM size),
       {columns}
FROM nearest AS n JOIN {table} AS t USING (langchain_id)
ORDER BY n.distance + 0, t.langchain_id LIMIT %(k)s
"""

_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(%(kind)s || COALESCE(scout_user(), ''), 0))"

_FIND: LiteralString = """
SELECT langchain_id, langchain_metadata, embedding IS NULL FROM {table}
WHERE user_id = scout_user() AND content_hash = md5(%(text)s)::uuid AND {live}
ORDER BY created_at, langchain_id LIMIT 1
"""

_READ: LiteralString = """
SELECT content, langchain_metadata FROM {table} WHERE langchain_id = %(id)s AND {live} FOR UPDATE
"""

_DELETE: LiteralString = "DELETE FROM {table} WHERE langchain_id = %(id)s RETURNING langchain_id"

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
    live: LiteralString = "user_id = scout_user()"
    private: bool = True
    columns: tuple[str, ...] = ()  # read with the metadata, behind it; filters take them as text


@dataclass(frozen=True, slots=True)
class Memory:
    """A stored text with its metadata and, from a search, its cosine distance (0 to 2)."""

    id: UUID
    content: str
    metadata: dict[str, Any]
    distance: float


def vector_text(vector: Vector | None) -> str | None:
    """`vector` in pgvector's text form."""
    return None if vector is None else "[" + ",".join(repr(float(x)) for x in vector) + "]"


@lru_cache(maxsize=256)
def statement(template: LiteralString, table: str, live: LiteralString = "true") -> bytes:
    """A static statement on `table`."""
    return SQL(template).format(table=Identifier(table), live=SQL(live)).as_bytes(None)


def execute(conn: Connection[Any], query: bytes, parameters: Mapping[str, Any]) -> list[TupleRow]:
    """Run one statement, whatever rows the connection's owner likes; its rows, if it has any."""
    with conn.cursor(row_factory=tuple_row) as cursor:
        cursor.execute(query, parameters)
        return cursor.fetchall() if cursor.description else []


def give_reason(conn: Connection[Any], reason: str | None) -> None:
    """Why the changes of this transaction are made, for the change log."""
    if reason is not None:
        conn.execute(_GIVE_REASON, {"reason": clean_text(reason)})


def lock_kind(conn: Connection[Any], kind: str) -> None:
    """Let one writer of a person's memories of a kind look and write at a time.

    One lock for a kind, not one a text: writers of several texts in different order don't deadlock.
    """
    conn.execute(_LOCK, {"kind": kind})


def find(conn: Connection[Any], table: VectorTable, text: str) -> tuple[UUID, bool] | None:
    """(id, whether it still lacks a vector) of the memory with this very text, or None."""
    row = _find(conn, table, clean_text(text))
    return (row[0], row[2]) if row else None


def _find(conn: Connection[Any], table: VectorTable, text: str) -> TupleRow | None:
    rows = execute(conn, statement(_FIND, table.name, table.live), {"text": text})
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
    text, metadata = clean_text(text), clean_metadata(metadata)
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
    kept_text, kept_metadata = read(conn, table, memory_id)
    give_reason(conn, reason)
    new_text = kept_text if text is None else clean_text(text)
    both = merged(kept_metadata, clean_metadata(metadata))
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
    rows = execute(conn, statement(_READ, table.name, table.live), {"id": memory_id})
    if not rows:
        raise NotFound(f"There is no {table.kind} memory {memory_id}.")
    return rows[0][0], rows[0][1] or {}


def delete(
    conn: Connection[Any], table: VectorTable, memory_id: UUID | str, reason: str | None = None
) -> bool:
    """Delete a memory; say whether there was one."""
    give_reason(conn, reason)
    return bool(execute(conn, statement(_DELETE, table.name), {"id": memory_id}))


def search(
    conn: Connection[Any],
    table: VectorTable,
    vector: Vector,
    k: int,
    filter: Mapping[str, Any] | None = None,
) -> list[Memory]:
    """The `k` live memories nearest to `vector`, nearest first: all there are when fewer.

    Raises:
        ValueError: a filter that can't be, or a negative k.
    """
    if k < 0:
        raise ValueError(f"k must not be negative: {k}")
    where, bound = compile_filter(filter, table.columns)
    query = _search_statement(table, where)
    parameters = {
        **bound,
        "vector": vector_text(vector),
        "k": k,
        "fetched": max(4 * k, 40),
        "exact_below": max(k, _EXACT_BELOW) if filter or table.private else 0,
    }
    conn.execute(_SEARCH_SETTINGS)
    rows = execute(conn, query, parameters)
    if len(rows) < k and not (rows and rows[0][4]):
        # The index scan gave up (its memory is bounded), or there is nothing at all.
        rows = execute(conn, query, {**parameters, "exact_below": _ALL})
    return [_memory(table, row) for row in rows]


def _search_statement(table: VectorTable, where: Composable) -> bytes:
    columns = SQL(", ").join(SQL("t.{}").format(Identifier(name)) for name in table.columns)
    return (
        SQL(_SEARCH)
        .format(
            table=Identifier(table.name),
            live=SQL(table.live),
            filter=where,
            columns=columns if table.columns else SQL("NULL"),
        )
        .as_bytes(None)
    )


def _memory(table: VectorTable, row: TupleRow) -> Memory:
    columns = dict(zip(table.columns, row[5:], strict=False))
    return Memory(row[0], row[1], {**(row[2] or {}), **columns}, row[3])
