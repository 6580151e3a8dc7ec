"""How a batch looks while it runs, and when it is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from arxivscout.batch.events import BatchEvent, JobBegan, JobEnded, JobStep
from arxivscout.cli import render
from arxivscout.cli.batch_lines import how_it_ended, next_step, told_in_lines
from arxivscout.errors import PartlyDone
from arxivscout.reports.facts import cost_told

if TYPE_CHECKING:
    from pathlib import Path

    from arxivscout.batch.batches import Estimate
    from arxivscout.batch.events import Outcome
    from arxivscout.memory.batch_listing import BatchSummary, Counts, JobRow


@contextmanager
def shown(counts: Counts, *, quiet: bool) -> Iterator[Callable[[BatchEvent], None]]:
    """Bars for the whole and for each job in hand; without a terminal lines."""
    console = render.err()
    if quiet:
        yield lambda event: None
        return
    if not console.is_terminal or console.is_dumb_terminal:
        yield told_in_lines(counts)
        return

    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}", markup=False),
    )
    with Progress(*columns, console=console, transient=True, expand=False) as bars:
        whole = bars.add_task(
            "jobs", total=counts.total, completed=counts.total - counts.to_do, note=""
        )
        tasks: dict[int, Any] = {}
        spent = [counts.spent.input_tokens + counts.spent.output_tokens, counts.spent.cost or 0.0]

        def tell(event: BatchEvent) -> None:
            match event:
                case JobBegan(number, name, question):
                    title = render.safe(question)[:40]
                    tasks[number] = bars.add_task(f"  {name[:12]} {title}", total=None, note="")
                case JobStep(number, what, done, parts) if number in tasks:
                    note = next_step(what)
                    bars.update(tasks[number], completed=done, total=parts, note=note)
                case JobEnded() as ended:
                    if ended.number in tasks:
                        bars.remove_task(tasks.pop(ended.number))
                    spent[0] += ended.tokens
                    spent[1] += ended.cost or 0.0
                    if ended.status in ("done", "failed"):
                        bars.advance(whole)
                    note = f"{spent[0]:,} tokens, {cost_told(spent[1])}" if spent[0] else ""
                    bars.update(whole, note=note)
                    if ended.status != "done":
                        bars.console.print(how_it_ended(ended), markup=False, highlight=False)

        yield tell


def tell_outcome(outcome: Outcome, folder: Path, *, as_json: bool) -> None:
    """What became of the batch.

    Raises:
        PartlyDone: jobs failed or are left, or files could not be written.
    """
    counts = outcome.counts
    spent = counts.spent
    if as_json:
        render.json_out(
            {
                "done": counts.done,
                "failed": counts.failed,
                "waiting": counts.waiting,
                "running": counts.running,
                "cancelled": counts.cancelled,
                "input_tokens": spent.input_tokens,
                "output_tokens": spent.output_tokens,
                "cost": spent.cost,
                "seconds": round(outcome.seconds, 1),
                "stopped": outcome.stopped,
                "notes": list(outcome.notes),
                "out": str(folder),
            }
        )
    else:
        tokens = spent.input_tokens + spent.output_tokens
        took = f", {tokens:,} tokens, {cost_told(spent.cost)}" if tokens else ""
        cancelled = f", {counts.cancelled} cancelled" if counts.cancelled else ""
        render.line(
            f"{counts.done} of {counts.total} jobs done, {counts.failed} failed{cancelled}, "
            f"{counts.to_do} left{took}, in {outcome.seconds:.0f} s: {folder / 'index.html'}"
        )
    for note in outcome.notes:
        render.note(note)
    if outcome.stopped:
        raise PartlyDone(
            f"Stopped, as {outcome.stopped}; {counts.to_do} jobs are left.",
            "The same command goes on.",
        )
    if counts.failed:
        raise PartlyDone(
            f"{counts.failed} of {counts.total} jobs failed.",
            "`arxivscout batch status` says why, `batch retry` lets them be tried again.",
        )
    if counts.cancelled:
        raise PartlyDone(
            f"{counts.cancelled} of {counts.total} jobs are cancelled.",
            "`arxivscout batch retry` lets them be done.",
        )
    if outcome.notes:
        raise PartlyDone(
            f"{outcome.notes[0]}.", "Make room; the same command writes what is missing."
        )


def tell_plan(
    estimates: Sequence[Estimate], known: dict[str, str], jobs: Sequence[Any], *, as_json: bool
) -> None:
    """What a run would do: `known` maps the keys of jobs that are there already to their status."""
    rows = [(number, job, known.get(job.key, "new")) for number, job in enumerate(jobs, start=1)]
    if as_json:
        render.json_out(
            {
                "jobs": [
                    {"number": number, "id": job.id, "question": job.question, "status": status}
                    for number, job, status in rows
                ],
                "estimates": [
                    {
                        "model": each.model,
                        "jobs": each.jobs,
                        "input_tokens": each.input_tokens,
                        "output_tokens": each.output_tokens,
                        "cost": each.cost,
                    }
                    for each in estimates
                ],
            }
        )
        return
    render.table(
        ("job", "status", "question"),
        [(job.id or str(number), status, job.question) for number, job, status in rows],
        folded=2,
    )
    for each in estimates:
        tokens = each.input_tokens + each.output_tokens
        what = f"about {tokens:,} tokens, {cost_told(each.cost)}" if tokens else "no tokens billed"
        render.line(f"{each.jobs} to run with {each.model}: {what}")
    if not estimates:
        render.line("Nothing is left to run.")


def batch_json(batch: BatchSummary) -> dict[str, object]:
    """A batch for scripts."""
    counts, spent = batch.counts, batch.counts.spent
    return {
        "batch_id": str(batch.batch_id),
        "name": batch.name,
        "created_at": batch.created_at.isoformat(),
        "worked_at": batch.worked_at.isoformat() if batch.worked_at else None,
        **{
            name: getattr(counts, name)
            for name in ("waiting", "running", "at_work", "done", "failed", "cancelled")
        },
        "input_tokens": spent.input_tokens,
        "output_tokens": spent.output_tokens,
        "cost": spent.cost,
        "out": batch.options.get("out"),
    }


def job_json(row: JobRow) -> dict[str, object]:
    """A job for scripts."""
    return {
        "number": row.number,
        "id": row.own_id,
        "question": row.spec["question"],
        "status": status_of(row),
        "attempts": row.attempts,
        "error": row.error,
        "started_at": row.started_at.isoformat() if row.started_at else None,
        "ended_at": row.ended_at.isoformat() if row.ended_at else None,
        "input_tokens": row.spent.input_tokens,
        "output_tokens": row.spent.output_tokens,
        "cost": row.spent.cost,
    }


def status_of(row: JobRow) -> str:
    """The job's status; a running one whose worker is gone is abandoned: the next run takes it."""
    return "abandoned" if row.abandoned else row.status


def seconds_of(row: JobRow) -> str:
    """How long the job's last attempt took."""
    if row.started_at and row.ended_at:
        return f"{(row.ended_at - row.started_at).total_seconds():.1f}"
    return ""
