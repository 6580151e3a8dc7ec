"""Watches: what a person wants to know the news of, how far arXiv was read, what was reported.

A digest is stored in the transaction that notes its papers and moves the watermark, and forgotten
when it has been written: whatever is killed when, its papers are reported, and once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from psycopg import Connection
from psycopg.rows import tuple_row
from psycopg.types.json import Jsonb

from arxivscout.memory.kept_text import kept_name, kept_text
from arxivscout.memory.knowledge import paper_from_row
from arxivscout.memory.lease import HELD
from arxivscout.memory.vector_memory import lock_kind
from arxivscout.papers import Paper

_COLUMNS = """watch_id, number, name, topic, categories, first_day, read_until, digests,
       undelivered"""

_ADD = f"""
INSERT INTO watch (number, name, topic, categories, first_day)
SELECT COALESCE(max(number), 0) + 1, %(name)s::text, %(topic)s::text, %(categories)s::text[],
       %(first_day)s::date
FROM watch WHERE user_id = scout_user()
ON CONFLICT (user_id, name) DO NOTHING
RETURNING {_COLUMNS}
"""  # noqa: S608

_ALL = f"SELECT {_COLUMNS} FROM watch WHERE user_id = scout_user() ORDER BY number"  # noqa: S608

_REMOVE = "DELETE FROM watch WHERE user_id = scout_user() AND watch_id = %(watch)s"

_REPORTED = """
SELECT watch_id, count(*) FROM watch_seen WHERE user_id = scout_user() GROUP BY watch_id
"""

_KNOWN = """
SELECT arxiv_id, max(version), min(at), max(looked_at) FROM (
    SELECT arxiv_id, version, reported_at AS at, NULL::timestamptz AS looked_at
    FROM watch_seen WHERE user_id = scout_user() AND arxiv_id = ANY (%(ids)s::text[])
    UNION ALL
    SELECT paper.name, NULL, paper.created_at, COALESCE((
        SELECT max(recorded_at) FROM relation_memory
        WHERE object_id = paper.langchain_id AND predicate = 'looked_at' AND valid_to IS NULL
    ), paper.created_at)
    FROM entity_memory AS paper
    WHERE user_id = scout_user() AND category = 'paper' AND valid_to IS NULL
      AND name = ANY (%(ids)s::text[]) AND %(remembered)s
    UNION ALL
    SELECT arxiv_id, NULL, created_at, updated_at
    FROM paper_mark
    WHERE user_id = scout_user() AND arxiv_id = ANY (%(ids)s::text[]) AND %(remembered)s
) AS told GROUP BY arxiv_id
"""

# A paper's own distance decides whether it is looked at any closer: what is far from the topic
# shares no more than a word with it.
_CANDIDATES = """
SELECT arxiv_id, langchain_metadata,
       CASE WHEN langchain_metadata ->> 'title' IS NULL THEN content END,
       1 - (embedding <=> %(vector)s::vector) AS cosine, updated_at
FROM semantic_memory
WHERE arxiv_id = ANY (%(ids)s::text[]) AND NOT withdrawn
  AND 1 - (embedding <=> %(vector)s::vector) >= %(least)s
ORDER BY cosine DESC, arxiv_id
"""

# Of each paper the one that lies nearest to it among what this person looked at and found out last.
_INTERESTS = """
WITH own AS MATERIALIZED (
    SELECT category, COALESCE(langchain_metadata ->> 'title', content) AS said, embedding
    FROM entity_memory
    WHERE user_id = scout_user() AND valid_to IS NULL AND category IN ('paper', 'finding')
      AND embedding IS NOT NULL
    ORDER BY updated_at DESC LIMIT 200
)
SELECT paper.arxiv_id, nearest.category, nearest.said, nearest.cosine
FROM semantic_memory AS paper CROSS JOIN LATERAL (
    SELECT category, said, 1 - (own.embedding <=> paper.embedding) AS cosine
    FROM own ORDER BY own.embedding <=> paper.embedding LIMIT 1
) AS nearest
WHERE paper.arxiv_id = ANY (%(ids)s::text[])
"""

_PREFERENCES = """
SELECT content FROM entity_memory
WHERE user_id = scout_user() AND category = 'preference' AND valid_to IS NULL
ORDER BY updated_at
"""

# Who lost the lease (a machine that slept) or the watch commits nothing.
_COMMIT = f"""
UPDATE watch
SET read_until = %(read_until)s, first_day = LEAST(first_day, %(first_day)s::date),
    digests = digests + jsonb_array_length(%(digest)s::jsonb),
    undelivered = undelivered || %(digest)s::jsonb
