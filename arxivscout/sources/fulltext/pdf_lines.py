"""Words of a page → its lines in reading order.

Lines that span both columns part the page into bands; in each band the left column is read before
the right one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from arxivscout.sources.fulltext.pdf_columns import (
    Side,
    find_gutter,
    mend_split_rows,
    parts_of,
    rows_of,
)
from arxivscout.sources.fulltext.pdf_words import Word

_CELL_GAP = 1.3  # of the size: a wider gap parts the cells of a table
_TEX_CELL_GAP = 11.5  # points: TeX leaves 12 between the cells of a table, whatever their size
_JOINT = 0.13  # of the size: words nearer than this are one
_ACCENTS = dict(
    zip("´¨ˆ˜ˇ˘˚¯˙`", "\u0301\u0308\u0302\u0303\u030c\u0306\u030a\u0304\u0307\u0300", strict=True)
)
_ACCENTED = re.compile(r"([´¨ˆ˜ˇ˘˚¯˙])([^\W\d_])|(?<=[^\W\d_])(`)([aeiou])")


@dataclass(slots=True)
class Line:
    """A line of text in its column, whose edges are `left` and `right`."""

    page: int
    y: float
    x0: float
    x1: float
    size: float
    cells: tuple[str, ...]  # more than one where wide gaps part it
    starts: tuple[float, ...]  # where each cell begins
    even: bool  # the gaps between its words are alike
    bold: float  # shares of its letters
    italic: float
    math: float
    raised: bool  # begins with a raised mark, as notes do
    side: Side = "both"
    left: float = 0.0
    right: float = 0.0
    column: int = 0  # counts the columns of the document in reading order

    @property
    def text(self) -> str:
        return " ".join(self.cells)

    @property
    def inset(self) -> float:
        """How far it begins from its column's edge, in its size."""
        return (self.x0 - self.left) / self.size

    @property
    def in_middle(self) -> bool:
        """Whether as much is free left of it in its column as right of it, be it nothing."""
        return abs((self.x0 + self.x1) - (self.left + self.right)) / 2 < self.size

    @property
    def centred(self) -> bool:
        """Whether it stands in the middle of its column, free on both sides."""
        return self.in_middle and self.inset > 1 and self.right - self.x1 > self.size


class LineReader:
    """Gives the lines of page after page; remembers where the last page's columns met."""

    def __init__(self) -> None:
        self.gutter: float | None = None
        self._columns = 0

    def lines(self, page: int, words: Sequence[Word], *, aside: bool = False) -> list[Line]:
        """The lines of a page; `aside`: of something on it that has columns of its own."""
        rows = rows_of(words)
        if not rows:
            return []
        gutter = find_gutter(rows, None if aside else self.gutter)
        if gutter is not None and not aside:
            self.gutter = gutter
        for row in rows:
            row.parts = parts_of(row, gutter)
        mend_split_rows(rows)
        pieces = [(side, _line(page, part)) for row in rows for side, part in row.parts]
        _set_edges(pieces, gutter)
        return self._in_order(pieces)

    def _in_order(self, pieces: Iterable[tuple[Side, Line]]) -> list[Line]:
        ordered: list[Line] = []
        for band in _bands(pieces):
            for column in band:
                self._columns += 1
                for line in column:
                    line.column = self._columns
                ordered += column
        return ordered


def _line(page: int, words: Sequence[Word]) -> Line:
    sizes, shares = Counter[float](), Counter[str]()
    for word in words:
        letters = len(word.text)
        sizes[word.size] += letters
        shares["bold"] += letters * word.bold
        shares["italic"] += letters * word.italic
        shares["math"] += letters * word.math
        shares["all"] += letters
    size = sizes.most_common(1)[0][0]
    cells, starts = _cells(words, size)
    total = shares["all"] or 1
    return Line(
        page=page,
        y=Counter(word.y for word in words).most_common(1)[0][0],
        x0=words[0].x0,
        x1=max(word.x1 for word in words),
        size=size,
        cells=cells,
        starts=starts,
        even=_even_gaps(words, size),
        bold=shares["bold"] / total,
        italic=shares["italic"] / total,
        math=shares["math"] / total,
        raised=words[0].raised,
    )


