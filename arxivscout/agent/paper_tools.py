"""Tools over papers: search those held, search arXiv and keep what is found, read one."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from arxivscout.agent.tools import Arguments, ScoutTool, ToolResult, TurnScope
from arxivscout.errors import NotFound, SourceError, ToolInputError
from arxivscout.ingest import ingest_papers
from arxivscout.memory.knowledge import paper_by_id
from arxivscout.memory.paper_filter import PaperFilter
from arxivscout.memory.retrieval import search_papers
from arxivscout.papers import Paper, PaperId, PaperQuery, clean_text, parse_query, render_papers

_DATE = r"^\d{4}(-\d{2}(-\d{2})?)?$"
Day = Annotated[str, Field(pattern=_DATE)]


class _Filters(Arguments):
    query: str = Field(description="What to look for, in English: topic, method, title or names.")
    category: str | None = Field(
        None, description="arXiv category or archive: cs.CL, hep-th, math."
    )
    since: Day | None = Field(None, description="Earliest date: YYYY, YYYY-MM or YYYY-MM-DD.")
    until: Day | None = Field(None, description="Latest date: YYYY, YYYY-MM or YYYY-MM-DD.")
    author: str | None = Field(None, description="Name of an author.")


class SearchPapers(_Filters):
    k: int = Field(8, ge=1, le=50, description="How many papers at most.")


class SearchArxiv(_Filters):
    max_results: int = Field(8, ge=1, le=50, description="How many papers at most.")


class ReadPaper(Arguments):
    arxiv_id: str = Field(description="arXiv id or address: 0712.2288, hep-th/9901001.")


def _search_papers(
    scope: TurnScope,
    query: str,
    category: str | None = None,
    since: str | None = None,
    until: str | None = None,
    author: str | None = None,
    k: int = 8,
) -> ToolResult:
    query = clean_text(query).strip()
    if not query and not author:
        raise ToolInputError("The query is empty.")
    asked = parse_query(query)
    filters = _within(scope, category, since, until, author).narrowed(asked)
    vector = scope.services.embedder.embed_query(asked.text) if asked.text else None
    with scope.services.database.shared() as conn:
        hits = search_papers(
            conn, text=asked.text, vector=vector, filters=filters, phrases=asked.phrases, k=k
        )
    # The nearest are not always near: the model judges what answers the question.
    how = "nearest to it" if hits and asked.text else "found"
    if asked.ignored:
        how += f" ({', '.join(asked.ignored)} taken as words)"
    return _found([hit.paper for hit in hits], how)


def _search_arxiv(
    scope: TurnScope,
    query: str,
    category: str | None = None,
    since: str | None = None,
    until: str | None = None,
    author: str | None = None,
    max_results: int = 8,
) -> ToolResult:
    services = scope.services
    filters = _within(scope, category, since, until, author)
    papers = list(
        services.arxiv.search(
            clean_text(query),
            category=filters.category,
            since=filters.since,
            until=filters.until,
            author=filters.author,
            max_results=max_results,
        )
    )
    # Stored before the model sees them: what it cites is held.
    report = ingest_papers(services.database, services.embedder, papers)
    result = _found(papers, "found on arXiv")
    return ToolResult(
        result.text, f"{result.summary}, {report.new} of them new", papers, result.empty
    )


def _within(
    scope: TurnScope,
    category: str | None,
    since: str | None,
    until: str | None,
    author: str | None,
) -> PaperFilter:
    """What the call asks for, within the run's own bounds."""
    bounds = scope.bounds
    return replace(
        bounds.narrowed(PaperQuery(since=since, until=until)),
        category=bounds.category or category,
        author=bounds.author or author,
    )


def _read_paper(scope: TurnScope, arxiv_id: str) -> ToolResult:
    try:
        wanted = PaperId.parse(arxiv_id)
    except ValueError as error:
        raise ToolInputError(str(error)) from None
    services = scope.services
    with services.database.shared() as conn:
        paper = paper_by_id(conn, wanted.value)
    if paper is not None:
        return _found([paper], "read")
    try:
        found = [each for each in services.arxiv.by_ids([str(wanted)]) if isinstance(each, Paper)]
    except SourceError as error:
        raise NotFound(f"{wanted} is not held, and arXiv could not be asked: {error}") from None
    if not found:
        raise NotFound(f"{wanted} is neither held nor known to arXiv.")
    ingest_papers(services.database, services.embedder, found)
    return _found(found, "read from arXiv")


def _found(papers: list[Paper], how: str) -> ToolResult:
    count = f"{len(papers)} paper{'s' if len(papers) != 1 else ''} {how}"
    if not papers:
        return ToolResult("No paper was found.", count, (), empty=True)
    return ToolResult(render_papers(papers), count, papers)


PAPER_TOOLS = (
    ScoutTool(
        name="search_papers",
        description=(
            "Search the arXiv papers held in the knowledge base by meaning and by words, "
            "optionally within a category, a range of dates, or by author."
        ),
        args_schema=SearchPapers,
        function=_search_papers,
    ),
    ScoutTool(
        name="search_arxiv",
        description=(
            "Search arXiv itself over the network for papers that are not held yet, "
            "and keep what is found. Use it when search_papers finds nothing that fits."
        ),
        args_schema=SearchArxiv,
        function=_search_arxiv,
    ),
    ScoutTool(
        name="read_paper",
        description=(
            "Read the record of one paper by its arXiv id: title, authors, date, abstract."
        ),
        args_schema=ReadPaper,
        function=_read_paper,
    ),
)
