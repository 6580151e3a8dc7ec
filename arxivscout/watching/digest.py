"""The digest of one run of a watch, as a report: what is quoted is quoted, nothing is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from langchain_core.embeddings import Embeddings

from arxivscout.llm.relevance import MOST_PAPERS, judge, sentences_of
from arxivscout.llm.terms import content_terms, overlap
from arxivscout.memory.watches import Watch
from arxivscout.papers import Paper
from arxivscout.reports.report import Cost, Report, ReportPaper, Search, Section, Sentence
from arxivscout.research.map import positions
from arxivscout.research.themes import themes
from arxivscout.watching.ranking import Pick

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEW = "New"
VERSIONS = "New versions of papers you know"


def digest(
    watch: Watch,
    picks: Sequence[Pick],
    *,
    left_out: Mapping[str, int],
    trail: Search,
    notes: Sequence[str],
    embedder: Embeddings,
    vectors: NDArray[Any],
    started_at: datetime,
    seconds: float,
) -> Report:
    """The report on these picks, best first.

    Args:
        vectors: the picks' own, shape (n, dim).
        left_out: how many papers that fit are unwanted, by reason.
        notes: what did not go as it should, a line each.
    """
    new = [each for each in picks if each.known is None]
    versions = [each for each in picks if each.known is not None]
    grouped = themes([each.paper for each in picks], vectors)
    quotes = _quotes(watch.topic, [each.paper for each in (*new, *versions)], embedder)
    sections = [
        Section(title=title, paragraphs=tuple((quotes[each.paper.arxiv_id],) for each in own))
        for title, own in ((NEW, new), (VERSIONS, versions))
        if own
    ]
    unwanted = [f"{count} left out: {reason}" for reason, count in sorted(left_out.items())]
    return Report(
        job_id=f"{watch.name}-{started_at:%Y-%m-%d}-{watch.digests + 1}",
        question=watch.topic,
        extractive=True,
        digest=True,
        sections=tuple(sections),
        papers=tuple(
            _entry(each, theme if len(grouped.themes) > 1 else None, x, y)
            for each, theme, (x, y) in zip(picks, grouped.labels, positions(vectors), strict=True)
        ),
        themes=grouped.themes if len(grouped.themes) > 1 else (),
        trail=(trail.model_copy(update={"note": "; ".join([trail.note, *unwanted])}),),
        cost=Cost(model="extractive", cost=0.0),
        started_at=started_at,
        seconds=round(seconds, 1),
        degraded=tuple(notes),
    )


def counts(report: Report) -> tuple[int, int]:
    """How many papers of a digest are new, and how many came in a new version."""
    new = sum(each.known_since is None for each in report.papers)
    return new, len(report.papers) - new


def _quotes(topic: str, papers: Sequence[Paper], embedder: Embeddings) -> dict[str, Sentence]:
    """Of each paper the sentence that bears most on the topic: of the first by meaning, of the
    others by words.
    """
    terms = content_terms(topic)
    texts: dict[str, str] = {}
    for paper in papers:
        cut = sentences_of(paper) or [paper.abstract]
        texts[paper.arxiv_id] = max(
            cut, key=lambda text: overlap(terms, frozenset(content_terms(text)))
        )
    for judged in judge(topic, papers[:MOST_PAPERS], embedder):
        if judged.sentences:
            texts[judged.paper.arxiv_id] = judged.sentences[0].text
    return {
        arxiv_id: Sentence(text=text, papers=(arxiv_id,), verdict="supported")
        for arxiv_id, text in texts.items()
    }


def _why(pick: Pick) -> str:
    paper, known = pick.paper, pick.known
    if known is None:
        return pick.why
    of = f" of {paper.updated}" if paper.updated else ""
    before = f"version {known.version} was reported" if known.version else "looked at before"
    return f"version {paper.version}{of}, {before}; {pick.why}"


def _entry(pick: Pick, theme: int | None, x: float, y: float) -> ReportPaper:
    paper = pick.paper
    categories = dict.fromkeys(filter(None, (paper.primary_category, *paper.categories)))
    return ReportPaper(
        arxiv_id=paper.arxiv_id,
        title=paper.title,
        authors=paper.authors,
        published=paper.published or "",
        categories=tuple(categories),
        url=paper.url,
        why=_why(pick),
        score=round(pick.fit, 4),
        theme=theme,
        x=float(x),
        y=float(y),
        cited=True,
        known_since=pick.known.since if pick.known else None,
    )
