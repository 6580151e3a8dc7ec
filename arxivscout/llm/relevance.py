"""How well papers and their sentences bear on a question: meaning and words together.

At most `MOST_TEXTS` texts are embedded for an answer, whatever was found: words choose which.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.embeddings import Embeddings

from arxivscout.llm.terms import content_terms, likeness
from arxivscout.papers import Paper
from arxivscout.papers.sentences import split_sentences

MOST_TEXTS = 25
MOST_PAPERS = 10
LONGEST_ABSTRACT = 6_000  # characters; what stands behind is no abstract
WORDS_WEIGHT = 0.5  # of full coverage of the question's words, beside a cosine of at most 1


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as it stands in the paper, its relevance, and its direction (unit length)."""

    text: str
    score: float
    vector: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """One paper with its relevance and the sentences that were looked at, best first."""

    paper: Paper
    score: float
    sentences: tuple[Sentence, ...]


def judge(topic: str, papers: Sequence[Paper], embedder: Embeddings) -> list[Judged]:
    """The papers by their relevance to `topic`, best first; the first `MOST_PAPERS` are judged.

    A score is the best cosine of title or sentence with the topic, plus `WORDS_WEIGHT` times the
    share of the topic's words that the paper has, rare words counting more.
    """
    papers = papers[:MOST_PAPERS]
    if not papers or not topic.strip():
        return []
    terms = content_terms(topic)[:40]
    sentences = [sentences_of(paper) for paper in papers]
    having = [[frozenset(content_terms(s)) for s in own] for own in sentences]
    titles = [frozenset(content_terms(paper.title)) for paper in papers]
    weights = rarity(terms, [t.union(*own) for t, own in zip(titles, having, strict=True)])

    each = max(1, (MOST_TEXTS - len(papers)) // len(papers))
    chosen = [
        sorted(sorted(range(len(own)), key=lambda i: (-share(own[i], weights), i))[:each])
        for own in having
    ]
    texts = [paper.title for paper in papers] + [
        sentences[p][i] for p, picks in enumerate(chosen) for i in picks
    ]
    asked = _unit(embedder.embed_query(topic[:2000]))
    vectors = [_unit(vector) for vector in embedder.embed_documents(texts)]
    cosines = [sum(a * b for a, b in zip(asked, vector, strict=True)) for vector in vectors]

    judged: list[Judged] = []
    at = len(papers)
    for p, picks in enumerate(chosen):
        words = WORDS_WEIGHT * share(titles[p].union(*having[p]), weights)
        found = [
            Sentence(
                sentences[p][i],
                cosines[at + n] + WORDS_WEIGHT * share(having[p][i], weights),
                vectors[at + n],
            )
            for n, i in enumerate(picks)
        ]
        best = max([cosines[p], *cosines[at : at + len(picks)]])
        judged.append(Judged(papers[p], best + words, tuple(sorted(found, key=lambda s: -s.score))))
        at += len(picks)
    return sorted(judged, key=lambda one: -one.score)


def closeness(text: str, others: Sequence[str], embedder: Embeddings) -> list[float]:
    """How close each of `others` is to `text`: cosine plus the weighted share of its words."""
    if not others:
        return []
    terms = content_terms(text)
    weights = dict.fromkeys(terms, 1.0)
    asked = _unit(embedder.embed_query(text[:2000]))
    vectors = [_unit(vector) for vector in embedder.embed_documents([o[:1000] for o in others])]
    return [
        sum(a * b for a, b in zip(asked, vector, strict=True))
        + WORDS_WEIGHT * share(frozenset(content_terms(other)), weights)
        for other, vector in zip(others, vectors, strict=True)
    ]


def sentences_of(paper: Paper) -> list[str]:
    """The sentences of an abstract, without the blanks between them."""
    cut = split_sentences(paper.abstract[:LONGEST_ABSTRACT])
    return [sentence for each in cut if len(sentence := each.strip()) > 20]


def rarity(terms: Sequence[str], documents: Sequence[frozenset[str]]) -> dict[str, float]:
    """How much each of the question's words counts: less, the more of the papers have it."""
    count = len(documents)
    return {
        term: math.log(1 + (count + 1) / (0.5 + sum(term in d for d in documents)))
        for term in terms
    }


def share(having: frozenset[str], weights: dict[str, float]) -> float:
    total = sum(weights.values())
    return sum(w * likeness(term, having) for term, w in weights.items()) / total if total else 0.0


def _unit(vector: Sequence[float]) -> tuple[float, ...]:
    length = math.sqrt(sum(value * value for value in vector)) or 1.0
    return tuple(value / length for value in vector)
