"""Words into lines: broken at blanks, with what hangs before each line of a list or a quotation."""

from __future__ import annotations

import re

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.text import Text

# A run without blanks that is longer than this (a link, a formula) is shown as it stands.
LONGEST_HELD = 40
# Between characters of these scripts a line may break without a blank.
_WIDE = "\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60"
_PARTS = re.compile(rf"[ \t]+|[{_WIDE}]|[^ \t{_WIDE}]+")
_ONE_WIDE = re.compile(f"[{_WIDE}]")


class LineWriter:
    """Puts styled text on `console`; a word is held until it is whole where lines are broken.

    Args:
        wrap: break lines at the console's width, asked anew for each word; else they stay as long
            as they are.
    """

    def __init__(self, console: Console, *, wrap: bool) -> None:
        self._console = console
        self._wrap = wrap
        self._ready: list[Text | tuple[list[str], str]] = []
        self._column = 0
        self._blanks: list[str] = []
        self._blank_style = ""
        self._word: list[tuple[str, str]] = []
        self._word_length = 0
        self._inside_long = False
        self._prefix = self._hang = ""
        self._at_start = True  # nothing of this line is shown
        self._something = False  # something is shown at all
        self._blank_due = False

    def begin(self, prefix: str, hang: str) -> None:
        """What stands before this line, and before the lines it is broken into."""
        self._prefix, self._hang = prefix, hang

    def blank(self) -> None:
        """A blank line before what comes next, one at most, none at the top."""
        self._blank_due = self._something

    def write(self, text: str, style: str = "") -> None:
        """Text of one line."""
        for part in _PARTS.findall(text):
            if part[0] in " \t":
                self._end_word()
                self._blanks.append(self._spaced(part))
                self._blank_style = style
            elif _ONE_WIDE.match(part):
                self._end_word()
                self._word, self._word_length = [(part, style)], 1
            elif self._inside_long:
                self._put(part, style)
            else:
                self._add(part, style)

    def newline(self) -> None:
        """End the line."""
        self._end_word()
        if self._at_start:
            self._start_line(self._prefix.rstrip())
        self._put("\n", "")
        self._column, self._blanks, self._at_start = 0, [], True
        self._prefix = self._hang = ""

    def whole(self, text: Text | str, style: str = "") -> None:
        """A whole line as it stands, never broken."""
        self._start_line(self._prefix)
        self._ready.append(text if isinstance(text, Text) else ([text], style))
        self.newline()

    def block(self, shown: RenderableType) -> None:
        """Something that rich lays out by itself, below what is written so far."""
        if self._blank_due:
            self._put("\n", "")
        self.flush()
        self._console.print(shown, soft_wrap=False)
        self._something, self._blank_due = True, False

    def flush(self) -> None:
        """Show what is complete."""
        if self._ready:
            ready = (
                each if isinstance(each, Text) else ("".join(each[0]), each[1])
                for each in self._ready
            )
            self._console.print(Text.assemble(*ready), end="", soft_wrap=True)
            self._ready = []

    def finish(self) -> None:
        """Show what is held, and end the line."""
        self._end_word()
        if not self._at_start:
            self.newline()
        self._blank_due = False
        self._prefix = self._hang = ""
        self.flush()

    def _spaced(self, blanks: str) -> str:
        return blanks.replace("\t", "    ") if self._wrap else blanks

    def _add(self, part: str, style: str) -> None:
        room = LONGEST_HELD - self._word_length
        self._word.append((part[:room], style))
        self._word_length += len(part[:room])
        if not self._wrap:
            self._end_word()
            self._put(part[room:], style)
        elif self._word_length == LONGEST_HELD:
            self._end_word()
            self._inside_long = True
            self._put(part[room:], style)

    def _end_word(self) -> None:
        self._inside_long = False
        if not self._word:
            return
        cells = sum(cell_len(text) for text, _ in self._word)
        blanks, style = "".join(self._blanks), self._blank_style
        if self._at_start:
            self._start_line(self._prefix)
            blanks = ""
        elif self._wrap and self._column + len(blanks) + cells >= self._console.width:
            self._put("\n" + self._hang, "")
            self._column, blanks = cell_len(self._hang), ""
        self._put(blanks, style)
        for text, style in self._word:
            self._put(text, style)
        self._word, self._word_length, self._blanks = [], 0, []

    def _start_line(self, prefix: str) -> None:
        if self._blank_due:
            self._put("\n", "")
            self._blank_due = False
        self._put(prefix, "")
        self._column = cell_len(prefix)
        self._at_start, self._something = False, True

    def _put(self, text: str, style: str) -> None:
        if not text:
            return
        before = self._ready[-1] if self._ready else None
        if isinstance(before, tuple) and before[1] == style:
            before[0].append(text)
        else:
            self._ready.append(([text], style))
        self._column = (self._column + cell_len(text)) % max(self._console.width, 1)
