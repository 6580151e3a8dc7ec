"""Small plots of characters: a bar, and a line of bars. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from arxivscout.monitoring.figures import Counts

_EIGHTHS = "▁▂▃▄▅▆▇█"
_PLAIN = "_.:-=+*#"  # where a terminal has no blocks
_PARTS = " ▏▎▍▌▋▊▉█"


def bar(share: float, width: int, *, plain: bool = False) -> str:
    """A bar as long as `share` (0 to 1) of `width`; what is more than nothing is seen."""
    eighths = round(min(max(share, 0.0), 1.0) * width * 8)
    if plain:
        return "#" * max(round(eighths / 8), 1 if share > 0 else 0)
    eighths = max(eighths, 1 if share > 0 else 0)
    return "█" * (eighths // 8) + _PARTS[eighths % 8].strip()


def line(values: Sequence[float], *, plain: bool = False, most: float | None = None) -> str:
    """A character for each value, as high as it is beside the largest; a blank for nothing.

    Args:
        most: what counts as the largest, so that two lines can be compared.
    """
    steps = _PLAIN if plain else _EIGHTHS
    top = max(most or 0.0, *values, 0.0) if values else 0.0
    return "".join(
        " " if value <= 0 else steps[min(int(value / top * len(steps)), len(steps) - 1)]
        for value in values
    )


def every_day(days: Sequence[tuple[date, Counts]]) -> list[tuple[date, Counts]]:
    """The days from the first to the last, those of nothing too."""
    if not days:
        return []
    counted: Mapping[date, Counts] = dict(days)
    first, last = days[0][0], days[-1][0]
    whole = (last - first).days + 1
    return [
        (day, counted.get(day, Counts())) for day in (first + timedelta(n) for n in range(whole))
    ]


def together(
    days: Sequence[tuple[date, Counts]], most: int
) -> tuple[int, list[tuple[date, Counts]]]:
    """At most so many entries, each of as many days as the first says; its date is its first."""
    each = max(-(-len(days) // most), 1)
    grouped = [
        (days[at][0], sum((counts for _, counts in days[at : at + each]), Counts()))
        for at in range(0, len(days), each)
    ]
    return each, grouped
