"""How well papers and all their sentences bear on a question, as the extractive model judges it.

The score is that of `llm.relevance`: the cosine, and half the share of the question's words. It
looks at a turn's few papers and two sentences of each; a report has time for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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
MOST_TERMS = 40  # of the question
MOST_PARTS = 6
OWN_WORDS = 0.7  # of a sub-question's words that the question has
PART = 0.1  # what fits a part only scores less
SHORTEST, LONGEST = 40, 700  # characters of a sentence that may be quoted
_BROKEN = re.compile(r"^[a-z]|[^.!?…)\]\"'”’$}]\s*$")


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """A sentence as it stands in its paper, what it scores, and its direction (unit length).

    `paper` is the paper's place among those weighed, `place` the sentence's among its own; `late`
    is 0 for the first sentence of an abstract and 1 for the last.
    """

    text: str
    paper: int
    place: int
    late: float
    score: float
    vector: Vectors


@dataclass(frozen=True, slots=True)
class Weighing:
    """Papers by their place, what each scores, and the sentences of those that are relevant."""

    papers: tuple[Paper, ...] = ()
    scores: tuple[float, ...] = ()
    sentences: tuple[Weighed, ...] = ()
    relevant: frozenset[int] = field(default_factory=frozenset)


def weigh(question: str, evidence: Sequence[Evidence], embed: Embed) -> Weighing:
    """The first `MOST_PAPERS` papers and their sentences against `question` and its own parts.

    A paper is relevant by the extractive model's thresholds, withdrawn ones never are. What fits a
    sub-question that it was found for, one about the question's own words, counts nearly as much:
    of a question that joins two things most papers know one.
    """
    kept = tuple(each.paper for each in evidence[:MOST_PAPERS])
    if not kept or not question.strip():
        return Weighing(kept, (0.0,) * len(kept))
    parts = _parts(question, evidence[:MOST_PAPERS])
    own = [sentences_of(paper)[:MOST_SENTENCES] for paper in kept]
    having = [[frozenset(content_terms(text)) for text in texts] for texts in own]
    titles = [frozenset(content_terms(paper.title)) for paper in kept]
    everything = [title.union(*each) for title, each in zip(titles, having, strict=True)]
    weights = [rarity(content_terms(asked)[:MOST_TERMS], everything) for asked in parts]

    flat = [text for texts in own for text in texts]
    titled = [paper.title for paper in kept]
    vectors = unit(embed([*(asked[:2000] for asked in parts), *titled, *flat]))
    cosines = vectors[len(parts) :] @ vectors[: len(parts)].T  # (texts, parts)
    scores: list[float] = []
    sentences: list[Weighed] = []
    at = len(kept)
    for p, texts in enumerate(own):
        asked_of = [q for q, asked in enumerate(parts) if q == 0 or asked in evidence[p].questions]
        near = cosines[at : at + len(texts)]

        def best(
            terms: frozenset[str], cosine: Vectors, asked_of: Sequence[int] = asked_of
        ) -> float:
            return max(
                float(cosine[q]) + WORDS_WEIGHT * share(terms, weights[q]) - PART * (q > 0)
                for q in asked_of
            )

        highest = np.concatenate([cosines[p : p + 1], near]).max(axis=0)
        scores.append(best(everything[p], highest))
        sentences += [
            Weighed(
                text,
                p,
                i,
                i / max(len(texts) - 1, 1),
                best(having[p][i], near[i]),
                vectors[len(parts) + at + i],
            )
            for i, text in enumerate(texts)
            if quotable(text)
        ]
        at += len(texts)
    least = max(RELEVANT, max(scores) - BEHIND_THE_BEST)
    relevant = frozenset(
        p for p, score in enumerate(scores) if score >= least and not kept[p].withdrawn
    )
    return Weighing(
        kept, tuple(scores), tuple(s for s in sentences if s.paper in relevant), relevant
    )


def relevant(question: str, evidence: Sequence[Evidence], embed: Embed) -> list[Evidence]:
    """The entries that bear on `question`, in their order; further ones than are weighed are out.

    A search always finds something: what it found that is on something else makes themes of its own
    in a report. Withdrawn papers go too.
    """
    weighing = weigh(question, evidence, embed)
    return [evidence[place] for place in sorted(weighing.relevant)]


def _parts(question: str, evidence: Sequence[Evidence]) -> list[str]:
    """The question, and the sub-questions that are about its own words."""
    own = frozenset(content_terms(question))
    parts = [question]
    for asked in dict.fromkeys(asked for each in evidence for asked in each.questions):
        terms = content_terms(asked)
        if asked != question and len(terms) > 1 and overlap(terms, own) >= OWN_WORDS:
            parts.append(asked)
    return parts[: 1 + MOST_PARTS]


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
