"""What a person is related to by what they said: what they use, work on, avoid, where they work."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import Connection

# One line for each thing and relation, however many turns say so; papers looked at are many.
_RELATIONS = """
SELECT * FROM (
    SELECT DISTINCT ON (predicate, thing.langchain_id)
           thing.langchain_id, predicate, thing.category,
           COALESCE(thing.name, thing.content) AS name, relation.quote, relation.recorded_at
    FROM entity_memory AS person
    JOIN relation_memory AS relation ON relation.subject_id = person.langchain_id
    JOIN entity_memory AS thing ON thing.langchain_id = relation.object_id
    WHERE person.user_id = scout_user() AND person.category = 'person'
      AND person.name = scout_user() AND person.valid_to IS NULL
      AND relation.valid_to IS NULL AND predicate <> 'looked_at'
      AND thing.valid_to IS NULL AND thing.archived_at IS NULL
      AND COALESCE(relation.properties ->> 'thread_id' <> ALL (%(hidden)s::text[]), true)
    ORDER BY predicate, thing.langchain_id, relation.recorded_at DESC
) AS newest
ORDER BY recorded_at DESC, name LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True)
class OwnRelation:
    """A thing, what kind it is, how the person is related to it, and their words for that."""

    thing: UUID
    predicate: str
    kind: str
    name: str
    quote: str | None
    at: datetime


def own_relations(
    conn: Connection[Any], limit: int, hidden: Collection[str] = ()
) -> list[OwnRelation]:
    """The newest relations of the transaction's person, but for what `hidden` threads say."""
    bound = {"limit": limit, "hidden": sorted(hidden)}
    return [OwnRelation(*row) for row in conn.execute(_RELATIONS, bound).fetchall()]
