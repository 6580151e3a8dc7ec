"""The charts of the page: columns over time, and bars in tables. SVG of attributes and classes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from arxivscout.reports.markup import Markup, tag

_WIDTH, _BASE, _TOP = 640, 170, 22
_LABELS = 8  # dates below the columns at most


def columns(name: str, title: str, said: str, entries: Sequence[tuple[str, int, int]]) -> Markup:
    """A column for each entry: its label, what counts, and what is set upon that, hollow.

    Args:
        name: of the drawing's ids.
        said: the same in words, for who does not see it.
    """
    heights = [low + high for _, low, high in entries]
    most = max(heights, default=0)
    if not most:
        return Markup()
    highest = heights.index(most)
    step = _WIDTH / len(entries)
    width, every = min(step * 0.8, 40), math.ceil(len(entries) / _LABELS)
    parts = [tag("line", x1=0, x2=_WIDTH, y1=_BASE, y2=_BASE, class_="axis")]
    for place, (label, low, high) in enumerate(entries):
        middle = step * (place + 0.5)
        if low + high:
            parts.append(_column(label, middle, width, low, high, (_BASE - _TOP) / most))
        if place == highest:  # one number says how high all are
            count = tag("text", f"{most:,}", x=_placed(middle), y=_TOP - 6, class_="count")
            parts.append(count)
        if place % every == 0:
            minor = "minor" if place // every % 2 else None
            parts.append(tag("text", label, x=_placed(middle), y=_BASE + 20, class_=minor))
    return tag(
        "svg",
        tag("title", title, id=f"{name}-title"),
        tag("desc", said, id=f"{name}-desc"),
        *parts,
        class_="timeline",
        viewBox=f"-30 0 {_WIDTH + 60} {_BASE + 28}",
        role="img",
        aria_labelledby=f"{name}-title {name}-desc",
    )


def _column(label: str, middle: float, width: float, low: int, high: int, unit: float) -> Markup:
    split, top = _BASE - low * unit, _BASE - (low + high) * unit
    boxes = [
        tag(
            "rect",
            x=_placed(middle - width / 2),
            y=_placed(y),
            width=_placed(width),
            height=_placed(end - y),
            class_=kind,
        )
        for kind, y, end in (("bar other", top, split), ("bar cited", split, _BASE))
        if end > y
    ]
    return tag("g", tag("title", f"{label}: {low + high:,}"), *boxes)


def meter(share: float, of: float | None = None) -> Markup:
    """A bar as long as `share` of the cell; `of` (0 to 1) is a second one, hollow, behind it."""
    boxes = [
        tag("rect", x=1, y=1, width=_placed(max(min(part, 1.0) * 98, 0.5)), height=8, class_=kind)
        for kind, part in (("bar other", of), ("bar cited", share))
        if part is not None and part > 0
    ]
    return tag(
        "svg", *boxes, class_="meter", viewBox="0 0 100 10", preserveAspectRatio="none",
        aria_hidden="true",
    ) if boxes else Markup()  # fmt: skip


def growth(counts: Sequence[int]) -> Markup:
    """A small column for each count; nothing where nothing came."""
    most = max(counts, default=0)
    if not most:
        return Markup()
    boxes = [
        tag(
            "rect",
            x=place * 8 + 1,
            y=_placed(23 - 22 * count / most),
            width=6,
            height=_placed(22 * count / most),
            class_="bar cited",
        )
        for place, count in enumerate(counts)
        if count
    ]
    return tag("svg", *boxes, class_="growth", viewBox=f"0 0 {len(counts) * 8} 24",
               aria_hidden="true")  # fmt: skip


def _placed(value: float) -> float:
    return round(value, 1)
