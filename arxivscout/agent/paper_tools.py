"""Tools over papers: search those held, search arXiv and keep what is found, read one."""

from __future__ import annotations

from dataclasses import replace

from pydantic import Field

from arxivscout.agent.full_text_tools import full_text_of, passages_beside
from arxivscout.agent.paper_bounds import Filters, within
from arxivscout.agent.searching import REUSED, search_arxiv, search_held
from arxivscout.agent.tools import Arguments, ScoutTool, ToolResult, TurnScope
from arxivscout.errors import NotFound, SourceError, ToolInputError
from arxivscout.ingest import ingest_papers
from arxivscout.memory.fit import fits
from arxivscout.memory.knowledge import paper_by_id
from arxivscout.papers import Paper, PaperId, clean_text, parse_query, render_papers
from arxivscout.papers.query_notes import notes_on


class SearchPapers(Filters):
    k: int = Field(8, ge=1, le=50, description="How many papers at most.")
    diverse: bool = Field(
        False, description="Papers that differ from each other, for an overview of a subject."
    )


class SearchArxiv(Filters):
    max_results: int = Field(8, ge=1, le=50, description="How many papers at most.")


class ReadPaper(Arguments):
    essential = ("query",)

    arxiv_id: str = Field(description="arXiv id or address: 0712.2288, hep-th/9901001.")
    query: str | None = Field(
        None, description="What to look for in its full text, in English, in a few words."
    )
    section: str | None = Field(
        None, description="Heading of the section of its full text to read: Methods."
    )
    start: int = Field(1, ge=1, description="From which passage of the section on.")


def _search_papers(
    scope: TurnScope,
    query: str,
    category: str | None = None,
    since: str | None = None,
    until: str | None = None,
    author: str | None = None,
    k: int = 8,
    diverse: bool = False,
) -> ToolResult:
    query = clean_text(query).strip()
    if not query and not author:
        raise ToolInputError("The query is empty.")
    asked = parse_query(query)
    notes = notes_on(asked)
    if asked.asks_nothing:
        raise ToolInputError(f"{'; '.join(notes)}.")
    filters = within(scope, category, since, until, author)
    searched = search_held(
        scope.services,
        scope.user,
        asked,
        filters=filters,
        k=k,
        diverse=diverse,
        model=scope.model,
    )
    hits = searched.hits
    # The nearest are not always near: the model judges what answers the question.
    how = "nearest to it" if hits and asked.text else "found"
    if hits and asked.text and not fits(hits):
        how += ", none of them near: most likely nothing is held on it"
    if notes:
        how += f" ({'; '.join(notes)}: taken as words)"
    for typed, meant in hits[0].mended if hits else ():
        how += f" (no paper has {typed!r}: searched for {meant!r})"
    if searched.reused:
        how += ", in the order of an earlier search"
    if searched.degraded:
        how += f"; {searched.degraded}"
    papers = [hit.paper for hit in hits]
    found = replace(_found(papers, how), usage=searched.usage, degraded=searched.degraded)
    return _beside(found, passages_beside(scope, papers, asked.text))


def _search_arxiv(
    scope: TurnScope,
    query: str,
    category: str | None = None,
    since: str | None = None,
    until: str | None = None,
    author: str | None = None,
    max_results: int = 8,
) -> ToolResult:
    papers, new = search_arxiv(
        scope.services,
        scope.user,
        clean_text(query),
        filters=within(scope, category, since, until, author),
        max_results=max_results,
    )
    if new is None:
        return replace(_found(papers, "found on arXiv by an earlier search"), usage=REUSED)
    result = _found(papers, "found on arXiv")
    return replace(result, summary=f"{result.summary}, {new} of them new")


def _read_paper(
    scope: TurnScope,
    arxiv_id: str,
    query: str | None = None,
    section: str | None = None,
    start: int = 1,
) -> ToolResult:
    paper, how = _record(scope, arxiv_id)
    text, told = full_text_of(scope, paper, section=section, query=query, start=start)
    found = _beside(_found([paper], f"{how}; {told}" if told else how), text)
    lacking = f"arXiv:{paper.arxiv_id}: {told.partition('. ')[0]}" if told and not text else ""
    return replace(found, degraded=lacking)


def _record(scope: TurnScope, arxiv_id: str) -> tuple[Paper, str]:
    """The record of a paper, held or fetched, and how it was had."""
    try:
        wanted = PaperId.parse(arxiv_id)
    except ValueError as error:
        raise ToolInputError(str(error)) from None
    services = scope.services
    with services.database.shared() as conn:
        paper = paper_by_id(conn, wanted.value)
    if paper is not None:
        return paper, "read"
    try:
        found = [each for each in services.arxiv.by_ids([str(wanted)]) if isinstance(each, Paper)]
    except SourceError as error:
        cause = f"{wanted} is not held, and arXiv could not be asked: {error.cause}"
        raise SourceError(cause, error.mend) from None
    if not found:
        raise NotFound(f"{wanted} is neither held nor known to arXiv.")
    ingest_papers(services.database, services.embedder, found)
    return found[0], "read from arXiv"


def _beside(result: ToolResult, passages: str) -> ToolResult:
    """The same with passages of full texts below the records."""
    return replace(result, text=f"{result.text}\n{passages}") if passages else result


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
            "optionally within a category, a range of dates, or by author. The query may hold "
            'operators: "a phrase", -word, title:word, -author:name, -cat:cs.CV, id:0712.2288; '
            "like:0712.2288 finds papers like one that is held, and words beside it say in what."
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
            "Read one paper by its arXiv id: title, authors, date, abstract; of its full text, "
            "where it is held, the sections and the passages that bear on the question. With "
            "query or section it is looked into, and fetched from arXiv where it is not held."
        ),
        args_schema=ReadPaper,
        function=_read_paper,
    ),
)
