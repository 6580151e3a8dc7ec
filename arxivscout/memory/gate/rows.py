"""The memories that candidates may be, read in one statement, and what becomes of them, written.

By the names and words that they share (`entity_key`), by their very text, and by meaning.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from psycopg import Connection

from arxivscout.errors import NotFound
from arxivscout.memory.kept_text import kept_text
from arxivscout.memory.vector_memory import Vector, execute, statement, vector_text

# Of more memories that share a key, or lie near, than these, the likest are looked at.
MOST_SHARING = 64
MOST_KEYED = 12
MOST_NEAR = 8
MOST_PREFERENCES = 50  # the newest, all of which a new one may replace
# Distances to all of a person's rows are computed for up to so many pairs; the index is for more.
_EXACT_PAIRS = 500_000

_SETTINGS = """
SELECT set_config('plan_cache_mode', 'force_custom_plan', true),
       set_config('hnsw.iterative_scan', 'relaxed_order', true),
       set_config('enable_seqscan', 'off', true)
"""
# Of a table that has just grown the planner thinks that it is small: 500 looked up took 3 s.
_PLAN_FREELY = "SELECT set_config('enable_seqscan', 'on', true)"

_FIND: LiteralString = """
WITH given AS MATERIALIZED (
    SELECT position, keys, hash, kind, name, vector::vector AS vector, by_meaning
    FROM json_to_recordset(%(given)s::json) AS t (
        position integer, keys text[], hash uuid, kind text, name text, vector text,
        by_meaning boolean)
), size AS MATERIALIZED (
    SELECT count(*) * (SELECT count(*) FROM given WHERE by_meaning) < %(exact_pairs)s AS small
    FROM {table} WHERE user_id = scout_user() AND valid_to IS NULL
), keyed AS (
    SELECT position, memory_id, row_number() OVER (
        PARTITION BY position ORDER BY bool_or(wanted.key LIKE '=%%') DESC, count(*) DESC, memory_id
    ) AS place
    FROM given CROSS JOIN LATERAL unnest(keys) AS wanted (key) CROSS JOIN LATERAL (
        SELECT memory_id FROM entity_key
        WHERE user_id = scout_user() AND entity_key.key = wanted.key LIMIT %(most_sharing)s
    ) AS sharing
    GROUP BY position, memory_id
), near AS (
    SELECT position, found.langchain_id AS memory_id
    FROM given CROSS JOIN LATERAL (
        SELECT langchain_id FROM {table}
        WHERE (SELECT small FROM size) AND user_id = scout_user() AND valid_to IS NULL
          AND embedding IS NOT NULL
        ORDER BY (embedding <=> given.vector) + 0, langchain_id LIMIT %(most_near)s
    ) AS found
    WHERE by_meaning AND (SELECT small FROM size)
    UNION ALL
    SELECT position, found.langchain_id
    FROM given CROSS JOIN LATERAL (
        SELECT langchain_id FROM {table}
        WHERE user_id = scout_user() AND valid_to IS NULL AND embedding IS NOT NULL
        ORDER BY embedding <=> given.vector LIMIT %(most_near)s
    ) AS found
    WHERE by_meaning AND (SELECT NOT small FROM size)
), pairs AS (
    SELECT position, memory_id FROM keyed WHERE place <= %(most_keyed)s
    UNION SELECT position, memory_id FROM near
    UNION SELECT position, same.langchain_id FROM given CROSS JOIN LATERAL (
        SELECT langchain_id FROM {table}
        WHERE user_id = scout_user() AND content_hash = hash OFFSET 0
    ) AS same
    UNION SELECT position, called.langchain_id FROM given CROSS JOIN LATERAL (
        SELECT langchain_id FROM {table} AS kept
        WHERE user_id = scout_user() AND category = kind AND kept.name = given.name
          AND valid_to IS NULL
        LIMIT 1
    ) AS called
    WHERE given.name IS NOT NULL
    UNION SELECT position, said.langchain_id FROM given CROSS JOIN LATERAL (
        SELECT langchain_id FROM {table}
        WHERE user_id = scout_user() AND category = 'preference' AND valid_to IS NULL
        ORDER BY updated_at DESC, langchain_id LIMIT %(most_preferences)s
    ) AS said
    WHERE kind = 'preference'
)
SELECT position, 1 - (embedding <=> vector), langchain_id, COALESCE(category, ''), content,
       held.name, aliases, held.keys, reason, quote, source, confidence, filed_under, project_id,
       thread_id, turn_id, COALESCE(langchain_metadata, '{{}}'), updated_at, embedding IS NOT NULL
