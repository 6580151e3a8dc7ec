"""`arxivscout memory log` and `undo`: what changed in memory, and taking a change back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.door import (
    JsonOption,
    UserOption,
    check_range,
    clean_date,
    door,
    jsonable,
)
from arxivscout.errors import UsageError

if TYPE_CHECKING:
    from arxivscout.memory.change_log import Change

LOG = """\
\b
Examples:
  arxivscout memory log
  arxivscout memory log --since 2026-03-01 --kind preference
  arxivscout memory log --change supersede --json
"""
UNDO = """\
\b
Examples:
  arxivscout memory undo 412
A whole turn is taken back by `arxivscout threads undo`, or by /undo in the chat.
"""
_NAMES = ("add", "merge", "edit", "supersede", "forget", "decay", "archive", "restore", "file",
          "consolidate", "import", "undo")  # fmt: skip


def register(group: typer.Typer) -> None:
    """Hang the commands on the group `memory`."""
    group.command("log", epilog=LOG)(log)
    group.command("undo", epilog=UNDO)(undo)


def log(
    context: typer.Context,
    since: Annotated[
        str | None, typer.Option(metavar="DAY", help="Only from this day on (YYYY[-MM[-DD]]).")
    ] = None,
    kind: Annotated[
        str | None, typer.Option(help="Only memories of this kind: preference, finding, …")
    ] = None,
    change: Annotated[
        str | None, typer.Option(help=f"Only changes of this name: {', '.join(_NAMES)}.")
    ] = None,
    everything: Annotated[
        bool,
        typer.Option("--all", help="Also messages, edges, and what was taken back."),
    ] = False,
    limit: Annotated[int, typer.Option(help="How many, 1 to 1000.")] = 20,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what changed in memory, the newest first, with before and after."""
    check_range(limit, "--limit", 1, 1000)
    change = change.lower() if change else None
    if change is not None and change not in _NAMES:
        raise UsageError(f"No change is called {change!r}.", f"Changes: {', '.join(_NAMES)}.")
    from_day = clean_date(since, "--since")
    with door(context).scout(user) as scout:
        from datetime import date

        found = scout.changes.changes(
            limit,
            since=date.fromisoformat(from_day) if from_day else None,
            kind=kind,
            change=change,
            everything=everything,
        )
    from arxivscout.cli import render

    if as_json:
        render.json_out([jsonable(each) for each in found])
        return
    if not found:
        render.note("No such change is in the log.")
    for each in found:
        _show(each)


def undo(
    context: typer.Context,
    change: Annotated[
        str, typer.Argument(metavar="ID", help="Its number, as `memory log` shows it.")
    ],
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take one change back: memory is as if it had not been made."""
    number = _number(change)
    with door(context).scout(user) as scout:
        count = scout.changes.take_back(number)
    from arxivscout.cli import render

    if as_json:
        render.json_out({"change": number, "rows": count})
    else:
        render.line(f"Change {number} is taken back.")


def _number(given: str) -> int:
    """The number of a change.

    Raises:
        UsageError: it is none: an id of a memory, words.
    """
    if not (given.isascii() and given.isdigit()):
        raise UsageError(
            f"{given[:60]!r} is no number of a change.", "`arxivscout memory log` shows them."
        )
    return int(given)


def _show(change: Change) -> None:
    """Number and name, what it said before and says now, and why."""
    from arxivscout.cli import render

    undone = f" · taken back {render.minute(change.undone)}" if change.undone else ""
    render.line(f"{change.id}  {change.change} {change.kind} · {render.minute(change.at)}{undone}")
    if change.before and change.before != change.after:
        render.line(f"    was: {change.before}", "dim")
    if change.after:
        render.line(f"    is:  {change.after}")
    if change.reason:
        render.line(f"    because {change.reason}", "dim")
