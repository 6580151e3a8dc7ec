"""The tool log (audit): every tool call with its input, output, status and duration."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from psycopg import Connection
from psycopg.types.json import Json

from arxivscout.errors import NotFound
from arxivscout.memory.kept_text import kept_metadata, kept_text, kept_value
from arxivscout.memory.metadata import clean_arguments
from arxivscout.memory.vector_memory import execute, statement

TABLE = "tool_log_memory"
STATUSES = ("success", "error", "timeout")

_APPEND: LiteralString = """
INSERT INTO {table} (thread_id, tool_name, tool_input, tool_output, status, error_message,
                     duration_ms, metadata, turn_id, timestamp)
VALUES (%(thread)s, %(tool)s, %(input)s, %(output)s, %(status)s, %(error)s, %(duration_ms)s,
        %(metadata)s, %(turn)s, COALESCE(%(at)s::timestamptz, now()))
RETURNING id
"""

_RECENT: LiteralString = """
SELECT id, thread_id, tool_name, tool_input, tool_output, status, error_message, duration_ms,
       timestamp
FROM {table} WHERE thread_id = %(thread)s
ORDER BY timestamp DESC, seq DESC LIMIT %(limit)s
"""

# The partial index on failures serves this one, whatever the number of successes.
_RECENT_FAILURES: LiteralString = """
SELECT id, thread_id, tool_name, tool_input, tool_output, status, error_message, duration_ms,
       timestamp
FROM {table} WHERE thread_id = %(thread)s AND status <> 'success'
ORDER BY timestamp DESC, seq DESC LIMIT %(limit)s
"""

# A function of the schema's owner: row security keeps its callers from using the index itself.
_BY_INPUT = """
SELECT id, thread_id, tool_name, tool_input, tool_output, status, error_message, duration_ms,
       timestamp
FROM tool_logs_by_input(%(arguments)s::jsonb, %(limit)s::integer) ORDER BY timestamp DESC, seq DESC
"""

_OUTPUT = """
SELECT tool_name, COALESCE(tool_output, error_message, '') FROM tool_log_memory
WHERE id = %(id)s AND thread_id = %(thread)s::text
"""

_STATISTICS: LiteralString = """
SELECT tool_name, count(*), count(*) FILTER (WHERE status <> 'success'),
       avg(duration_ms)::float8,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY duration_ms),
       percentile_cont(0.95) WITHIN GROUP (ORDER BY duration_ms), max(timestamp)
FROM {table} GROUP BY tool_name ORDER BY count(*) DESC, tool_name
"""

_UPDATE: LiteralString = """
UPDATE {table}
SET tool_output = COALESCE(%(output)s, tool_output), status = COALESCE(%(status)s, status),
    error_message = COALESCE(%(error)s, error_message),
    duration_ms = COALESCE(%(duration_ms)s, duration_ms),
    metadata = COALESCE(metadata, '{{}}') || %(metadata)s::jsonb
