"""`arxivscout memory consent`, `export`, `import` and `erase`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.door import JsonOption, UserOption, door
from arxivscout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from arxivscout.app import Scout
    from arxivscout.memory.remembering import Consent, Remembering
    from arxivscout.memory.rights.erasing import Erasure

CONSENTING = """\
\b
Examples:
  arxivscout memory consent
  arxivscout memory consent facts
  arxivscout memory consent --leave-out "small talk" --leave-out "reading notes"
  arxivscout memory consent --take-in "small talk"
"""
EXPORTING = """\
\b
Examples:
  arxivscout memory export mine.jsonl
  arxivscout memory export mine.jsonl --vectors --force
"""
IMPORTING = """\
\b
Examples:
  arxivscout memory import mine.jsonl
  arxivscout memory import ann.jsonl --as bob
"""
ERASING = """\
\b
Examples:
  arxivscout memory erase
  arxivscout memory erase --user ann --yes --json
"""
FileArgument = Annotated[Path, typer.Argument(metavar="FILE")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Don't ask.")]


def register(group: typer.Typer) -> None:
    """Hang the commands on the group `memory`."""
    group.command("consent", epilog=CONSENTING)(consent)
    group.command("export", epilog=EXPORTING)(export)
    group.command("import", epilog=IMPORTING)(import_)
    group.command("erase", epilog=ERASING)(erase)


def consent(
    context: typer.Context,
    choice: Annotated[
        str | None, typer.Argument(help="everything, facts, asked or nothing; none shows it.")
    ] = None,
    leave_out: Annotated[
        list[str] | None, typer.Option("--leave-out", help="Remember nothing of this category.")
    ] = None,
    take_in: Annotated[
        list[str] | None, typer.Option("--take-in", help="Remember of this category again.")
    ] = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show or decide what may be remembered of you; what is remembered already stays."""
    from arxivscout.cli import render
    from arxivscout.memory.remembering import CHOICES

    chosen = _choice(choice) if choice is not None else None
    with door(context).scout(user) as scout:
        if chosen is not None:
            scout.decide_remembering(chosen)
        if leave_out or take_in:
            out = _categories(scout, leave_out or ())
            back = {each.strip().lower() for each in take_in or ()}
            scout.leave_out((scout.consent().left_out | out) - back)
        now = scout.consent()
    if as_json:
        render.json_out(
            {"choice": now.choice, "left_out": sorted(now.left_out), "private": sorted(now.hidden)}
        )
        return
    _show_consent(now)
    if choice is None and not (leave_out or take_in):
        for name, what in CHOICES.items():
            render.line(f"    {name}: {what[:1].lower()}{what[1:]}", "dim")


def _categories(scout: Scout, names: Iterable[str]) -> set[str]:
    """The categories of these names.

    Raises:
        NotFound: one is none.
    """
    from arxivscout.memory.categories import named

    with scout.database.transaction(scout.user) as conn:
        return {named(conn, each).name.lower() for each in names}


def _choice(given: str) -> Remembering:
    from arxivscout.memory.remembering import CHOICES

    for choice in CHOICES:
        if given.lower() == choice:
            return choice
    raise UsageError(f"{given!r} is no choice.", f"There are {', '.join(CHOICES)}.")


def _show_consent(now: Consent) -> None:
    from arxivscout.cli import render

    asked = "" if now.choice else " (you have not been asked)"
    render.line(f"May be remembered: {now.choice or 'everything'}{asked}")
    if now.left_out:
        render.line(f"Left out: {', '.join(sorted(now.left_out))}")
    if now.hidden:
        render.line(f"Private threads: {', '.join(sorted(now.hidden))}")


def export(
    context: typer.Context,
    file: FileArgument,
    vectors: Annotated[
        bool, typer.Option("--vectors", help="With vectors: larger, and sooner brought back.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    user: UserOption = None,
) -> None:
    """Write all that is kept of you into FILE, a line of JSON for each row."""
    from arxivscout.cli import render

    if file.exists() and not force:
        raise UsageError(f"{file} is there already.", "Name another file, or replace it: --force.")
    with door(context).scout(user) as scout, render.working("exporting", render.err()):
        rows = scout.rights.export(file, vectors=vectors)
    render.line(f"{file}: {rows:,} row{'s' if rows != 1 else ''}")


def import_(
    context: typer.Context,
    file: FileArgument,
    mapped_to: Annotated[
        str | None,
        typer.Option("--as", metavar="USER", help="Make it this person's, whoever's it was."),
    ] = None,
    user: UserOption = None,
) -> None:
    """Bring an export back, as it was, where nothing is remembered yet: all of it, or nothing."""
    from arxivscout.cli import render

    if mapped_to and user and mapped_to != user:
        raise UsageError(f"Two persons are named, {user} and {mapped_to}.", "Leave one out.")
    with (
        door(context).scout(mapped_to or user) as scout,
        render.working("importing", render.err()),
    ):
        rows = scout.rights.import_(file, mapped=mapped_to is not None, notice=render.note)
        scout.embed_said()
    render.line(f"{rows:,} row{'s are' if rows != 1 else ' is'} back, as {scout.user}'s.")


def erase(
    context: typer.Context,
    yes: YesOption = False,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Erase all that is kept of you, for good: conversations, memories, marks, logs, files."""
    from arxivscout.cli import render

    with door(context).scout(user) as scout:
        kept = scout.rights.counted()
        if not yes:
            for name, rows in kept.items():
                render.note(f"  {name}: {rows:,}")
            if not render.confirm(
                f"Erase all {sum(kept.values()):,} rows that are kept of {scout.user}, for good?",
                otherwise="--yes does; `arxivscout memory export FILE` takes them along before.",
            ):
                render.note("Nothing is erased.")
                raise typer.Exit(1)
        with render.working("erasing", render.err()):
            erased = scout.rights.erase(notice=render.note)
        name, home = scout.user, scout.settings.home
    if as_json:
        render.json_out(_as_json(name, erased))
    else:
        _show_erasure(name, home, erased)


def _show_erasure(name: str, home: Path, erased: Erasure) -> None:
    from arxivscout.cli import render

    looked = erased.traces
    render.line(f"Erased: {sum(erased.rows.values()):,} rows of {name}.")
    for table, rows in erased.rows.items():
        render.line(f"    {table}: {rows:,}", "dim")
    for file in erased.files:
        render.line(f"    {file}", "dim")
    render.line(
        f"Looked for the name and {looked.texts} of {name}'s texts in {looked.columns:,} columns "
        f"of {looked.tables} tables: {sum(looked.rows.values()):,} rows hold any."
    )
    for backup in erased.backups:
        render.line(f"Not changed, for a backup can't be: {backup}", "yellow")
    render.line(
        f"Not reached from here: backups moved elsewhere, reports that batches wrote, exports, and "
        f"threads that LangGraph Studio keeps in .langgraph_api of the folder it was started in. "
        f"{home / 'models.json'} holds the keys of this installation, and no person's.",
        "dim",
    )


def _as_json(name: str, erased: Erasure) -> dict[str, object]:
    return {
        "user": name,
        "rows": erased.rows,
        "files": [str(each) for each in erased.files],
        "left": sum(erased.traces.rows.values()),
        "looked_through": {
            "tables": erased.traces.tables,
            "columns": erased.traces.columns,
            "texts": erased.traces.texts,
        },
        "backups": [str(each) for each in erased.backups],
    }
