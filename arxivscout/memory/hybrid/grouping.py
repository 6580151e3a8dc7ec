"""Groups of related memories and the summaries that stand for them.

Nothing is deleted: the details point to their summary. Who stores one has looked, under a lock of
the person, that all it stands for still holds and stands alone: two processes store it once, and a
kill half-way leaves nothing. When a detail ends or changes, a trigger takes the summary away
(migration 0020).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import Connection, Rollback
from psycopg.types.json import Json

from arxivscout.memory.vector_memory import Vector, lock_kind, vector_text

MOST_READ = 400  # memories of a category at a time, the oldest
NEW_SINCE = 20  # so many have to come before it is looked again

# What a person decided or prefers stays as it was said, and what they put right does.
_LOOSE = """
    SELECT * FROM entity_memory AS memory
    WHERE user_id = scout_user() AND valid_to IS NULL AND archived_at IS NULL
      AND summary_id IS NULL AND category IN ('fact', 'finding', 'question')
      AND embedding IS NOT NULL
      AND NOT EXISTS (SELECT FROM thread WHERE thread.thread_id = memory.thread_id AND private)
"""

# Whether anything can be due, by an index.
_NEWS = """
SELECT count(*) FROM (
    SELECT FROM entity_memory
    WHERE user_id = scout_user() AND category IN ('fact', 'finding', 'question')
      AND valid_to IS NULL
      AND updated_at > COALESCE((SELECT value::timestamptz FROM person_setting
                                 WHERE name = 'consolidated'), '-infinity')
    LIMIT %(new)s) AS news
"""

_DUE = f"""
SELECT filed_under, project_id, count(*) FROM ({_LOOSE}) AS loose
WHERE filed_under IS NOT NULL AND (%(category)s::text IS NULL OR filed_under = %(category)s::text)
GROUP BY filed_under, project_id
HAVING count(*) FILTER (
    WHERE created_at > COALESCE((SELECT value::timestamptz FROM person_setting
                                 WHERE name = 'consolidated'), '-infinity')) >= %(new)s
ORDER BY filed_under, project_id
"""  # noqa: S608

_READ = f"""
SELECT langchain_id, category, content, source, created_at, embedding::text, ARRAY(
    SELECT object_id FROM relation_memory
    WHERE subject_id = loose.langchain_id AND valid_to IS NULL LIMIT 50)
FROM ({_LOOSE}) AS loose
WHERE filed_under = %(category)s::text AND project_id IS NOT DISTINCT FROM %(project)s::uuid
ORDER BY created_at, langchain_id LIMIT {MOST_READ}
"""  # noqa: S608

# The groups of the place that are not full, with what they stand for.
_HELD = """
SELECT memory.summary_id, memory.langchain_id, memory.category, memory.content, memory.source,
       memory.created_at, memory.embedding::text, ARRAY(
           SELECT object_id FROM relation_memory
           WHERE subject_id = memory.langchain_id AND valid_to IS NULL LIMIT 50)
FROM entity_memory AS memory JOIN summary_memory AS kept ON kept.langchain_id = memory.summary_id
WHERE memory.user_id = scout_user() AND memory.valid_to IS NULL AND memory.embedding IS NOT NULL
  AND kept.filed_under = %(category)s::text AND kept.archived_at IS NULL
  AND kept.project_id IS NOT DISTINCT FROM %(project)s::uuid
  AND kept.langchain_metadata::jsonb ? 'memory_ids'
