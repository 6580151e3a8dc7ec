"""`arxivscout memory`: what is remembered of and for a person, and what they want done with it.

`arxivscout memory` and `arxivscout memory KIND` show it, as `arxivscout memory show` does.
"""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from arxivscout.cli.memory import categories, changes, changing, lessons, show, taking

EPILOG = """\
\b
Examples:
  arxivscout memory
  arxivscout memory preference
  arxivscout memory search dark matter
  arxivscout memory forget 3f2a9c
  arxivscout memory review --dry-run
  arxivscout memory export mine.jsonl
  arxivscout memory log --since 2026-03
"""


class _ShowUnlessTold(TyperGroup):
    """What names none of the commands is a kind of memory to be shown."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args or args[0] not in {*self.commands, *ctx.help_option_names}:
            args = ["show", *args]
        return super().parse_args(ctx, args)


def register(app: typer.Typer) -> None:
    """Hang this group's commands on `app`."""
    group = typer.Typer(
        cls=_ShowUnlessTold,
        help="Show what is remembered of you (`arxivscout memory [KIND]`), and change it.",
        epilog=EPILOG,
    )
    for module in (show, changing, changes, categories, lessons, taking):
        module.register(group)
    app.add_typer(group, name="memory")
