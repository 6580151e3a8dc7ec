"""Where the chat's lines come from: a terminal with history, or plain lines from a pipe."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from arxivscout.cli import render

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession


def line_reader(home: Path, user: str, commands: list[str]) -> Callable[[], str | None]:
    """What reads the next line, cleaned and without blanks at its ends; None at the end."""
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        return _plain_line
    return _Terminal(history_file(home, user), commands).line


def history_file(home: Path, user: str) -> Path:
    """The file with what `user` typed, which only its owner can read."""
    folder = home / "history"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    # A user's name may hold what a file's name can't.
    file = folder / hashlib.sha256(user.encode()).hexdigest()[:16]
    os.close(os.open(file, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
    return file


def _plain_line() -> str | None:
    from arxivscout.papers import clean_text

    given = sys.stdin.buffer.readline()
    return clean_text(given.decode("utf-8", "replace")).strip() if given else None


class _Terminal:
    """A prompt: Ctrl-C clears the line, twice or Ctrl-D leaves."""

    def __init__(self, history: Path, commands: list[str]) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import WordCompleter
        from prompt_toolkit.history import FileHistory

        self._session: PromptSession[str] = PromptSession(
            history=FileHistory(history),
            completer=WordCompleter(commands, sentence=True),
            complete_while_typing=False,
        )

    def line(self) -> str | None:
        from arxivscout.papers import clean_text

        pressed = False
        while True:
            try:
                return clean_text(self._session.prompt("> ")).strip()
            except KeyboardInterrupt:
                if pressed:
                    return None
                pressed = True
                render.line("(Ctrl-C once more, or Ctrl-D, leaves)", "dim")
            except EOFError:
                return None
