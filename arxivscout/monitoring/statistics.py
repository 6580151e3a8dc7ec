"""The statements that sum up turns, tools, stores and jobs, and their rows as figures.

Counts are of all turns of the time; latencies of nodes and the shares of segments, whose names
change from version to version and are looked up in JSON, of the newest `NEWEST` of them. So a
hundred thousand turns take no longer than a second.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from psycopg import sql

from arxivscout.memory.postgres import Rows, Statement
from arxivscout.monitoring.figures import (
    GROWTH,
    Counts,
    Jobs,
    Latency,
    Segment,
    SlowTurn,
    Span,
    Statistics,
    StoreSize,
    ToolFigures,
)
from arxivscout.monitoring.measuring import STORE

NEWEST = 5_000
SLOWEST = 5
MOST_REASONS = 8
MOST_DEGRADED = 1_000  # turns whose reasons are counted, the newest

Read = Callable[[Sequence[Sequence[Statement]]], list[list[Rows]]]
"""Runs batches of statements, each in a transaction; gives their rows."""

# Without a thread the second half is no more than true: plans are made for the values given.
_IN_SPAN = """
ended_at >= %(since)s AND ended_at < %(until)s
  AND (%(thread)s::text IS NULL
       OR turn_id IN (SELECT turn_id FROM turn WHERE thread_id = %(thread)s::text))
"""

_DAYS = f"""
SELECT (ended_at AT TIME ZONE 'UTC' + make_interval(secs => %(offset)s))::date,
       count(*), count(*) FILTER (WHERE status = 'answered'), count(*) FILTER (WHERE abstained),
       count(*) FILTER (WHERE status = 'failed'), count(*) FILTER (WHERE status = 'interrupted'),
       count(*) FILTER (WHERE papers > 0), count(*) FILTER (WHERE papers_cited > 0),
       sum(papers), sum(papers_cited), sum(memories),
       count(*) FILTER (WHERE papers = 0 AND memories = 0 AND segments <> '{{}}'),
       count(*) FILTER (WHERE problems > 0),
       count(*) FILTER (WHERE degraded > 0), sum(searches), sum(reused), sum(model_calls),
       sum(input_tokens)::bigint, sum(output_tokens)::bigint, sum(cached_tokens)::bigint,
       COALESCE(sum(cost), 0), count(*) FILTER (WHERE cost IS NULL),
       count(*) FILTER (WHERE outcome = 'success'), count(*) FILTER (WHERE outcome = 'failure')
FROM turn_measure WHERE {_IN_SPAN} GROUP BY 1 ORDER BY 1
"""  # noqa: S608 (constants)

_TURN = f"""
SELECT 'turn', count(*), percentile_cont(ARRAY[.5, .95]) WITHIN GROUP (ORDER BY turn_ms)
FROM turn_measure WHERE {_IN_SPAN}
"""  # noqa: S608

_PARTS = f"""
SELECT key, count(*), percentile_cont(ARRAY[.5, .95]) WITHIN GROUP (ORDER BY value::float8)
FROM (SELECT parts_ms FROM turn_measure WHERE {_IN_SPAN}
      ORDER BY ended_at DESC LIMIT {NEWEST}) AS newest, jsonb_each_text(parts_ms)
GROUP BY key ORDER BY 3 DESC
"""  # noqa: S608

_SEGMENTS = f"""
SELECT key, sum(value::bigint)::bigint
FROM (SELECT segments FROM turn_measure WHERE {_IN_SPAN}
      ORDER BY ended_at DESC LIMIT {NEWEST}) AS newest, jsonb_each_text(segments)
GROUP BY key HAVING sum(value::bigint) > 0 ORDER BY 2 DESC, key
"""  # noqa: S608

_SLOWEST = f"""
SELECT turn_id, turn.thread_id, slow.ended_at, turn_ms,
       (SELECT key FROM jsonb_each_text(parts_ms)
        WHERE key <> 'embedding' AND NOT starts_with(key, '{STORE}')
        ORDER BY value::float8 DESC LIMIT 1)
