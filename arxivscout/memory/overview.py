"""What is remembered of and for one person, as a list they can read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg import Connection

_MEMORIES = """
SELECT langchain_id::text, category, content,
       COALESCE(CASE category WHEN 'paper' THEN (
           SELECT max(recorded_at) FROM relation_memory
           WHERE object_id = langchain_id AND predicate = 'looked_at'
             AND relation_memory.valid_to IS NULL
       ) END, updated_at), thread_id, reason
FROM entity_memory
WHERE valid_to IS NULL AND category IS DISTINCT FROM 'person'
  AND (%(kind)s::text IS NULL OR category = %(kind)s)
UNION ALL
SELECT langchain_id::text, 'workflow', content, updated_at, thread_id, outcome
FROM workflow_memory WHERE %(kind)s = 'workflow'
UNION ALL
SELECT id::text, 'note', 'arXiv:' || arxiv_id || ': ' || note, noted_at, NULL, NULL
FROM paper_mark
WHERE user_id = scout_user() AND note IS NOT NULL
  AND (%(kind)s::text IS NULL OR %(kind)s = 'note')
UNION ALL
SELECT langchain_id::text, 'summary', content, updated_at, thread_id, NULL
FROM summary_memory WHERE %(kind)s::text IS NULL OR %(kind)s = 'summary'
ORDER BY 4 DESC LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """One memory: what it is, what it says, when and where it was kept, why."""

    id: str
    kind: str | None
    text: str
    at: datetime
    thread_id: str | None
    reason: str | None


def memories(conn: Connection[Any], kind: str | None, limit: int) -> list[MemoryItem]:
    """The newest memories, of one kind or of all but ways of working."""
    rows = conn.execute(_MEMORIES, {"kind": kind, "limit": limit}).fetchall()
    return [MemoryItem(*row) for row in rows]
