"""The two drawings: papers a year, and papers by meaning. SVG of attributes and classes only.

Themes differ by shape, letter and colour; the colours (in style.css, a set for light and one for
dark) are told apart also without red or green. A cited paper is filled and bears its number.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from arxivscout.papers import one_line
from arxivscout.reports.facts import address, numbers, short_name, theme_of, years
from arxivscout.reports.markup import Markup, joined, tag
from arxivscout.reports.report import Report, ReportPaper

SHAPES = (  # around 0, 0, all of about the same area
    "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0Z",  # circle
    "M-5.3-5.3H5.3V5.3H-5.3Z",  # square
    "M0-7.6L7 5H-7Z",  # triangle
    "M0-7.7L7.7 0L0 7.7L-7.7 0Z",  # diamond
    "M0 7.6L7-5H-7Z",  # triangle on its tip
    "M-2.3-7H2.3V-2.3H7V2.3H2.3V7H-2.3V2.3H-7V-2.3H-2.3Z",  # cross
    "M-3.4-6H3.4L6.8 0L3.4 6H-3.4L-6.8 0Z",  # hexagon
    "M0-8.6L2.1-2.7L8.2-2.7L3.3 1L5.1 7L0 3.4L-5.1 7L-3.3 1L-8.2-2.7L-2.1-2.7Z",  # star
)
_NO_THEME = "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0Z"
_WIDTH, _HEIGHT, _EDGE = 640, 420, 30
_BARS, _BASE, _TOP = 640, 170, 22


def letter(theme: int) -> str:
    """A, B, …, Z, AA, AB, …"""
    return (letter(theme // 26 - 1) if theme >= 26 else "") + chr(ord("A") + theme % 26)


def symbol(theme: int | None, cited: bool = True) -> Markup:
    """A theme's mark, drawn around 0, 0. Past the eighth, colours and shapes pair anew."""
    kind = "none" if theme is None else str((theme + theme // len(SHAPES)) % len(SHAPES))
    path = _NO_THEME if theme is None else SHAPES[theme % len(SHAPES)]
    return tag("path", d=path, class_=f"t{kind} {'cited' if cited else 'other'}")


def key(theme: int | None, cited: bool = True) -> Markup:
    """The mark as it stands in a legend: with no words, for beside it stand the words."""
    drawn = symbol(theme, cited)
    return tag("svg", drawn, class_="key", viewBox="-9 -9 18 18", aria_hidden="true")


def timeline(report: Report) -> Markup:
    """A bar for each year; empty where no paper has a date."""
    bars = years(report)
    if not bars:
        return Markup()
    most = max(cited + other for _, cited, other in bars)
    step = _BARS / len(bars)
    width = min(step * 0.72, 56)
    every = math.ceil(len(bars) / 12)
    parts = [tag("line", x1=0, x2=_BARS, y1=_BASE, y2=_BASE, class_="axis")]
    for place, (year, cited, other) in enumerate(bars):
        middle = round(step * (place + 0.5), 1)
        parts += _bar(year, middle, round(width, 1), cited, other, (_BASE - _TOP) / most)
        before_last = len(bars) - 1 - place  # so that the last year has its number
        if before_last % every == 0:
            minor = "minor" if before_last // every % 2 else None
            parts.append(tag("text", str(year), x=middle, y=_BASE + 20, class_=minor))
    said = "; ".join(f"{year}: {cited + other}" for year, cited, other in bars if cited + other)
    return tag(
        "svg",
        tag("title", "Papers by the year of their first version", id="timeline-title"),
        tag("desc", said, id="timeline-desc"),
        *parts,
        class_="timeline",
        viewBox=f"-16 0 {_BARS + 32} {_BASE + 28}",
        role="img",
        aria_labelledby="timeline-title timeline-desc",
    )


def _bar(
    year: int, middle: float, width: float, cited: int, other: int, unit: float
) -> list[Markup]:
    if not cited + other:
        return []
    left, top = round(middle - width / 2, 1), round(_BASE - (cited + other) * unit, 1)
    split = round(_BASE - cited * unit, 1)
    parts = [
        tag("rect", x=left, y=y, width=width, height=round(end - y, 1), class_=kind)
        for kind, y, end in (("bar other", top, split), ("bar cited", split, _BASE))
        if end > y
    ]
    count = tag("text", str(cited + other), x=middle, y=round(top - 6, 1), class_="count")
    return [tag("g", tag("title", f"{year}: {cited + other}, {cited} cited"), *parts, count)]


def meaning_map(report: Report) -> Markup:
    """A point for each paper, near those of like meaning; empty where none has a place."""
    if len({(paper.x, paper.y) for paper in report.papers}) < 2:
        return Markup()
    places = _places(report.papers)
    cited = numbers(report)
    names = _number_places(report.papers, places, cited)
    points = [
        _point(report, paper, place, cited.get(paper.arxiv_id))
        for paper, place in reversed(list(zip(report.papers, places, strict=True)))
    ]
    said = (
        f"{len(report.papers)} papers; the nearer two lie, the more alike is what they are about. "
        "The axes have no meaning of their own. The table of papers has the same in words."
    )
    return tag(
        "svg",
        tag("title", "Papers by meaning", id="map-title"),
        tag("desc", said, id="map-desc"),
        *points,
        *names,
        class_="map",
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        role="group",
        aria_labelledby="map-title map-desc",
    )


def _point(
    report: Report, paper: ReportPaper, place: tuple[float, float], number: int | None
) -> Markup:
    theme = theme_of(report, paper)
    about = f"{letter(theme)}: {one_line(report.themes[theme].name)}" if theme is not None else ""
    facts = filter(None, [f"{one_line(paper.title)} ({short_name(paper)})", about])
    return tag(
        "a",
        tag("title", " — ".join(facts)),
        tag("g", symbol(theme, number is not None), transform=f"translate({place[0]} {place[1]})"),
        href=address(paper.arxiv_id),
        rel="noopener noreferrer",
        class_="point",
    )


def _places(papers: Sequence[ReportPaper]) -> list[tuple[float, float]]:
    """Where each paper is drawn: the map fills the picture, both ways to one scale; y goes up."""
    xs = [_finite(paper.x) for paper in papers]
    ys = [-_finite(paper.y) for paper in papers]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    room_x, room_y = _WIDTH - 2 * _EDGE, _HEIGHT - 2 * _EDGE
    scale = min(room_x / max(wide, 1e-6), room_y / max(high, 1e-6))
    left, top = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    return [
        (
            round(_WIDTH / 2 + (x - left) * scale, 1),
            round(_HEIGHT / 2 + (y - top) * scale, 1),
        )
        for x, y in zip(xs, ys, strict=True)
    ]


def _finite(value: float) -> float:
    return min(1.0, max(-1.0, value)) if math.isfinite(value) else 0.0


def _number_places(
    papers: Sequence[ReportPaper], places: Sequence[tuple[float, float]], cited: Mapping[str, int]
) -> list[Markup]:
    """The numbers of the cited papers, each beside its point where it covers nothing.

    One that has room only where letters are small is left out on a phone, where they are large.
    """
    taken: list[_Box] = []
    texts: list[Markup] = []
    for paper, (x, y) in zip(papers, places, strict=True):
        if paper.arxiv_id not in cited:
            continue
        number = str(cited[paper.arxiv_id])
        for size, minor in ((_LARGE, ""), (_SMALL, " minor")):
            points = [_around(*place, size.point, size.point) for place in places]
            boxes = {side: _beside(side, x, y, len(number), size) for side in _SIDES}
            free = [s for s in _SIDES if _is_free(boxes[s], [*points, *taken])]
            if free:
                taken.append(boxes[free[0]])
                across, down = _SIDES[free[0]]
                at = {"x": round(x + across, 1), "y": round(y + down, 1)}
                kind = f"{free[0]}{minor}"
                texts.append(tag("text", number, aria_hidden="true", class_=kind, **at))
                break
    return texts


_Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True, slots=True)
class _Size:
    """Half a point, a figure's width and its height, as style.css makes them."""

    point: float
    figure: float
    height: float


_SMALL, _LARGE = _Size(8, 8, 10), _Size(11.5, 12.5, 16)
# Where a number begins, ends, or has its middle: right of its point, left, above, below.
_SIDES = {"e": (11.0, 4.5), "w": (-11.0, 4.5), "n": (0.0, -12.0), "s": (0.0, 21.0)}


def _beside(side: str, x: float, y: float, figures: int, size: _Size) -> _Box:
    """The place of a number at this side of a point, with a point's edge between."""
    across, down = size.point + figures * size.figure / 2 + 1, size.point + size.height / 2 + 1
    middle = {"e": (x + across, y), "w": (x - across, y), "n": (x, y - down), "s": (x, y + down)}
    return _around(*middle[side], figures * size.figure / 2, size.height / 2)


def _around(x: float, y: float, across: float, down: float) -> _Box:
    return x - across, y - down, x + across, y + down


def _is_free(box: _Box, taken: Iterable[_Box]) -> bool:
    inside = box[0] > 0 and box[1] > 0 and box[2] < _WIDTH and box[3] < _HEIGHT
    return inside and not any(
        box[0] < each[2] and each[0] < box[2] and box[1] < each[3] and each[1] < box[3]
        for each in taken
    )


def legend(*items: str) -> Markup:
    """The key to a drawing."""
    return tag("ul", *(tag("li", item) for item in items), class_="legend")


def timeline_key(kind: str, text: str) -> Markup:
    """A bar's colour and what it means."""
    bar = tag("rect", x=-7, y=-7, width=14, height=14, class_=f"bar {kind}")
    return joined(tag("svg", bar, class_="key", viewBox="-9 -9 18 18", aria_hidden="true"), text)
