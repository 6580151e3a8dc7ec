"""The digest of one run of a watch, as a report: what is quoted is quoted, nothing is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from langchain_core.embeddings import Embeddings

from arxivscout.llm.relevance import MOST_PAPERS, judge, sentences_of
from arxivscout.llm.terms import content_terms, overlap
from arxivscout.memory.watches import Watch
from arxivscout.papers import Paper
from arxivscout.reports.report import Cost, Report, ReportPaper, Search, Section, Sentence
from arxivscout.watching.ranking import Pick

NEW = "New"
VERSIONS = "New versions of papers you know"
IN_BRIEF = 3


def digest(
    watch: Watch,
    picks: Sequence[Pick],
    *,
    left_out: Mapping[str, int],
    trail: Search,
    notes: Sequence[str],
    embedder: Embeddings,
    started_at: datetime,
    seconds: float,
) -> Report:
    """The report on these picks, best first.

    Args:
        left_out: how many papers that fit are unwanted, by reason.
        notes: what did not go as it should, a line each.
    """
    new = [each for each in picks if each.known is None]
    versions = [each for each in picks if each.known is not None]
    quotes = _quotes(watch.topic, [each.paper for each in new], embedder)
    quoted = [Sentence(text=quotes[p.arxiv_id], papers=(p.arxiv_id,), verdict="supported")
              for p in (each.paper for each in new)]  # fmt: skip
    told = [_version(each) for each in versions]
    sections = [
        Section(title=title, paragraphs=tuple((each,) for each in sentences))
        for title, sentences in ((NEW, quoted), (VERSIONS, told))
        if sentences
    ]
    unwanted = [f"{count} left out: {reason}" for reason, count in sorted(left_out.items())]
    return Report(
        job_id=f"{watch.name}-{started_at:%Y-%m-%d}-{watch.digests + 1}",
        question=watch.topic,
        extractive=True,
        brief=tuple(quoted[:IN_BRIEF]),
        sections=tuple(sections),
        papers=tuple(_entry(each) for each in picks),
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


def _quotes(topic: str, papers: Sequence[Paper], embedder: Embeddings) -> dict[str, str]:
    """Of each paper the sentence that bears most on the topic: of the first by meaning, of the
    others by words.
    """
    terms = content_terms(topic)
    quotes: dict[str, str] = {}
    for paper in papers:
        cut = sentences_of(paper) or [paper.abstract]
        quotes[paper.arxiv_id] = max(
            cut, key=lambda text: overlap(terms, frozenset(content_terms(text)))
        )
    for judged in judge(topic, papers[:MOST_PAPERS], embedder):
        if judged.sentences:
            quotes[judged.paper.arxiv_id] = judged.sentences[0].text
    return quotes


def _version(pick: Pick) -> Sentence:
    paper, known = pick.paper, pick.known
    assert known is not None
    before = f"version {known.version} was reported" if known.version else "you looked at it"
    at = known.since if known.version else known.looked_at or known.since
    return Sentence(
        text=f"Version {paper.version} of “{paper.title}”, of {paper.updated or 'no known day'}; "
        f"{before} on {at:%Y-%m-%d}.",
        papers=(paper.arxiv_id,),
    )


def _entry(pick: Pick) -> ReportPaper:
    paper = pick.paper
    categories = dict.fromkeys(filter(None, (paper.primary_category, *paper.categories)))
    return ReportPaper(
        arxiv_id=paper.arxiv_id,
        title=paper.title,
        authors=paper.authors,
        published=paper.published or "",
        categories=tuple(categories),
        url=paper.url,
        why=pick.why,
        score=round(pick.fit, 4),
        cited=True,
        known_since=pick.known.since if pick.known else None,
    )
