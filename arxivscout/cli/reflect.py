"""`arxivscout reflect`: looks back on the latest turns and keeps what they teach."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arxivscout.cli.door import JsonOption, ModelOption, UserOption, door

if TYPE_CHECKING:
    from collections.abc import Mapping

EPILOG = """\
\b
Examples:
  arxivscout reflect
  arxivscout reflect --dry-run
  arxivscout reflect --if-due --json      (fit for cron: exit code 0 when it is not time)
"""


def register(app: typer.Typer) -> None:
    """Hang the command on `app`."""
    app.command("reflect", epilog=EPILOG)(reflect)


def reflect(
    context: typer.Context,
    if_due: Annotated[
        bool, typer.Option("--if-due", help="Only when it is time; else do nothing.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be learned, and store nothing.")
    ] = False,
    model: ModelOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Look back on your latest turns, and keep what they teach as lessons."""
    from arxivscout.cli import render

    with door(context).scout(user, model=model, quiet=if_due) as scout:
        done = scout.lessons.reflect(if_due=if_due, dry_run=dry_run, model=model)
    if as_json:
        render.json_out(done)
        return
    _show(done, quiet=if_due)


def _show(done: Mapping[str, Any], *, quiet: bool) -> None:
    """What came of it; nothing of a run that only looked whether it is time, when it was not."""
    from arxivscout.cli import render

    if done["status"] == "not due":
        return
    if done["status"] == "not allowed":
        render.note(
            "Nothing is learned: you let nothing be remembered unasked. "
            "`arxivscout setup` changes it."
        )
        return
    dry = done["status"] == "dry run"
    if not done["learned"]:
        if not quiet:
            render.line(f"Nothing new was learned from {_turns(done['reviewed'])}.")
    else:
        verb = "Would be learned" if dry else "Learned"
        render.line(f"{verb} from {_turns(done['reviewed'])} ({done['fresh']} new):")
    for each in done["learned"]:
        render.line(f"  {each['change']} {each['kind']}: {each['statement']}")
        if each["why"]:
            render.line(f"      {each['why']}", "dim")
    for problem in done["problems"]:
        render.note(problem)


def _turns(count: int) -> str:
    return f"{count} turn{'' if count == 1 else 's'}"
