"""Papers in groups that lie together by meaning, each named by the terms that set it apart."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from arxivscout.llm.terms import likeness
from arxivscout.papers import Paper
from arxivscout.reports.report import Theme
from arxivscout.research.clusters import clusters
from arxivscout.research.generic import ends_a_name
from arxivscout.research.phrases import Key, Terms, best_written, capitals_of, terms_of
from arxivscout.research.vectors import unit

MOST_TERMS = 6
WITHIN = 0.8  # what a term loses that stands nowhere but in one longer
IN_NAME = 2
LONGEST_NAME = 60  # characters; the second term goes if it does not fit
UNNAMED = "further papers"


@dataclass(frozen=True, slots=True)
class Themes:
    """The theme of each paper, a place in `themes`; that of the best paper comes first."""

    labels: tuple[int, ...] = ()
    themes: tuple[Theme, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The themes' names, all different."""
        return tuple(theme.name for theme in self.themes)


def themes(papers: Sequence[Paper], vectors: NDArray[Any], *, most: int = 6) -> Themes:
    """Group `papers` by their `vectors` (n, dim), in at most `most` themes; up to 4 make one."""
    if not papers:
        return Themes()
    labels = clusters(unit(vectors), most)
    return Themes(tuple(labels), tuple(_named(papers, labels)))


def _named(papers: Sequence[Paper], labels: Sequence[int]) -> list[Theme]:
    terms = [terms_of(paper) for paper in papers]
    capitals = capitals_of(terms)
    named: list[Theme] = []
    taken: set[str] = set()
    for label in range(max(labels) + 1):
        own = [t for t, of in zip(terms, labels, strict=True) if of == label]
        others = [t for t, of in zip(terms, labels, strict=True) if of != label]
        ranked = [best_written(key, own, capitals) for key in _ranked(own, others)]
        name = _name(ranked, taken)
        taken.add(name.casefold())
        named.append(Theme(name=name, terms=tuple(ranked)))
    return named


def _name(terms: Sequence[str], taken: set[str]) -> str:
    for count in range(IN_NAME, len(terms) + 1):
        name = ", ".join(terms[:count])
        if len(name) > LONGEST_NAME and count == IN_NAME:
            name = terms[0]
        if name.casefold() not in taken:
            return name
    base = ", ".join(terms[:IN_NAME]) or UNNAMED
    return next(
        name
        for number in range(1, len(taken) + 2)
        if (name := base if number == 1 else f"{base} ({number})").casefold() not in taken
    )


def _ranked(own: Sequence[Terms], others: Sequence[Terms]) -> list[Key]:
    """The terms that most of the theme's papers have and few others, no two of the same words."""
    here = Counter(key for terms in own for key in terms.written)
    titled = Counter(key for terms in own for key in terms.in_title)
    there = Counter(key for terms in others for key in terms.written)
    longer = _within_longer(here)
    least = min(2, len(own))
    scored: list[tuple[float, Key]] = []
    for key, count in here.items():
        if count < least:
            continue
        share = (count + titled[key]) / (2 * len(own))
        elsewhere = (there[key] + 0.5) / (len(others) + 1)
        apart = math.log(1 + (count + 0.5) / (len(own) + 1) / elsewhere) if others else 1.0
        alone = 1.0 - WITHIN * longer.get(key, 0) / count
        if weight := share * apart * alone * _shape(key, own):
            scored.append((-weight, key))
    chosen: list[Key] = []
    for _, key in sorted(scored):
        if len(chosen) == MOST_TERMS:
            break
        if not any(likeness(word, known) for known in map(frozenset, chosen) for word in key):
            chosen.append(key)
    return chosen


def _within_longer(here: Counter[Key]) -> dict[Key, int]:
    """In how many papers a term stands within the longer one that is commonest."""
    longer: dict[Key, int] = {}
    for key, count in here.items():
        for size in range(1, len(key)):
            for at in range(len(key) - size + 1):
                part = key[at : at + size]
                longer[part] = max(count, longer.get(part, 0))
    return longer


def _shape(key: Key, own: Sequence[Terms]) -> float:
    """Phrases tell more than words, acronyms more than other words; a name ends in a noun."""
    forms = (
        form
        for terms in own
        if key in terms.written
        for form in (*terms.written[key], *([terms.in_title[key]] if key in terms.in_title else []))
    )
    last = next(forms)[-1]
    if not ends_a_name(last):
        return 0.0
    if len(key) == 1:
        return 1.0 if sum(map(str.isupper, last)) > 1 else 0.7
    return 1.6 if len(key) == 2 else 1.7