def _cells(words: Sequence[Word], size: float) -> tuple[tuple[str, ...], tuple[float, ...]]:
    cells, starts = [words[0].text], [words[0].x0]
    edge = words[0].x1
    for word in words[1:]:
        gap = word.x0 - edge
        if gap > min(_CELL_GAP * size, _TEX_CELL_GAP):
            cells.append(word.text)
            starts.append(word.x0)
        else:
            cells[-1] += ("" if gap < _JOINT * size else " ") + word.text
        edge = max(edge, word.x1)
    return tuple(map(compose_accents, cells)), tuple(starts)


def _even_gaps(words: Sequence[Word], size: float) -> bool:
    gaps = [second.x0 - first.x1 for first, second in pairwise(words)]
    gaps = [gap for gap in gaps if gap > _JOINT * size]
    return len(gaps) > 1 and min(gaps) > 0.5 * max(gaps)


def compose_accents(text: str) -> str:
    """Accents that stand before their letters, as old TeX fonts set them, put upon them."""
    if text.isascii():
        return text

    def composed(match: re.Match[str]) -> str:
        accent, letter = match[1] or match[3], match[2] or match[4]
        return {"ı": "i", "ȷ": "j"}.get(letter, letter) + _ACCENTS[accent]

    return _ACCENTED.sub(composed, text)


def _set_edges(pieces: Sequence[tuple[Side, Line]], gutter: float | None) -> None:
    sides: dict[Side, list[Line]] = {"left": [], "right": [], "both": []}
    for side, line in pieces:
        line.side = side
        sides[side].append(line)
    every = [line for _, line in pieces]
    left, right = _edges(every)
    if gutter is not None:
        left, right = _edges(sides["left"] or every)[0], _edges(sides["right"] or every)[1]
    for side, lines in sides.items():
        if not lines:
            continue
        own_left, own_right = _edges(lines)
        for line in lines:
            line.left = own_left if side == "right" else left
            line.right = own_right if side == "left" else right


def _edges(lines: Sequence[Line]) -> tuple[float, float]:
    """Where the lines of a column begin and end, but for what is set in or hangs out."""
    starts = Counter(round(line.x0) for line in lines)
    ends = sorted(line.x1 for line in lines)
    start, often = starts.most_common(1)[0]
    if often < 3:
        start = min(starts)
    return float(start), ends[int(0.9 * (len(ends) - 1) + 0.5)]


def _bands(pieces: Iterable[tuple[Side, Line]]) -> list[list[list[Line]]]:
    """Bands from top to bottom, each the columns in it."""
    bands: list[list[list[Line]]] = []
    wide: bool | None = None
    for side, line in sorted(pieces, key=lambda piece: piece[1].y):
        if (side == "both") != wide:
            wide = side == "both"
            bands.append([[]] if wide else [[], []])
        bands[-1][1 if side == "right" else 0].append(line)
    parted = [part for band in bands for part in _without_foot(band)]
    return [[column for column in band if column] for band in parted]


def _without_foot(band: list[list[Line]]) -> list[list[list[Line]]]:
    """The band, and by itself what both columns end with in small print from one height on.

    Such are notes, and references that are balanced below text that is balanced above them.
    """
    if len(band) < 2 or not all(band):
        return [band]
    text = max(line.size for column in band for line in column[:1])
    feet = [_foot(column, text) for column in band]
    if not all(0 < at < len(column) for at, column in zip(feet, band, strict=True)):
        return [band]
    ends = max(column[at - 1].y for at, column in zip(feet, band, strict=True))
    begins = min(column[at].y for at, column in zip(feet, band, strict=True))
    if ends >= begins:
        return [band]
    return [
        [column[:at] for at, column in zip(feet, band, strict=True)],
        [column[at:] for at, column in zip(feet, band, strict=True)],
    ]


def _foot(column: Sequence[Line], text: float) -> int:
    """From which line on all of the column is smaller than the text."""
    at = len(column)
    while at and column[at - 1].size < 0.93 * text:
        at -= 1
    return at
