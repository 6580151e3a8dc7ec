"""A block of code line by line, coloured as far as its language is known."""

from __future__ import annotations

from functools import cached_property

from rich.style import Style
from rich.syntax import Syntax
from rich.text import Text

# A line is coloured in the light of those before it that something open (a comment, a string)
# reaches over. Past so much of that, the rest of the block is left plain.
_MOST_LINES = 50
_MOST_CHARACTERS = 4000
# Reads otherwise inside a comment or a string than where nothing is open, in most languages.
_PROBE = "0 if x"
_MARGIN = "  "
_PLAIN = "cyan"

Colours = list[tuple[int, int, str | Style]]


class CodeBlock:
    """One fenced block: `line` gives its lines as they are shown."""

    def __init__(self, fence: str, indent: int, language: str) -> None:
        self._fence = fence
        self._indent = indent
        self._language = language
        self._open: list[str] = []  # the lines that matter to the next one's colours
        self._coloured = bool(language)

    def ends_with(self, line: str) -> bool:
        """Whether this line closes the block."""
        mark = line.strip()
        return len(mark) >= len(self._fence) and not mark.strip(self._fence[0])

    def line(self, line: str) -> Text:
        """The next line; colours depend on whole lines only, however they arrived."""
        blanks = len(line) - len(line.lstrip(" "))
        shown = line[min(blanks, self._indent) :].expandtabs(4)
        return Text(_MARGIN).append_text(self._in_colour(shown))

    def _in_colour(self, line: str) -> Text:
        if self._coloured and line.strip():
            self._open.append(line)
            self._coloured = (
                len(self._open) <= _MOST_LINES
                and sum(map(len, self._open)) <= _MOST_CHARACTERS
                and self._syntax.lexer is not None
            )
            if self._coloured:
                return self._last_line()
        elif self._open:
            self._open.append("")
        return Text(line, style=_PLAIN)

    def _last_line(self) -> Text:
        line = self._open[-1]
        *_, shown, probe = [Text(), *self._highlighted([*self._open, _PROBE])]
        if _colours(probe) == self._probe:
            self._open.clear()
        # The lexer may have its own view of what a line is.
        return shown if shown.plain == line else Text(line, style=_PLAIN)

    def _highlighted(self, lines: list[str]) -> list[Text]:
        shown = self._syntax.highlight("\n".join(lines)).split("\n", allow_blank=True)
        while shown and not shown[-1].plain:
            shown.pop()
        return list(shown)

    @cached_property
    def _syntax(self) -> Syntax:
        return Syntax("", self._language, theme="ansi_dark")

    @cached_property
    def _probe(self) -> Colours:
        return _colours(self._highlighted([_PROBE])[-1])


def _colours(text: Text) -> Colours:
    return [(span.start, span.end, span.style) for span in text.spans]
