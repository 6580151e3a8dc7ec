"""Quotations: found in an answer, looked for in the source, whatever the typography."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from arxivscout.checking.language import is_foreign
from arxivscout.checking.plain import plain
from arxivscout.papers import fold_accents

_QUOTED = re.compile(
    r"“(?P<curly>[^“”]{1,1500}(?:“[^“”]{1,500}”[^“”]{0,1500}){0,5})”"
    r"|„(?P<low>[^„“”]{1,1500})[“”]"
    r"|«(?P<angle>[^«»]{1,1500})»"
    r"|»(?P<turned>[^«»]{1,1500})«"
    r"|(?<![\w”])\"(?P<straight>[^\"\n]{1,1500})\"(?!\w)"
    r"|(?<![\w'])'(?P<typed>(?=\w)[^'\n]{10,400}(?<=[\w.,!?]))'(?![\w'])"
    r"|(?<!\w)‘(?P<single>[^‘’]{1,200}(?:’\w[^‘’]{0,200})*)’(?!\w)"
)
_ELLIPSIS = re.compile(r"\s*[\[(]?(?:…|\.\s?\.\s?\.)[\])]?\s*")
_INSERTED = re.compile(r"\[[^\[\]]{0,60}\]")
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[%σ☉]")
LONG_QUOTE = 3  # words; what is shorter may be a term in quotation marks and no quotation


@dataclass(frozen=True, slots=True)
class Quote:
    """A quoted span as it stands, and where."""

    text: str
    start: int
    end: int


class QuoteIndex:
    """A text in which quotations are looked for."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _joined(self) -> tuple[str, frozenset[int], frozenset[int]]:
        """Letters and digits without blanks and hyphens, and where words begin and end in it."""
        begins, ends, parts, at = set(), set(), [], 0
        for token in _tokens(self._text):
            begins.add(at)
            parts.append(token)
            at += len(token)
            ends.add(at)
        return "".join(parts), frozenset(begins), frozenset(ends)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the text, folded."""
        return frozenset(_tokens(self._text))

    def has(self, quote: str) -> bool:
        """Whether `quote` stands in the text, in one piece or around its ellipses."""
        joined, begins, ends = self._joined
        at = 0
        for piece in _pieces(quote):
            while (at := joined.find(piece, at)) >= 0:
                if at in begins and at + len(piece) in ends:
                    break
                at += 1
            if at < 0:
                return False
            at += len(piece)
        return True


def find_quotes(text: str) -> list[Quote]:
    """The quoted spans of `text`, in order; block quotes are the reader of blocks' affair."""
    found = []
    for match in _QUOTED.finditer(text.replace("``", "“").replace("''", "”")):
        inner = next(group for group in match.groups() if group is not None)
        found.append(Quote(inner.strip(), match.start(), match.end()))
    return found


def misquoted(quote: str, sources: list[QuoteIndex]) -> bool:
    """Whether `quote` claims to be the words of one of the sources and is not.

    Terms of one or two words are quotations only if they share a word with the source, or else
    they are the author's own; what is in another language is a translation.
    """
    words = _tokens(quote)
    if not words or not sources or any(source.has(quote) for source in sources):
        return False
    if is_foreign(quote):
        return False
    if len(words) < 2:
        return False
    if len(words) < LONG_QUOTE:
        return any(set(words) & source.words - _SMALL_WORDS for source in sources)
    return True


_SMALL_WORDS = frozenset("the a an of in on and or to for with by is are as at from not".split())


def _pieces(quote: str) -> list[str]:
    """What must stand in the source one after the other."""
    pieces = []
    for part in _ELLIPSIS.split(quote):
        for fragment in _INSERTED.split(part):
            if joined := "".join(_tokens(fragment)):
                pieces.append(joined)
    return pieces


def _tokens(text: str) -> list[str]:
    text = fold_accents(plain(text)).casefold()
    return [token.replace(",", "") for token in _TOKEN.findall(text)]
