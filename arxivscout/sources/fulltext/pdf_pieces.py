"""Lines in reading order → pieces: paragraphs, formulas, tables, captions, lists, notes.

What a line is, is judged by where it stands and what it is made of; TeX's PDFs name none of it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Literal

from arxivscout.sources.fulltext.pdf_kinds import BULLET, ITEM, kinds_of
from arxivscout.sources.fulltext.pdf_lines import Line

PieceKind = Literal["paragraph", "formula", "table", "caption", "list", "note"]

_CAPTION = re.compile(
    r"(?:(?:fig(?:ure)?|table|algorithm|listing|scheme|plate|box)\.?\s*(?:[A-Z]\.?)?\d+[a-z]?"
    r"\s*(?:[.:|]|[—–-]\s)|table\s+(?:[IVXLC]+|\d+)\s*(?:[.:|]|[—–-]\s|$))",
    re.IGNORECASE,
)
_BARE_LABEL = re.compile(r"(?:fig(?:ure)?|table)\.?\s+(?:[IVXLC]+|\d+)\.?", re.IGNORECASE)
_HEADING_NUMBER = re.compile(r"(?:[A-Z]|[IVX]+|\d{1,2}(?:\.\d{1,2})*)[.)]?\s")
_ENDED = re.compile(r"[.!?:;][\"'”’)\]]*$")
_SENTENCE_END = re.compile(r"[.!?:][\"'”’)\]]*(?:\[[\d,\s–-]+\])?$")


LONGEST_HEADING = 4  # lines


@dataclass(slots=True)
class Piece:
    """Lines that belong together. `broken` says that it begins a column, perhaps in mid-text."""

    kind: PieceKind
    lines: list[Line]
    broken: bool = False
    breaks: list[int] = field(default_factory=list)  # of a list: where each item but one begins

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class Measures:
    """What is usual in a document: the size of its text, and the distances of its lines."""

    size: float
    leading: dict[float, float]  # by size

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Measures:
        sizes = Counter[float]()
        steps: dict[float, list[float]] = defaultdict(list)
        for line in lines:
            sizes[round(line.size, 1)] += len(line.text)
        for before, line in pairwise(lines):
            step = line.y - before.y
            same = before.column == line.column and abs(before.size - line.size) < 0.2
            if same and 0.8 * line.size < step < 2.5 * line.size:
                steps[round(line.size, 1)].append(step)
        leading = {size: median(found) for size, found in steps.items() if len(found) > 2}
        return cls(sizes.most_common(1)[0][0] if sizes else 10.0, leading)

    def usual_step(self, size: float) -> float:
        return self.leading.get(round(size, 1), 1.2 * size)


def pieces_of(lines: Sequence[Line], measures: Measures) -> list[Piece]:
    """Every line in one piece, in order."""
    kinds = kinds_of(lines)
    pieces: list[Piece] = []
    for place, line in enumerate(lines):
        before = lines[place - 1] if place else None
        kind = kinds[place]
        begins_column = before is None or before.column != line.column
        piece = pieces[-1] if pieces else None
        if piece is None or before is None or begins_column:
            pieces.append(Piece(_kind(kind, line, True, measures), [line], broken=True))
            continue
        far = line.y - before.y > 1.35 * measures.usual_step(max(line.size, before.size))
        if kind in ("formula", "table"):
            if piece.kind == kind and not (far and line.y - before.y > 3 * line.size):
                piece.lines.append(line)
            else:
                pieces.append(Piece(kind, [line]))
            continue
        parts = far or piece.kind in ("formula", "table") or _parts(piece, before, line, measures)
        item = _is_item(line, parts)
        if item and piece.kind == "list" and not far:
            piece.breaks.append(len(piece.lines))
            piece.lines.append(line)
        elif parts or item:
            pieces.append(Piece(_kind(kind, line, parts, measures), [line]))
        else:
            piece.lines.append(line)
    return _merged(pieces)


def _kind(kind: PieceKind, line: Line, parts: bool, measures: Measures) -> PieceKind:
    if kind != "paragraph":
        return kind
    if _CAPTION.match(line.text):
        return "caption"
    if line.raised and line.size < 0.93 * measures.size:
        return "note"
    return "list" if _is_item(line, parts) else "paragraph"


def _is_item(line: Line, parts: bool) -> bool:
    if BULLET.match(line.text):
        return parts or line.text[0] in "•◦‣▪●○"
    set_in = line.x0 - line.left > 0.5 * line.size and not line.centred
    return parts and set_in and bool(ITEM.match(line.text))


def _parts(piece: Piece, before: Line, line: Line, measures: Measures) -> bool:
    """Whether a paragraph begins at `line`, which is near `before` in the same column."""
    if piece.kind == "caption" and _CAPTION.match(line.text) is None:
        only_label = len(piece.lines) == 1 and _BARE_LABEL.fullmatch(before.text)
        return not only_label and _other_size(before, line)
    if _other_size(before, line):
        return True
    if line.centred and before.in_middle:
        wider = line.x1 - line.x0 > 2 * (before.x1 - before.x0)  # a text below its heading
        return (before.bold > 0.9) != (line.bold > 0.9) or wider
    if before.centred and line.right - line.x1 < 0.3 * line.size:
        return True
    if _goes_on_heading(piece, before, line, measures):
        return False
    if (before.bold > 0.9) != (line.bold > 0.9) and (before.bold > 0.9 or _ended(before)):
        return True
    inset, before_inset = line.inset, before.inset
    if piece.kind == "list" or line.side != before.side:
        return piece.kind == "list" and inset < min(0.4, piece.lines[0].inset - 0.3)
    if inset > 0.7 and before_inset > 0.7 and len(piece.lines) == 1:
        # after a paragraph of one line, unless all of a quotation is set in
        ended = _SENTENCE_END.search(before.text) and not line.text[:1].islower()
        return bool(ended) or _is_short(before)
    if 0.7 < inset < 5 and inset - before_inset > 0.6 and (len(piece.lines) > 1 or _ended(before)):
        return True
    if inset < 0.4 and before_inset > 0.7 and len(piece.lines) > 1 and _ended(before):
        return True
    short = before.x1 < before.right - 0.12 * (line.right - line.left)
    return short and bool(_ENDED.search(before.text)) and not line.text[:1].islower()


def _other_size(before: Line, line: Line) -> bool:
    return abs(line.size - before.size) > 0.07 * max(line.size, before.size)


def _goes_on_heading(piece: Piece, before: Line, line: Line, measures: Measures) -> bool:
    """Whether `line` is more of a heading or a title, however far it is set in."""
    stand_out = all(
        each.bold > 0.9 or each.size > 1.08 * measures.size for each in (*piece.lines, line)
    )
    ended = _ENDED.search(before.text) or _HEADING_NUMBER.match(line.text)
    return stand_out and len(piece.lines) < LONGEST_HEADING and not ended


def _ended(line: Line) -> bool:
    return bool(_SENTENCE_END.search(line.text)) or _is_short(line)


def _is_short(line: Line) -> bool:
    return line.x1 < line.right - 1.5 * line.size


def _merged(pieces: Sequence[Piece]) -> list[Piece]:
    """Lists with room between their items, and paragraphs that a column's end or a float parts."""
    indented = Counter(
        piece.lines[0].inset > 0.7
        for piece in pieces
        if piece.kind == "paragraph" and not piece.broken and len(piece.lines) > 2
    )
    merged: list[Piece] = []
    for piece in pieces:
        if piece.kind == "list" and merged and merged[-1].kind == "list":
            items = merged[-1]
            items.breaks += [len(items.lines) + cut for cut in (0, *piece.breaks)]
            items.lines += piece.lines
            continue
        place = _last_text(merged)
        if piece.kind == "paragraph" and place is not None:
            before = merged[place]
            adjacent = place == len(merged) - 1
            if (piece.broken or not adjacent) and _goes_on(
                before, piece, adjacent, indented[True] > indented[False]
            ):
                before.lines += piece.lines
                continue
        merged.append(piece)
    return merged


def _last_text(pieces: Sequence[Piece]) -> int | None:
    """Where the last piece is that is no float; None where that is none that can go on."""
    for place in range(len(pieces) - 1, -1, -1):
        if pieces[place].kind in ("paragraph", "list"):
            return place
        if pieces[place].kind == "formula":
            return None
    return None


def _goes_on(before: Piece, piece: Piece, adjacent: bool, indented: bool) -> bool:
    last, first = before.lines[-1], piece.lines[0]
    if abs(last.size - first.size) > 0.07 * last.size or last.bold > 0.9 or first.bold > 0.9:
        return False
    text = last.text.rstrip()
    still_open = not _SENTENCE_END.search(text)
    if first.text[:1].islower() or text.endswith(("-", "\xad", "‐")):
        return still_open
    if not adjacent or _is_short(last) or first.inset > 0.7:
        return False
    return still_open or indented


def items_of(piece: Piece) -> Iterator[list[Line]]:
    """The lines of each item of a list."""
    for start, end in pairwise([0, *piece.breaks, len(piece.lines)]):
        yield piece.lines[start:end]
