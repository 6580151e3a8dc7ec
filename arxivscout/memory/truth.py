"""What a person's memory holds to be true, and what it held at some time."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import Connection

_TRUE_AT = """
SELECT langchain_id, COALESCE(category, ''), content, name, reason, thread_id, valid_from, valid_to,
       ended_because
FROM entity_memory
WHERE user_id = scout_user() AND valid_from <= %(when)s AND archived_at IS NULL
  AND (valid_to IS NULL OR valid_to > %(when)s)
  AND (%(kinds)s::text[] IS NULL OR category = ANY(%(kinds)s))
ORDER BY valid_from DESC, langchain_id LIMIT %(limit)s
"""

# Looked through one by one: what is asked of oneself is told by names, in any language. What was
# forgotten ended without a successor, and is told no more, neither as one.
_SAID = """
SELECT said.langchain_id, COALESCE(said.category, ''), said.content, said.name, said.reason,
       said.thread_id, said.valid_from, said.valid_to, said.ended_because, next.content, next.reason
FROM entity_memory AS said
LEFT JOIN entity_memory AS next
     ON next.langchain_id = said.superseded_by AND next.user_id = scout_user()
        AND (next.valid_to IS NULL OR next.superseded_by IS NOT NULL) AND next.archived_at IS NULL
        AND COALESCE(next.thread_id <> ALL (%(hidden)s::text[]), true)
CROSS JOIN LATERAL (
    SELECT count(*) AS named, bool_or(position(' ' || key IN own) > 0) AS itself
    FROM (
        SELECT ' ' || name_key(said.content) || ' ' AS own,
               ' ' || name_key(concat_ws(' ', said.content, next.content)) || ' ' AS text
    ) AS texts,
         unnest(%(words)s::text[]) AS word,
         LATERAL (SELECT name_key(word) || CASE WHEN length(word) < 4 THEN ' ' ELSE '' END AS key)
    WHERE position(' ' || key IN text) > 0
) AS fit
WHERE said.user_id = scout_user() AND said.category = ANY(%(kinds)s) AND said.source IS NULL
  AND said.archived_at IS NULL AND (said.valid_to IS NULL OR said.superseded_by IS NOT NULL)
  AND fit.named * 2 >= cardinality(%(words)s::text[])
  AND COALESCE(said.thread_id <> ALL (%(hidden)s::text[]), true)
ORDER BY fit.named DESC, fit.itself DESC NULLS LAST, said.valid_from DESC, said.langchain_id
LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True)
class Belief:
    """A memory as it was held; `valid_to` is None where it still is, `why` says why it ended.

    `next`: what has taken its place, and `next_reason` why the person says so, where that is asked.
    """

    id: UUID
    kind: str
    text: str
    name: str | None
    reason: str | None
    thread_id: str | None
    valid_from: datetime
    valid_to: datetime | None
    why: str | None
    next: str | None = None
    next_reason: str | None = None


def true_at(
    conn: Connection[Any],
    when: datetime,
    *,
    kinds: Sequence[str] | None = None,
    limit: int = 1_000,
) -> list[Belief]:
    """What was held to be true at `when`, the latest first; of some `kinds`, or of all.

    What rests in the archive is left out.
    """
    bound = {"when": when, "kinds": None if kinds is None else list(kinds), "limit": limit}
    return [Belief(*row) for row in conn.execute(_TRUE_AT, bound).fetchall()]


def said_of(
    conn: Connection[Any],
    words: Sequence[str],
    kinds: Sequence[str],
    *,
    hidden: Collection[str] = (),
    limit: int = 50,
) -> list[Belief]:
    """What the person said that names at least half of `words`, as it holds and as it was before.

    What names most comes first, of that the newest. Without words it is the newest of all.
    """
    bound = {
        "words": list(words),
        "kinds": list(kinds),
        "hidden": sorted(hidden),
        "limit": limit,
    }
    return [Belief(*row) for row in conn.execute(_SAID, bound).fetchall()]
