"""The answer where nothing can be styled: its Markdown as it was written, citations numbered."""

from __future__ import annotations

import re
from collections.abc import Callable

from rich.console import Console

from arxivscout.cli.markdown.clean import StreamCleaner
from arxivscout.cli.markdown.lines import LineWriter

_LONGEST_ID = 80  # what is longer is no id, and is not waited for
_CITATION = re.compile(rf"\[arXiv:([^\]\s]{{1,{_LONGEST_ID}}})\]")
_BEGUN = re.compile(rf"\[(?:a(?:r(?:X(?:i(?:v(?::[^\]\s]{{0,{_LONGEST_ID}}})?)?)?)?)?)?\Z")


class PlainStream:
    """Shows pieces as they come; on a terminal, lines are broken between words.

    Args:
        number: the footnote's number of a cited arXiv id.
    """

    def __init__(self, console: Console, number: Callable[[str], int]) -> None:
        self._lines = LineWriter(console, wrap=console.is_terminal)
        self._number = number
        self._clean = StreamCleaner()
        self._held = ""

    def write(self, piece: str) -> None:
        """Show as much as is certain."""
        self._held += self._clean.feed(piece)
        begun = _BEGUN.search(self._held)
        end = begun.start() if begun else len(self._held)
        ready, self._held = self._held[:end], self._held[end:]
        self._show(ready)
        self._lines.flush()

    def finish(self) -> None:
        """Show what is left, and end the line."""
        self._show(self._held + self._clean.finish())
        self._held = ""
        self._lines.finish()

    def _show(self, text: str) -> None:
        text = _CITATION.sub(lambda found: f"[{self._number(found[1])}]", text)
        for number, line in enumerate(text.split("\n")):
            if number:
                self._lines.newline()
            self._lines.write(line)
