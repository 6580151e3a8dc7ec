"""What a person's memory held to be true at some time."""

from __future__ import annotations

from collections.abc import Sequence
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


@dataclass(frozen=True, slots=True)
class Belief:
    """A memory as it was held; `valid_to` is None where it still is, `why` says why it ended."""

    id: UUID
    kind: str
    text: str
    name: str | None
    reason: str | None
    thread_id: str | None
    valid_from: datetime
    valid_to: datetime | None
    why: str | None


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
