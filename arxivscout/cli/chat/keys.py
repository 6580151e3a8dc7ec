"""Keys pressed while nothing is read wait for the next prompt, and are not shown in between."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from arxivscout.cli.chat.picker import on_terminal


@contextmanager
def unechoed() -> Iterator[None]:
    """Let the terminal not show what is typed, and keep it key by key; Ctrl-C works as ever.

    A terminal that collects lines takes Ctrl-D for itself, and no more than 4 kB of a paste.
    """
    if not on_terminal():
        yield
        return
    import termios

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    silent = [*before[:3], before[3] & ~(termios.ECHO | termios.ICANON), *before[4:]]
    termios.tcsetattr(terminal, termios.TCSANOW, silent)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSANOW, before)
