"""How well papers and their sentences bear on a question, as the extractive model judges it.

The score is that of `llm.relevance`: the cosine, and half the share of the question's words. A
report has more papers than a turn, and more to say of each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from arxivscout.llm.extractive_answer import BEHIND_THE_BEST, RELEVANT
from arxivscout.llm.relevance import WORDS_WEIGHT, rarity, sentences_of, share
from arxivscout.llm.terms import content_terms, overlap
from arxivscout.papers import CITATION, Paper
from arxivscout.papers.citing.mathematics import only_prints
from arxivscout.research.evidence import Evidence
from arxivscout.research.vectors import Embed, Vectors, unit

MOST_PAPERS = 30
MOST_SENTENCES = 12  # of one paper
JUDGING = 2  # of them, beside the title, as in a turn
MOST_QUOTED = 4  # of a relevant paper: those that are worth most by their words
MOST_TERMS = 40  # of the question
MOST_PARTS = 6
OWN_WORDS = 0.7  # of a sub-question's words that the question has
PART = 0.1  # what fits a part only scores less
SHORTEST, LONGEST = 40, 700  # characters of a sentence that may be quoted
_BROKEN = re.compile(r"^[a-z]|[^.!?…)\]\"'”’$}]\s*$")

# What a sentence is worth beside how it bears on the question, by its text and by where it stands:
# 0 is the first of an abstract, 1 the last. None: it is not wanted.
Beside = Callable[[str, float], float | None]


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """A sentence as it stands in its paper, what it scores, and its direction (unit length).

    `paper` is the paper's place among those weighed, `place` the sentence's among its own; `worth`
    is the score and what it is worth beside.
    """

    text: str
    paper: int
    place: int
    score: float
    worth: float
    vector: Vectors


@dataclass(frozen=True, slots=True)
class Weighing:
    """Papers by their place, what each scores, and sentences of those that are relevant."""

    papers: tuple[Paper, ...] = ()
    scores: tuple[float, ...] = ()
    sentences: tuple[Weighed, ...] = ()
    relevant: frozenset[int] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True)
class _Asked:
    """The question and its own parts, how much their words count, and which are each paper's."""

    parts: list[str]
    weights: list[dict[str, float]]
    of: list[list[int]]

    def score(self, paper: int, terms: frozenset[str], cosines: Vectors | None = None) -> float:
        """Of a text of this paper, by its words and its cosines with the parts; or words alone."""
        return max(
            (0.0 if cosines is None else float(cosines[q]))
            + WORDS_WEIGHT * share(terms, self.weights[q])
            - PART * (q > 0)
            for q in self.of[paper]
        )


