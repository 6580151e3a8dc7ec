"""The queue of batch jobs as its workers see it: claimed, kept, ended.

A worker claims a job for some seconds and prolongs that while it works. A claim that runs out is
anybody's: what a dead worker had is taken over, and a worker that comes late is refused, so that a
report is stored once. The server's clock alone decides. Each call is one round trip and holds no
lock beyond it; a call that is sent again because the connection broke has the same outcome.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from arxivscout.memory.lease import is_alive, this_process
from arxivscout.memory.metadata import clean_metadata
from arxivscout.memory.postgres import Database
from arxivscout.papers import clean_text, one_line

MOST_ATTEMPTS = 5
_LONGEST_ERROR = 10_000  # characters

# A job that ends its workers' processes would end all of them, one after the other. So one whose
# worker died waits for all that were not tried as often, and in the end is given up. Workers that
# die of something else, at any moments, meet different jobs so, and none of these is given up.
_GIVE_UP = """
WITH hopeless AS MATERIALIZED (
    SELECT job_id FROM batch_job
    WHERE batch_id = %(batch)s AND status = 'running' AND lease_until < clock_timestamp()
      AND attempts >= %(most)s
    FOR UPDATE SKIP LOCKED
)
UPDATE batch_job AS job SET status = 'failed', ended_at = clock_timestamp(),
    error = format('Its worker died in the middle of it %%s times, the last one was %%s.',
                   attempts, worker)
FROM hopeless WHERE job.job_id = hopeless.job_id
"""

_CLAIM = """
WITH next AS MATERIALIZED (
    SELECT job_id FROM batch_job
    WHERE batch_id = %(batch)s AND listed AND status IN ('waiting', 'running')
      AND (status = 'waiting' OR lease_until < clock_timestamp())
      AND NOT EXISTS (SELECT FROM batch_job
                      WHERE batch_id = %(batch)s AND status = 'running' AND claim = %(claim)s)
    ORDER BY attempts, number LIMIT 1 FOR UPDATE SKIP LOCKED
)
UPDATE batch_job AS job SET status = 'running', attempts = attempts + 1,
    worker = %(worker)s::text, claim = %(claim)s, started_at = clock_timestamp(), ended_at = NULL,
    lease_until = clock_timestamp() + make_interval(secs => %(seconds)s)
FROM next WHERE job.job_id = next.job_id
"""

# Apart from the claim itself, so that one sent twice finds what it took the first time.
_CLAIMED = """
SELECT job_id, number, key, job, attempts FROM batch_job
WHERE batch_id = %(batch)s AND status = 'running' AND claim = %(claim)s
"""

_PROLONG = """
UPDATE batch_job SET lease_until = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE job_id = %(job)s AND claim = %(claim)s AND status = 'running'
RETURNING job_id
"""

_END = """
UPDATE batch_job SET status = %(status)s::text, report = %(report)s::json, error = %(error)s::text,
    ended_at = clock_timestamp(), lease_until = NULL, parts_ms = %(parts)s::jsonb,
    input_tokens = input_tokens + %(input)s, output_tokens = output_tokens + %(output)s,
    cost = CASE WHEN %(cost)s::float8 IS NULL THEN cost ELSE COALESCE(cost, 0) + %(cost)s END,
    attempts = attempts - CASE WHEN %(status)s = 'waiting' THEN 1 ELSE 0 END
WHERE job_id = %(job)s AND claim = %(claim)s AND status = 'running'
"""

_ENDED = """
SELECT job_id FROM batch_job
WHERE job_id = %(job)s AND claim = %(claim)s AND status = %(status)s::text
"""

_RUNNING = """
SELECT job_id, claim, worker FROM batch_job WHERE batch_id = %(batch)s AND status = 'running'
"""

_RUN_OUT = """
UPDATE batch_job SET lease_until = '-infinity'
WHERE status = 'running' AND (job_id, claim) IN (SELECT * FROM unnest(%(jobs)s::uuid[],
                                                                      %(claims)s::uuid[]))
RETURNING job_id
"""


@dataclass(frozen=True, slots=True)
class Spent:
    """What an attempt used up, as far as it is known; `cost` in the price list's currency.

    `parts_ms`: what each node took.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    parts_ms: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ClaimedJob:
    """A job in a worker's hands; `claim` proves it, `attempts` counts this one."""

    job_id: UUID
    claim: UUID
    number: int
    key: str
    spec: dict[str, Any]
    attempts: int


def this_worker(label: str = "") -> str:
    """A name for a worker of this process, by which `release_dead` knows whether it is alive."""
    return " ".join([*this_process(), label]).rstrip()


