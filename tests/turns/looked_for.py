"""A word looked for in every row of every table, in whatever form it is stored."""

from __future__ import annotations

from psycopg.sql import SQL, Identifier

from arxivscout.memory.postgres import Database

_TABLES = """
SELECT nspname, relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE relkind IN ('r', 'p', 'm') AND nspname <> 'information_schema' AND nspname !~ '^pg_'
"""
_ROWS = """
SELECT count(*) FROM {} AS held
WHERE position(%(word)s IN lower(held::text)) > 0 OR position(%(bytes)s IN held::text) > 0
"""


def holding(database: Database, word: str) -> dict[str, int]:
    """The tables that hold the word, and in how many rows; past row security."""
    sought = {"word": word.lower(), "bytes": word.encode().hex()}
    found = {}
    with database.admin() as conn:
        for table in conn.execute(_TABLES).fetchall():
            row = conn.execute(SQL(_ROWS).format(Identifier(*table)), sought).fetchone()
            assert row is not None
            found[table[1]] = int(row[0])
    assert len(found) > 40  # it was looked
    return {table: rows for table, rows in found.items() if rows}
