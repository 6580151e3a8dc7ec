"""Which nodes a person means by a name, an id, or a key."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any
from uuid import UUID

from psycopg import Connection
from psycopg.rows import tuple_row

from arxivscout.errors import NotFound
from arxivscout.memory.graph.node import ALL, Node, View, entity_node, name_key, paper_node
from arxivscout.papers import PaperId, clean_text, one_line

MOST_FOUND = 20
MOST_SUGGESTED = 5
ONESELF = frozenset("me i myself you yourself io je ich yo moi mich".split())

# By id, by key, and by every name. Whoever asks for themselves finds the node of their own,
# whichever thread they were first heard in.
_ENTITIES = """
SELECT langchain_id, category, name, left(content, 300),
       CASE WHEN category = 'person' AND name = scout_user() THEN NULL ELSE thread_id END
FROM entity_memory
WHERE user_id = scout_user() AND valid_to IS NULL AND (
    langchain_id = %(id)s
    OR category = %(kind)s AND name = %(value)s
    OR category = 'person' AND name = scout_user() AND %(oneself)s
    OR langchain_id IN (SELECT entity_id FROM entity_name
                        WHERE user_id = scout_user() AND key = ANY (%(keys)s::text[])))
ORDER BY category = %(kind)s DESC NULLS LAST, updated_at DESC, langchain_id LIMIT %(most)s
"""

# Names of what was superseded since are not indexed: all entities of then are looked through.
_ENTITIES_THEN = """
SELECT langchain_id, category, name, left(content, 300),
       CASE WHEN category = 'person' AND name = scout_user() THEN NULL ELSE thread_id END
FROM entity_memory
WHERE user_id = scout_user() AND valid_from <= %(as_of)s
  AND (valid_to IS NULL OR valid_to > %(as_of)s) AND (
    langchain_id = %(id)s
    OR category = %(kind)s AND name = %(value)s
    OR category = 'person' AND name = scout_user() AND %(oneself)s
    OR lower(name) = lower(%(text)s) OR name_key(name) = ANY (%(keys)s::text[])
    OR %(text)s = ANY (aliases))
ORDER BY valid_from DESC, langchain_id LIMIT %(most)s
"""

_PAPER = """
SELECT arxiv_id, langchain_metadata ->> 'title' FROM semantic_memory
WHERE arxiv_id = %(paper)s
"""

_AUTHOR = """
SELECT key, paper.langchain_metadata -> 'authors' ->> (place - 1)::int
FROM (SELECT arxiv_id, keys FROM paper_author
      WHERE keys && %(authors)s::text[] LIMIT 1) AS written
JOIN semantic_memory AS paper USING (arxiv_id)
CROSS JOIN LATERAL unnest(keys) WITH ORDINALITY AS author (key, place)
WHERE key = ANY (%(authors)s::text[])
"""

_CATEGORY = """
SELECT EXISTS (SELECT FROM semantic_memory WHERE category_keys @> ARRAY[%(category)s::text])
"""

# Read on the way to an error only.
_NAMES = """
SELECT name FROM entity_memory
WHERE user_id = scout_user() AND valid_to IS NULL AND name IS NOT NULL AND category <> 'paper'
ORDER BY updated_at DESC LIMIT %(most)s
"""
_MOST_COMPARED = 5_000


def find_nodes(
    conn: Connection[Any], text: str, *, topic: bool = False, view: View = ALL
) -> list[Node]:
    """All nodes that `text` names, each once: those of the person first, then the papers'.

    Args:
        text: a name or an alias in any spelling, an arXiv id, a memory's id, "me", or a key.
        topic: also as words to look for in papers, which always gives a node.
    """
    text = one_line(clean_text(text))[:500]
    kind, colon, value = text.partition(":")
    kind = kind.lower() if colon else ""
    paper = _paper(text) or (_paper(value) if kind == "paper" else None)
    keys = [key for key in dict.fromkeys([name_key(text), name_key(value)]) if key]
    authors = [key for key in keys if " " in key]
    bound: dict[str, Any] = {
        "text": text,
        "id": _uuid(value if kind == "memory" else text),
        "kind": kind or None,
        "value": value,
        "oneself": text.lower() in ONESELF,
        "keys": [*keys, *([name_key(paper)] if paper else [])],
        "paper": paper,
        "authors": authors,
        "category": value if kind == "category" else text,
        "as_of": view.as_of,
        "most": MOST_FOUND,
    }
    with conn.cursor(row_factory=tuple_row) as cursor, conn.pipeline():
        rows = [
            cursor.execute(statement.encode(), bound).fetchall()
            for statement in (
                _ENTITIES_THEN if view.as_of else _ENTITIES,
                _PAPER,
                _AUTHOR,
                _CATEGORY,
            )
        ]
    found = [entity_node(*row[:4]) for row in rows[0] if view.own and row[4] not in view.hidden]
    found += [paper_node(*row) for row in rows[1]]
    found += [Node(f"author:{key}", "author", name or key) for key, name in rows[2]]
    if rows[3][0][0]:
        category = bound["category"]
        found.append(Node(f"category:{category}", "category", category))
    if topic and text:
        found.append(Node(f"topic:{text}", "topic", text))
    first: dict[str, Node] = {}
    for node in found:
        first.setdefault(node.key, node)
    return list(first.values())


def need_nodes(conn: Connection[Any], text: str, *, view: View = ALL) -> list[Node]:
    """`find_nodes` where there must be one.

    Raises:
        NotFound: nothing goes by that name; what sounds like it is told.
    """
    found = find_nodes(conn, text, view=view)
    if found:
        return found
    near = _near(conn, text)
    known = f"was known by {view.as_of:%Y-%m-%d}" if view.as_of else "is remembered or held"
    raise NotFound(
        f"Nothing that {known} goes by the name {one_line(text)[:100]!r}.",
        f"Near to it: {', '.join(near)}."
        if near
        else "Give a name, an arXiv id, or the id of a memory.",
    )


def _near(conn: Connection[Any], text: str) -> list[str]:
    """Names that are spelled like `text`, or have a word of it."""
    rows = conn.execute(_NAMES, {"most": _MOST_COMPARED}).fetchall()
    keys = {name_key(name): name for (name,) in rows}
    asked = name_key(text)
    words = {word for word in asked.split() if len(word) > 2}
    near = get_close_matches(asked[:100], keys, MOST_SUGGESTED, 0.7)
    near += [key for key in keys if words & set(key.split())]
    return [keys[key] for key in dict.fromkeys(near)][:MOST_SUGGESTED]


def _paper(text: str) -> str | None:
    try:
        return PaperId.parse(text).value
    except ValueError:
        return None


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text.strip())
    except ValueError:
        return None
