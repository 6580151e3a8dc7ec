"""`arxivscout memory categories`: where memories are filed, as the person wants it."""

from __future__ import annotations

import dataclasses
from typing import Annotated

import typer

from arxivscout.cli.door import JsonOption, UserOption, door

EPILOG = """\
\b
Examples:
  arxivscout memory categories
  arxivscout memory categories add "my thesis" "Dark matter in dwarf galaxies, for my thesis"
  arxivscout memory categories rename "small talk" everyday
  arxivscout memory categories remove "archived projects"
"""

NameArgument = Annotated[str, typer.Argument(help="The category.")]


def register(group: typer.Typer) -> None:
    """Hang the commands on the group `memory`."""
    app = typer.Typer(
        help="Show and edit the categories that memories are filed under.",
        invoke_without_command=True,
        epilog=EPILOG,
    )
    app.callback()(show)
    app.command("add")(add)
    app.command("rename")(rename)
    app.command("remove")(remove)
    group.add_typer(app, name="categories")


def show(context: typer.Context, user: UserOption = None, as_json: JsonOption = False) -> None:
    """Show and edit the categories that memories are filed under."""
    if context.invoked_subcommand is not None:
        return
    from arxivscout.memory.categories import categories

    with door(context).scout(user) as scout, scout.database.transaction(scout.user) as conn:
        held = categories(conn)
    from arxivscout.cli import render

    if as_json:
        render.json_out([dataclasses.asdict(each) for each in held])
        return
    rows = [(each.name, f"{each.memories:,}", each.description) for each in held]
    render.table(("category", "memories", "what belongs there"), rows, folded=2)


def add(
    context: typer.Context,
    name: NameArgument,
    description: Annotated[
        str, typer.Argument(help="What belongs there: memories like it are filed under it.")
    ] = "",
    user: UserOption = None,
) -> None:
    """Make a category; what is remembered and belongs there moves into it."""
    from arxivscout.memory import categories

    with door(context).scout(user) as scout, scout.database.transaction(scout.user) as conn:
        moved = categories.add(conn, name, description, scout.embedder)
    _told(f"Added; {moved:,} of your memories moved there.")


def rename(
    context: typer.Context,
    name: NameArgument,
    new: Annotated[str, typer.Argument(help="Its new name.")],
    user: UserOption = None,
) -> None:
    """Give a category another name."""
    from arxivscout.memory import categories

    with door(context).scout(user) as scout, scout.database.transaction(scout.user) as conn:
        held = categories.rename(conn, name, new)
    _told(f"Renamed; {held:,} memories are filed under it.")


def remove(context: typer.Context, name: NameArgument, user: UserOption = None) -> None:
    """Take a category away; nothing is forgotten, its memories are filed anew."""
    from arxivscout.memory import categories

    with door(context).scout(user) as scout, scout.database.transaction(scout.user) as conn:
        held = categories.remove(conn, name)
    _told(f"Removed; {held:,} memories are filed anew.")


def _told(line: str) -> None:
    from arxivscout.cli import render

    render.line(line)
