"""When a person's episodes are to be reflected on, and which runs there were.

An episode is reflected on as it stands: feedback that comes later makes it new. Whoever reflects
holds the person's lease, so that a run that is still marked as running was killed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import Connection
from psycopg.types.json import Json

WINDOW = 200  # newest episodes that are looked at
DAYS = 90  # and how old they may be
NOVEL = 0.6  # cosine distance to all earlier requests from which on a topic is new
LEAST_EARLIER = 5  # episodes: to a beginner everything is new
WAIT_AFTER_FAILURE = "15 minutes"
LEASE = "\nreflection"  # no thread is called so

_DUE = f"""
WITH newest AS MATERIALIZED (
    SELECT langchain_id, embedding, outcome, feedback, created_at, updated_at
    FROM episode_memory
    WHERE user_id = scout_user() AND created_at > now() - interval '{DAYS} days'
    ORDER BY created_at DESC, langchain_id LIMIT {WINDOW}
), fresh AS MATERIALIZED (
    SELECT newest.* FROM newest LEFT JOIN reflected_episode AS seen
        ON seen.episode_id = newest.langchain_id
    WHERE seen.reflected_at IS NULL OR seen.reflected_at < newest.updated_at
), latest AS (
    SELECT * FROM newest ORDER BY created_at DESC, langchain_id LIMIT 1
)
SELECT (SELECT count(*) FROM fresh),
       (SELECT count(*) FROM fresh
        WHERE feedback IN ('bad', 'corrected') OR feedback IS NULL AND outcome = 'failure'),
       (SELECT count(*) FROM newest),
       (SELECT min(newest.embedding <=> latest.embedding) FROM newest, latest
        WHERE newest.langchain_id <> latest.langchain_id
          AND latest.langchain_id IN (SELECT langchain_id FROM fresh)),
       EXISTS (SELECT FROM reflection_run
               WHERE user_id = scout_user() AND status = 'failed'
                 AND started_at > now() - interval '{WAIT_AFTER_FAILURE}')
"""  # noqa: S608 (constants)

_END_LEFT_BEHIND = """
UPDATE reflection_run SET status = 'failed', ended_at = clock_timestamp(),
                          problems = problems || '["it was stopped before its end"]'
WHERE user_id = scout_user() AND status = 'running'
"""

_BEGIN = """
INSERT INTO reflection_run (id, why, model) VALUES (%(run)s, %(why)s, %(model)s)
RETURNING id, started_at
"""

_FINISH = """
UPDATE reflection_run
SET status = %(status)s, episodes = %(episodes)s, lessons = %(lessons)s,
    model_calls = %(calls)s, usage = %(usage)s, problems = %(problems)s,
    ended_at = clock_timestamp()
WHERE id = %(run)s
"""

_MARK = """
INSERT INTO reflected_episode (episode_id, run_id, reflected_at)
SELECT seen.id, %(run)s, seen.at
FROM unnest(%(ids)s::uuid[], %(at)s::timestamptz[]) AS seen (id, at)
JOIN episode_memory ON langchain_id = seen.id
ON CONFLICT (episode_id) DO UPDATE
SET run_id = EXCLUDED.run_id, reflected_at = EXCLUDED.reflected_at
"""

_CALLS = """
SELECT COALESCE(sum(model_calls), 0) FROM reflection_run
WHERE user_id = scout_user() AND started_at > now() - interval '1 day'
"""


def due(conn: Connection[Any], after: int) -> str | None:
    """Why it is time to reflect, or None.

    Args:
        after: turns since the last reflection that are enough; 0: it is never time by itself.
    """
    row = conn.execute(_DUE).fetchone()
    assert row is not None
    fresh, wrong, earlier, nearest, failed = row
    if not after or not fresh or failed:
        return None
    if wrong:
        return "a turn failed or was found wanting"
    if fresh >= after:
        return f"{fresh} turns since the last time"
    if earlier > LEAST_EARLIER and nearest is not None and nearest > NOVEL:
        return "a topic is new"
    return None


def begin(conn: Connection[Any], run: UUID, why: str, model: str) -> tuple[UUID, datetime]:
    """Note that a run begins: its id, and when. What was still running was killed."""
    conn.execute(_END_LEFT_BEHIND)
    row = conn.execute(_BEGIN, {"run": run, "why": why, "model": model}).fetchone()
    assert row is not None
    return row[0], row[1]


def finish(
    conn: Connection[Any],
    run: UUID,
    *,
    seen: Sequence[tuple[UUID, datetime]] = (),
    lessons: int = 0,
    usage: Mapping[str, Any] | None = None,
    problems: Sequence[str] = (),
    failed: bool = False,
) -> None:
    """Note what came of a run; the episodes `seen`, each as it was last changed, are done with."""
    usage = usage or {}
    bound = {
        "run": run,
        "status": "failed" if failed else "done",
        "episodes": len(seen),
        "lessons": lessons,
        "calls": int(usage.get("model_calls", 0)),
        "usage": Json(dict(usage)),
        "problems": Json(list(problems)),
    }
    conn.execute(_FINISH, bound)
    if seen and not failed:
        ids, at = [each for each, _ in seen], [when for _, when in seen]
        conn.execute(_MARK, {"run": run, "ids": ids, "at": at})


def calls_today(conn: Connection[Any]) -> int:
    """How often a model was asked for lessons within a day."""
    row = conn.execute(_CALLS).fetchone()
    return int(row[0]) if row else 0
