"""Batches of jobs as a person looks at them: which there are, how far they are, their reports."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from arxivscout.errors import UsageError
from arxivscout.memory.job_queue import Spent
from arxivscout.memory.postgres import Database
from arxivscout.papers import one_line

JobStatus = Literal["waiting", "running", "done", "failed", "cancelled"]

# What is no longer in the file counts for what it used up, and for nothing else.
_COUNTED = """
    count(job_id) FILTER (WHERE status = 'waiting' AND listed),
    count(job_id) FILTER (WHERE status = 'running' AND listed),
    count(job_id) FILTER (WHERE status = 'done' AND listed),
    count(job_id) FILTER (WHERE status = 'failed' AND listed),
    count(job_id) FILTER (WHERE status = 'cancelled' AND listed),
    count(job_id) FILTER (
        WHERE status = 'running' AND listed AND lease_until >= clock_timestamp()),
    COALESCE(sum(input_tokens), 0)::bigint, COALESCE(sum(output_tokens), 0)::bigint, sum(cost)
"""

_COUNTS = f"SELECT {_COUNTED} FROM batch_job WHERE batch_id = %(batch)s"  # noqa: S608

_BATCHES = f"""
SELECT batch.batch_id, name, created_at, options,
       max(GREATEST(started_at, ended_at)) AS worked_at, {_COUNTED}
FROM batch LEFT JOIN batch_job USING (batch_id)
WHERE %(name)s::text IS NULL OR name = %(name)s
   OR right(name, length(%(name)s::text) + 1) = '/' || %(name)s
   OR starts_with(batch.batch_id::text, %(prefix)s::text)
GROUP BY batch.batch_id
ORDER BY COALESCE(max(GREATEST(started_at, ended_at)), created_at) DESC, name
"""  # noqa: S608 (a constant)

_JOBS = """
SELECT job_id, number, key, job, own_id, status, listed, attempts, worker,
       status = 'running' AND lease_until < clock_timestamp(), started_at, ended_at, error,
       input_tokens, output_tokens, cost
FROM batch_job WHERE batch_id = %(batch)s ORDER BY number, listed DESC, key
"""

_REPORT = "SELECT report FROM batch_job WHERE job_id = %(job)s"


@dataclass(frozen=True, slots=True)
class Counts:
    """How many jobs of the file are where, and what all attempts used up.

    `at_work` are those that run and whose worker is alive.
    """

    waiting: int
    running: int
    done: int
    failed: int
    cancelled: int
    at_work: int
    spent: Spent

    @property
    def total(self) -> int:
        return self.waiting + self.running + self.done + self.failed + self.cancelled

    @property
    def to_do(self) -> int:
        """Those that are not at their end."""
        return self.waiting + self.running


@dataclass(frozen=True, slots=True)
class BatchSummary:
    """A batch in one line; `worked_at` is when a job of it last began or ended."""

    batch_id: UUID
    name: str
    created_at: datetime
    options: dict[str, Any]
    worked_at: datetime | None
    counts: Counts


@dataclass(frozen=True, slots=True)
class JobRow:
    """A job of a batch without its report.

    `listed` is false for one that the file no longer has; `abandoned` is a running one whose lease
    ran out: its worker is dead, and the next that asks gets it.
    """

    job_id: UUID
    number: int
    key: str
    spec: dict[str, Any]
    own_id: str | None
    status: JobStatus
    listed: bool
    attempts: int
    worker: str | None
    abandoned: bool
    started_at: datetime | None
    ended_at: datetime | None
    error: str | None
    spent: Spent


def batches(database: Database, user: str) -> list[BatchSummary]:
    """The person's batches, the one last worked at first."""
    (rows,) = database.batch(user, [(_BATCHES, {"name": None, "prefix": None})])
    return [_summary(row) for row in rows]


def batch_named(database: Database, user: str, name: str) -> BatchSummary:
    """The batch of that name; or else of a folder called so, or whose id begins so (four digits).

    Raises:
        UsageError: there is none, or more than one.
    """
    wanted = one_line(name)
    prefix = wanted.lower() if re.fullmatch(r"[0-9a-fA-F-]{4,36}", wanted) else None
    (rows,) = database.batch(user, [(_BATCHES, {"name": wanted, "prefix": prefix})])
    found = [_summary(row) for row in rows]
    found = [each for each in found if each.name == wanted] or found
    if not found:
        raise UsageError(
            f"There is no batch {wanted[:80]!r}.", "`arxivscout batch list` names those there are."
        )
    if len(found) > 1:
        names = ", ".join(each.name for each in found)
        raise UsageError(f"Several batches are meant by {wanted}: {names}.", "Name one in full.")
    return found[0]


def jobs(database: Database, user: str, batch_id: UUID) -> list[JobRow]:
    """The batch's jobs in the order of the file; [] for a batch that is not there."""
    (rows,) = database.batch(user, [(_JOBS, {"batch": batch_id})])
    return [JobRow(*[*row[:-3], Spent(*row[-3:])]) for row in rows]


def counts(database: Database, user: str, batch_id: UUID) -> Counts:
    """How far the batch is; all 0 for one that is not there."""
    ((row,),) = database.batch(user, [(_COUNTS, {"batch": batch_id})])
    return _counts(row)


def job_report(database: Database, user: str, job_id: UUID) -> dict[str, Any] | None:
    """The report that a job ended with; None if it has not, or is not there."""
    (rows,) = database.batch(user, [(_REPORT, {"job": job_id})])
    return rows[0][0] if rows else None


def _summary(row: Sequence[Any]) -> BatchSummary:
    return BatchSummary(*[*row[:5], _counts(row[5:])])


def _counts(row: Sequence[Any]) -> Counts:
    return Counts(*[*row[:6], Spent(*row[6:])])