WHERE id = %(id)s RETURNING id
"""

_DELETE: LiteralString = "DELETE FROM {table} WHERE id = %(id)s RETURNING id"


@dataclass(frozen=True, slots=True)
class ToolLog:
    """One tool call."""

    id: UUID
    thread_id: str
    tool_name: str
    tool_input: Any
    tool_output: str | None
    status: str
    error_message: str | None
    duration_ms: int | None
    at: datetime


@dataclass(frozen=True, slots=True)
class ToolStatistics:
    """How a tool behaves: calls, failures (errors and time-outs) and latency in milliseconds."""

    tool_name: str
    calls: int
    failures: int
    mean_ms: float | None
    median_ms: float | None
    p95_ms: float | None
    last_at: datetime

    @property
    def failure_rate(self) -> float:
        """Share of the calls that failed, 0 to 1."""
        return self.failures / self.calls


def output(conn: Connection[Any], thread_id: str, log_id: UUID) -> tuple[str, str]:
    """(tool, all that it gave back) of one call of this thread.

    Raises:
        NotFound: there is no such call.
    """
    row = conn.execute(_OUTPUT, {"id": log_id, "thread": thread_id}).fetchone()
    if row is None:
        raise NotFound(f"There is no result {log_id} in this thread.")
    return row[0], row[1]


def append(
    conn: Connection[Any],
    thread_id: str,
    tool_name: str,
    tool_input: Any = None,
    tool_output: Any = None,
    status: str = "success",
    error_message: str | None = None,
    duration_ms: float | None = None,
    metadata: Mapping[str, Any] | None = None,
    *,
    turn_id: UUID | None = None,
    at: datetime | None = None,
    table: str = TABLE,
) -> UUID:
    """Log one call; nothing in it is refused because of what JSON or text can't hold.

    Args:
        status: success, error or timeout.
        at: when it ended; None means now.

    Raises:
        ValueError: another status.
    """
    parameters = {
        "thread": thread_id,
        "tool": tool_name,
        "input": Json(kept_value(clean_arguments(tool_input or {}))),
        "output": _text(tool_output),
        "status": _checked(status),
        "error": _text(error_message),
        "duration_ms": None if duration_ms is None else round(duration_ms),
        "metadata": Json(kept_value(clean_arguments(metadata or {}))),
        "turn": turn_id,
        "at": at,
    }
    return UUID(str(execute(conn, statement(_APPEND, table), parameters)[0][0]))


def recent(
    conn: Connection[Any],
    thread_id: str,
    limit: int = 10,
    only_errors: bool = False,
    *,
    table: str = TABLE,
) -> list[ToolLog]:
    """The newest `limit` calls of a thread, or of those that failed, oldest of them first."""
    if limit < 0:
        raise ValueError(f"limit must not be negative: {limit}")
    query = statement(_RECENT_FAILURES if only_errors else _RECENT, table)
    rows = execute(conn, query, {"thread": thread_id, "limit": limit})
    return [ToolLog(*row) for row in reversed(rows)]


def search(conn: Connection[Any], arguments: Mapping[str, Any], limit: int = 10) -> list[ToolLog]:
    """The newest calls, in any thread, whose input contains these arguments; newest first."""
    if limit < 0:
        raise ValueError(f"limit must not be negative: {limit}")
    bound = {"arguments": Json(kept_value(clean_arguments(arguments))), "limit": limit}
    return [ToolLog(*row) for row in execute(conn, _BY_INPUT.encode(), bound)]


def statistics(conn: Connection[Any], *, table: str = TABLE) -> list[ToolStatistics]:
    """Failure rate and latency of each tool, the most used first."""
    return [ToolStatistics(*row) for row in execute(conn, statement(_STATISTICS, table), {})]


def update(
    conn: Connection[Any],
    log_id: UUID | str,
    *,
    tool_output: Any = None,
    status: str | None = None,
    error_message: str | None = None,
    duration_ms: float | None = None,
    metadata: Mapping[str, Any] | None = None,
    table: str = TABLE,
) -> UUID:
    """Complete a logged call; None leaves a field as it is.

    Raises:
        NotFound: this person has no such log.
    """
    parameters = {
        "id": log_id,
        "output": _text(tool_output),
        "status": None if status is None else _checked(status),
        "error": _text(error_message),
        "duration_ms": None if duration_ms is None else round(duration_ms),
        "metadata": Json(kept_metadata(metadata)),
    }
    rows = execute(conn, statement(_UPDATE, table), parameters)
    if not rows:
        raise NotFound(f"There is no tool log {log_id}.")
    return UUID(str(rows[0][0]))


def delete(conn: Connection[Any], log_id: UUID | str, *, table: str = TABLE) -> bool:
    """Delete one log; say whether there was one."""
    return bool(execute(conn, statement(_DELETE, table), {"id": log_id}))


def _checked(status: str) -> str:
    if status not in STATUSES:
        raise ValueError(f"a tool's status is one of {', '.join(STATUSES)}, not {status!r}")
    return status


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return None if value is None else kept_text(value)
    if isinstance(value, Mapping | list | tuple):
        return json.dumps(kept_value(clean_arguments(value)), ensure_ascii=False)
    return kept_text(str(value))
