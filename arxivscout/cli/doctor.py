"""`arxivscout doctor`: what is set up, what is missing, how to mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from arxivscout.cli.door import JsonOption, UserOption, door
from arxivscout.errors import ScoutError

if TYPE_CHECKING:
    from arxivscout.app import Check


def register(app: typer.Typer) -> None:
    """Hang this group's commands on `app`."""
    app.command("doctor")(doctor)


def doctor(context: typer.Context, user: UserOption = None, as_json: JsonOption = False) -> None:
    """Tell what is set up, what is missing, how to mend it.

    The exit code is 1 if anything that is needed is broken.
    """
    from arxivscout.cli import render

    checks = _checks(context, user)
    if as_json:
        render.json_out(
            [{"name": c.name, "ok": c.ok, "detail": c.detail, "mend": c.mend} for c in checks]
        )
    else:
        for check in checks:
            sign, style = {True: ("✓", "green"), False: ("✗", "red"), None: ("–", "dim")}[check.ok]
            render.line(f"{sign} {check.name}: {check.detail}", style)
            if check.mend and check.ok is not True:
                render.line(f"    {check.mend}")
    if any(check.ok is False for check in checks):
        raise typer.Exit(1)


def _checks(context: typer.Context, user: str | None) -> list[Check]:
    from arxivscout import app

    try:
        settings = door(context).settings(user)
    except ScoutError as broken:
        return [app.Check("settings", False, broken.cause, broken.mend)]
    return app.doctor(settings)
