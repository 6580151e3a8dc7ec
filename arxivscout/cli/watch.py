"""`arxivscout watch`: topics of which a person is told what is new on arXiv; fit for cron."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.door import JsonOption, UserOption, clean_date, door
from arxivscout.errors import PartlyDone, SourceError, UsageError

if TYPE_CHECKING:
    from arxivscout.memory.watches import Watch
    from arxivscout.reports.files import Format
    from arxivscout.watching import Outcome

FORMATS = ("markdown", "html", "bib", "json")
EXAMPLES = """\
\b
Examples:
  arxivscout watch add "quantum teleportation of mesons" --category quant-ph --category hep-ph
  arxivscout watch add "retrieval-augmented generation" --name rag
  arxivscout watch list
  arxivscout watch run --out ~/digests --format html
  0 7 * * 1-5  arxivscout watch run --out ~/digests      (a line for cron)
"""
SINCE_HELP = "YYYY, YYYY-MM or YYYY-MM-DD."

app = typer.Typer(
    help="Watches: what is new on arXiv for you, told once.",
    no_args_is_help=True,
    rich_markup_mode=None,
    epilog=EXAMPLES,
)


@app.command("add")
def add_watch(
    context: typer.Context,
    topic: Annotated[list[str], typer.Argument(metavar="TOPIC...", help="A question or topic.")],
    category: Annotated[
        list[str] | None,
        typer.Option(
            "--category",
            "-c",
            help="All papers of this category or archive are compared with the topic; may be "
            "repeated. Without one, those that have a word of it.",
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(help="What to call it (default: its words).")] = None,
    since: Annotated[
        str | None, typer.Option(help=f"The first day that counts (default: 7 ago): {SINCE_HELP}")
    ] = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Watch a topic; `arxivscout watch run` tells what is new of it."""
    from arxivscout.cli import render

    first_day = _day(since)
    with door(context).scout(user, quiet=as_json) as scout:
        watch = scout.watches.add(
            " ".join(topic), categories=category or [], name=name, since=first_day
        )
    if as_json:
        render.json_out(_told(watch, 0))
    else:
        render.line(f"Watch {watch.number}, {watch.name}: {watch.topic}")
        render.line(f"{_among(watch)}, submitted since {watch.first_day}.", "dim")


@app.command("list")
def list_watches(
    context: typer.Context, user: UserOption = None, as_json: JsonOption = False
) -> None:
    """List your watches, how far arXiv was read for each, and how much was reported."""
    from arxivscout.cli import render

    with door(context).scout(user, quiet=as_json) as scout:
        found = scout.watches.listed()
    if as_json:
        render.json_out([_told(watch, reported) for watch, reported in found])
    elif found:
        render.table(
            ("", "name", "read", "reported", "topic"),
            [
                (
                    str(watch.number),
                    watch.name,
                    render.minute(watch.read_until) or "not yet",
                    str(reported),
                    " ".join([watch.topic, *(f"[{each}]" for each in watch.categories)]),
                )
                for watch, reported in found
            ],
            folded=4,
        )
    else:
        render.note('Nothing is watched. `arxivscout watch add "…"` begins.')


@app.command("remove")
def remove_watch(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME|NUMBER", help="As the list has it.")],
    user: UserOption = None,
) -> None:
    """Watch a topic no longer; the papers stay."""
    from arxivscout.cli import render

    with door(context).scout(user) as scout:
        watch = scout.watches.remove(name)
    render.line(f"No longer watched: {watch.name}")


