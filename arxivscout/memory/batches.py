"""Batches of jobs as a person handles them: opened from a file, cancelled, tried again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from arxivscout.errors import UsageError
from arxivscout.memory.kept_text import kept_metadata, kept_name
from arxivscout.memory.postgres import Database
from arxivscout.papers import one_line

_OPEN = """
INSERT INTO batch (name, options) VALUES (%(name)s::text, %(options)s::jsonb)
ON CONFLICT (user_id, name) DO UPDATE SET options = EXCLUDED.options
RETURNING batch_id
"""

# The row that `_OPEN` wrote is locked until the end, so that of two who open a batch one waits.
_NO_LONGER_LISTED = """
UPDATE batch_job SET listed = false
WHERE batch_id = (SELECT batch_id FROM batch WHERE name = %(name)s::text)
  AND listed AND key <> ALL (%(keys)s::text[])
"""

_LIST = """
INSERT INTO batch_job AS kept (batch_id, number, key, job)
SELECT batch_id, given.number, given.key, given.job::json
FROM batch, unnest(%(numbers)s::int[], %(keys)s::text[], %(jobs)s::text[])
              AS given (number, key, job)
WHERE name = %(name)s::text
ON CONFLICT (batch_id, key) DO UPDATE
SET number = EXCLUDED.number, job = EXCLUDED.job, listed = true
WHERE NOT kept.listed OR kept.number <> EXCLUDED.number OR kept.job::text <> EXCLUDED.job::text
"""

# Named by the person's own id, else by number; what the file no longer has can't be named.
_CHOSEN = """
batch_id = %(batch)s AND (%(which)s::text[] IS NULL OR listed AND (
    own_id = ANY (%(which)s::text[])
    OR number = ANY (ARRAY(
        SELECT each::int FROM unnest(%(which)s::text[]) AS each
        WHERE each ~ '^[0-9]{1,9}$' AND NOT EXISTS (
            SELECT FROM batch_job AS other
            WHERE other.batch_id = %(batch)s AND other.own_id = each AND other.listed)))))
"""

_CANCEL = f"""
UPDATE batch_job
SET status = 'cancelled', claim = NULL, lease_until = NULL, ended_at = clock_timestamp()
WHERE status IN ('waiting', 'running') AND {_CHOSEN}
RETURNING job_id
"""  # noqa: S608 (a constant)

_RETRY = f"""
UPDATE batch_job
SET status = 'waiting', claim = NULL, attempts = 0, error = NULL, started_at = NULL, ended_at = NULL
WHERE listed AND status IN ('failed', 'cancelled') AND {_CHOSEN}
RETURNING job_id
"""  # noqa: S608 (a constant)


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job as a file states it: what tells it from others, all there is to know, its place."""

    key: str
    spec: dict[str, Any]
    number: int


def open_batch(
    database: Database,
    user: str,
    name: str,
    jobs: Sequence[NewJob],
    options: Mapping[str, Any] | None = None,
) -> UUID:
    """Begin a batch, or go on with the one of that name.

    Jobs are told apart by their keys. Those that are known stay as they are, also finished, failed
    and cancelled ones; new ones wait; those that are no longer given are not run, unless they are
    running.

    Args:
        jobs: all of the file, each key once.
        options: JSON values, kept with the batch in place of what they were.

    Raises:
        UsageError: an empty name.
        ValueError: a value that JSON can't hold.
        DatabaseUnavailable: the server can't be reached; nothing has changed.
    """
    bound = {
        "name": kept_name(_name(name), "a batch"),
        "options": json.dumps(kept_metadata(options)),
        "numbers": [job.number for job in jobs],
        "keys": [job.key for job in jobs],
        "jobs": [json.dumps(kept_metadata(job.spec), ensure_ascii=False) for job in jobs],
    }
    statements = [(_OPEN, bound), (_NO_LONGER_LISTED, bound), (_LIST, bound)]
    batch_id: UUID = database.batch(user, statements)[0][0][0]
    return batch_id


def cancel(
    database: Database, user: str, batch_id: UUID, which: Sequence[str] | None = None
) -> int:
    """Cancel jobs that are waiting or running; the worker of a running one is told as it asks.

    Args:
        which: own ids or numbers; None for all. An own id goes before a number of the same digits.

    Returns:
        how many were cancelled.
    """
    return _change(database, user, _CANCEL, batch_id, which)


def retry(database: Database, user: str, batch_id: UUID, which: Sequence[str] | None = None) -> int:
    """Let jobs that failed or were cancelled wait again, as if they had not been tried.

    Args:
        which: as `cancel` has it; what the file no longer has is left alone.

    Returns:
        how many are to be tried again.
    """
    return _change(database, user, _RETRY, batch_id, which)


def _change(
    database: Database, user: str, statement: str, batch_id: UUID, which: Sequence[str] | None
) -> int:
    named = None if which is None else [one_line(each) for each in which]
    return len(database.batch(user, [(statement, {"batch": batch_id, "which": named})])[0])


def _name(name: str) -> str:
    cleaned = one_line(name)
    if not 0 < len(cleaned) <= 200:
        raise UsageError("A batch's name has 1 to 200 characters.")
    return cleaned
