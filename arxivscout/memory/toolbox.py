"""Toolbox memory (procedural): the tools there are and what each is for.

Tools of the installation are shared and have no user; what a person adds is theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID

from psycopg import Connection
from psycopg.types.json import Json

from arxivscout.memory import vector_memory, vector_search
from arxivscout.memory.vector_memory import Memory, Vector, VectorTable, vector_text
from arxivscout.papers import clean_text

_INSERT: LiteralString = """
INSERT INTO {table} (content, embedding, langchain_metadata, tool_name)
SELECT %(text)s, %(vector)s::vector, m, COALESCE(m ->> 'tool_name', m ->> 'name')
FROM (SELECT %(metadata)s::json AS m) AS given
RETURNING langchain_id
"""

_UPDATE: LiteralString = """
UPDATE {table}
SET content = %(text)s, embedding = COALESCE(%(vector)s::vector, embedding),
    langchain_metadata = m, tool_name = COALESCE(m ->> 'tool_name', m ->> 'name', tool_name),
    updated_at = now()
FROM (SELECT %(metadata)s::json AS m) AS given
WHERE langchain_id = %(id)s
"""

_REGISTERED = """
SELECT tool_name, content FROM toolbox_memory
WHERE user_id IS NULL AND tool_name = ANY(%(names)s) AND embedding IS NOT NULL
"""

_REGISTER = """
INSERT INTO toolbox_memory (user_id, tool_name, content, embedding, langchain_metadata)
VALUES (NULL, %(name)s, %(content)s, %(vector)s::vector, %(metadata)s)
ON CONFLICT (tool_name) WHERE user_id IS NULL
DO UPDATE SET content = EXCLUDED.content, embedding = EXCLUDED.embedding,
              langchain_metadata = EXCLUDED.langchain_metadata, updated_at = now()
"""

# Everybody finds the tools of the installation, which have no user; nobody changes them here.
TOOLBOX = VectorTable("toolbox", "toolbox_memory", _INSERT, _UPDATE, live="true")


def write(
    conn: Connection[Any],
    text: str,
    vector: Vector | None,
    metadata: Mapping[str, Any] | None = None,
    *,
    store: VectorTable = TOOLBOX,
) -> UUID:
    """Store a person's own tool once; `tool_name` (or `name`) in the metadata names it."""
    return vector_memory.write(conn, store, text, vector, metadata)


def search(
    conn: Connection[Any], vector: Vector, k: int, *, store: VectorTable = TOOLBOX
) -> list[Memory]:
    """The `k` tools, shared or the person's own, nearest to `vector`."""
    return vector_search.search(conn, store, vector, k)


def register_shared(
    conn: Connection[Any],
    tools: Iterable[tuple[str, str]],
    embed: Callable[[list[str]], Sequence[Vector]],
) -> int:
    """Make the installation's tools known to everybody; only what changed is embedded and written.

    Args:
        tools: (name, description); the last of a name counts.
        embed: texts to vectors, in the same order.

    Returns:
        how many tools were new or had changed.
    """
    wanted = {clean_text(name): f"{name}: {clean_text(description)}" for name, description in tools}
    known = dict(conn.execute(_REGISTERED, {"names": list(wanted)}).fetchall())
    changed = sorted(name for name, content in wanted.items() if known.get(name) != content)
    if not changed:
        return 0
    vectors = embed([wanted[name] for name in changed])
    # In the order of their names, so that processes that start together don't deadlock.
    with conn.cursor() as cursor:
        cursor.executemany(
            _REGISTER,
            [
                {
                    "name": name,
                    "content": wanted[name],
                    "vector": vector_text(vector),
                    "metadata": Json({"tool_name": name}),
                }
                for name, vector in zip(changed, vectors, strict=True)
            ],
        )
    return len(changed)
