"""A memory that is given another text: what the person says of themselves draws its edges anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from psycopg import Connection

from arxivscout.memory import entity, gate
from arxivscout.memory.candidate import Candidate, Link
from arxivscout.memory.kept_text import kept_text
from arxivscout.memory.vector_memory import Vector
from arxivscout.papers import one_line

Relations = Callable[[str], tuple[Sequence[Candidate], Sequence[Link]]]
"""What a statement relates the person to, and joins: things, and the edges between them."""

# A finding is a paper's word. The edges that a statement draws are quoted by its words, and end
# when it does.
_SAY = """
UPDATE entity_memory SET quote = %(quote)s
WHERE langchain_id = %(id)s AND name IS NULL
  AND category IN ('fact', 'preference', 'decision', 'correction')
"""


def restate(
    conn: Connection[Any],
    memory_id: UUID | str,
    text: str,
    vector: Vector | None,
    reason: str | None,
    relations: Relations,
) -> UUID:
    """Let a memory say `text` from now on; the id under which it does.

    Raises:
        NotFound: this person has no such memory that holds.
    """
    new_id = entity.update(conn, memory_id, text, vector, None, reason)
    if conn.execute(_SAY, {"id": new_id, "quote": kept_text(one_line(text))}).rowcount:
        things, links = relations(text)
        gate.remember(conn, things, links, [None] * len(things))
    return new_id