@app.command("run")
def run_watches(
    context: typer.Context,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME...]", help="Only these (default: all).")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the digests (default: on the screen).")
    ] = None,
    formats: Annotated[
        list[str] | None,
        typer.Option("--format", help="markdown, html, bib or json; with --out also several."),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(help=f"Look from this day on, not from the last run: {SINCE_HELP}"),
    ] = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell what is new on arXiv since the last run: nothing twice, nothing left out.

    What could not be read whole (no network, arXiv failing) is read by the next run.
    """
    from arxivscout.cli import render

    wanted = _formats(formats, out, as_json)
    first_day = _day(since)

    def deliver(outcomes: Sequence[Outcome]) -> None:
        if as_json:
            render.json_out([_as_json(each, out, wanted) for each in outcomes])
            return
        for outcome in outcomes:
            _show(outcome, out, wanted)

    with (
        door(context).scout(user, quiet=as_json) as scout,
        render.working("reading arXiv", render.err()),
    ):
        run = scout.watches.run(names or [], deliver=deliver, since=first_day, notice=render.note)
    _tell_failures(run)


def _show(outcome: Outcome, out: Path | None, formats: Sequence[Format]) -> None:
    from arxivscout.cli import render
    from arxivscout.reports.files import rendered
    from arxivscout.watching.delivery import write_digest
    from arxivscout.watching.digest import counts

    for report in outcome.digests:
        if out is None:
            render.document(rendered(report, formats[0]))
            continue
        files = ", ".join(map(str, write_digest(report, out, formats)))
        new, versions = counts(report)
        parts = [f"{new} new"] if new else []
        parts += [f"{versions} in a new version"] if versions else []
        render.line(f"{outcome.watch.name}: {', '.join(parts)}: {files}")
    if not outcome.digests and outcome.failure is None:
        render.line(f"{outcome.watch.name}: nothing new since {outcome.since}.")


def _as_json(outcome: Outcome, out: Path | None, formats: Sequence[Format]) -> dict[str, object]:
    from arxivscout.watching.delivery import write_digest

    files = [
        str(file)
        for report in outcome.digests
        for file in (write_digest(report, out, formats) if out else [])
    ]
    return {
        "watch": outcome.watch.name,
        "since": outcome.since.isoformat(),
        "error": outcome.failure.cause if outcome.failure else None,
        "files": files,
        "digests": [report.model_dump(mode="json") for report in outcome.digests],
    }


def _tell_failures(outcomes: Sequence[Outcome]) -> None:
    """End with what could not be read, if there is such.

    Raises:
        SourceError: no watch could be read.
        PartlyDone: some could.
    """
    failed = [each for each in outcomes if each.failure]
    if not failed or failed[0].failure is None:
        return
    names = ", ".join(each.watch.name for each in failed)
    cause = f"{failed[0].failure.cause} Not read: {names}."
    mend = "Nothing is lost: the next run reads from where the last whole one ended."
    raise (SourceError if len(failed) == len(outcomes) else PartlyDone)(cause, mend)


def _formats(given: Sequence[str] | None, out: Path | None, as_json: bool) -> list[Format]:
    from typing import cast

    wanted = list(dict.fromkeys(given or ["markdown"]))
    for each in wanted:
        if each not in FORMATS:
            raise UsageError(f"There is no format {each!r}.", f"Use {', '.join(FORMATS)}.")
    if out is None and (len(wanted) > 1 or (as_json and given)):
        raise UsageError("The screen takes one format.", "Name a folder: --out DIR.")
    if out is not None and out.exists() and not out.is_dir():
        raise UsageError(f"{out} is no folder.", "Name another: --out DIR.")
    return cast("list[Format]", wanted)


def _day(given: str | None) -> date | None:
    text = clean_date(given, "--since")
    day = date.fromisoformat(text) if text else None
    if day and day > datetime.now(UTC).date():
        raise UsageError(f"--since {given} is still to come.", "Give a day that has been.")
    return day


def _among(watch: Watch) -> str:
    if watch.categories:
        return f"Among the papers of {', '.join(watch.categories)}"
    return "Among the papers that have a word of it"


def _told(watch: Watch, reported: int) -> dict[str, object]:
    return {
        "number": watch.number,
        "name": watch.name,
        "topic": watch.topic,
        "categories": list(watch.categories),
        "first_day": watch.first_day.isoformat(),
        "read_until": watch.read_until,
        "reported": reported,
    }
