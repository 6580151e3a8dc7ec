"""Who wrote a paper, by the key that their name has in the graph: a row a paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from psycopg import Connection

from arxivscout.memory.graph.node import name_key

# An edge to one of three thousand authors tells nothing; all names are searched by their words.
MOST_AUTHORS = 100

# The records of a batch that were stored, from what it was copied into.
LINK_INCOMING = """
INSERT INTO paper_author AS held (arxiv_id, keys)
SELECT arxiv_id, author_keys FROM pg_temp.incoming_paper
WHERE arxiv_id = ANY (%(ids)s::text[]) ORDER BY arxiv_id
ON CONFLICT (arxiv_id) DO UPDATE SET keys = excluded.keys WHERE held.keys <> excluded.keys
"""

_PUT = """
INSERT INTO paper_author AS held (arxiv_id, keys) VALUES (%(id)s, %(keys)s::text[])
ON CONFLICT (arxiv_id) DO UPDATE SET keys = excluded.keys WHERE held.keys <> excluded.keys
"""


def author_keys(authors: Sequence[str]) -> list[str]:
    """The keys of a paper's first authors, in order; the SQL function `author_keys` says the same.

    A name without a letter keeps its place with an empty key.
    """
    return [name_key(author) for author in authors[:MOST_AUTHORS]]


def put_authors(conn: Connection[Any], arxiv_id: str, authors: Sequence[str]) -> None:
    """Keep who wrote one paper, in the place of what was kept."""
    conn.execute(_PUT, {"id": arxiv_id, "keys": author_keys(authors)})