WHERE user_id = scout_user() AND watch_id = %(watch)s AND digests = %(digests)s AND {HELD}
RETURNING watch_id
"""  # noqa: S608

_SAW = """
INSERT INTO watch_seen (watch_id, arxiv_id, version)
SELECT %(watch)s, paper.arxiv_id, paper.version
FROM unnest(%(ids)s::text[], %(versions)s::int[]) AS paper (arxiv_id, version)
"""

_DELIVERED = """
UPDATE watch SET undelivered = '[]' WHERE user_id = scout_user() AND watch_id = %(watch)s
"""


@dataclass(frozen=True, slots=True)
class Watch:
    """One watch as it is stored; `undelivered` are digests (JSON of reports) still to be written.

    `read_until` is when the last reading of arXiv began that was whole; None before the first.
    """

    watch_id: UUID
    number: int
    name: str
    topic: str
    categories: tuple[str, ...]
    first_day: date
    read_until: datetime | None
    digests: int
    undelivered: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Known:
    """What a person knows of a paper: the newest version reported, since when, looked at last."""

    version: int | None
    since: datetime
    looked_at: datetime | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A paper with its cosine to the topic, and when its stored record last changed."""

    paper: Paper
    cosine: float
    stored_at: datetime


@dataclass(frozen=True, slots=True)
class Interest:
    """What of a person's own lies nearest to a paper: `paper` or `finding`, its words, cosine."""

    kind: str
    said: str
    cosine: float


def add(
    conn: Connection[Any], *, name: str, topic: str, categories: Sequence[str], first_day: date
) -> Watch | None:
    """Store a watch; None if the person has one of this name."""
    bound = {
        "name": kept_name(name, "a watch"),
        "topic": kept_text(topic),
        "categories": list(categories),
        "first_day": first_day,
    }
    lock_kind(conn, "watch")  # the next number is one person's at a time
    with conn.cursor(row_factory=tuple_row) as cursor:
        row = cursor.execute(_ADD, bound).fetchone()
    return _watch(row) if row else None


def watches(conn: Connection[Any]) -> list[Watch]:
    """The person's watches by their numbers."""
    with conn.cursor(row_factory=tuple_row) as cursor:
        return [_watch(row) for row in cursor.execute(_ALL)]


def reported(conn: Connection[Any]) -> dict[UUID, int]:
    """How many versions of papers each watch has reported."""
    with conn.cursor(row_factory=tuple_row) as cursor:
        return dict(cursor.execute(_REPORTED).fetchall())


def remove(conn: Connection[Any], watch_id: UUID) -> None:
    """Delete a watch, and what it remembers to have reported."""
    conn.execute(_REMOVE, {"watch": watch_id})


def known(conn: Connection[Any], ids: Collection[str], *, remembered: bool) -> dict[str, Known]:
    """What the person knows of these papers: by any of their watches and, if what they looked at
    and marked may be `remembered`, by that. Those not known are left out.
    """
    bound = {"ids": list(ids), "remembered": remembered}
    with conn.cursor(row_factory=tuple_row) as cursor:
        return {row[0]: Known(*row[1:]) for row in cursor.execute(_KNOWN, bound)}


def candidates(
    conn: Connection[Any], ids: Collection[str], vector: str, *, least: float
) -> list[Candidate]:
    """Those of the papers that are not withdrawn and have this cosine to a vector, best first."""
    bound = {"ids": list(ids), "vector": vector, "least": least}
    with conn.cursor(row_factory=tuple_row) as cursor:
        return [
            Candidate(paper_from_row(arxiv_id, metadata, content), float(cosine), stored_at)
            for arxiv_id, metadata, content, cosine, stored_at in cursor.execute(_CANDIDATES, bound)
        ]


def interests(conn: Connection[Any], ids: Collection[str]) -> dict[str, Interest]:
    """For each paper what the person looked at or found out that is nearest to it."""
    with conn.cursor(row_factory=tuple_row) as cursor:
        return {
            row[0]: Interest(row[1], row[2], float(row[3]))
            for row in cursor.execute(_INTERESTS, {"ids": list(ids)})
        }


def preferences(conn: Connection[Any]) -> list[str]:
    """What the person prefers, in their words, the oldest first."""
    with conn.cursor(row_factory=tuple_row) as cursor:
        return [text for (text,) in cursor.execute(_PREFERENCES)]


def commit(
    conn: Connection[Any],
    watch: Watch,
    *,
    read_until: datetime,
    first_day: date,
    digest: Mapping[str, Any] | None,
    papers: Sequence[tuple[str, int]],
    lease: Mapping[str, object],
) -> bool:
    """Move the watermark, note what is reported (ids and versions), and keep the digest.

    Args:
        lease: what `lease.HELD` is bound to.

    Returns:
        False, and nothing has changed, if the watch or the lease is gone, or another run was here.
    """
    bound = {
        **lease,
        "watch": watch.watch_id,
        "digests": watch.digests,
        "read_until": read_until,
        "first_day": first_day,
        "digest": Jsonb([dict(digest)] if digest is not None else []),
    }
    if conn.execute(_COMMIT, bound).rowcount == 0:
        return False
    ids, versions = [each[0] for each in papers], [each[1] for each in papers]
    conn.execute(_SAW, {"watch": watch.watch_id, "ids": ids, "versions": versions})
    return True


def delivered(conn: Connection[Any], watch_id: UUID) -> None:
    """Forget the digests that have been written."""
    conn.execute(_DELIVERED, {"watch": watch_id})


def _watch(row: tuple[Any, ...]) -> Watch:
    watch_id, number, name, topic, categories, *rest = row
    return Watch(watch_id, number, name, topic, tuple(categories), *rest)
