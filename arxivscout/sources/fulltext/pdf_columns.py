"""Where a page's columns meet, and which words of a row stand in which.

A page has two columns where a strip near its middle is crossed by few lines and has text on both
sides. What crosses the strip spans both: titles, abstracts, wide tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from arxivscout.sources.fulltext.pdf_words import Word

Side = Literal["left", "right", "both"]

_SAME_ROW = 0.3  # of the size: baselines this near are one row
_FEWEST = 8  # rows beside each other that show columns: a table of one column's page has fewer
_GUTTER = 0.75  # of the size: the narrowest gap between columns


@dataclass(slots=True)
class Row:
    words: list[Word]
    y: float
    size: float
    parts: list[tuple[Side, list[Word]]] = field(default_factory=list)


def rows_of(words: Sequence[Word]) -> list[Row]:
    rows: list[Row] = []
    for word in sorted(words, key=lambda word: (word.y, word.x0)):
        if rows and word.y - rows[-1].y <= _SAME_ROW * max(word.size, rows[-1].size):
            rows[-1].words.append(word)
            rows[-1].size = max(rows[-1].size, word.size)
        else:
            rows.append(Row([word], word.y, word.size))
    for row in rows:
        row.words.sort(key=lambda word: word.x0)
    return rows


def find_gutter(rows: Sequence[Row], hint: float | None) -> float | None:
    """Where the columns meet, None on a page of one column."""
    left = min(row.words[0].x0 for row in rows)
    right = max(word.x1 for row in rows for word in row.words)
    if right - left < 200:
        return None
    low, high = left + 0.35 * (right - left), left + 0.65 * (right - left)
    places = [low + step for step in range(0, int(high - low) + 1, 3)]
    if hint is not None:
        places.append(hint)
    best: tuple[float, float] | None = None
    for place in places:
        crossed, beside, width = _sides(rows, place)
        known = hint is not None and abs(place - hint) < 4
        # right parts as wide as text is, not the last cells of a table or numbers of formulas
        is_text = beside >= (1 if known else _FEWEST) and width > 0.3 * (right - place)
        if is_text and beside >= crossed * (0.1 if known else 0.5):
            score = beside - crossed + (2 if known else 0)
            if best is None or score > best[0]:
                best = score, place
    return None if best is None else _centre(rows, best[1])


def _sides(rows: Sequence[Row], place: float) -> tuple[int, int, float]:
    """Rows that cross `place`, rows that have text right of it alone, and the latter's width."""
    crossed, widths = 0, []
    for row in rows:
        part = _gap_at(row, place)
        if part is None:
            crossed += 1
        elif part < len(row.words):
            first, last = row.words[part], row.words[-1]
            widths.append(last.x1 - first.x0)
    return crossed, len(widths), sum(widths) / len(widths) if widths else 0.0


def _gap_at(row: Row, place: float) -> int | None:
    """How many words stand left of `place` where a gap as wide as a gutter is; None without."""
    part = sum(word.x1 <= place for word in row.words)
    if part == len(row.words):
        return part
    if row.words[part].x0 <= place:
        return None
    if part and row.words[part].x0 - row.words[part - 1].x1 < _GUTTER * row.size:
        return None
    return part


def _centre(rows: Sequence[Row], place: float) -> float:
    """The middle of the strip around `place` that the text beside it leaves free."""
    ends, starts = Counter[float](), Counter[float]()
    for row in rows:
        part = _gap_at(row, place)
        if part:
            ends[round(row.words[part - 1].x1)] += 1
        if part is not None and part < len(row.words):
            starts[round(row.words[part].x0)] += 1
    if not ends or not starts:
        return place
    return (max(ends) + min(starts)) / 2


def parts_of(row: Row, gutter: float | None) -> list[tuple[Side, list[Word]]]:
    if gutter is None:
        return [("both", row.words)]
    part = _gap_at(row, gutter)
    if part is None:
        return [("both", row.words)]
    sides: list[tuple[Side, list[Word]]] = []
    if part:
        sides.append(("left", row.words[:part]))
    if part < len(row.words):
        sides.append(("right", row.words[part:]))
    return sides


def mend_split_rows(rows: Sequence[Row]) -> None:
    """Make whole again what spans both columns and happens to have a gap where they meet.

    That is the rows of a wide table, a line of wide text whose other gaps are as large, and its
    last line.
    """
    wide = [place for place, row in enumerate(rows) if row.parts[0][0] == "both"]
    for before, after in pairwise(wide):
        between = rows[before + 1 : after]
        leading = 2.0 * rows[before].size
        near = all(b.y - a.y < leading for a, b in pairwise(rows[before : after + 1]))
        if 0 < len(between) <= 3 and near and all(len(row.parts) == 2 for row in between):
            for row in between:
                row.parts = [("both", row.words)]
    _mend_tables(rows)
    for at, (before_row, row) in enumerate(pairwise(rows), start=1):
        near = row.y - before_row.y < 1.6 * row.size
        if not near or before_row.parts[0][0] != "both":
            continue
        below = rows[at + 1] if at + 1 < len(rows) else None
        if _is_evenly_spaced(row) or _ends_wide_text(before_row, row, below):
            row.parts = [("both", row.words)]


def _mend_tables(rows: Sequence[Row]) -> None:
    """Make rows whole below wide text, such as its caption, that are set in on both sides."""
    split = [row for row in rows if len(row.parts) == 2]
    if not split:
        return
    left = Counter(round(row.words[0].x0) for row in split).most_common(1)[0][0]
    right = Counter(round(row.words[-1].x1) for row in split).most_common(1)[0][0]
    for before, row in pairwise(rows):
        below = before.parts[0][0] == "both" and row.y - before.y < 3 * row.size
        begins, ends = row.words[0].x0, row.words[-1].x1
        if below and len(row.parts) == 2 and begins > left + row.size and ends < right - row.size:
            row.parts = [("both", row.words)]


def _ends_wide_text(before: Row, row: Row, after: Row | None) -> bool:
    """Whether a row that only the left column has is the last line of wide text above it."""
    alone = after is None or after.y - row.y > 0.8 * row.size or after.parts[0][0] != "right"
    same = abs(before.size - row.size) < 0.07 * row.size
    return len(row.parts) == 1 and row.parts[0][0] == "left" and alone and same


def _is_evenly_spaced(row: Row) -> bool:
    if len(row.parts) != 2:
        return False
    (_, left), (_, right) = row.parts
    gaps = [b.x0 - a.x1 for part in (left, right) for a, b in pairwise(part)]
    return bool(gaps) and right[0].x0 - left[-1].x1 < 1.2 * max(gaps)