FROM pairs JOIN given USING (position) CROSS JOIN LATERAL (
    SELECT * FROM {table}
    WHERE langchain_id = memory_id AND user_id = scout_user() AND valid_to IS NULL LIMIT 1
) AS held
ORDER BY position, 2 DESC NULLS LAST, langchain_id
"""

_READ: LiteralString = """
SELECT langchain_id, COALESCE(category, ''), content, name, aliases, keys, reason, quote, source,
       confidence, filed_under, project_id, thread_id, turn_id,
       COALESCE(langchain_metadata, '{{}}'), updated_at, embedding IS NOT NULL
FROM {table} WHERE user_id = scout_user() AND langchain_id = %(id)s AND valid_to IS NULL
FOR UPDATE
"""

# Where a fact is filed a rule tells; a category that the person made for it goes before.
_INSERT: LiteralString = """
INSERT INTO {table} (
    langchain_id, category, name, content, embedding, langchain_metadata, aliases, keys, reason,
    quote, source, confidence, filed_under, project_id, thread_id, turn_id, valid_from)
SELECT id, NULLIF(kind, ''), name, text, vector::vector, metadata, aliases, keys, reason, quote,
       source, confidence, COALESCE(own, filed_under), project_id, left(thread_id, 100), turn_id,
       COALESCE(%(at)s, now())
FROM json_to_recordset(%(rows)s::json) AS t (
    id uuid, kind text, name text, text text, vector text, metadata json, aliases text[],
    keys text[], reason text, quote text, source text, confidence real, filed_under text,
    project_id uuid, thread_id text, turn_id uuid)
LEFT JOIN LATERAL (
    SELECT own.name FROM arxivscout.memory_category AS own
    WHERE t.kind = 'fact' AND own.user_id = scout_user() AND own.origin IS NULL
      AND own.name = category_for(NULL, t.kind, left(t.text, 2000), t.vector::vector)
) AS made (own) ON true
"""

_CHANGE: LiteralString = """
UPDATE {table} AS held
SET content = t.text, category = NULLIF(t.kind, ''), name = t.name,
    embedding = CASE WHEN held.content = t.text AND held.embedding IS NOT NULL
                     THEN held.embedding ELSE t.vector::vector END,
    langchain_metadata = t.metadata, aliases = t.aliases, keys = t.keys, reason = t.reason,
    quote = t.quote, source = t.source, confidence = t.confidence, filed_under = t.filed_under,
    project_id = t.project_id, thread_id = left(t.thread_id, 100), turn_id = t.turn_id,
    archived_at = NULL, updated_at = now()
FROM json_to_recordset(%(rows)s::json) AS t (
    id uuid, kind text, name text, text text, vector text, metadata json, aliases text[],
    keys text[], reason text, quote text, source text, confidence real, filed_under text,
    project_id uuid, thread_id text, turn_id uuid)
WHERE held.langchain_id = t.id
"""

_END: LiteralString = """
UPDATE {table} AS held
SET valid_to = GREATEST(COALESCE(%(at)s, now()), held.valid_from), superseded_by = t.successor,
    ended_because = t.why, updated_at = now()
