"""Which pieces of a PDF are headings, and how deep each stands."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arxivscout.papers.text import one_line
from arxivscout.sources.fulltext.pdf_pieces import (
    LONGEST_HEADING,
    Measures,
    Piece,
)

_KNOWN = frozenset(
    """abstract|introduction|related work|related works|background|preliminaries|methods|method|
    methodology|materials and methods|experiments|results|results and discussion|discussion|
    conclusion|conclusions|discussion and conclusion|conclusions and outlook|conclusion and outlook|
    summary|limitations|acknowledgment|acknowledgments|acknowledgement|acknowledgements|appendix|
    appendices|references|bibliography|literature cited|data availability|notation|
    supplementary material|ethics statement|broader impact|contents""".replace("\n    ", "").split(
        "|"
    )
)
_REFERENCES = frozenset({"references", "bibliography", "literature cited", "references and notes"})
_ROMAN = r"(?=[IVXLC])(?:X{0,3})(?:IX|IV|V?I{0,3})"
_NUMBER = re.compile(
    rf"(?:(?:appendix|chapter|section|part)\s+)?"
    rf"(?P<number>(?:{_ROMAN}|[A-Z]|[AS]?\d{{1,2}})(?:\.\d{{1,2}}){{0,3}})(?P<dot>[.:)]?)\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
_FIRST_NUMBER = re.compile(r"(?:(?:1|I)[.:]|1)\s+(?=[^\W\d_])")
_LONGEST = 160  # characters
_SMALL_CAPITALS = 0.7  # of the size of the text
_RUN_IN_ABSTRACT = re.compile(r"(abstract)\s*[—–.:-]+\s*(?=\S)", re.IGNORECASE)


def heading_title(text: str) -> str:
    """The heading without its number."""
    text = one_line(text)
    match = _NUMBER.match(text)
    if match is None or (match["number"].isalpha() and _starts_sentence(text, match)):
        return text
    return text[match.end() :]


def is_references(title: str) -> bool:
    return title.lower().strip(" .:") in _REFERENCES


def names_section(text: str) -> bool:
    """Whether `text` can only be the heading of a paper's first section."""
    text = one_line(text)
    return is_known(text) or _FIRST_NUMBER.match(text) is not None


def is_known(text: str) -> bool:
    """Whether `text` is a heading that many papers have."""
    return heading_title(text).lower().strip(" .:") in _KNOWN


def is_capitals(text: str) -> bool:
    """Whether a text of some length is set in capitals."""
    letters = [char for char in text if char.isalpha()]
    return len(letters) > 4 and sum(map(str.isupper, letters)) > 0.9 * len(letters)


def run_in_abstract(text: str) -> str | None:
    """What follows `Abstract—` at the start of a paragraph; None where it doesn't begin so."""
    match = _RUN_IN_ABSTRACT.match(text)
    return text[match.end() :] if match else None


class Headings:
    """Judges a document's headings in reading order; styles that numbered ones show give depth."""

    def __init__(self, measures: Measures, pieces: Sequence[Piece]) -> None:
        self._size = measures.size
        self._depths: dict[tuple[float, bool, bool], int] = {}
        self._roman = False
        for piece in pieces:
            if self.is_heading(piece) and (depth := self._numbered_depth(piece)):
                self._depths.setdefault(_style(piece), depth)

    def is_heading(self, piece: Piece) -> bool:
        text = one_line(piece.text)
        if piece.kind not in ("paragraph", "list") or len(piece.lines) > LONGEST_HEADING:
            return False
        if not 2 < len(text) <= _LONGEST or text[-1] in ",;" or not _has_word(text):
            return False
        known = is_known(text)
        first = text[0]
        if not (first.isupper() or first.isdigit()) and not known:
            return False
        size = min(line.size for line in piece.lines)
        numbered = _NUMBER.match(text) is not None
        capitals = is_capitals(text)
        # small capitals are made of a smaller size
        least = _SMALL_CAPITALS if (numbered or known) and capitals else 0.85
        if any(line.math > 0.5 for line in piece.lines) or size < least * self._size:
            return False
        if known and len(piece.lines) == 1:
            return True
        if text[-1] == "." and not (numbered and size > 1.05 * self._size):
            return False
        bold = all(line.bold > 0.9 for line in piece.lines)
        centred = piece.lines[-1].centred and all(line.in_middle for line in piece.lines)
        italic = all(line.italic > 0.9 for line in piece.lines)
        if size >= 1.08 * self._size or bold:
            return True
        return numbered and (capitals or italic or centred)

    def depth(self, piece: Piece, current: int) -> int:
        """How deep the heading stands, from 1; `current` is the depth of the one before it."""
        if is_known(piece.text) and "." not in piece.text[:4]:
            return 1
        if depth := self._numbered_depth(piece):
            return depth
        style = _style(piece)
        if style in self._depths:
            return self._depths[style]
        larger = [depth for other, depth in self._depths.items() if other[0] > style[0] + 0.3]
        depth = max(larger, default=0) + 1
        self._depths[style] = depth
        return min(depth, current + 1)

    def _numbered_depth(self, piece: Piece) -> int | None:
        text = one_line(piece.text)
        match = _NUMBER.match(text)
        if match is None:
            return None
        number = match["number"]
        if number.isalpha() and number.isupper() and len(number) > 1:
            self._roman = True
        if number.isalpha() and _starts_sentence(text, match):
            return None
        letter = number.isalpha() and len(number) == 1 and number not in "IVX"
        if letter and self._roman and match["dot"]:
            return 2  # A. under IV.
        return number.count(".") + 1


def _style(piece: Piece) -> tuple[float, bool, bool]:
    line = piece.lines[0]
    return round(line.size, 1), line.bold > 0.9, line.italic > 0.9


def _has_word(text: str) -> bool:
    return re.search(r"[^\W\d_]{3,}", text) is not None


def _starts_sentence(text: str, match: re.Match[str]) -> bool:
    """`A new method` has no number; `A New Method` in capitals may, `A. New` and `B New` do."""
    number = match["number"]
    if not number.isupper():
        return True
    return number in ("A", "I") and not match["dot"] and text[match.end()].islower()
