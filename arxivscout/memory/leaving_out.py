"""Categories of which a person wants nothing remembered: asked before a memory is stored."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from arxivscout.memory.categories import file_what_is_not
from arxivscout.memory.postgres import Database
from arxivscout.memory.vector_memory import Vector, vector_text

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder

# The same functions by which a trigger files what is stored.
_BEGIN = """
SELECT begin_categories()
WHERE NOT EXISTS (SELECT FROM memory_category WHERE user_id = scout_user())
"""
_FILED = """
SELECT lower(COALESCE(
    (SELECT name FROM memory_category
     WHERE %(kind)s::text = 'fact' AND user_id = scout_user() AND origin IS NULL
       AND name = category_for(NULL, %(kind)s::text, left(%(text)s::text, 2000),
                               %(vector)s::vector)),
    category_for(lower(%(meant)s::text), %(kind)s::text, left(%(text)s::text, 2000),
                 %(vector)s::vector),
    %(meant)s))
"""


def left_in(
    database: Database,
    embedder: Embedder,
    user: str,
    left_out: Collection[str],
    memories: Sequence[tuple[str, str, str | None, Vector | None]],
) -> list[int]:
    """The places of those that would be filed under none of the categories left out.

    Args:
        left_out: names of categories in small letters.
        memories: kind, text, the category that is meant, vector; the last two may be None.
    """
    if not left_out or not memories:
        return list(range(len(memories)))
    asked = [
        (_FILED, {"kind": kind, "text": text, "meant": meant, "vector": vector_text(vector)})
        for kind, text, meant, vector in memories
    ]
    database.batch(user, [(_BEGIN, {})])
    file_what_is_not(database, embedder, user)  # by what the categories are for, embedded
    filed = database.batch(user, asked)
    return [place for place, rows in enumerate(filed) if rows[0][0] not in left_out]
