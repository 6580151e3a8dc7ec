"""The blocks of Markdown, each line shown by what it begins with.

A line's kind is decided by its first few characters; then its words are shown as they come. Only
what can't be shown in part is held: a table until its last row, a line of code until its end. A
line break in the text is one on the screen.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rich.console import Console
from rich.rule import Rule

from arxivscout.cli.markdown.clean import StreamCleaner
from arxivscout.cli.markdown.code import CodeBlock
from arxivscout.cli.markdown.inline import InlineStream
from arxivscout.cli.markdown.lines import LineWriter
from arxivscout.cli.markdown.table import laid_out

# What a line may still become anything with.
_UNDECIDED = re.compile(r" *(?:#{1,6}|`{1,2}|~{1,2}|\+|\d{1,9}[.)]?|\*[* ]*|-[- ]*|_[_ ]*|\\|\$)?")
_RULE = re.compile(r" *([-*_])(?: *\1){2,} *")
_HEADING = re.compile(r" {0,3}(#{1,6})(?: +|\Z)")
_ITEM = re.compile(r"( *)([-*+]|\d{1,9}[.)])(?: |\Z)")
_QUOTE = re.compile(r" *> ?")
_HELD = re.compile(r" *(?:```|~~~|\||\$\$|\\\[)")  # lines that are shown when they are whole
_FENCE = re.compile(r"( *)(`{3,}+|~{3,}+) *+([^`\s]*+)[^`]*+")
_QUOTE_MARK = "▎ "
_CODE_INDENT = 4
_NESTED = 2  # blanks more than the item above make an item one of it
# What no answer needs is shown less deep: it would stand before each line that is broken off.
_DEEPEST = 8  # quotations in each other
_FURTHEST = 40  # columns before an item
_LONGEST_START = 300  # a line that is open for so long is text
_HEADINGS = ("bold underline", "bold")


class MarkdownStream:
    """Shows pieces of Markdown on `console` as they come.

    Args:
        number: the footnote's number of a cited arXiv id.
    """

    def __init__(self, console: Console, number: Callable[[str], int]) -> None:
        self._number = number
        self._clean = StreamCleaner()
        self._lines = LineWriter(console, wrap=True)
        self._inline = InlineStream(self._lines.write, number)
        self._reset()

    def _reset(self) -> None:
        self._start: str | None = ""  # of a line whose kind is not known; None inside a text line
        self._held: list[str] = []  # of a line that is shown when it is whole
        self._fresh = False  # blanks are skipped: nothing of the line's text is there yet
        self._code: CodeBlock | None = None
        self._formula = ""  # what ends the formula that lines are in
        self._rows: list[str] = []
        self._items: list[tuple[int, int]] = []  # open lists: indent of the mark, of the text
        self._quoted = ""
        self._after_blank = True

    def write(self, piece: str) -> None:
        """Show as much as is certain."""
        self._take(self._clean.feed(piece))
        self._lines.flush()

    def finish(self) -> None:
        """Show what is held, and end the line."""
        self._take(self._clean.finish())
        if line := "".join(self._held) or self._start:
            self._whole(line)
        self._end_table()
        self._inline.finish()
        self._lines.finish()
        self._reset()

    def _take(self, text: str) -> None:
        at = 0
        while at < len(text):
            if self._start is None:
                end = text.find("\n", at)
                self._text(text[at:] if end < 0 else text[at:end])
                if end < 0:
                    return
                self._end_line()
                at = end + 1
            elif self._held or self._code or self._formula:
                end = text.find("\n", at)
                self._held.append(text[at:] if end < 0 else text[at:end])
                if end < 0:
                    return
                self._whole("".join(self._held))
                at = end + 1
            elif text[at] == "\n":
                self._whole(self._start)
                at += 1
            else:
                self._start += text[at]
                at += 1
                self._decide()

    def _text(self, text: str) -> None:
        if self._fresh:
            text = text.lstrip(" ")
        if text:
            self._fresh = False
            self._inline.feed(text)

    def _end_line(self) -> None:
        self._inline.finish()
        self._lines.newline()
        self._start, self._quoted = "", ""

    def _decide(self) -> None:
        """Go on to the line's words as soon as it is clear what it is."""
        start = self._start or ""
        if len(start) < _LONGEST_START and _UNDECIDED.fullmatch(start):
            return
        if quote := _QUOTE.match(start):
            self._end_table()
            if self._after_blank:
                self._items.clear()
            self._quoted = (self._quoted + _QUOTE_MARK)[: _DEEPEST * len(_QUOTE_MARK)]
            self._start = start[quote.end() :]
            return
        if _HELD.match(start) or self._is_code(start):
            self._start, self._held = "", [start]
        else:
            self._begin_text(start)

    def _is_code(self, start: str) -> bool:
        indent = len(start) - len(start.lstrip(" "))
        return indent >= _CODE_INDENT and self._after_blank and not self._items

    def _whole(self, line: str) -> None:
        """A line of which nothing is shown yet, and which is complete."""
        self._start, self._held = "", []
        if self._code:
            if self._code.ends_with(line):
                self._code = None
            else:
                self._lines.whole(self._code.line(line))
        elif self._formula:
            self._lines.whole(line)
            self._formula = "" if self._formula in line else self._formula
        elif line.lstrip().startswith("|") and not self._quoted:
            self._rows.append(line)
        elif not line.strip() and not self._quoted:
            self._end_table()
            self._lines.blank()
            self._after_blank = True
        else:
            self._end_table()
            self._other(line)
            self._quoted = ""

    def _other(self, line: str) -> None:
        indent = len(line) - len(line.lstrip(" "))
        opener = line.strip()[:2]
        if _RULE.fullmatch(line):
            self._lines.block(Rule(style="dim", characters="─"))
            self._items.clear()
        elif fence := _FENCE.fullmatch(line):
            self._code = CodeBlock(fence[2], len(fence[1]), fence[3])
        elif opener in ("$$", "\\[") and (end := opener.replace("[", "]")) not in line.strip()[2:]:
            self._lines.whole(line)
            self._formula = end
        elif self._is_code(line) and indent < len(line):
            self._lines.begin("  ", "  ")
            self._lines.whole(line[_CODE_INDENT:], "cyan")
            return
        else:
            self._begin_text(line)
            self._end_line()
        self._after_blank = False

    def _begin_text(self, start: str) -> None:
        """The line is shown as it comes from here on."""
        self._end_table()
        text, prefix, hang = self._opening(start)
        self._lines.begin(self._quoted + prefix, self._quoted + hang)
        self._start, self._fresh, self._after_blank = None, True, False
        self._text(text)

    def _opening(self, start: str) -> tuple[str, str, str]:
        """The text of a line, and what stands before it and before what it is broken into."""
        if heading := _HEADING.match(start):
            self._items.clear()
            self._lines.blank()
            self._inline.base = _HEADINGS[min(len(heading[1]), 2) - 1]
            return start[heading.end() :], "", ""
        if item := _ITEM.match(start):
            indent = len(item[1])
            while self._items and indent < self._items[-1][0] + _NESTED:
                self._items.pop()
            mark = "•" if item[2] in "-*+" else item[2]
            left = min(self._items[-1][1], _FURTHEST) if self._items else 0
            self._items.append((indent, left + len(mark) + 1))
            rest = start[item.end() :]
            return rest, " " * left + mark + " ", " " * (left + len(mark) + 1)
        indent = len(start) - len(start.lstrip(" "))
        if self._after_blank:
            while self._items and indent <= self._items[-1][0]:
                self._items.pop()
        left = self._items[-1][1] if self._items else 0
        return start, " " * left, " " * left

    def _end_table(self) -> None:
        if not self._rows:
            return
        rows, self._rows = self._rows, []
        if table := laid_out(rows, self._number):
            self._lines.block(table)
        else:
            for row in rows:
                self._begin_text(row)
                self._end_line()
        self._after_blank = False
