"""A choice from a list: arrow keys on a terminal, numbered lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from arxivscout.cli import render
from arxivscout.papers import one_line

_SHOWN = 200


def on_terminal() -> bool:
    """Whether somebody sits there who can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def pick(
    question: str, options: Sequence[tuple[str, str]], *, first: str | None = None
) -> str | None:
    """Ask for one of `options`, each a value and what is shown of it; None when nothing is taken.

    Args:
        first: the value that Enter takes.

    Without a terminal nothing is asked: the options are listed, and nothing is taken.
    """
    shown = [(value, one_line(render.safe(text))) for value, text in options[:_SHOWN]]
    if not on_terminal():
        render.line(question)
        for number, (_, text) in enumerate(shown, start=1):
            render.line(f"  {number}. {text}")
        return None
    from prompt_toolkit.shortcuts import choice
    from prompt_toolkit.styles import Style

    width = render.out().width - 8
    fitted = [
        (value, text if len(text) <= width else text[: width - 1] + "…") for value, text in shown
    ]
    try:
        return choice(
            render.safe(question),
            options=fitted,
            default=first,
            bottom_toolbar=" arrow keys or a number, then Enter · Ctrl-C: none ",
            style=Style.from_dict({"selected-option": "bold"}),
        )
    except (KeyboardInterrupt, EOFError):
        render.line("(nothing is chosen)", "dim")
        return None


def ask_line(question: str, *, hidden: bool = False) -> str | None:
    """A line of text; None for Ctrl-C, Ctrl-D."""
    from prompt_toolkit import prompt

    from arxivscout.papers import clean_text

    try:
        return clean_text(prompt(question, is_password=hidden)).strip()
    except (KeyboardInterrupt, EOFError):
        return None
