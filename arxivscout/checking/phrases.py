"""Where an answer has words of a paper's title: what stands there is a thing, and no person."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arxivscout.papers import fold_accents

_WORD = re.compile(r"[^\W\d_]+")  # numbers apart: a journal's are seldom quoted as they stand
_BETWEEN_BLANKS = re.compile(r"\S+")
LEAST_WORDS = (
    2  # in a row; one word may be a name in the title ("Bell inequalities") and "Bell" too
)

Span = tuple[int, int]


def phrases_in(text: str, phrases: Sequence[str]) -> list[Span]:
    """Where `text` has two or more words in a row of one of `phrases`, or all of its one word."""
    words = _words(text)
    spans: list[Span] = []
    for phrase in dict.fromkeys(phrases):
        row = [word for word, _, _ in _words(phrase)]
        least = min(LEAST_WORDS, len(row))
        at = 0
        while row and at < len(words):
            length = max(_common(words, at, row, place) for place in range(len(row)))
            if length >= least:
                spans.append((words[at][1], words[at + length - 1][2]))
            at += max(length, 1)
    return spans


def without_phrases(text: str, start: int, end: int, spans: Sequence[Span]) -> Span:
    """What is left of text[start:end] when words of a phrase at either end of it are taken off.

    Returns:
        where it begins and ends; the same place twice if nothing is left.
    """
    left = [
        (found.start(), found.end())
        for found in _BETWEEN_BLANKS.finditer(text, start, end)
        if not any(begins < found.end() and found.start() < ends for begins, ends in spans)
    ]
    return (left[0][0], left[-1][1]) if left else (start, start)


def _common(words: Sequence[tuple[str, int, int]], at: int, row: Sequence[str], place: int) -> int:
    """How many words from `at` are those of `row` from `place`."""
    length = 0
    while (
        at + length < len(words)
        and place + length < len(row)
        and words[at + length][0] == row[place + length]
    ):
        length += 1
    return length


def _words(text: str) -> list[tuple[str, int, int]]:
    """The words, folded, and where they stand."""
    return [
        (fold_accents(found[0]).casefold(), found.start(), found.end())
        for found in _WORD.finditer(text)
    ]
