"""Statements that find one person's rows of a vector table nearest to a question."""

from __future__ import annotations

# HNSW looks among everybody's rows first and row security filters afterwards, which starves a
# person with few rows beside one with many: up to this many are compared one by one, unless most
# of the table is theirs. So are all where the index gives too few: its scan is bounded, and many
# versions of one row, each with the same vector, are an island that it does not leave.
_EXACT_BELOW = 5_000
_ALWAYS_EXACT_BELOW = 500


def nearest(
    table: str, condition: str, k: int, *, counted: str | None = None, vector: str = "vector"
) -> str:
    """CTEs: the person's `k` rows of a table nearest to the question, with their distance.

    Args:
        counted: a condition that holds for about as many rows, which an index alone can count.
        vector: name of the parameter that is the question's.
    """
    return f"""
WITH few AS MATERIALIZED (
    SELECT mine < {_ALWAYS_EXACT_BELOW} OR (mine < {_EXACT_BELOW} AND mine < 0.6 * size.reltuples)
        AS few
    FROM (SELECT count(*) AS mine FROM (
              SELECT FROM {table} WHERE user_id = scout_user() AND {counted or condition}
              LIMIT {_EXACT_BELOW}) AS counted) AS counts,
         (SELECT reltuples FROM pg_class WHERE oid = '{table}'::regclass) AS size
), by_index AS MATERIALIZED (
    SELECT langchain_id, embedding <=> %({vector})s::vector AS distance FROM {table}
    WHERE (SELECT NOT few FROM few) AND {condition}
    ORDER BY embedding <=> %({vector})s::vector LIMIT {k}
), enough AS MATERIALIZED (
    SELECT count(*) = {k} AS enough FROM by_index
), nearest AS MATERIALIZED (
    SELECT langchain_id, distance FROM by_index WHERE (SELECT enough FROM enough)
    UNION ALL
    (SELECT langchain_id, embedding <=> %({vector})s::vector AS distance FROM {table}
     WHERE (SELECT NOT enough FROM enough) AND user_id = scout_user() AND {condition}
     ORDER BY (embedding <=> %({vector})s::vector) + 0 LIMIT {k})
)"""  # noqa: S608
