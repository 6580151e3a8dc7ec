"""`arxivscout stats`: how it does, in tables and small plots, as JSON, or as one web page."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.door import JsonOption, UserOption, clean_date, clean_thread, door
from arxivscout.errors import UsageError

if TYPE_CHECKING:
    from arxivscout.monitoring.figures import Latency, Span, Statistics

DAYS = 30  # looked at where nothing else is said
_BAR = 24
_LINE = 60
EPILOG = """\
\b
Examples:
  arxivscout stats
  arxivscout stats --since 2026-10 --thread dark-matter
  arxivscout stats --html stats.html
  arxivscout stats --json | jq .total.hit_rate
"""


def register(app: typer.Typer) -> None:
    """Hang this command on `app`."""
    app.command("stats", epilog=EPILOG)(stats)


def stats(
    context: typer.Context,
    since: Annotated[
        str | None, typer.Option(help=f"From this day on (default: the last {DAYS} days).")
    ] = None,
    until: Annotated[str | None, typer.Option(help="To this day, included.")] = None,
    thread: Annotated[
        str | None, typer.Option("--thread", "-t", help="The turns of this conversation only.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a page with charts into this file.")
    ] = None,
    everybody: Annotated[
        bool,
        typer.Option("--everybody", help="Of all users; needs the schema owner's login."),
    ] = False,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show how it does: answers, hits, latency, failures, tokens, cost, and the size of stores."""
    if everybody and user is not None:
        raise UsageError("--everybody and --user exclude each other.")
    span = _span(since, until, clean_thread(thread) if thread is not None else None)
    with door(context).scout(user, quiet=as_json) as scout:
        from arxivscout.monitoring.reading import read_statistics

        if span.thread_id is not None and not everybody:
            scout.history.title_of(span.thread_id)  # tells where there is no such thread
        found = read_statistics(scout.database, None if everybody else scout.user, span)
    from arxivscout.cli import render

    if html is not None:
        from arxivscout.monitoring.page import statistics_page
        from arxivscout.whole_files import write_whole

        whose = "everybody" if everybody else scout.user
        try:
            write_whole(html, statistics_page(found, whose))
        except OSError as error:
            raise UsageError(f"{html} can't be written: {error.strerror}.") from None
    if as_json:
        render.json_out(found.to_json())
    elif html is not None:
        render.line(f"Written: {html}")
    else:
        _show(found)


def _span(since: str | None, until: str | None, thread: str | None) -> Span:
    """The days named, both included, where the person is."""
    from arxivscout.monitoring.figures import Span

    now = datetime.now().astimezone()
    last, first = clean_date(until, "--until", end=True), clean_date(since, "--since")
    end = now if last is None else _midnight(last) + timedelta(days=1)
    begin = end - timedelta(days=DAYS) if first is None else _midnight(first)
    if begin >= end:
        raise UsageError("There is no time between --since and --until.")
    return Span(begin, end, thread)


def _midnight(day: str) -> datetime:
    return datetime.combine(datetime.fromisoformat(day), time()).astimezone()


def _show(found: Statistics) -> None:
    from arxivscout.cli import render

    total = found.total
    heading = found.span.words
    if found.span.thread_id:
        heading += f" · thread {found.span.thread_id}"
    render.line(heading, "bold")
    if not total.turns:
        render.line("No question was asked in this time.")
    else:
        _show_turns(found)
        _show_latency(found)
    if found.job_nodes:
        _heading("Nodes of jobs", "what works side by side added up")
        _latencies(("node", "jobs"), found.job_nodes)
    _show_tools(found)
    _show_stores(found)


def _show_turns(found: Statistics) -> None:
    from arxivscout.cli import render
    from arxivscout.monitoring.plots import every_day, line, together
    from arxivscout.monitoring.wording import facts

    for name, text in facts(found):
        render.hanging(f"{name:<12}", text)
    each, days = together(every_day(found.days), min(_LINE, render.out().width - 14))
    of = "a day" if each == 1 else f"in {each} days"
    answers = [counts.answered for _, counts in days]
    _heading(f"Answers {of}: at most {max(answers):,}; below, those that cite nothing")
    render.line(f"  {line(answers, plain=_plain())}")
    abstained = [counts.abstained for _, counts in days]
    render.line(f"  {line(abstained, plain=_plain(), most=max(answers))}")
    ends = f"{days[-1][0]!s:>{max(len(days) - 10, 12)}}" if len(days) > 1 else ""
    render.line(f"  {days[0][0]}{ends}", "dim")