FROM json_to_recordset(%(rows)s::json) AS t (id uuid, successor uuid, why text)
WHERE held.langchain_id = t.id AND held.valid_to IS NULL
"""


@dataclass(slots=True)
class Held:
    """A memory as it holds, or is to be written."""

    id: UUID
    kind: str
    text: str
    name: str | None = None
    aliases: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    reason: str | None = None
    quote: str | None = None
    source: str | None = None
    confidence: float = 1.0
    filed_under: str | None = None
    project_id: UUID | None = None
    thread_id: str | None = None
    turn_id: UUID | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    updated_at: datetime | None = None  # None: just now
    embedded: bool = False  # whether it is stored with a vector
    vector: Vector | None = None
    instead_of: str | None = None  # text of the one that it puts right


@dataclass(frozen=True, slots=True)
class Sought:
    """What a candidate is looked for by: keys, text, and its vector where it says something."""

    keys: Sequence[str]
    hash: str
    kind: str
    name: str | None
    vector: Vector | None
    by_meaning: bool


def find(
    conn: Connection[Any], table: str, sought: Sequence[Sought]
) -> list[list[tuple[Held, float]]]:
    """For each, the memories it may be with their cosine likeness, the likest first.

    A memory that several may be is one object in all their lists.
    """
    given = [
        {
            "position": position,
            "keys": list(each.keys),
            "hash": each.hash,
            "kind": each.kind,
            "name": each.name,
            "vector": vector_text(each.vector) if each.by_meaning else None,
            "by_meaning": each.by_meaning and each.vector is not None,
        }
        for position, each in enumerate(sought)
    ]
    conn.execute(_SETTINGS)
    found: list[list[tuple[Held, float]]] = [[] for _ in sought]
    bound = {
        "given": json.dumps(given),
        "exact_pairs": _EXACT_PAIRS,
        "most_sharing": MOST_SHARING,
        "most_keyed": MOST_KEYED,
        "most_near": MOST_NEAR,
        "most_preferences": MOST_PREFERENCES,
    }
    held: dict[UUID, Held] = {}
    for position, likeness, *columns in execute(conn, statement(_FIND, table), bound):
        one = held.get(columns[0]) or held.setdefault(columns[0], Held(*columns))
        found[position].append((one, float(likeness) if likeness is not None else 0.0))
    conn.execute(_PLAN_FREELY)
    return found


def read(conn: Connection[Any], table: str, memory_id: UUID) -> Held:
    """A memory that holds, locked until the transaction ends.

    Raises:
        NotFound: this person has none with this id.
    """
    found = execute(conn, statement(_READ, table), {"id": memory_id})
    if not found:
        raise NotFound(f"There is no entity memory {memory_id}.")
    return Held(*found[0])


def insert(conn: Connection[Any], table: str, rows: Sequence[Held], at: datetime | None) -> None:
    """Store new memories, in one statement."""
    if rows:
        bound = {"rows": json.dumps([_row(each) for each in rows]), "at": at}
        execute(conn, statement(_INSERT, table), bound)


def change(conn: Connection[Any], table: str, rows: Sequence[Held]) -> None:
    """Write memories again as they are now known, in one statement."""
    if rows:
        bound = {"rows": json.dumps([_row(each) for each in rows])}
        execute(conn, statement(_CHANGE, table), bound)


def end(
    conn: Connection[Any],
    table: str,
    rows: Sequence[tuple[UUID, UUID, str]],
    at: datetime | None,
) -> None:
    """Let memories no longer hold: (id, its successor, why)."""
    if rows:
        given = [
            {"id": str(one), "successor": str(successor), "why": kept_text(why)}
            for one, successor, why in rows
        ]
        execute(conn, statement(_END, table), {"rows": json.dumps(given), "at": at})


def _row(held: Held) -> dict[str, Any]:
    return {
        "id": str(held.id),
        "kind": held.kind,
        "name": held.name,
        "text": held.text,
        "vector": vector_text(held.vector),
        "metadata": held.metadata,
        "aliases": held.aliases,
        "keys": held.keys,
        "reason": held.reason,
        "quote": held.quote,
        "source": held.source,
        "confidence": held.confidence,
        "filed_under": held.filed_under,
        "project_id": held.project_id and str(held.project_id),
        "thread_id": held.thread_id,
        "turn_id": held.turn_id and str(held.turn_id),
    }