FROM (SELECT turn_id, ended_at, turn_ms, parts_ms FROM turn_measure WHERE {_IN_SPAN}
      ORDER BY turn_ms DESC LIMIT {SLOWEST}) AS slow JOIN turn USING (turn_id)
ORDER BY turn_ms DESC
"""  # noqa: S608

_REASONS = f"""
SELECT reason, count(*)
FROM (SELECT turn_id FROM turn_measure WHERE degraded > 0 AND {_IN_SPAN}
      ORDER BY ended_at DESC LIMIT {MOST_DEGRADED}) AS newest
JOIN turn USING (turn_id), jsonb_array_elements_text(turn.degraded) AS reason
GROUP BY reason ORDER BY 2 DESC, reason LIMIT {MOST_REASONS}
"""  # noqa: S608

_TOOLS = """
SELECT tool_name, count(*), count(*) FILTER (WHERE status <> 'success'),
       count(*) FILTER (WHERE status = 'timeout'),
       percentile_cont(ARRAY[.5, .95]) WITHIN GROUP (ORDER BY duration_ms)
FROM tool_log_memory
WHERE timestamp >= %(since)s AND timestamp < %(until)s
  AND (%(thread)s::text IS NULL OR thread_id = %(thread)s::text)
GROUP BY tool_name ORDER BY 2 DESC, tool_name
"""

_FEEDBACK = """
SELECT feedback, count(*) FROM turn
WHERE feedback IS NOT NULL AND feedback_at >= %(since)s AND feedback_at < %(until)s
  AND (%(thread)s::text IS NULL OR thread_id = %(thread)s::text)
GROUP BY feedback
"""

_JOBS = """
SELECT count(*) FILTER (WHERE status = 'done'), count(*) FILTER (WHERE status = 'failed'),
       count(*) FILTER (WHERE status = 'cancelled'), COALESCE(sum(attempts), 0)::bigint,
       percentile_cont(ARRAY[.5, .95]) WITHIN GROUP (
           ORDER BY extract(epoch FROM ended_at - started_at)) FILTER (WHERE status = 'done'),
       COALESCE(sum(input_tokens), 0)::bigint, COALESCE(sum(output_tokens), 0)::bigint, sum(cost)
FROM batch_job
WHERE ended_at >= %(since)s AND ended_at < %(until)s AND %(thread)s::text IS NULL
"""

_JOB_PARTS = f"""
SELECT key, count(*), percentile_cont(ARRAY[.5, .95]) WITHIN GROUP (ORDER BY value::float8)
FROM (SELECT parts_ms FROM batch_job
      WHERE status = 'done' AND ended_at >= %(since)s AND ended_at < %(until)s
        AND %(thread)s::text IS NULL
      ORDER BY ended_at DESC LIMIT {NEWEST}) AS newest, jsonb_each_text(parts_ms)
GROUP BY key ORDER BY 3 DESC
"""  # noqa: S608

_KEPT_SEARCHES = "SELECT count(*) FROM search_cache"

# Stores by the name that the README gives them, with the column that says when a row came.
STORES = (
    ("conversation", "conversational_memory", "timestamp"),
    ("papers", "semantic_memory", "created_at"),
    ("full texts", "full_text", "stored_at"),
    ("workflows", "workflow_memory", "created_at"),
    ("toolbox", "toolbox_memory", "created_at"),
    ("entities", "entity_memory", "created_at"),
    ("relations", "relation_memory", "recorded_at"),
    ("summaries", "summary_memory", "created_at"),
    ("episodes", "episode_memory", "created_at"),
    ("lessons", "lesson_memory", "created_at"),
    ("tool log", "tool_log_memory", "timestamp"),
)
_SIZE = sql.SQL(
    """
SELECT {name}, CASE WHEN {at} < %(since)s THEN 0 WHEN {at} >= %(until)s THEN %(parts)s + 1 ELSE
           1 + floor(extract(epoch FROM {at} - %(since)s) / %(part_s)s)::int END AS part,
       count(*), pg_total_relation_size({table}::regclass)