def _show_latency(found: Statistics) -> None:
    from arxivscout.cli import render
    from arxivscout.reports.facts import counted

    _heading("Latency", f"of the newest {counted(found.measured, 'turn')}")
    turn = [found.turn] if found.turn else []
    _latencies(("node", "turns"), [*turn, *found.nodes])
    if found.stores_read:
        _heading("Reads of stores", "all go out together")
        _latencies(("store", "reads"), found.stores_read)
    if found.segments:
        _heading("What the models read")
        render.table(
            ("segment", "tokens", "share", ""),
            [
                (each.name, f"{each.tokens:,}", f"{each.share:.1%}", _bar(each.share))
                for each in found.segments
            ],
            folded=3,
        )
    if found.slowest:
        _heading("The slowest turns", "what each was given: `arxivscout context ID`")
        for slow in found.slowest:
            where = f"mostly {slow.slowest_part}" if slow.slowest_part else ""
            told = (str(slow.turn_id)[:8], render.minute(slow.at), where, slow.thread_id)
            render.hanging(f"  {slow.seconds:>6.1f} s  ", " · ".join(filter(None, told)))
            if slow.trace:
                render.line(f"            {slow.trace}", "dim")
    if found.degraded:
        from arxivscout.monitoring.statistics import MOST_DEGRADED

        _heading("What was not at hand", f"in the newest {MOST_DEGRADED:,} such turns")
        for what, turns in found.degraded:
            render.hanging(f"  {turns:>6,}  ", what)


def _latencies(headers: tuple[str, str], rows: Sequence[Latency]) -> None:
    from arxivscout.cli import render
    from arxivscout.monitoring.wording import milliseconds

    slowest = max(each.p95_ms for each in rows)
    render.table(
        (*headers, "median", "p95", ""),
        [
            (
                each.name,
                f"{each.count:,}",
                milliseconds(each.median_ms),
                milliseconds(each.p95_ms),
                _bar(each.p95_ms / slowest if slowest else 0.0),
            )
            for each in rows
        ],
        folded=4,
    )


def _show_tools(found: Statistics) -> None:
    from arxivscout.cli import render
    from arxivscout.monitoring.wording import milliseconds

    if not found.tools:
        return
    _heading("Tools")
    render.table(
        ("tool", "calls", "failed", "timed out", "median", "p95", "share that failed"),
        [
            (
                each.name,
                f"{each.calls:,}",
                f"{each.failures:,}",
                f"{each.timeouts:,}",
                milliseconds(each.median_ms),
                milliseconds(each.p95_ms),
                f"{each.failure_rate:.1%} {_bar(each.failure_rate, 8)}".strip(),
            )
            for each in found.tools
        ],
        folded=6,
    )


def _show_stores(found: Statistics) -> None:
    from arxivscout.cli import render
    from arxivscout.monitoring.plots import line
    from arxivscout.monitoring.wording import size

    _heading("Stores", "rows; new in this time, and how they came; bytes with all indexes")
    render.table(
        ("store", "rows", "new", "bytes", "growth"),
        [
            (
                each.name,
                f"{each.rows:,}",
                f"{each.added:,}",
                size(each.bytes),
                line(each.growth, plain=_plain()),
            )
            for each in found.stores
        ],
        folded=4,
    )


def _heading(text: str, note: str = "") -> None:
    from arxivscout.cli import render

    render.line(f"\n{text}" + (f" ({note})" if note else ""), "bold")


def _bar(share: float, width: int = _BAR) -> str:
    from arxivscout.monitoring.plots import bar

    return bar(share, width, plain=_plain())


def _plain() -> bool:
    """Whether the terminal's letters have no blocks."""
    return not (sys.stdout.encoding or "ascii").lower().startswith("utf")
