"""An answer as it comes: whole words, lines broken at blanks, citations set off."""

from __future__ import annotations

import re

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from arxivscout.cli import render

_CITATION = re.compile(r"\[arXiv:[^\]\s]+\]")
# A run without blanks that is longer than this (Chinese, formulas) is shown as it stands.
_LONGEST_HELD = 40


class AnswerWriter:
    """Writes pieces of an answer to `console` as they come.

    On a terminal a word is held until it is whole, so that lines break between words; elsewhere
    every piece goes through at once and lines stay as long as they are.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._width = console.width - 1 if console.is_terminal else 0
        self._column = 0
        self._blanks = ""
        self._word = ""

    def write(self, piece: str) -> None:
        """Show `piece`, or as much of it as is whole."""
        for part in re.findall(r"\n|[ \t]+|[^ \t\n]+", render.safe(piece)):
            if part == "\n":
                self._flush()
                self._show("\n")
                self._column, self._blanks = 0, ""
            elif part.isspace():
                self._flush()
                self._blanks += part.expandtabs(4)
            else:
                self._word += part
                if not self._width or cell_len(self._word) > _LONGEST_HELD:
                    self._flush()

    def finish(self) -> None:
        """Show what is held, and end the line."""
        self._flush()
        if self._column:
            self._show("\n")
        self._column, self._blanks = 0, ""

    def _flush(self) -> None:
        if not self._word:
            return
        width = cell_len(self._word)
        text = self._blanks + self._word
        if self._width and self._column and self._column + cell_len(text) > self._width:
            self._show("\n")
            self._column, text = 0, self._word
        self._show(text)
        self._column += cell_len(text) - cell_len(self._word) + width
        self._blanks = self._word = ""

    def _show(self, text: str) -> None:
        shown = Text(text)
        shown.highlight_regex(_CITATION, "cyan")
        self._console.print(shown, end="", soft_wrap=True)