FROM {relation} GROUP BY part
UNION ALL
SELECT {name}, 0, 0, pg_total_relation_size({table}::regclass)
"""
)
_SIZES = tuple(
    _SIZE.format(
        name=sql.Literal(name),
        at=sql.Identifier(at),
        table=sql.Literal(f"arxivscout.{table}"),
        relation=sql.Identifier(table),
    ).as_string(None)
    for name, table, at in STORES
)


def statistics(read: Read, span: Span) -> Statistics:
    """All figures of a time."""
    turns, parts, rest = read(
        [
            _bound(span, _DAYS, _TURN, _TOOLS, _KEPT_SEARCHES),
            _bound(span, _PARTS, _SEGMENTS, _SLOWEST, _REASONS, _FEEDBACK, _JOBS, _JOB_PARTS),
            _bound(span, *_SIZES),
        ]
    )
    days, turn, tools, kept = turns
    times, segments, slowest, reasons, feedback, jobs, job_parts = parts
    latencies = [_latency(row) for row in times]
    return Statistics(
        span=span,
        days=[(day, Counts(*counts)) for day, *counts in days],
        turn=_latency(turn[0]) if turn[0][1] else None,
        measured=max((each.count for each in latencies), default=0),
        nodes=[each for each in latencies if not each.name.startswith(STORE)],
        stores_read=[
            Latency(each.name[len(STORE) :], each.count, each.median_ms, each.p95_ms)
            for each in latencies
            if each.name.startswith(STORE)
        ],
        tools=[_tool(row) for row in tools],
        segments=_segments(segments),
        stores=[_size(rows) for rows in rest],
        slowest=[
            SlowTurn(turn_id, thread, at, ms / 1000, part or "")
            for turn_id, thread, at, ms, part in slowest
        ],
        degraded=[(reason, turns) for reason, turns in reasons],
        feedback={"good": 0, "bad": 0, **dict(feedback)},
        jobs=_jobs(jobs[0]),
        job_nodes=[_latency(row) for row in job_parts],
        kept_searches=kept[0][0],
    )


def store_sizes(read: Read, span: Span) -> list[StoreSize]:
    """How large the stores are."""
    (sizes,) = read([_bound(span, *_SIZES)])
    return [_size(rows) for rows in sizes]


def _bound(span: Span, *statements: str) -> list[Statement]:
    parameters: dict[str, Any] = {
        "since": span.since,
        "until": span.until,
        "thread": span.thread_id,
        "offset": _offset_s(span.until),
        "parts": GROWTH,
        "part_s": max((span.until - span.since).total_seconds() / GROWTH, 1e-6),
    }
    return [(statement, parameters) for statement in statements]


def _offset_s(at: datetime) -> float:
    """How far the person's clock is ahead of UTC."""
    offset = at.utcoffset()
    return offset.total_seconds() if offset else 0.0


def _latency(row: tuple[Any, ...]) -> Latency:
    name, count, percentiles = row
    median, p95 = percentiles or (0.0, 0.0)
    return Latency(name, count, round(median, 1), round(p95, 1))


def _tool(row: tuple[Any, ...]) -> ToolFigures:
    name, calls, failures, timeouts, percentiles = row
    median, p95 = percentiles or (None, None)
    return ToolFigures(name, calls, failures, timeouts, median, p95)


def _segments(rows: Rows) -> list[Segment]:
    whole = sum(tokens for _, tokens in rows)
    return [Segment(name, tokens, round(tokens / whole, 4)) for name, tokens in rows]


def _size(rows: Rows) -> StoreSize:
    name, table_bytes = rows[0][0], rows[0][3]
    by_part: dict[int, int] = {}
    for _, part, count, _ in rows:
        by_part[part or 0] = by_part.get(part or 0, 0) + count  # without a time: from before
    growth = tuple(by_part.get(part, 0) for part in range(1, GROWTH + 1))
    return StoreSize(name, sum(by_part.values()), sum(growth), table_bytes, growth)


def _jobs(row: tuple[Any, ...]) -> Jobs:
    done, failed, cancelled, attempts, percentiles, read, written, cost = row
    median, p95 = percentiles or (None, None)
    return Jobs(done, failed, cancelled, attempts, median, p95, read, written, cost)
