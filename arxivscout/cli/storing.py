"""Records being stored: how far it is while it lasts, and what became of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from arxivscout.cli.door import door
from arxivscout.errors import PartlyDone, SourceError

if TYPE_CHECKING:
    from arxivscout.app import Scout
    from arxivscout.ingest import IngestReport

SHOWN = 20  # of the records that were skipped, by name


def store_and_tell(
    context: typer.Context,
    work: Callable[[Scout, Callable[[IngestReport], None]], IngestReport],
    as_json: bool,
    *,
    total: int | Callable[[], int | None] | None,
    what: str = "papers",
    embedding: str | None = None,
) -> None:
    """Do `work`, which stores records and tells its progress, and tell what became of them.

    Raises:
        PartlyDone: some records were skipped.
        SourceError: all were.
        KeyboardInterrupt: it was stopped; the report is printed.
    """
    from arxivscout.cli import render

    with (
        door(context).scout(embedding=embedding, quiet=as_json) as scout,
        shown(total, what) as progress,
    ):
        report = work(scout, progress)
    if as_json:
        told: dict[str, object] = {
            "read": report.read,
            "new": report.new,
            "updated": report.updated,
            "unchanged": report.unchanged,
            "skipped": [{"where": s.where, "reason": s.reason} for s in report.skipped],
            "seconds": round(report.seconds, 3),
        }
        if report.skipped_total > len(report.skipped):
            told["skipped_total"] = report.skipped_total
        render.json_out(told)
    else:
        for skipped in report.skipped[:SHOWN]:
            render.note(f"skipped {skipped.where}: {skipped.reason}")
        if report.skipped_total > SHOWN:
            named = len(report.skipped)
            which = "them all" if named == report.skipped_total else f"the first {named:,}"
            render.note(f"... and {report.skipped_total - SHOWN:,} more (--json names {which})")
        render.line(_told(report, what))
    if report.interrupted:
        raise KeyboardInterrupt
    if report.skipped_total:
        first = f"the first: {report.skipped[0].where}: {report.skipped[0].reason}"
        if report.skipped_total == report.read:
            raise SourceError(f"Nothing was stored: every record was skipped ({first}).")
        raise PartlyDone(
            f"{report.skipped_total:,} of {report.read:,} records were skipped ({first}); "
            "the others are stored."
        )


def _told(report: IngestReport, what: str = "papers") -> str:
    rate = f", {report.stored / report.seconds:.1f} {what}/s" if report.stored else ""
    return (
        f"{report.new:,} new, {report.updated:,} updated, {report.unchanged:,} unchanged, "
        f"{report.skipped_total:,} skipped, in {report.seconds:.1f} s{rate}"
        f"{' (stopped; run again to go on)' if report.interrupted else ''}"
    )


@contextmanager
def shown(
    total: int | Callable[[], int | None] | None, what: str = "papers"
) -> Iterator[Callable[[IngestReport], None]]:
    """Show how far it is: a bar with rate and time left on a terminal, else a line at times."""
    from arxivscout.cli import render

    console = render.err()
    if not console.is_terminal or console.is_dumb_terminal:
        due = 10.0

        def plain(report: IngestReport) -> None:
            nonlocal due
            if report.seconds >= due:
                due = max(2 * due, report.seconds) if due < 60 else report.seconds + 60
                render.note(f"... {_told(report, what)}")

        yield plain
        return

    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=total() if callable(total) else total, rate="", start=True)

        def moving(report: IngestReport) -> None:
            rate = report.read / report.seconds if report.seconds else 0.0
            bar.update(task, completed=report.read, rate=f"{rate:.1f}/s")

        yield moving
