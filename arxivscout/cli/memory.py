"""`arxivscout memory`: what is remembered about and for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.door import JsonOption, UserOption, check_range, door, jsonable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arxivscout.app import MemoryItem


def register(app: typer.Typer) -> None:
    """Hang this group's commands on `app`."""
    app.command("memory")(memory)


def memory(
    context: typer.Context,
    kind: Annotated[
        str | None, typer.Option(help="Only one kind: preference, finding, fact, workflow…")
    ] = None,
    limit: Annotated[int, typer.Option(help="How many, 1 to 1000.")] = 50,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what is remembered, newest first."""
    check_range(limit, "--limit", 1, 1000)
    with door(context).scout(user) as scout:
        items = scout.memories(kind, limit)
    from arxivscout.cli import render

    if as_json:
        render.json_out([jsonable(item) for item in items])
    else:
        show_memories(items)


def show_memories(items: Sequence[MemoryItem]) -> None:
    """A line a memory, with its date and where it comes from."""
    from arxivscout.cli import render

    if not items:
        render.note("Nothing is remembered yet.")
    for item in items:
        render.line(item.text)
        source = [item.kind, render.day(item.at), item.thread_id and f"thread {item.thread_id}"]
        render.line("    " + " · ".join(each for each in source if each), "dim")
        if item.reason:
            render.line(f"    because {item.reason}", "dim")
