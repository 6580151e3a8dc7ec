"""Relations between entities: who looked at what, what contradicts what, and since when."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import Connection
from psycopg.types.json import Json

from arxivscout.errors import NotFound, ToolInputError
from arxivscout.memory.graph.node import predicate_key
from arxivscout.memory.kept_text import kept_metadata, kept_text
from arxivscout.memory.vector_memory import give_reason
from arxivscout.statements.ending import NOW_AND_THEN

# The same edge of the same turn again is one edge, with the properties of both.
_ADD = """
INSERT INTO relation_memory AS kept
    (subject_id, predicate, object_id, properties, source, reason, turn_id, quote, confidence,
     derived_by)
VALUES (%(subject)s, %(predicate)s, %(object)s, %(properties)s, %(source)s, %(reason)s, %(turn)s,
        %(quote)s, %(confidence)s, %(derived_by)s)
ON CONFLICT (user_id, subject_id, predicate, object_id, turn_id) WHERE valid_to IS NULL
DO UPDATE SET properties = kept.properties || EXCLUDED.properties,
              source = COALESCE(EXCLUDED.source, kept.source),
              reason = COALESCE(EXCLUDED.reason, kept.reason),
              quote = COALESCE(EXCLUDED.quote, kept.quote),
              confidence = greatest(EXCLUDED.confidence, kept.confidence)
RETURNING id
"""

_HOLDING = """
SELECT edge.subject_id, edge.predicate, edge.object_id
FROM unnest(%(subjects)s::uuid[], %(predicates)s::text[], %(objects)s::uuid[])
     AS edge (subject_id, predicate, object_id)
WHERE EXISTS (SELECT FROM relation_memory AS kept
              WHERE kept.subject_id = edge.subject_id AND kept.predicate = edge.predicate
                AND kept.object_id = edge.object_id AND valid_to IS NULL)
"""

_OF = """
SELECT id, subject_id, predicate, object_id, properties, source, reason, valid_from, valid_to,
       quote, confidence, derived_by
FROM relation_memory
WHERE (subject_id = %(entity)s OR object_id = %(entity)s)
  AND (%(ended)s OR valid_to IS NULL)
ORDER BY valid_from, recorded_at, id
"""

_END = """
UPDATE relation_memory SET valid_to = clock_timestamp()
WHERE id = %(id)s AND valid_to IS NULL RETURNING id
"""

# What a new edge says no longer holds between the same two: who has moved on from a tool uses it no
# more, and who avoids a method now is not interested in it.
_INSTEAD_OF = {
    **{then: [now] for then, now in NOW_AND_THEN.items()},
    **{now: [then] for then, now in NOW_AND_THEN.items()},
    "uses": ["avoids", "used_before"],
    "interested_in": ["avoids", "was_interested_in"],
    "avoids": ["uses", "interested_in"],
}
_END_OTHERS = """
UPDATE relation_memory SET valid_to = clock_timestamp()
WHERE subject_id = %(subject)s AND object_id = %(object)s AND valid_to IS NULL
  AND predicate = ANY (%(others)s::text[])
"""

_DELETE = "DELETE FROM relation_memory WHERE id = %(id)s RETURNING id"


Edge = tuple[UUID, str, UUID]
"""Subject, predicate, object."""


@dataclass(frozen=True, slots=True)
class Relation:
    """An edge: subject, predicate, object; `valid_to` is None while it holds.

    `source` is the arXiv id of the paper that says so, `derived_by` the rule that inferred it.
    """

    id: UUID
    subject_id: UUID
    predicate: str
    object_id: UUID
    properties: dict[str, Any]
    source: str | None
    reason: str | None
    valid_from: datetime
    valid_to: datetime | None
    quote: str | None = None
    confidence: float = 1.0
    derived_by: str | None = None


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
    quote: str | None = None,
    confidence: float = 1.0,
    derived_by: str | None = None,
) -> UUID:
    """Draw an edge between two entities, once for each turn that says so.

    What it contradicts between the same two ends.

    Args:
        predicate: in any spelling; it is stored as `predicate_key` has it.
        source: arXiv id of the paper that says so, or what else the edge comes from.
        quote: the words that say so.
        derived_by: the rule that inferred it.

    Raises:
        ToolInputError: the predicate has no letter, or the edge joins a thing to itself.
    """
    key = predicate_key(predicate)
    if not key:
        raise ToolInputError(f"{predicate[:40]!r} is no predicate.", "Use a word, such as extends.")
    if subject_id == object_id:
        raise ToolInputError("A relation joins two things, not one to itself.")
    row = conn.execute(
        _ADD,
        {
            "subject": subject_id,
            "predicate": key,
            "object": object_id,
            "properties": Json(kept_metadata(properties)),
            "source": source,
            "reason": None if reason is None else kept_text(reason),
            "turn": turn_id,
            "quote": None if quote is None else kept_text(quote),
            "confidence": confidence,
            "derived_by": derived_by,
        },
    ).fetchone()
    assert row is not None
    if others := _INSTEAD_OF.get(key):
        bound = {"subject": subject_id, "object": object_id, "others": others}
        conn.execute(_END_OTHERS, bound)
    return UUID(str(row[0]))


def holding(conn: Connection[Any], edges: Collection[Edge]) -> set[Edge]:
    """Those of the edges that hold already, whichever turn drew them.

    Args:
        edges: subject, predicate as `predicate_key` gives it, object.
    """
    subjects, predicates, objects = zip(*edges, strict=True) if edges else ((), (), ())
    bound = {"subjects": list(subjects), "predicates": list(predicates), "objects": list(objects)}
    return {(one, key, other) for one, key, other in conn.execute(_HOLDING, bound).fetchall()}


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
