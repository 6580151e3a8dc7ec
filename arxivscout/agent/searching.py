"""Searches as tools and doors make them: a second stage if wanted, and nothing dear done twice.

A question that asks the same as an earlier one of the person takes over what that one found. An
order is taken over only where the first stage finds for the earlier question what it found then, to
the letter: a paper that is new, changed, withdrawn or gone and could have answered makes another
list. What arXiv answered holds as long as the pages kept of it do.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import psycopg

from arxivscout.agent.reranking import CANDIDATES, in_order, rerank, reranker_name
from arxivscout.agent.services import Services
from arxivscout.context.same_question import bare_question, question_form, question_key
from arxivscout.errors import DatabaseError
from arxivscout.ingest import ingest_papers
from arxivscout.memory.knowledge import papers_by_ids
from arxivscout.memory.paper_filter import NO_FILTER, PaperFilter
from arxivscout.memory.paper_search import find_papers
from arxivscout.memory.search_cache import Asked, count_use, keep_search, kept_search
from arxivscout.papers import Paper, PaperHit, PaperQuery
from arxivscout.sources.page_cache import LIFETIME

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder

# Counted in a turn's usage: the searches that were not made anew.
REUSED = {"reused_searches": 1}


@dataclass(frozen=True, slots=True)
class Found:
    """Hits, best first; `usage`, as of a tool; `degraded` says what was not at hand."""

    hits: list[PaperHit]
    usage: Mapping[str, Any] = field(default_factory=dict)
    degraded: str = ""

    @property
    def reused(self) -> bool:
        """Whether an earlier question had found it."""
        return bool(self.usage.get("reused_searches"))


def search_held(
    services: Services,
    user: str,
    asked: PaperQuery,
    *,
    filters: PaperFilter = NO_FILTER,
    k: int = 10,
    diverse: float | bool = False,
    model: str | None = None,
) -> Found:
    """The `k` papers held that answer best, put in order once more if the settings say so.

    Args:
        user: in whose name; nothing of another person's is reused.
        asked: the query, with its operators; `filters` hold beside them.
        diverse: as in `find_papers`; what is to differ is not put in another order.
        model: the chat model's name, where it is the judge.
    """
    database, embedder = services.database, services.embedder
    judge = reranker_name(services, model)
    if diverse or not judge or not asked.text:
        return Found(find_papers(database, embedder, asked, filters=filters, k=k, diverse=diverse))
    depth = max(k, CANDIDATES)
    beside = (filters.narrowed(asked), depth, *asked.like)
    question = as_kept(embedder, asked, "held", judge, *beside)
    if kept := kept_search(database, user, question):
        earlier = replace(asked, text=kept.question, phrases=kept.phrases)
        hits = find_papers(database, embedder, earlier, filters=filters, k=depth)
        if fingerprint(hits) == kept.candidates:
            count_use(database, user, question)
            return Found(in_order(hits, kept.papers)[:k], usage=REUSED)
    hits = find_papers(database, embedder, asked, filters=filters, k=depth)
    ordered = rerank(services, asked.text, hits, model)
    if ordered.problem:
        degraded = f"papers were not re-ranked: {ordered.problem}"
        return Found(hits[:k], usage=ordered.usage, degraded=degraded)
    if ordered.judged and question_form(asked.text):
        order = [hit.paper.arxiv_id for hit in ordered.hits]
        _keep(services, user, question, order, fingerprint(hits))
    return Found(ordered.hits[:k], usage=ordered.usage)


def search_arxiv(
    services: Services, user: str, query: str, *, filters: PaperFilter, max_results: int
) -> tuple[list[Paper], int | None]:
    """What arXiv finds, stored, and how many of it are new; None for these where it was reused.

    Raises:
        SourceError: arXiv can't be asked.
    """
    question = as_kept(
        services.embedder,
        PaperQuery(text=query),
        "arxiv",
        services.settings.arxiv_url,
        filters,
        max_results,
    )
    if kept := kept_search(services.database, user, question, age_s=LIFETIME):
        with services.database.shared() as conn:
            held = papers_by_ids(conn, kept.papers)
        if len(held) == len(kept.papers):
            count_use(services.database, user, question)
            return held, None
    papers = list(
        services.arxiv.search(
            query,
            category=filters.category,
            since=filters.since,
            until=filters.until,
            author=filters.author,
            max_results=max_results,
        )
    )
    # Stored before the model sees them: what it cites is held.
    report = ingest_papers(services.database, services.embedder, papers)
    if papers and question_form(query):
        _keep(services, user, question, [paper.arxiv_id for paper in papers], None)
    return papers, report.new


def as_kept(embedder: Embedder, asked: PaperQuery, *beside: Any) -> Asked:
    """The query as searches are kept under.

    Args:
        beside: what must be the same besides the question and the embedder.
    """
    identity = embedder.identity
    phrases = sorted(phrase.casefold() for phrase in asked.phrases)
    plain = [astuple(each) if isinstance(each, PaperFilter) else each for each in beside]
    return Asked(
        scope=_digest(json.dumps([identity.name, identity.fingerprint, phrases, *plain])),
        key=question_key(asked.text),
        text=asked.text,
        vector=embedder.embed_query(bare_question(asked.text)),
        phrases=asked.phrases,
    )


def fingerprint(hits: Sequence[PaperHit]) -> str:
    """Of the papers, whatever their order: another one, or one changed, gives another."""
    records = sorted(
        json.dumps([hit.paper.arxiv_id, *hit.also, hit.exact, hit.paper.to_metadata()])
        for hit in hits
    )
    return _digest(*records)


def _keep(
    services: Services, user: str, question: Asked, papers: Sequence[str], candidates: str | None
) -> None:
    # What was found is shown, kept or not.
    with suppress(DatabaseError, psycopg.Error):
        keep_search(services.database, user, question, papers, candidates)


def _digest(*parts: str) -> str:
    whole = hashlib.blake2b(digest_size=16)
    for part in parts:
        whole.update(part.encode("utf-8", "replace") + b"\0")
    return whole.hexdigest()