def claim(
    database: Database, user: str, batch_id: UUID, worker: str, lease_s: float
) -> ClaimedJob | None:
    """Take the next job of the file that is waiting, or whose worker let its lease run out.

    The least often tried comes first; one in which `MOST_ATTEMPTS` workers died fails instead.

    Args:
        worker: who asks, for people to read; best by `this_worker`.
        lease_s: seconds until others may take it over, unless there is a `heartbeat`.

    Returns:
        None: there is none to be had now. Others may be at work whose jobs come back, and rows that
        another process is just writing are passed by: `batch_listing.counts` tells if all is done.

    Raises:
        DatabaseUnavailable: the server can't be reached.
    """
    token = uuid4()
    bound = {
        "batch": batch_id,
        "claim": token,
        "worker": one_line(worker),
        "seconds": lease_s,
        "most": MOST_ATTEMPTS,
    }
    statements = [(_GIVE_UP, bound), (_CLAIM, bound), (_CLAIMED, bound)]
    _, _, rows = database.batch(user, statements)
    if not rows:
        return None
    job_id, number, key, spec, attempts = rows[0]
    return ClaimedJob(job_id, token, number, key, spec, attempts)


def heartbeat(database: Database, user: str, job: ClaimedJob, lease_s: float) -> bool:
    """Keep the job for `lease_s` seconds from now; False if it was cancelled or taken over.

    Raises:
        DatabaseUnavailable: the server can't be reached; the lease runs on.
    """
    bound = {"job": job.job_id, "claim": job.claim, "seconds": lease_s}
    return bool(database.batch(user, [(_PROLONG, bound)])[0])


def finish(
    database: Database,
    user: str,
    job: ClaimedJob,
    report: Mapping[str, Any],
    spent: Spent | None = None,
) -> bool:
    """Store the job's report; False if it was cancelled or taken over: then nothing is stored.

    A lease that ran out does not matter as long as nobody took the job over.

    Raises:
        ValueError: a value in the report that JSON can't hold.
        DatabaseUnavailable: the server can't be reached; whether it is stored is not known, and
            the same call again tells.
    """
    text = json.dumps(clean_metadata(report), ensure_ascii=False)
    return _end(database, user, job, "done", spent, report=text)


def fail(
    database: Database, user: str, job: ClaimedJob, error: str, spent: Spent | None = None
) -> bool:
    """Note why the job came to nothing; False if it was cancelled or taken over.

    Raises:
        DatabaseUnavailable: as `finish` has it.
    """
    text = clean_text(error).strip()[:_LONGEST_ERROR] or "No reason was given."
    return _end(database, user, job, "failed", spent, error=text)


def give_back(database: Database, user: str, job: ClaimedJob, spent: Spent | None = None) -> bool:
    """Let the job wait again, as if this attempt had not been; False if it was lost before.

    Raises:
        DatabaseUnavailable: the server can't be reached; the lease runs out by itself.
    """
    return _end(database, user, job, "waiting", spent)


def release_dead(database: Database, user: str, batch_id: UUID) -> int:
    """Let run out at once what workers of this machine hold whose process is gone.

    Others' leases, and those of workers not named by `this_worker`, run out in their time.

    Returns:
        how many jobs can be claimed now that could not before.

    Raises:
        DatabaseUnavailable: the server can't be reached.
    """
    host, _ = this_process()
    (running,) = database.batch(user, [(_RUNNING, {"batch": batch_id})])
    dead = []
    for job_id, claim_id, worker in running:
        where, _, rest = worker.partition(" ")
        process = rest.partition(" ")[0]
        if where == host and ":" in process and not is_alive(process):
            dead.append((job_id, claim_id))
    if not dead:
        return 0
    jobs, claims = zip(*dead, strict=True)
    return len(database.batch(user, [(_RUN_OUT, {"jobs": list(jobs), "claims": list(claims)})])[0])


def _end(
    database: Database,
    user: str,
    job: ClaimedJob,
    status: str,
    spent: Spent | None,
    *,
    report: str | None = None,
    error: str | None = None,
) -> bool:
    spent = spent or Spent()
    bound = {
        "job": job.job_id,
        "claim": job.claim,
        "status": status,
        "report": report,
        "error": error,
        "input": spent.input_tokens,
        "output": spent.output_tokens,
        "cost": spent.cost,
        "parts": json.dumps(dict(spent.parts_ms)),
    }
    return bool(database.batch(user, [(_END, bound), (_ENDED, bound)])[1])
