"""Does the source say what the claim says? Words first, meaning where words don't settle it.

Fitted on 361 sentences of the starter papers' summaries, which tell the abstracts in other words,
against those abstracts, against the three abstracts of 25,314 that share most words with the paper,
and against random ones: at SUPPORTED 2 % of the first are lost, and 75 % of the second and 99.7 %
of the third are told. The vector of the whole abstract in the passages' place tells 38 % of the
second.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from arxivscout.checking.plain import plain
from arxivscout.checking.polarity import turned_round
from arxivscout.checking.source import Source
from arxivscout.llm.terms import content_terms, overlap, stem

# Said of a record, not by it: "it stands in cs.CR and has five authors".
_OF_RECORDS = frozenset(
    stem(word)
    for word in "stands listed submitted appeared posted dated category archive arxiv preprint "
    "abstract pages version titled entitled title called includes including journal year "
    "according argue argues reports held here there overview".split()
)
_NUMBER_WORDS = frozenset(
    stem(word)
    for word in "three four five six seven eight nine ten hundred thousand million billion half "
    "third percent twice double dozen".split()
)
Degree = Literal["supported", "weak", "unsupported"]
Embed = Callable[[list[str]], NDArray[np.float32]]

# A score is the cosine of claim and closest passage, plus WORDS_WEIGHT times the share of the
# claim's terms that the source has.
WORDS_WEIGHT = 1.5
SUPPORTED = 1.1
WEAK = 0.6
CLEAR = 0.7  # a share of words that settles it without a vector
FOLLOWS = 0.75  # a share of words from which the claim retells the source
LEAST_TERMS = 4  # a claim of fewer says too little to be judged by its words
HOPELESS = 0.1  # a share of words that no meaning makes up for
READ_CLOSELY = 3  # passages that are embedded, those that share most words


@dataclass(frozen=True, slots=True)
class Comparison:
    """One claim beside one source: shared words, and the passages to be read closely.

    `words` is the share of its terms that abstract and record have, or one excerpt.
    """

    text: str
    terms: tuple[str, ...]
    words: float
    passages: tuple[str, ...]  # those that share most first
    opposite: bool = False  # it follows the best passage and says the opposite

    @property
    def texts(self) -> list[str]:
        """What must be embedded to judge; nothing where words settle it."""
        if self.words >= CLEAR or self.words < HOPELESS or self.opposite:
            return []
        return [self.text, *self.passages]

    def judged(self, vectors: dict[str, NDArray[np.float32]]) -> tuple[Degree, float, str]:
        """Degree, score and best passage; `vectors` of `texts`, unit length."""
        if self.opposite:
            return "weak", SUPPORTED, self.passages[0]
        if not self.texts:
            settled: Degree = "supported" if self.words >= CLEAR else "unsupported"
            return settled, WORDS_WEIGHT * self.words + (self.words >= CLEAR), self.passages[0]
        claim = vectors[self.text]
        cosines = [float(claim @ vectors[passage]) for passage in self.passages]
        best = max(range(len(cosines)), key=lambda at: cosines[at])
        score = WORDS_WEIGHT * self.words + cosines[best]
        enough = SUPPORTED if len(self.terms) >= LEAST_TERMS else WEAK
        degree: Degree = (
            "supported" if score >= enough else "weak" if score >= WEAK else "unsupported"
        )
        return degree, score, self.passages[best]


def compare(text: str, source: Source) -> Comparison:
    """Lay a claim beside a source."""
    terms = said(text)
    shares = [overlap(terms, having) for having in source.passage_terms]
    order = sorted(range(len(shares)), key=lambda at: -shares[at])[:READ_CLOSELY]
    closest = tuple(source.passages[at] for at in order)
    words = max(overlap(terms, having) for having in (source.terms, *source.excerpt_terms))
    return Comparison(
        text,
        terms,
        words,
        closest,
        words >= FOLLOWS and turned_round(text, closest, source.text_around(closest[0])),
    )


def said(text: str) -> tuple[str, ...]:
    """The terms of a claim that its source must bear out; numbers are checked by themselves."""
    return tuple(
        term
        for term in content_terms(plain(text))
        if not term[0].isdigit() and term not in _OF_RECORDS and term not in _NUMBER_WORDS
    )


def embedded(comparisons: Sequence[Comparison], embed: Embed) -> dict[str, NDArray[np.float32]]:
    """The vectors of all texts that the comparisons need, each embedded once, in one go."""
    texts = list(dict.fromkeys(text for each in comparisons for text in each.texts))
    return dict(zip(texts, embed(texts), strict=True)) if texts else {}