ORDER BY kept.created_at DESC, memory.summary_id, memory.created_at, memory.langchain_id
LIMIT %(limit)s
"""

_LOOKED = """
INSERT INTO person_setting (name, value) VALUES ('consolidated', now()::text)
ON CONFLICT (user_id, name) DO UPDATE SET value = excluded.value, updated_at = now()
"""

_STILL_LOOSE = f"""
SELECT langchain_id, content FROM ({_LOOSE}) AS loose WHERE langchain_id = ANY (%(ids)s::uuid[])
"""  # noqa: S608

_MEANT = "SELECT stay_erased(NULL), set_config('arxivscout.change', 'consolidate', true)"

_TAKE_AWAY = "DELETE FROM summary_memory WHERE user_id = scout_user() AND langchain_id = %(old)s"

_STORE = """
INSERT INTO summary_memory (content, embedding, langchain_metadata, filed_under, project_id)
VALUES (%(text)s, %(vector)s::vector, %(metadata)s, %(category)s, %(project)s)
RETURNING langchain_id
"""

_LINK = "UPDATE entity_memory SET summary_id = %(summary)s WHERE langchain_id = ANY (%(ids)s)"

_DETAILS = """
SELECT langchain_id, category, content, source, created_at, thread_id FROM entity_memory
WHERE user_id = scout_user() AND summary_id = %(summary)s AND valid_to IS NULL
ORDER BY created_at, langchain_id
"""


@dataclass(frozen=True, slots=True)
class Due:
    """Where there may be groups: a category, in a project or in none, and how many stand alone."""

    category: str
    project_id: UUID | None
    memories: int


@dataclass(frozen=True, slots=True)
class Loose:
    """A memory that no summary holds."""

    id: UUID
    kind: str
    text: str
    source: str | None
    at: datetime
    vector: str  # in the database's text form
    things: list[UUID]


@dataclass(frozen=True, slots=True)
class Detail:
    """A memory that a summary stands for."""

    id: UUID
    kind: str
    text: str
    source: str | None
    at: datetime
    thread_id: str | None


def due(conn: Connection[Any], category: str | None = None, new: int = NEW_SINCE) -> list[Due]:
    """Where so many memories came since it was last looked; only in `category`, if one is given."""
    bound = {"category": category, "new": new}
    row = conn.execute(_NEWS, bound).fetchone()
    if row is None or row[0] < new:
        return []
    return [Due(*row) for row in conn.execute(_DUE, bound).fetchall()]


def looked(conn: Connection[Any]) -> None:
    """From now on it is counted what comes."""
    conn.execute(_LOOKED)


def loose(conn: Connection[Any], where: Due) -> list[Loose]:
    """The oldest memories there that stand alone."""
    bound = {"category": where.category, "project": where.project_id}
    return [Loose(*row) for row in conn.execute(_READ, bound).fetchall()]


def held(conn: Connection[Any], where: Due) -> dict[UUID, list[Loose]]:
    """What the newest summaries there stand for, by summary, the oldest memory first."""
    bound = {"category": where.category, "project": where.project_id, "limit": MOST_READ}
    groups: dict[UUID, list[Loose]] = {}
    for summary, *row in conn.execute(_HELD, bound).fetchall():
        groups.setdefault(summary, []).append(Loose(*row))
    return groups


def store(
    conn: Connection[Any],
    where: Due,
    details: Sequence[Loose],
    text: str,
    vector: Vector,
    *,
    extractive: bool,
    instead_of: UUID | None = None,
) -> UUID | None:
    """Store the summary of a group and let its details point to it; None if one has changed.

    Args:
        instead_of: the summary of the same group before more came to it.
    """
    with conn.transaction():
        conn.execute(_MEANT)
        lock_kind(conn, "entity")
        if instead_of is not None:
            conn.execute(_TAKE_AWAY, {"old": instead_of})  # what it stood for stands alone
        ids = [each.id for each in details]
        found = dict(conn.execute(_STILL_LOOSE, {"ids": ids}).fetchall())
        if found != {each.id: each.text for each in details}:
            raise Rollback  # the one before stays
        return _stored(conn, where, details, text, vector, extractive=extractive)
    return None


def _stored(
    conn: Connection[Any],
    where: Due,
    details: Sequence[Loose],
    text: str,
    vector: Vector,
    *,
    extractive: bool,
) -> UUID:
    ids = [each.id for each in details]
    metadata = {
        "memory_ids": [str(each) for each in ids],
        "extractive": extractive,
        "from": details[0].at.isoformat(),
        "until": details[-1].at.isoformat(),
    }
    row = conn.execute(
        _STORE,
        {
            "text": text,
            "vector": vector_text(vector),
            "metadata": Json(metadata),
            "category": where.category,
            "project": where.project_id,
        },
    ).fetchone()
    assert row is not None
    conn.execute(_LINK, {"summary": row[0], "ids": ids})
    return UUID(str(row[0]))


def details(conn: Connection[Any], summary_id: UUID) -> list[Detail]:
    """The memories that a summary stands for, the oldest first."""
    return [Detail(*row) for row in conn.execute(_DETAILS, {"summary": summary_id}).fetchall()]
