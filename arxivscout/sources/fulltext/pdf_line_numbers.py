"""Numbers that count the lines of a manuscript, in its margins or between its columns.

They are told by what they are together: whole numbers under each other that go on by the same step,
in a strip of the page that nothing else stands in.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from arxivscout.sources.fulltext.pdf_words import Word

_FEWEST = 4  # on a page, until their place is known
_ALIKE = 0.75  # of the steps from one to the next
_SMALL = 0.85  # of the size of the text: that small is no column of a table
_MANY = 20  # as many stand at the edge of a page in the size of its text
_NEAR = 1.5  # points that a column of numbers may wander

_Place = tuple[bool, int]  # whether they end or begin there, and where


class LineNumbers:
    """Takes the numbers of lines from page after page; remembers where they stood."""

    def __init__(self) -> None:
        self._known: set[_Place] = set()

    def left_out(self, words: Sequence[Word]) -> list[Word]:
        """The words of a page without them."""
        numbers = [word for word in words if word.text.isascii() and word.text.isdecimal()]
        if not numbers:
            return list(words)
        size = median(word.size for word in words)
        gone: set[int] = set()
        for place, column in _columns(numbers):
            fewest = 1 if place in self._known else _FEWEST
            if len(column) < fewest or gone.intersection(map(id, column)):
                continue
            if _counts_lines(column, words, size):
                gone.update(map(id, column))
                self._known.add(place)
        return [word for word in words if id(word) not in gone]


def _columns(numbers: Iterable[Word]) -> list[tuple[_Place, list[Word]]]:
    """Numbers that end, or begin, at the same place; the longest columns first."""
    found: dict[_Place, list[Word]] = defaultdict(list)
    for word in numbers:
        for ends, edge in ((True, word.x1), (False, word.x0)):
            place = round(edge / _NEAR)
            for step in (0, 1):
                found[ends, place + step].append(word)
    for column in found.values():
        column.sort(key=lambda word: word.y)
    return sorted(found.items(), key=lambda each: len(each[1]), reverse=True)


def _counts_lines(column: Sequence[Word], words: Sequence[Word], size: float) -> bool:
    steps = Counter(int(after.text) - int(word.text) for word, after in pairwise(column))
    if steps:
        step, often = steps.most_common(1)[0]
        if step < 1 or often < _ALIKE * (len(column) - 1):
            return False
    left, right = min(word.x0 for word in column), max(word.x1 for word in column)
    own = set(map(id, column))
    others = [word for word in words if id(word) not in own]
    if any(left < word.x1 and word.x0 < right and _beside(word, column) for word in others):
        return False
    if max(word.size for word in column) < _SMALL * size:
        return True
    outside = all(word.x0 >= right for word in others) or all(word.x1 <= left for word in others)
    return len(column) >= _MANY and outside


def _beside(word: Word, column: Sequence[Word]) -> bool:
    """Whether a word stands between the first number and the last."""
    return column[0].y - word.size < word.y < column[-1].y + word.size