def weigh(question: str, evidence: Sequence[Evidence], embed: Embed, beside: Beside) -> Weighing:
    """The first `MOST_PAPERS` papers and their sentences against `question` and its own parts.

    A paper is relevant by the extractive model's thresholds, withdrawn ones never are. What fits a
    sub-question that it was found for, one about the question's own words, counts nearly as much:
    of a question that joins two things most papers know one. Embedding is most of a job's work:
    words choose which sentences judge a paper, and which of a relevant one may be quoted.
    """
    evidence = evidence[:MOST_PAPERS]
    kept = tuple(each.paper for each in evidence)
    if not kept or not question.strip():
        return Weighing(kept, (0.0,) * len(kept))
    own = [sentences_of(paper)[:MOST_SENTENCES] for paper in kept]
    having = [[frozenset(content_terms(text)) for text in texts] for texts in own]
    everything = [
        frozenset(content_terms(paper.title)).union(*terms)
        for paper, terms in zip(kept, having, strict=True)
    ]
    asked = _asked(question, evidence, everything)
    words = [[asked.score(p, terms) for terms in having[p]] for p in range(len(kept))]

    judging = [
        [paper.title, *(own[p][i] for i in _highest(words[p], JUDGING))]
        for p, paper in enumerate(kept)
    ]
    flat = [text for texts in judging for text in texts]
    vectors = unit(embed([*(part[:2000] for part in asked.parts), *flat]))
    toward = vectors[: len(asked.parts)].T
    ends = np.cumsum([len(texts) for texts in judging])[:-1]
    near = np.split(vectors[len(asked.parts) :] @ toward, ends)  # of each paper (texts, parts)
    scores = [asked.score(p, everything[p], near[p].max(axis=0)) for p in range(len(kept))]
    least = max(RELEVANT, max(scores) - BEHIND_THE_BEST)
    relevant = frozenset(
        p for p, score in enumerate(scores) if score >= least and not kept[p].withdrawn
    )

    picked: list[tuple[int, int, float]] = []
    for p in sorted(relevant):
        last = max(len(own[p]) - 1, 1)
        more = {
            i: worth
            for i, text in enumerate(own[p])
            if quotable(text) and (worth := beside(text, i / last)) is not None
        }
        places = list(more)
        best = _highest([words[p][i] + more[i] for i in places], MOST_QUOTED)
        picked += [(p, places[n], more[places[n]]) for n in best]
    if not picked:
        return Weighing(kept, tuple(scores), (), relevant)
    rows = unit(embed([own[p][i] for p, i, _ in picked]))
    sentences = tuple(
        Weighed(
            own[p][i], p, i, score := asked.score(p, having[p][i], row @ toward), score + more, row
        )
        for (p, i, more), row in zip(picked, rows, strict=True)
    )
    return Weighing(kept, tuple(scores), sentences, relevant)


def _highest(values: Sequence[float], most: int) -> list[int]:
    """The places of the highest values, in their order."""
    return sorted(sorted(range(len(values)), key=lambda i: (-values[i], i))[:most])


def relevant(question: str, evidence: Sequence[Evidence], embed: Embed) -> list[Evidence]:
    """The entries that bear on `question`, in their order; further ones than are weighed are out.

    A search always finds something: what it found that is on something else makes themes of its own
    in a report. Withdrawn papers go too.
    """
    weighing = weigh(question, evidence, embed, lambda text, late: None)
    return [evidence[place] for place in sorted(weighing.relevant)]


def _asked(
    question: str, evidence: Sequence[Evidence], everything: Sequence[frozenset[str]]
) -> _Asked:
    """The question first, then the sub-questions that are about its own words."""
    own = frozenset(content_terms(question))
    parts = [question]
    for part in dict.fromkeys(part for each in evidence for part in each.questions):
        terms = content_terms(part)
        if part != question and len(terms) > 1 and overlap(terms, own) >= OWN_WORDS:
            parts.append(part)
    parts = parts[: 1 + MOST_PARTS]
    weights = [rarity(content_terms(part)[:MOST_TERMS], everything) for part in parts]
    of = [
        [q for q, part in enumerate(parts) if q == 0 or part in each.questions] for each in evidence
    ]
    return _Asked(parts, weights, of)


_ELSEWHERE = re.compile(
    r"https?://|\bwww\.|\b(?:code|data(?:sets?)?|models?|weights|benchmark|software|implementation)\b"
    r"(?: \S+){0,6} (?:publicly |freely |openly )?(?:available|released|open-?sourced)\b"
    r"|\bwe (?:\w+ )?(?:release|open-?source)\b|\bclick here\b",
    re.IGNORECASE,
)


def quotable(text: str) -> bool:
    """Whether a sentence can stand in a report: whole, of usual length, with no citation marks
    and no commands of its authors' own (`\\ourmodel`)."""
    return (
        SHORTEST <= len(text) <= LONGEST
        and not CITATION.search(text)
        and not _ELSEWHERE.search(text)
        and not _BROKEN.search(text)
        and text.count("$") % 2 == 0
        and only_prints(text)
    )


def alike(one: Weighed, other: Weighed) -> float:
    """Cosine of two sentences."""
    return float(np.dot(one.vector, other.vector))
