"""Relations between entities: who looked at what, what contradicts what, and since when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import Connection
from psycopg.types.json import Json

from arxivscout.errors import NotFound
from arxivscout.memory.metadata import clean_metadata
from arxivscout.memory.vector_memory import give_reason
from arxivscout.papers import clean_text

# The same edge of the same turn again is one edge, with the properties of both.
_ADD = """
INSERT INTO relation_memory AS kept
    (subject_id, predicate, object_id, properties, source, reason, turn_id)
VALUES (%(subject)s, %(predicate)s, %(object)s, %(properties)s, %(source)s, %(reason)s, %(turn)s)
ON CONFLICT (user_id, subject_id, predicate, object_id, turn_id) WHERE valid_to IS NULL
DO UPDATE SET properties = kept.properties || EXCLUDED.properties,
              source = COALESCE(EXCLUDED.source, kept.source),
              reason = COALESCE(EXCLUDED.reason, kept.reason)
RETURNING id
"""

_OF = """
SELECT id, subject_id, predicate, object_id, properties, source, reason, valid_from, valid_to
FROM relation_memory
WHERE (subject_id = %(entity)s OR object_id = %(entity)s)
  AND (%(ended)s OR valid_to IS NULL)
ORDER BY valid_from, recorded_at, id
"""

_END = """
UPDATE relation_memory SET valid_to = clock_timestamp()
WHERE id = %(id)s AND valid_to IS NULL RETURNING id
"""

_DELETE = "DELETE FROM relation_memory WHERE id = %(id)s RETURNING id"


@dataclass(frozen=True, slots=True)
class Relation:
    """An edge: subject, predicate, object; `valid_to` is None while it holds."""

    id: UUID
    subject_id: UUID
    predicate: str
    object_id: UUID
    properties: dict[str, Any]
    source: str | None
    reason: str | None
    valid_from: datetime
    valid_to: datetime | None


def add(
    conn: Connection[Any],
    subject_id: UUID,
    predicate: str,
    object_id: UUID,
    properties: Mapping[str, Any] | None = None,
    *,
    source: str | None = None,
    reason: str | None = None,
    turn_id: UUID | None = None,
) -> UUID:
    """Draw an edge between two entities, once for each turn that says so."""
    row = conn.execute(
        _ADD,
        {
            "subject": subject_id,
            "predicate": clean_text(predicate),
            "object": object_id,
            "properties": Json(clean_metadata(properties)),
            "source": source,
            "reason": None if reason is None else clean_text(reason),
            "turn": turn_id,
        },
    ).fetchone()
    assert row is not None
    return UUID(str(row[0]))


def of(conn: Connection[Any], entity_id: UUID, *, ended: bool = False) -> list[Relation]:
    """The edges at an entity, in either direction, oldest first; also those that `ended`."""
    rows = conn.execute(_OF, {"entity": entity_id, "ended": ended}).fetchall()
    return [Relation(*row) for row in rows]


def end(conn: Connection[Any], relation_id: UUID, reason: str | None = None) -> None:
    """Let an edge no longer hold; it stays as history.

    Raises:
        NotFound: this person has no such edge that holds.
    """
    give_reason(conn, reason)
    if conn.execute(_END, {"id": relation_id}).fetchone() is None:
        raise NotFound(f"There is no relation {relation_id}.")


def delete(conn: Connection[Any], relation_id: UUID, reason: str | None = None) -> bool:
    """Delete an edge; say whether there was one."""
    give_reason(conn, reason)
    return conn.execute(_DELETE, {"id": relation_id}).fetchone() is not None
