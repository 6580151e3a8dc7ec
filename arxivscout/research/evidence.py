"""The papers that several searches found, as one list: each once, best first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from arxivscout.papers import Paper, PaperHit, PaperId, fold_accents

# A paper that serves all questions passes one that fits a single question a little better.
BONUS = 0.15
# Shorter titles ("Dark matter", "Reply") are given to different papers.
LONGEST_COMMON_TITLE = 25  # letters and digits


@dataclass(frozen=True, slots=True)
class Finding:
    """What one search found for one sub-question, best first."""

    question: str
    hits: Sequence[PaperHit]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A paper, how well it fits (0 to 1), the sub-questions it serves (best first), and why it is
    there: the search that it fits best, and how many of the others found it."""

    paper: Paper
    score: float
    questions: tuple[str, ...]
    why: str


def merge(findings: Iterable[Finding]) -> list[Evidence]:
    """One entry a paper over all searches, best first, withdrawn ones last.

    Versions of a paper, and papers of the same title, are one: the newest that is not withdrawn
    stands for them. The score is the best of its searches, with up to `BONUS` of what is missing to
    1 for serving several questions. The order of `findings` tells nothing but ties of questions.
    """
    best: dict[str, dict[str, float]] = {}
    papers: dict[str, Paper] = {}
    asked: dict[str, int] = {}
    for finding in findings:
        place = asked.setdefault(finding.question, len(asked))
        assert place >= 0
        for hit in finding.hits:
            paper = _canonical(hit.paper)
            known = papers.get(paper.arxiv_id)
            if known is None or _standing(paper) > _standing(known):
                papers[paper.arxiv_id] = paper
            scores = best.setdefault(paper.arxiv_id, {})
            score = min(max(hit.score, 0.0), 1.0)
            scores[finding.question] = max(score, scores.get(finding.question, 0.0))

    groups: dict[str, list[str]] = {}
    for arxiv_id, paper in papers.items():
        title = _normalised(paper.title)
        key = title if len(title) > LONGEST_COMMON_TITLE else arxiv_id
        groups.setdefault(key, []).append(arxiv_id)

    found = [
        _entry([papers[i] for i in ids], [best[i] for i in ids], asked) for ids in groups.values()
    ]
    return sorted(found, key=lambda e: (e.paper.withdrawn, -e.score, e.paper.arxiv_id))


def _entry(
    same: Sequence[Paper], scores: Sequence[dict[str, float]], asked: dict[str, int]
) -> Evidence:
    paper = max(same, key=_standing)
    served: dict[str, float] = {}
    for own in scores:
        for question, score in own.items():
            served[question] = max(score, served.get(question, 0.0))
    top = max(served.values())
    several = (len(served) - 1) / max(len(asked) - 1, 1)
    questions = tuple(sorted(served, key=lambda q: (-served[q], asked[q])))
    why = _why(questions, list(asked))
    return Evidence(paper, top + BONUS * several * (1.0 - top), questions, why)


def _why(served: Sequence[str], asked: Sequence[str]) -> str:
    """The search that the paper fits best, and how many found it."""
    if len(asked) == 1:
        return asked[0]
    count = f"{len(served)} of" if len(served) < len(asked) else "all"
    return f"{_apart(served[0], asked)} · found by {count} {len(asked)} searches"


def _apart(question: str, asked: Sequence[str]) -> str:
    """What sets a sub-question apart: of several about one subject each has a part of its own."""
    subject, colon, own = question.partition(": ")
    alike = [other for other in asked if other.startswith(subject + colon)]
    return own if colon and len(alike) > 1 else question


def _canonical(paper: Paper) -> Paper:
    """The paper under its id without a version, which stands beside it."""
    try:
        paper_id = PaperId.parse(paper.arxiv_id)
    except ValueError:
        return paper
    if paper_id.value == paper.arxiv_id:
        return paper
    return replace(paper, arxiv_id=paper_id.value, version=paper.version or paper_id.version)


def _standing(paper: Paper) -> tuple[bool, bool, int, str, str, str, str]:
    """What makes one record stand for another: valid, in its own words, newest."""
    return (
        not paper.withdrawn,
        not paper.is_summary,
        paper.version or 0,
        paper.updated or paper.published or "",
        paper.arxiv_id,
        paper.title,
        paper.abstract,
    )


def _normalised(title: str) -> str:
    return "".join(c for c in fold_accents(title).casefold() if c.isalnum())
