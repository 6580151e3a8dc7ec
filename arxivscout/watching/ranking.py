"""What of arXiv's changes is news to a person, how well it fits the topic, in which order. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from arxivscout.llm.relevance import WORDS_WEIGHT
from arxivscout.llm.terms import content_terms, likeness
from arxivscout.memory.watches import Candidate, Interest, Known
from arxivscout.papers import Paper
from arxivscout.papers.categories import within
from arxivscout.preferences import Wishes, applies
from arxivscout.preferences.wishes import mentions, same_author

# The scale is that of an answer's relevance (llm/relevance.py), where .80 is asked of the best
# sentence; here a whole abstract is compared, and .75 does the same. Of 2,500 real papers of all
# fields it keeps 45 for "dark matter candidates", 42 for "protein structure prediction", 4 for
# "federated learning privacy", and for recipes, football, tax law, music and hotels none (.58 at
# most).
LEAST_COSINE = 0.25
RELEVANT = 0.75
BEST = 1.0 + WORDS_WEIGHT  # of a paper that says the topic and nothing else

# What only changes the order among papers that fit: a preference counts about as much as in an
# answer, a paper that is as near to what was looked at as two on one subject are (.7) the same.
WANTED_BONUS = 0.15
INTEREST_WEIGHT = 0.4
LEAST_INTEREST = 0.35
NEAR = 0.5  # from where it is told that a paper is near to one that was looked at

# A version carries the day it was submitted; until it is announced people look at the one before.
ANNOUNCED_WITHIN = timedelta(days=5)


@dataclass(frozen=True, slots=True)
class Pick:
    """A paper to report: how well it fits (0 to 1), its place in the order, why it is here."""

    paper: Paper
    fit: float
    rank: float
    why: str
    known: Known | None  # None: it is new to the person


@dataclass(frozen=True, slots=True)
class Picked:
    """The picks, best first, and how many more would fit but are unwanted, by reason."""

    picks: tuple[Pick, ...]
    left_out: dict[str, int]


def is_news(candidate: Candidate, known: Known | None, first_day: date) -> bool:
    """Whether a paper, or its version, is one that the person has not met.

    One that nothing is known of must have come since the watch's first day. Of one that was looked
    at it is not kept in which version; but when the stored record changed last, and when this
    version was submitted.
    """
    paper = candidate.paper
    if known is None:
        published = paper.published or ""
        return published >= first_day.isoformat()[: len(published)]
    if (paper.version or 1) <= (known.version or 1):
        return False
    if known.looked_at is None:
        return True
    announced = _day(paper.updated) + ANNOUNCED_WITHIN
    return candidate.stored_at > known.looked_at and announced >= known.looked_at.date()


def fits(topic: str, candidates: Sequence[Candidate]) -> list[float]:
    """How well each paper fits: its cosine, plus `WORDS_WEIGHT` times its share of the topic's
    words, of which those count more that few of these papers have.
    """
    terms = content_terms(topic)[:40]
    having = [
        frozenset(content_terms(f"{each.paper.title}\n{each.paper.abstract}"))
        for each in candidates
    ]
    weights = {
        term: math.log(1 + (len(having) + 1) / (0.5 + sum(term in words for words in having)))
        for term in terms
    }
    total = sum(weights.values()) or 1.0
    return [
        each.cosine
        + WORDS_WEIGHT * sum(w * likeness(term, words) for term, w in weights.items()) / total
        for each, words in zip(candidates, having, strict=True)
    ]


def pick(
    topic: str,
    candidates: Sequence[Candidate],
    *,
    known: Mapping[str, Known],
    interests: Mapping[str, Interest],
    wishes: Wishes,
    first_day: date,
) -> Picked:
    """The candidates that are news, fit the topic, and are not unwanted."""
    picks: list[Pick] = []
    left_out: dict[str, int] = {}
    for each, score in zip(candidates, fits(topic, candidates), strict=True):
        paper, of_it = each.paper, known.get(each.paper.arxiv_id)
        if paper.withdrawn or score < RELEVANT or not is_news(each, of_it, first_day):
            continue
        if reason := applies(wishes, paper):
            left_out[reason] = left_out.get(reason, 0) + 1
            continue
        bonus, reasons = _liked(paper, wishes, interests.get(paper.arxiv_id))
        why = "; ".join(["fits the topic", *reasons])
        picks.append(Pick(paper, min(max(score, 0.0) / BEST, 1.0), score + bonus, why, of_it))
    picks.sort(key=lambda one: (-one.rank, one.paper.arxiv_id))
    return Picked(tuple(picks), left_out)


def _liked(paper: Paper, wishes: Wishes, interest: Interest | None) -> tuple[float, list[str]]:
    """What the person's own wishes and interests add to a paper's rank, and why."""
    reasons: list[str] = []
    text = f"{paper.title}\n{paper.abstract}"
    reasons += [f"about {term}, which you prefer" for term in wishes.wanted if mentions(text, term)]
    reasons += [
        f"by {author}, whom you prefer"
        for author in paper.authors
        if any(same_author(name, author) for name in wishes.authors_wanted)
    ]
    reasons += [
        f"in {category}, which you prefer"
        for category in wishes.categories_wanted
        if within(paper.categories, category)
    ]
    bonus = WANTED_BONUS * len(reasons)
    if interest is not None:
        bonus += INTEREST_WEIGHT * max(0.0, interest.cosine - LEAST_INTEREST)
        if interest.cosine >= NEAR:
            what = "which you looked at" if interest.kind == "paper" else "which you found"
            reasons.append(f"near to “{interest.said[:120]}”, {what}")
    return bonus, reasons


def _day(text: str | None) -> date:
    """A day, the first of a month; the last of all where none is known, to leave nothing out."""
    parts = (text or "").split("-")
    try:
        return date(*map(int, [*parts, "1"][:3]))
    except (ValueError, TypeError):
        return date.max - ANNOUNCED_WITHIN
