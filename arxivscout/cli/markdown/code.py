"""A block of code line by line, coloured as far as its language is known."""

from __future__ import annotations

from rich.text import Text

# Each line is coloured in the light of all before it; past this many they are left plain.
_COLOURED_LINES = 300
_MARGIN = "  "


class CodeBlock:
    """One fenced block: `line` gives its lines as they are shown."""

    def __init__(self, fence: str, indent: int, language: str) -> None:
        self._fence = fence
        self._indent = indent
        self._language = language
        self._lines: list[str] = []

    def ends_with(self, line: str) -> bool:
        """Whether this line closes the block."""
        mark = line.strip()
        return len(mark) >= len(self._fence) and not mark.strip(self._fence[0])

    def line(self, line: str) -> Text:
        """The next line; colours depend on whole lines only, however they arrived."""
        blanks = len(line) - len(line.lstrip(" "))
        self._lines.append(line[min(blanks, self._indent) :].expandtabs(4))
        return Text(_MARGIN).append_text(self._coloured())

    def _coloured(self) -> Text:
        last = self._lines[-1]
        if not self._language or len(self._lines) > _COLOURED_LINES or not last.strip():
            return Text(last, style="cyan")
        from rich.syntax import Syntax

        syntax = Syntax("", self._language, theme="ansi_dark")
        if syntax.lexer is None:
            return Text(last, style="cyan")
        shown = syntax.highlight("\n".join(self._lines)).split("\n", allow_blank=True)
        # The lexer may trim blank lines at the ends: then the numbers would not agree.
        return next((each for each in reversed(shown) if each.plain == last), Text(last))
