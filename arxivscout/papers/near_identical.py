"""Papers that are there twice: a version under an id of its own, a resubmission, a copy.

Judged by what the records say: titles, abstracts, authors. A series looks much the same (part I and
part II, the report of each year), and so does what is written about a paper (its erratum, a
comment, the reply); those are told apart by the numbers and the opening words of their titles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from arxivscout.papers.record import Paper
from arxivscout.papers.search_form import search_form

# Of the words of both, the share that both have: of the titles, and then of the abstracts. Of all
# pairs among 25,314 real papers, the two that are the same text have .9 of the title and all of the
# abstract; of the others the nearest, by the same authors on neighbouring schemes, .64 and .81, or
# .83 and .57. Parts of a series have up to .9 and all.
LEAST_OF_BOTH = ((0.9, 0.7), (0.5, 0.85))
# With the same abstract, word for word and by the same authors, the title may have been changed.
LEAST_OF_ABSTRACTS_RETITLED = 0.97
SHORTEST_RETITLED = 24
LEAST_OF_LENGTHS = 0.6
LEAST_OF_LENGTHS_RETITLED = 0.95
MOST_AUTHORS = 50
SHORTEST = 12  # different words; a shorter abstract is a formula: "Withdrawn by the author."

_WORD = re.compile(r"[a-z]+|\d+(?:\.\d+)?")
_ROMAN = re.compile(r"\b(?:[IVX]{1,5})\b")
_ORDINAL = re.compile(
    r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|one|two|three|four|five"
    r"|\d+(?:st|nd|rd|th)?)\b"
)
_ABOUT = re.compile(
    r"\b(comments? (?:on|to)|repl(?:y|ies) (?:to|on)|respon(?:se|d) to|errat(?:um|a)"
    r"|corrigend(?:um|a)|addend(?:um|a)|corrections? (?:to|of)|rebuttal|retraction"
    r"|supplement(?:ary|al)?|a note on|remarks? on|appendix)\b"
)


class _Record:
    """What is compared of a paper, each part worked out once and only if it is looked at."""

    def __init__(self, paper: Paper) -> None:
        self._paper = paper
        self.withdrawn = paper.withdrawn
        self.length = len(paper.abstract)

    @cached_property
    def names(self) -> frozenset[str]:
        """The longest word of each author's name: the surname, mostly, and the same both times."""
        names = search_form("\n".join(self._paper.authors[:MOST_AUTHORS])).lower()
        words = (name.replace(".", " ").split() for name in names.split("\n"))
        return frozenset(max(each, key=len) for each in words if each)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """What tells one of a series from another."""
        form = self._title
        return frozenset([*_ROMAN.findall(form), *_ORDINAL.findall(form.lower())])

    @cached_property
    def about(self) -> frozenset[str]:
        """How the title says that it is about another paper."""
        found = _ABOUT.findall(self._paper.title.lower())
        return frozenset(each.split()[0][:5] for each in found)

    @cached_property
    def title(self) -> frozenset[str]:
        return _words(self._title)

    @cached_property
    def abstract(self) -> frozenset[str]:
        return _words(search_form(self._paper.abstract))

    @cached_property
    def _title(self) -> str:
        return search_form(self._paper.title)


def collapsed(papers: Sequence[Paper], pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The places of the papers in groups of near-identical ones, each group by its first.

    Args:
        pairs: of places, the first one before the second, that are worth comparing; in order.
    """
    records = [_Record(paper) for paper in papers]
    head = list(range(len(papers)))
    for first, second in pairs:
        if (
            head[first] == first
            and head[second] == second
            and _same(records[first], records[second])
        ):
            head[second] = first
    return [
        [place for place in range(first, len(papers)) if head[place] == first]
        for first in range(len(papers))
        if head[first] == first
    ]


def _same(one: _Record, other: _Record) -> bool:
    """Whether the two are the same text under two ids, as far as the records tell.

    What is told soonest comes first: the length of abstracts tells most of them apart, and taking
    these apart takes longest.
    """
    lengths = min(one.length, other.length) / max(one.length, other.length, 1)
    if lengths < LEAST_OF_LENGTHS:
        return False
    titles = _share(one.title, other.title)
    if titles < LEAST_OF_BOTH[-1][0] and lengths < LEAST_OF_LENGTHS_RETITLED:
        return False
    if one.numbers != other.numbers or one.about != other.about:
        return False
    if one.names and other.names and not one.names & other.names:
        return False
    shorter, longer = sorted((len(one.abstract), len(other.abstract)))
    if shorter < SHORTEST or shorter < LEAST_OF_BOTH[0][1] * longer:
        return False
    alike = _share(one.abstract, other.abstract)
    if any(titles >= of_titles and alike >= of_texts for of_titles, of_texts in LEAST_OF_BOTH):
        return True
    # Notices that a paper is withdrawn are alike whatever the paper.
    known = bool(one.names & other.names) and not (one.withdrawn or other.withdrawn)
    return alike >= LEAST_OF_ABSTRACTS_RETITLED and known and shorter >= SHORTEST_RETITLED


def _words(form: str) -> frozenset[str]:
    return frozenset(_WORD.findall(form.lower()))


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 0.0
