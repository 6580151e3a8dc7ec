"""`arxivscout batch cancel` and `retry`, and how a batch and its jobs are named."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.door import UserOption, door
from arxivscout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from arxivscout.batch.batches import Batches
    from arxivscout.memory.batch_listing import BatchSummary, JobRow

BatchArgument = Annotated[
    str, typer.Argument(metavar="BATCH", help="Its name, its folder, or how its id begins.")
]
WhichArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="JOB...", help="Ids, numbers or file names of jobs; or all."),
]
CANCELLED = ("waiting", "running")
TRIED_AGAIN = ("failed", "cancelled")
_NOW = {"waiting": "waits already", "running": "is running", "done": "is done"}


def register(group: typer.Typer) -> None:
    """Hang the commands on the group `batch`."""
    group.command("cancel")(cancel)
    group.command("retry")(retry)


def cancel(
    context: typer.Context,
    batch: BatchArgument,
    jobs: WhichArgument = None,
    user: UserOption = None,
) -> None:
    """Cancel jobs that wait or run: those named, or all of them."""
    from arxivscout.cli import render

    with door(context).scout(user) as scout:
        batches = scout.batches()
        found = named_batch(batches, batch)
        jobs = _names(batches, found, jobs)
        others = _others(batches, found, jobs, CANCELLED)
        count = batches.cancel(found.batch_id, jobs)
    why = "" if count or jobs else ": none waits or runs"
    render.line(f"{_many(count)} cancelled{why}.")
    for each in others:
        render.note(f"Not cancelled: {each}.")


def retry(
    context: typer.Context,
    batch: BatchArgument,
    jobs: WhichArgument = None,
    user: UserOption = None,
) -> None:
    """Let failed and cancelled jobs wait again; the same `batch run` does them."""
    from arxivscout.cli import render

    with door(context).scout(user) as scout:
        batches = scout.batches()
        found = named_batch(batches, batch)
        jobs = _names(batches, found, jobs)
        others = _others(batches, found, jobs, TRIED_AGAIN)
        count = batches.retry(found.batch_id, jobs)
    why = "" if count or jobs else ": none failed or was cancelled"
    render.line(f"{_many(count)} will be tried again{why}.")
    for each in others:
        render.note(f"Not tried again: {each}.")
    if count and (folder := found.options.get("out")):
        render.note(f"Run it again: arxivscout batch run JOBS --out {shlex.quote(str(folder))}")


def named_batch(batches: Batches, name: str) -> BatchSummary:
    """The batch of that name; a folder names it by its whole path."""
    folder = str(Path(name).expanduser().absolute())
    found = [each for each in batches.all() if each.name in (name, folder)]
    return found[0] if found else batches.named(name)


def chosen_job(rows: Sequence[JobRow], wanted: str) -> JobRow:
    """The job of that id, else of that number, else the one whose files are called so.

    Raises:
        UsageError: there is none.
    """
    from arxivscout.batch.job import Job

    found = [row for row in rows if row.own_id == wanted]
    found = found or [row for row in rows if str(row.number) == wanted.lstrip("0")]
    found = found or [row for row in rows if Job(**row.spec).file_name(row.number) == wanted]
    if not found:
        raise UsageError(
            f"The batch has no job {wanted[:40]!a}.", "`arxivscout batch status` lists them."
        )
    return found[0]


def job_name(row: JobRow) -> str:
    """What a person calls the job."""
    return row.own_id or str(row.number)


def _names(batches: Batches, batch: BatchSummary, jobs: Sequence[str] | None) -> list[str] | None:
    """The jobs named, each by its id or number; None for all."""
    if not jobs:
        return None
    rows = batches.jobs(batch.batch_id)
    return [job_name(chosen_job(rows, each)) for each in jobs]


def _others(
    batches: Batches, batch: BatchSummary, jobs: Sequence[str] | None, fit: Collection[str]
) -> list[str]:
    """Of the jobs named, those whose status does not fit, each with what it is."""
    if not jobs:
        return []
    rows = batches.jobs(batch.batch_id)
    chosen = {row.job_id: row for row in (chosen_job(rows, each) for each in jobs)}
    return [
        f"job {job_name(row)} {_NOW.get(row.status, f'{row.status} before')}"
        for row in chosen.values()
        if row.status not in fit
    ]


def _many(count: int) -> str:
    return f"{count} job{'s' if count != 1 else ''}"
