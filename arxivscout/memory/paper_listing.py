"""The papers held, page by page in the order of their ids."""

from __future__ import annotations

from typing import Any

from psycopg import Connection
from psycopg.rows import tuple_row

_PAGE = """
SELECT arxiv_id, COALESCE(langchain_metadata ->> 'title', split_part(content, E'\\n', 1))
FROM semantic_memory
WHERE arxiv_id > %(after)s
ORDER BY arxiv_id LIMIT %(limit)s
"""


def listed_papers(conn: Connection[Any], after: str, limit: int) -> list[tuple[str, str]]:
    """(arXiv id, title) of the `limit` papers that follow the id `after`; "" begins."""
    with conn.cursor(row_factory=tuple_row) as cursor:
        cursor.execute(_PAGE, {"after": after, "limit": limit})
        return [(row[0], row[1]) for row in cursor]
