"""The numbers of finished turns: found where they are missing, stored once, dropped when old."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import Connection
from psycopg.types.json import Jsonb

from arxivscout.memory.postgres import Database

MOST_AT_ONCE = 200  # turns; each has some 10 KB of report

# The time that storing took is known when all else is stored.
_ADD_PERSIST = """
UPDATE turn
SET timings_ms = COALESCE(timings_ms, '{}') || jsonb_build_object('persist', %(ms)s::float8)
WHERE turn_id = %(turn)s AND ended_at IS NOT NULL
"""

# Turns that ended since the last one that was measured, and some before: one that another process
# stored at the same time may be behind it. Copies in a forked thread are nobody's work.
_UNMEASURED = """
SELECT turn_id, turn.status, COALESCE(turn.model, ''), started_at, ended_at,
       COALESCE(report, '[]'), COALESCE(citations, '[]'), COALESCE(problems, '[]'),
       COALESCE(degraded, '[]'), COALESCE(usage, '{}'), COALESCE(timings_ms, '{}'),
       COALESCE((SELECT outcome FROM workflow_memory AS way WHERE way.turn_id = turn.turn_id),
                'unknown'),
       COALESCE((SELECT json_agg(json_build_array(tool_name, status, duration_ms))
                 FROM tool_log_memory AS log
                 WHERE log.user_id = scout_user() AND log.turn_id = turn.turn_id
                   AND log.timestamp BETWEEN started_at AND ended_at + interval '1 minute'), '[]')
FROM turn
WHERE turn.user_id = scout_user() AND turn.status <> 'open'
  AND ended_at > GREATEST(
      (SELECT max(ended_at) FROM turn_measure WHERE user_id = scout_user()) - interval '1 hour',
      now() - make_interval(days => %(days)s))
  AND NOT EXISTS (SELECT FROM turn_measure AS kept
                  WHERE kept.turn_id = turn.turn_id AND kept.ended_at >= turn.ended_at)
  AND NOT EXISTS (SELECT FROM thread
                  WHERE thread.user_id = scout_user() AND thread.thread_id = turn.thread_id
                    AND forked_from IS NOT NULL AND thread.created_at > turn.ended_at)
ORDER BY ended_at LIMIT %(limit)s
"""

_STORE = """
INSERT INTO turn_measure AS kept
SELECT measure.turn_id, scout_user(), ended_at, status, outcome, model, turn_ms, abstained, papers,
       papers_cited, memories, cited, problems, degraded, calls, failed_calls, searches, reused,
       model_calls, input_tokens, output_tokens, cached_tokens, cost, parts_ms, segments
FROM jsonb_populate_recordset(NULL::turn_measure, %(measures)s) AS measure
WHERE EXISTS (SELECT FROM turn WHERE turn.turn_id = measure.turn_id)
ON CONFLICT (turn_id) DO UPDATE SET
    ended_at = excluded.ended_at, status = excluded.status, outcome = excluded.outcome,
    model = excluded.model, turn_ms = excluded.turn_ms, abstained = excluded.abstained,
    papers = excluded.papers, papers_cited = excluded.papers_cited, memories = excluded.memories,
    cited = excluded.cited, problems = excluded.problems, degraded = excluded.degraded,
    calls = excluded.calls, failed_calls = excluded.failed_calls, searches = excluded.searches,
    reused = excluded.reused, model_calls = excluded.model_calls,
    input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
    cached_tokens = excluded.cached_tokens, cost = excluded.cost, parts_ms = excluded.parts_ms,
    segments = excluded.segments
WHERE kept.ended_at < excluded.ended_at
RETURNING turn_id
"""

_ADD_TOTALS = """
INSERT INTO measure_total AS total (name, labels, value)
SELECT name, labels, value
FROM jsonb_to_recordset(%(totals)s) AS given (name TEXT, labels JSONB, value DOUBLE PRECISION)
ORDER BY name, labels
ON CONFLICT (user_id, name, labels) DO UPDATE SET value = total.value + excluded.value
"""

_DROP_OLD = """
DELETE FROM turn_measure
WHERE user_id = scout_user() AND ended_at < now() - make_interval(days => %(days)s)
"""

# It may be lost in a crash: the next turn finds what is not measured.
_HURRY = "SELECT set_config('synchronous_commit', 'off', true)"


@dataclass(frozen=True, slots=True)
class FinishedTurn:
    """What is stored of a turn, as far as it is measured; `tools`: name, status, milliseconds."""

    turn_id: UUID
    status: str
    model: str
    started_at: datetime
    ended_at: datetime
    report: list[dict[str, Any]]
    citations: list[dict[str, Any]]
    problems: list[str]
    degraded: list[str]
    usage: dict[str, Any]
    timings_ms: dict[str, float]
    outcome: str
    tools: list[tuple[str, str, int | None]]


Total = tuple[str, Mapping[str, str], float]
"""What is added to a sum: its name, its labels, how much."""


def add_persist(database: Database, user: str, turn_id: UUID, ms: float) -> None:
    """Add to a stored turn how long storing it took."""
    database.batch(user, [(_HURRY, {}), (_ADD_PERSIST, {"turn": turn_id, "ms": ms})])


def unmeasured(database: Database, user: str, days: int) -> list[FinishedTurn]:
    """Finished turns without numbers, none older than `days`; at most `MOST_AT_ONCE`."""
    bound = {"days": days, "limit": MOST_AT_ONCE}
    return [FinishedTurn(*row) for row in database.batch(user, [(_UNMEASURED, bound)])[0]]


def store(
    conn: Connection[Any], measures: Sequence[Mapping[str, Any]], totals: Mapping[UUID, list[Total]]
) -> int:
    """Store the numbers of turns, and add to the sums those of turns that nobody was faster with.

    Args:
        measures: rows of `turn_measure` as JSON.
        totals: what each turn adds.

    Returns:
        how many were stored.
    """
    conn.execute(_HURRY)
    stored = conn.execute(_STORE, {"measures": Jsonb(list(measures))}).fetchall()
    sums: dict[tuple[str, tuple[tuple[str, str], ...]], float] = {}
    for (turn_id,) in stored:
        for name, labels, value in totals[turn_id]:
            key = name, tuple(sorted(labels.items()))
            sums[key] = sums.get(key, 0.0) + value
    rows = [{"name": n, "labels": dict(pairs), "value": v} for (n, pairs), v in sums.items()]
    conn.execute(_ADD_TOTALS, {"totals": Jsonb(rows)})
    return len(stored)


def drop_old(database: Database, user: str, days: int) -> None:
    """Drop the numbers of turns that ended more than `days` ago; the sums stay."""
    database.batch(user, [(_HURRY, {}), (_DROP_OLD, {"days": days})])
