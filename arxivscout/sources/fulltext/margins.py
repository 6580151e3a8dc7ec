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
_Key = tuple[str, int]  # what a line says, and at which height

_EDGE = 2  # rows at the top and at the foot of a page that may be running
_APART = 1.6  # of the size: what runs stands this far from the text, or is the same to the letter
_NEAR = 3.0  # points that a running line may wander


def without_margins(lines: Sequence[Line]) -> list[Line]:
    """The lines that belong to the text, in their order."""
    pages: dict[int, list[Line]] = defaultdict(list)
    for line in lines:
        pages[line.page].append(line)
    edges = {page: _edge_lines(found) for page, found in pages.items()}
    apart = {page: [line for line, is_apart in found if is_apart] for page, found in edges.items()}
    alike = _running(([_key(line) for line in found] for found in apart.values()), len(pages))
    every = ([_exact_key(line) for line, _ in found] for found in edges.values())
    same = _running(every, len(pages))
    gone: set[int] = set()
    for page, found in pages.items():
        running = [line for line, _ in edges[page] if _exact_key(line) in same]
        running += [line for line in apart[page] if _key(line) in alike]
        if not {id(line) for line in found} - {id(line) for line in running}:
            # pages with one line each, and a number in it, say nothing else
            running = [line for line in running if _exact_key(line) in same]
        gone.update(id(line) for line in running)
        gone.update(id(line) for line in apart[page] if _is_number(line, found))
    return [line for line in lines if id(line) not in gone]


def _is_number(line: Line, page: Sequence[Line]) -> bool:
    """Whether the line is the page's number: at its very top or foot, and alone there."""
    if len(page) < 2 or line.y not in (min(o.y for o in page), max(o.y for o in page)):
        return False
    near = sum(abs(other.y - line.y) < _APART * line.size for other in page)
    return near == 1 and _NUMBER.fullmatch(line.text) is not None


def _edge_lines(lines: Iterable[Line]) -> list[tuple[Line, bool]]:
    """The lines at the top and the foot of a page, and whether each stands apart from the rest."""
    found = sorted(lines, key=lambda line: line.y)
    return [*_edge(found), *_edge(found[::-1])]


def _edge(lines: Sequence[Line]) -> list[tuple[Line, bool]]:
    rows: list[list[Line]] = []
    apart = 0  # how many rows stand apart
    for line in lines:
        if rows and abs(line.y - rows[-1][0].y) < 1:
            rows[-1].append(line)
            continue
        if rows and abs(line.y - rows[-1][0].y) > _APART * line.size:
            apart = len(rows)
        if len(rows) == _EDGE:
            break
        rows.append([line])
    else:
        apart = len(rows)  # there is nothing else on the page
    return [(line, place < apart) for place, row in enumerate(rows) for line in row]


def _running(pages: Iterable[Iterable[_Key]], count: int) -> set[_Key]:
    """What stands on several pages at the same height."""
    seen = Counter[_Key]()
    for keys in pages:
        seen.update(set(keys))
    # two pages show it in a short paper; heads of left and right pages may differ
    enough = 2 if count <= 4 else 3
    return {
        (text, height)
        for text, height in seen
        if text and sum(seen[text, height + step] for step in (-1, 0, 1)) >= enough
    }


def _key(line: Line) -> _Key:
    """The line but for its numbers; of a page's number, how far it is from our count of pages."""
    text = _COUNTED.sub("#", _words(line).lower())
    if not any(map(str.isalpha, text)):
        number = re.search(r"\d{1,4}", line.text)
        counts = number is not None and _NUMBER.fullmatch(line.text)
        text = f"#{int(number[0]) - line.page}" if number and counts else ""
    return text, round(line.y / _NEAR)


def _exact_key(line: Line) -> _Key:
    return _words(line), round(line.y / _NEAR)


def _words(line: Line) -> str:
    """What a running head says beside the page's number, which a wide gap may part from it."""
    return next((cell for cell in line.cells if any(map(str.isalpha, cell))), line.text)
