"""Where the chat's lines come from: a terminal with history, or plain lines from a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from arxivscout.cli import render
from arxivscout.cli.chat.picker import on_terminal
from arxivscout.memory.rights.files import typed_lines

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import History
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    from arxivscout.cli.chat.sitting import Chat


def line_reader(chat: Chat) -> Callable[[], str | None]:
    """What reads the next input, cleaned and without blanks at its ends; None at the end."""
    if not on_terminal():
        return _plain_line
    return _Terminal(chat).read


def typed_before(home: Path, user: str) -> History:
    """What `user` typed, kept in a file that only its owner can read.

    A disk that is full or can't be written costs the memory of lines, no conversation.
    """
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    from arxivscout.redaction import redacted

    class Lines(FileHistory):
        def store_string(self, string: str) -> None:
            with suppress(OSError):
                super().store_string(redacted(string))

    file = typed_lines(home, user)
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(file, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
    except OSError:
        return InMemoryHistory()
    return Lines(file)


def _plain_line() -> str | None:
    from arxivscout.papers import clean_text

    given = sys.stdin.buffer.readline()
    return clean_text(given.decode("utf-8", "replace")).strip() if given else None


class _Terminal:
    """A prompt of one line or more: Ctrl-C clears it, twice or Ctrl-D leaves."""

    def __init__(self, chat: Chat) -> None:
        from prompt_toolkit import PromptSession

        from arxivscout.cli.chat.completion import ChatCompleter

        scout = chat.scout
        self._session: PromptSession[str] = PromptSession(
            history=typed_before(scout.settings.home, scout.user),
            completer=ChatCompleter(chat),
            complete_while_typing=False,
            multiline=True,
            prompt_continuation="  ",
            key_bindings=_keys(),
        )

    def read(self) -> str | None:
        from arxivscout.papers import clean_text

        pressed = False
        while True:
            try:
                return clean_text(self._session.prompt("> ")).strip()
            except KeyboardInterrupt:
                if pressed and not self._session.default_buffer.text:
                    return None
                if not self._session.default_buffer.text:  # else it has cleared the line
                    pressed = True
                    render.line("(Ctrl-C once more, or Ctrl-D, leaves)", "dim")
            except EOFError:
                return None


def _keys() -> KeyBindings:
    """Enter sends; Alt-Enter, or Enter behind a backslash, begins a new line."""
    from prompt_toolkit.key_binding import KeyBindings

    keys = KeyBindings()

    @keys.add("enter")
    def send(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if buffer.document.text_before_cursor.endswith("\\"):
            buffer.delete_before_cursor()
            buffer.newline(copy_margin=False)
        else:
            buffer.validate_and_handle()

    @keys.add("escape", "enter")
    def new_line(event: KeyPressEvent) -> None:
        event.current_buffer.newline(copy_margin=False)

    return keys
