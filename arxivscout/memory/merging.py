"""Several memories that say the same made one, because the person says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from psycopg import Connection

from arxivscout.errors import NotFound, ToolInputError
from arxivscout.memory.kept_text import kept_text
from arxivscout.memory.vector_memory import LOCK_KIND, give_reason

_READ = """
SELECT langchain_id, category, content FROM entity_memory
WHERE langchain_id = ANY(%(ids)s) AND valid_to IS NULL AND user_id = scout_user()
"""
# What the others are called is another name of the one that is kept.
_NAMES = """
UPDATE entity_memory AS kept SET updated_at = now(), aliases = ARRAY(
    SELECT DISTINCT called
    FROM entity_memory AS other, unnest(other.aliases || other.name) AS called
    WHERE other.langchain_id = ANY(%(ids)s) AND called IS NOT NULL
      AND called IS DISTINCT FROM kept.name
    ORDER BY called)
WHERE langchain_id = %(kept)s
"""
_END = """
UPDATE entity_memory
SET valid_to = clock_timestamp(), superseded_by = %(kept)s, ended_because = %(why)s,
    updated_at = now()
WHERE langchain_id = ANY(%(ids)s) AND langchain_id <> %(kept)s
"""
_CHANGE = "SELECT set_config('arxivscout.change', 'merge', true)"
_WHY = "merged: the researcher said that it is the same"


def merge(conn: Connection[Any], ids: Sequence[UUID], reason: str | None = None) -> str:
    """Keep the first of the memories; the others end, and their edges are its from now on.

    Returns:
        what the kept one says.

    Raises:
        NotFound: one of them is none of this person's, or holds no longer.
        ToolInputError: they are of different kinds, or one is named twice.
    """
    conn.execute(LOCK_KIND, {"kind": "entity"})
    held = {row[0]: row[1:] for row in conn.execute(_READ, {"ids": list(ids)}).fetchall()}
    for memory_id in ids:
        if memory_id not in held:
            raise NotFound(f"There is no memory {memory_id}.")
    if len(held) < 2:
        raise ToolInputError("Two memories or more can be merged, each named once.")
    if len({kind for kind, _ in held.values()}) > 1:
        kinds = ", ".join(sorted(str(kind) for kind, _ in held.values()))
        raise ToolInputError(f"Memories of different kinds can't be merged: {kinds}.")
    kept = ids[0]
    conn.execute(_CHANGE)
    why = kept_text(reason or _WHY)
    give_reason(conn, why)
    conn.execute(_NAMES, {"ids": list(ids), "kept": kept})
    conn.execute(_END, {"ids": list(ids), "kept": kept, "why": why})
    return str(held[kept][1])
