"""Running heads, running feet and page numbers: what stands at the edge of page after page."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from arxivscout.sources.fulltext.pdf_lines import Line

_NUMBER = re.compile(
    r"[\W_]*(?:page\s*)?(?:\d{1,4}|[ivxl]{1,7})(?:\s*(?:/|of)\s*\d{1,4})?[^\w.,;]*", re.IGNORECASE
)
_COUNTED = re.compile(r"\d+|\b[ivxl]+\b")
_EDGE = 2  # rows at the top and at the foot of a page that may be running
_NEAR = 3.0  # points that a running line may wander


def without_margins(lines: Sequence[Line]) -> list[Line]:
    """The lines that belong to the text, in their order."""
    pages: dict[int, list[Line]] = defaultdict(list)
    for line in lines:
        pages[line.page].append(line)
    edges = {page: _edge_lines(found) for page, found in pages.items()}
    running = _running(edges.values(), len(pages))
    gone: set[int] = set()
    for page, found in pages.items():
        top, foot = min(line.y for line in found), max(line.y for line in found)
        for line in edges[page]:
            # the last words of an entry may be a year: a page's number stands apart
            near = sum(abs(other.y - line.y) < 1.6 * line.size for other in found)
            outermost = line.y in (top, foot) and near == 1 < len(found)
            is_number = outermost and _NUMBER.fullmatch(line.text)
            if is_number or _key(line) in running:
                gone.add(id(line))
    return [line for line in lines if id(line) not in gone]


def _edge_lines(lines: Iterable[Line]) -> list[Line]:
    found = sorted(lines, key=lambda line: line.y)
    rows = sorted({round(line.y) for line in found})
    edge = {*rows[:_EDGE], *rows[-_EDGE:]}
    return [line for line in found if round(line.y) in edge]


def _running(pages: Iterable[Sequence[Line]], count: int) -> set[tuple[str, int]]:
    """What stands on several pages at the same height, numbers apart."""
    seen = Counter[tuple[str, int]]()
    for lines in pages:
        seen.update({_key(line) for line in lines})
    # two pages show it in a short paper; heads of left and right pages may differ
    enough = 2 if count <= 4 else 3
    return {
        (text, height)
        for text, height in seen
        if text and sum(seen[text, height + step] for step in (-1, 0, 1)) >= enough
    }


def _key(line: Line) -> tuple[str, int]:
    return _COUNTED.sub("#", line.text.lower()), round(line.y / _NEAR)
