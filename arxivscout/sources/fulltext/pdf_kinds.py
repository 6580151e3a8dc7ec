"""Which lines are formulas and rows of tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from arxivscout.sources.fulltext.pdf_lines import Line

LineKind = Literal["paragraph", "formula", "table"]

BULLET = re.compile(r"[•◦‣▪●○∙]\s*\S|[·–—-]\s+\S")
ITEM = re.compile(r"(?:\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})\)|\d{1,2}\.)\s+\S")
_WORDS = re.compile(r"[^\W\d_]{3,}")
_RELATION = re.compile(r"[=<>≤≥≈≡∼≃∝∈∑∫∏→⇒⊂⊆≠±×∂∇]|\^")
_NUMBERED = re.compile(r"\((?:[A-Z]\.?)?\d+(?:\.\d+)*[a-z]?\)$")


def kinds_of(lines: Sequence[Line]) -> list[LineKind]:
    """What each line is by itself and beside its neighbours."""
    kinds: list[LineKind] = ["formula" if _is_formula(line) else "paragraph" for line in lines]
    for place, (before, line) in enumerate(pairwise(lines), start=1):
        near = before.column == line.column and line.y - before.y < 2.2 * line.size
        no_formula = "formula" not in kinds[place - 1 : place + 1] or _aligned(before, line) > 1
        if near and no_formula and _same_table(before, line):
            kinds[place - 1] = kinds[place] = "table"
        elif near and kinds[place - 1] == "formula" and _goes_with_formula(line):
            kinds[place] = "formula"
    for place in range(1, len(lines) - 1):  # a row with one cell between rows with several
        around = kinds[place - 1] == kinds[place + 1] == "table"
        same = lines[place - 1].column == lines[place].column == lines[place + 1].column
        tight = lines[place + 1].y - lines[place - 1].y < 4 * lines[place].size
        if kinds[place] == "paragraph" and around and same and tight:
            kinds[place] = "table"
    return kinds


def _is_formula(line: Line) -> bool:
    text = line.text
    solid = len(text.replace(" ", "")) or 1
    wordy = sum(map(len, _WORDS.findall(text))) / solid
    numbered = len(line.cells) > 1 and bool(_NUMBERED.fullmatch(line.cells[-1]))
    set_in = line.inset > 0.9 and line.right - line.x1 > 0.5 * line.size
    if wordy > 0.5 or not (set_in or numbered or line.math > 0.6):
        return False
    return bool(_RELATION.search(text)) or line.math > 0.3 or numbered


def _goes_with_formula(line: Line) -> bool:
    """Whether a line is a limit, a denominator or another part of the formula above it."""
    solid = len(line.text.replace(" ", "")) or 1
    wordy = sum(map(len, _WORDS.findall(line.text))) / solid
    narrow = line.x1 - line.x0 < 0.6 * (line.right - line.left)
    return wordy < 0.3 and narrow and line.inset > 0.9


def _same_table(first: Line, second: Line) -> bool:
    if len(first.cells) < 2 or len(second.cells) < 2 or _stretched(first) or _stretched(second):
        return False
    if any(BULLET.match(line.text) or _NUMBERED.search(line.text) for line in (first, second)):
        return False
    marked = ITEM.match(first.text) or first.text.startswith("[")
    if marked and len(first.cells) == len(second.cells) == 2 and len(first.cells[0]) < 5:
        return False
    alike = len(first.cells) == len(second.cells) and len(first.cells) > 2
    return _aligned(first, second) > 0 or alike


def _aligned(first: Line, second: Line) -> int:
    """How many cells after the first begin at the same place in both."""
    near = 0.7 * max(first.size, second.size)
    return sum(
        any(abs(start - other) < near for other in second.starts[1:]) for start in first.starts[1:]
    )


def _stretched(line: Line) -> bool:
    """Whether the gaps are those of justified text with few words on the line."""
    return line.even and line.x0 < line.left + 2 and line.x1 > line.right - 2
