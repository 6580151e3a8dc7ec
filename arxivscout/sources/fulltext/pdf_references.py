"""The list of references of a PDF: where it begins if no heading says so, and its entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arxivscout.sources.fulltext.headings import Headings, heading_title, is_references
from arxivscout.sources.fulltext.joining import Joiner
from arxivscout.sources.fulltext.pdf_lines import Line
from arxivscout.sources.fulltext.pdf_pieces import Piece
from arxivscout.sources.fulltext.references import EntryLine, first_unnamed, split_entries


def part_unnamed_references(pieces: list[Piece], headings: Headings) -> Line | None:
    """The first line of a list of references without a heading, which then begins a piece."""
    if any(headings.is_heading(p) and is_references(heading_title(p.text)) for p in pieces):
        return None
    lines = [(place, line) for place, piece in enumerate(pieces) for line in piece.lines]
    first = first_unnamed([line.text for _, line in lines])
    if first is None:
        return None
    place, begin = lines[first]
    piece = pieces[place]
    at = next(number for number, line in enumerate(piece.lines) if line is begin)
    if at:
        above = [cut for cut in piece.breaks if cut < at]
        pieces[place : place + 1] = [
            Piece(piece.kind, piece.lines[:at], piece.broken, above),
            Piece("paragraph", piece.lines[at:]),
        ]
    return begin


def entries_of(lines: Sequence[Line], joiner: Joiner) -> list[str]:
    """The texts of the entries of the list of references."""
    left = _left_edges(lines)
    told = []
    before: Line | None = None
    for line in lines:
        indent = (line.x0 - left[line.column]) / line.size
        same = before is not None and before.column == line.column
        gap = (line.y - before.y) / line.size if before is not None and same else 1.2
        told.append(EntryLine(line.text, indent, gap))
        before = line
    return [joiner.join([line.text for line in entry]) for entry in split_entries(told)]


def _left_edges(lines: Sequence[Line]) -> dict[int, float]:
    """Where the entries of each column begin: the first place at which several lines do."""
    starts: dict[int, Counter[int]] = {}
    for line in lines:
        starts.setdefault(line.column, Counter())[round(line.x0)] += 1
    return {
        column: min((x for x, often in found.items() if often > 1), default=min(found))
        for column, found in starts.items()
    }
