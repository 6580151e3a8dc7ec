"""The inline marks of Markdown, resolved as soon as their span closes.

Emphasis follows CommonMark's rules of flanking (0.31, 6.2) within a line. Mathematics between
dollars or `\\(`, `\\[` stays as it is. What is opened and not closed within `LONGEST_SPAN`
characters is text, so that words are never held for long.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field

LONGEST_SPAN = 300
_ORDINARY = re.compile(r"[^\\`*_~\[$<]+")
_CITATION = re.compile(r"arXiv:(\S+)")
_BRACKET = re.compile(r"[\[\]]")
_LINK_END = re.compile(r"[()\s]")
_URL_END = re.compile(r"[>\s]")
_DOLLAR = re.compile(r"(?<=[^\s\\])\$(?![\d$])")
_TWO_DOLLARS = re.compile(r"\$\$")
_EMPHASIS = {("*", 1): "italic", ("_", 1): "italic", ("~", 2): "strike"}
CODE, CITED, ADDRESS = "cyan", "cyan", "dim"


@dataclass(eq=False, slots=True)
class _Node:
    text: str
    styles: list[str] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class _Opener:
    node: _Node
    char: str
    count: int


class InlineStream:
    """Takes one line's text piece by piece.

    Args:
        show: is given text and its style, in order.
        number: the footnote's number of a cited arXiv id.
    """

    def __init__(self, show: Callable[[str, str], None], number: Callable[[str], int]) -> None:
        self.base = ""  # the style of the whole line
        self._show = show
        self._number = number
        self._held = ""
        self._nodes: list[_Node] = []
        self._open: list[_Opener] = []
        self._size = 0  # characters in the nodes
        self._last = " "

    def feed(self, text: str) -> None:
        """Show as much as is certain."""
        for start in range(0, len(text), LONGEST_SPAN):  # what is left is copied at each mark
            self._held += text[start : start + LONGEST_SPAN]
            self._take(final=False)

    def finish(self) -> None:
        """The line ends: what is still open is text."""
        self._take(final=True)
        self._open.clear()
        self._release()
        self.base, self._last = "", " "

    def _take(self, *, final: bool) -> None:
        while self._held:
            used = self._lex(self._held, final)
            if not used:
                return
            self._last = self._held[used - 1]
            self._held = self._held[used:]

    def _lex(self, held: str, final: bool) -> int:
        """Take what `held` begins with; how many characters that is, 0 to wait for more."""
        if ordinary := _ORDINARY.match(held):
            return self._text(ordinary[0])
        match held[0]:
            case "\\":
                return self._backslash(held, final)
            case "`":
                return self._code(held, final)
            case "$":
                return self._dollar(held, final)
            case "[":
                return self._bracket(held, final)
            case "<":
                return self._angle(held, final)
        return self._delimiters(held, final)

    def _backslash(self, held: str, final: bool) -> int:
        if len(held) == 1:
            return self._text(held) if final else 0
        if held[1] in "([":
            return self._verbatim(held, 2, re.compile(r"\\\)" if held[1] == "(" else r"\\]"), final)
        if held[1] in string.punctuation:
            self._text(held[1])
            return 2
        return self._text(held[0])

    def _code(self, held: str, final: bool) -> int:
        run = len(held) - len(held.lstrip("`"))
        if run >= LONGEST_SPAN:
            return self._text(held[:LONGEST_SPAN])
        if run == len(held) and not final:
            return 0
        found, sure = _find(re.compile(rf"(?<!`)`{{{run}}}(?!`)"), held, run, final)
        if not sure:
            return 0
        if found is None:
            return self._text(held[:run])
        code = held[run : found.start()]
        if code.startswith(" ") and code.endswith(" ") and code.strip():
            code = code[1:-1]
        self._node(code, CODE)
        return found.end()

    def _dollar(self, held: str, final: bool) -> int:
        if len(held) < 2:
            return self._text(held) if final else 0
        if held[1] == "$":
            return self._verbatim(held, 2, _TWO_DOLLARS, final)
        if held[1].isspace():
            return self._text("$")
        return self._verbatim(held, 1, _DOLLAR, final)

    def _verbatim(self, held: str, mark: int, end: re.Pattern[str], final: bool) -> int:
        found, sure = _find(end, held, mark, final)
        if not sure:
            return 0
        length = found.end() if found else mark
        self._node(held[:length])
        return length

    def _bracket(self, held: str, final: bool) -> int:
        found, sure = _find(_BRACKET, held, 1, final)
        if not sure:
            return 0
        if found is None or found[0] == "[":
            return self._text("[")
        inner = held[1 : found.start()]
        if cited := _CITATION.fullmatch(inner):
            self._node(f"[{self._number(cited[1])}]", CITED)
            return found.end()
        if held[found.end() : found.end() + 1] != "(":
            return self._text("[")
        end, sure = _find(_LINK_END, held, found.end() + 1, final)
        if not sure:
            return 0
        address = held[found.end() + 1 : end.start()] if end else ""
        if end is None or end[0] != ")" or not address or not inner:
            return self._text("[")
        self._node(inner)
        if address != inner:
            self._node(f" ({address})", ADDRESS)
        return end.end()

    def _angle(self, held: str, final: bool) -> int:
        if len(held) < 5 and not final and "<http".startswith(held):
            return 0
        if not held.startswith("<http"):
            return self._text("<")
        found, sure = _find(_URL_END, held, 1, final)
        if not sure:
            return 0
        if found is None or found[0] != ">":
            return self._text("<")
        self._node(held[1 : found.start()])
        return found.end()

    def _delimiters(self, held: str, final: bool) -> int:
        char = held[0]
        run = len(held) - len(held.lstrip(char))
        if run >= LONGEST_SPAN:
            return self._text(held[:LONGEST_SPAN])
        if run == len(held) and not final:
            return 0
        count, opens, closes = run, *_flanks(char, self._last, held[run : run + 1] or " ")
        if char == "~" and count != 2:
            return self._text(held[:run])
        while closes and count:
            opener = next((each for each in reversed(self._open) if each.char == char), None)
            if opener is None or (opens and (opener.count + count) % 3 == 0 and count % 3):
                break
            count -= self._close(opener, count)
        if count:
            node = _Node(char * count)
            self._nodes.append(node)
            self._size += count
            if opens:
                self._open.append(_Opener(node, char, count))
        self._release()
        return run

    def _close(self, opener: _Opener, count: int) -> int:
        """Style what stands behind `opener`; how many characters of the closing run that takes."""
        used = 2 if opener.char == "~" or min(opener.count, count) >= 2 else 1
        style = _EMPHASIS.get((opener.char, used), "bold")
        for node in self._nodes[self._nodes.index(opener.node) + 1 :]:
            node.styles.append(style)
        del self._open[self._open.index(opener) + 1 :]
        opener.count -= used
        self._size -= used
        opener.node.text = opener.char * opener.count
        if not opener.count:
            self._open.remove(opener)
        return used

    def _text(self, text: str) -> int:
        self._node(text)
        return len(text)

    def _node(self, text: str, style: str = "") -> _Node:
        node = _Node(text, [style] if style else [])
        self._nodes.append(node)
        self._size += len(text)
        self._release()
        return node

    def _release(self) -> None:
        """Show the nodes before the first mark that may still be closed."""
        while self._open and self._size - len(self._open[0].node.text) >= LONGEST_SPAN:
            self._show_before(self._open.pop(0).node)
            if self._open:
                self._show_before(self._open[0].node)
        if not self._open:
            self._show_before(None)

    def _show_before(self, end: _Node | None) -> None:
        at = self._nodes.index(end) if end else len(self._nodes)
        for node in self._nodes[:at]:
            self._size -= len(node.text)
            if node.text:
                self._show(node.text, " ".join(filter(None, [self.base, *reversed(node.styles)])))
        del self._nodes[:at]


def _find(
    end: re.Pattern[str], held: str, start: int, final: bool
) -> tuple[re.Match[str] | None, bool]:
    """The first `end` near enough to the beginning, and whether that is sure.

    A match at the very end of what is there is not: the next character may undo it.
    """
    found = end.search(held, start, LONGEST_SPAN - 1)
    if found:
        return found, final or found.end() < len(held)
    return None, final or len(held) >= LONGEST_SPAN


def _flanks(char: str, before: str, after: str) -> tuple[bool, bool]:
    """Whether a run of delimiters can open and can close emphasis."""
    left = not after.isspace() and (not _is_mark(after) or before.isspace() or _is_mark(before))
    right = not before.isspace() and (not _is_mark(before) or after.isspace() or _is_mark(after))
    if char == "_":
        return left and (not right or _is_mark(before)), right and (not left or _is_mark(after))
    return left, right


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS"
