"""A full text cut into passages: what is searched, shown and cited of it.

A passage has 256 to 1,024 tokens, most about 330: as small as they may be, for an embedder says
best what a short text is about. It ends with a paragraph where one ends in reach, else with a
sentence, and begins with the last sentences of the one before it, 10 to 20 % of that. No sentence,
formula, table row or item of a list is ever cut, unless a sentence has no end.

Passages stay within a section. One that is too small for a passage is joined with its neighbour
under the same parent, or the next parent up, and such a passage names the headings of both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from arxivscout.papers.fulltext import Section, page_at
from arxivscout.papers.units import Unit, units_of

LEAST, MOST = 256, 1_024  # tokens
NEAR = 384  # an end is looked for up to here
LEAST_OVERLAP, MOST_OVERLAP = 0.1, 0.2  # of the passage before
MOST_NAMES = 4  # headings that one passage names beside each other
BESIDE = " · "


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage, its headings from the outermost, and the pages it stands on, where there are.

    `page_starts` are the places in `text`, in characters, at which the pages after `page` begin.
    """

    text: str
    path: tuple[str, ...]
    page: int | None = None
    last_page: int | None = None
    page_starts: tuple[int, ...] = ()

    def page_at(self, place: int) -> int | None:
        """The page on which the character at `place` of the text stands, as far as is known."""
        return page_at(self.page, self.page_starts, place)

    @property
    def place(self) -> str:
        """Where it stands, as a person reads it: `Methods > Data, p. 3`; "" if nothing tells."""
        pages = ""
        if self.page is not None:
            pages = f"p. {self.page}"
            if self.last_page not in (None, self.page):
                pages = f"pp. {self.page}–{self.last_page}"
        return ", ".join(filter(None, (" > ".join(self.path), pages)))


@dataclass(frozen=True, slots=True)
class Part:
    """A section, or some small ones joined: its headings, and its passages in reading order."""

    path: tuple[str, ...]
    passages: tuple[Passage, ...]


def cut_passages(sections: Sequence[Section]) -> list[Part]:
    """The parts of a full text in reading order; all that stands in a block is in some passage."""
    groups: list[list[Unit]] = []
    blocks = 0
    for section in sections:
        units = [unit for unit in units_of(section, blocks) if unit.text.strip()]
        blocks += len(section.blocks)
        if units:
            groups.append(units)
    return [
        Part(
            _path([unit.path for unit in group]),
            tuple(_passage(units) for run in _runs(group) for units in _cut(run)),
        )
        for group in _joined(groups)
    ]


def _joined(groups: list[list[Unit]]) -> list[list[Unit]]:
    """Groups with enough for a passage each: small ones joined, those of the same parent first."""
    deepest = max((len(unit.path) for group in groups for unit in group), default=0)
    for depth in range(deepest, -1, -1):
        families: list[list[list[Unit]]] = []
        for group in groups:
            if families and _shared(families[-1][-1][-1].path, group[0].path) >= depth:
                families[-1].append(group)
            else:
                families.append([group])
        groups = [group for family in families for group in _without_small(family)]
    return groups


def _without_small(family: list[list[Unit]]) -> list[list[Unit]]:
    found: list[list[Unit]] = []
    for group in family:
        if found and _tokens(found[-1]) < LEAST:
            found[-1] = found[-1] + group
        else:
            found.append(group)
    if len(found) > 1 and _tokens(found[-1]) < LEAST:
        last = found.pop()
        found[-1] = found[-1] + last
    return found


def _runs(units: list[Unit]) -> Iterator[list[Unit]]:
    """What is so large that no passage takes it beside enough else stands alone."""
    run: list[Unit] = []
    for unit in units:
        if unit.tokens <= MOST - LEAST:
            run.append(unit)
            continue
        if run:
            yield run
        yield [unit]
        run = []
    if run:
        yield run


def _cut(units: list[Unit]) -> Iterator[list[Unit]]:
    until = [0, *accumulate(unit.tokens for unit in units)]
    start = 0
    while True:
        end, carried = _end(units, until, start)
        yield units[start:end]
        if end == len(units):
            return
        start = end - carried


def _end(units: list[Unit], until: list[int], start: int) -> tuple[int, int]:
    """Where the passage that begins at `start` ends, and how many units the next one repeats."""
    best: tuple[tuple[bool, bool, int], int, int] | None = None
    first = len(units)
    for end in range(start + 1, len(units)):
        size = until[end] - until[start]
        if size < LEAST:
            continue
        first = min(first, end)
        if size > NEAR:
            break
        carried, fits = _carried(until, start, end)
        if until[-1] - until[end - carried] < LEAST:
            break  # what is left is no passage
        ends_paragraph = units[end].block != units[end - 1].block
        rank = (not fits, not ends_paragraph, size)
        if best is None or rank < best[0]:
            best = rank, end, carried
    if best is not None:
        return best[1], best[2]
    carried, _ = _carried(until, start, first)
    if until[-1] - until[start] <= MOST and until[-1] - until[first - carried] < LEAST:
        return len(units), 0
    return first, carried if first < len(units) else 0


def _carried(until: list[int], start: int, end: int) -> tuple[int, bool]:
    """How many units at the end of a passage the next one repeats, and whether that is enough."""
    size = until[end] - until[start]
    carried = 0
    while (
        end - carried - 1 > start and until[end] - until[end - carried - 1] <= MOST_OVERLAP * size
    ):
        carried += 1
    return carried, until[end] - until[end - carried] >= LEAST_OVERLAP * size


def _passage(units: Sequence[Unit]) -> Passage:
    text = units[0].text.lstrip()
    first = last = next((unit.page for unit in units if unit.page is not None), None)
    starts: list[int] = []
    for before, unit in pairwise(units):
        text = text if unit.block == before.block else f"{text.rstrip()}\n\n"
        if unit.page is not None and last is not None and unit.page > last:
            starts += [len(text)] * (unit.page - last)
            last = unit.page
        text += unit.text
    path = _path([unit.path for unit in units])
    return Passage(text.strip(), path, first, last, tuple(starts))


def _path(paths: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """What the paths share, and beside each other what follows in each."""
    shared = paths[0]
    for path in paths:
        shared = shared[: _shared(shared, path)]
    names = dict.fromkeys(path[len(shared)] for path in paths if len(path) > len(shared))
    shown = list(names)[:MOST_NAMES] + ["…"] * (len(names) > MOST_NAMES)
    return (*shared, BESIDE.join(shown)) if names else shared


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """How many headings two paths have in common from the outermost."""
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )


def _tokens(units: Sequence[Unit]) -> int:
    return sum(unit.tokens for unit in units)
