"""Searching a vector store by meaning: as many as there are, and the right ones, for everybody.

Row security and filters act after an HNSW scan has chosen, which starves whoever has few rows
beside somebody with many. So distances to few rows are computed, and many rows are looked up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, LiteralString

from psycopg import Connection
from psycopg.rows import TupleRow
from psycopg.sql import SQL, Composable, Identifier

from arxivscout.memory.filters import compile_filter
from arxivscout.memory.vector_memory import Memory, Vector, VectorTable, execute, vector_text

__all__ = ["Memory", "search"]

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
        "exact_below": max(k, _EXACT_BELOW) if filter or table.own != "true" else 0,
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
