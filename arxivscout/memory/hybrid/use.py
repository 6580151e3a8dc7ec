"""How often and when memories were used: counted when the turn is over, not as it is answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from arxivscout.memory.postgres import Database

# What is counted must be the person's, and a turn that was taken back has used nothing.
_COUNT = """
INSERT INTO memory_use AS used (memory_id, uses)
SELECT langchain_id, 1 FROM (
    SELECT langchain_id FROM entity_memory
    WHERE user_id = scout_user() AND langchain_id = ANY (%(ids)s::uuid[])
    UNION ALL SELECT langchain_id FROM summary_memory
    WHERE user_id = scout_user() AND langchain_id = ANY (%(ids)s::uuid[])
    UNION ALL SELECT langchain_id FROM lesson_memory
    WHERE user_id = scout_user() AND langchain_id = ANY (%(ids)s::uuid[])) AS held
WHERE EXISTS (SELECT FROM turn WHERE turn_id = %(turn)s)
ORDER BY langchain_id
ON CONFLICT (user_id, memory_id) DO UPDATE SET uses = used.uses + 1, last_used_at = now()
"""

_STAY_ERASED = "SELECT stay_erased(NULL)"

# Preferences that always stand there are not used by standing there.
_SEGMENTS = frozenset({"findings", "related", "summaries", "lessons"})


def shown_memories(report: Sequence[Mapping[str, Any]]) -> list[UUID]:
    """The ids of a person's memories that stood in a context, from its report."""
    sources: Iterable[object] = (
        item.get("source")
        for segment in report
        if segment["segment"] in _SEGMENTS
        for item in segment["items"]
    )
    found = []
    for source in sources:
        try:
            found.append(UUID(str(source)))
        except ValueError:
            continue  # what is no memory of this kind
    return list(dict.fromkeys(found))


def count_uses(database: Database, user: str, turn_id: UUID, ids: Sequence[UUID]) -> None:
    """Count that these memories were used by a turn; what is no longer there is left out.

    Raises:
        DatabaseError: nothing was counted.
    """
    if ids:
        bound = {"ids": list(ids), "turn": turn_id}
        database.batch(user, [(_STAY_ERASED, {}), (_COUNT, bound)])
