"""What tools show of full texts: passages that bear on a question, sections, what can be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pydantic import Field

from arxivscout.agent.paper_bounds import Filters, within
from arxivscout.agent.tools import ScoutTool, ToolResult, TurnScope
from arxivscout.errors import SourceError, ToolInputError
from arxivscout.ingest_fulltext import ingest_full_texts
from arxivscout.memory.paper_filter import PaperFilter
from arxivscout.memory.passage_search import TextFilter, search_passages
from arxivscout.memory.passages import Heading, held_texts, outline, passages_of_section
from arxivscout.papers import Paper, PaperId, clean_text, parse_query, render_papers
from arxivscout.papers.excerpts import render_passages
from arxivscout.papers.fulltext import TextKind
from arxivscout.papers.passages import Passage
from arxivscout.sources.documents import document_of

SHOWN = 4  # passages of one paper that is read
BESIDE = 3  # passages beside the papers that a search found
MOST_HEADINGS = 60
MOST_OF_SECTION = 8  # passages of a section that is asked for
MOST_AROUND = 3  # passages before and behind one that is found


class SearchPassages(Filters):
    arxiv_id: str | None = Field(None, description="In the full text of this paper alone.")
    kind: TextKind | None = Field(None, description="Only full texts read from this.")
    licence: str | None = Field(None, description="Part of their licence: by/4.0.")
    around: int = Field(0, ge=0, le=MOST_AROUND, description="Neighbours of each to show, too.")
    k: int = Field(6, ge=1, le=20, description="How many passages at most.")


def passages_beside(scope: TurnScope, papers: Sequence[Paper], text: str) -> str:
    """The passages of these papers' full texts that bear on `text`, as a model reads them."""
    services = scope.services
    ids = [paper.arxiv_id for paper in papers]
    with services.database.shared() as conn:
        if not ids or not text or not held_texts(conn, ids):
            return ""
    return render_passages(_best(scope, text, ids, BESIDE))


def full_text_of(
    scope: TurnScope, paper: Paper, *, section: str | None, query: str | None, start: int = 1
) -> tuple[str, str]:
    """What is shown of a paper's full text beside its record, and a few words on that.

    The sections that it has, and the section that is asked for, or what bears on `query`, else on
    the turn's question. One that is not held is fetched where a section or a query is asked for.

    Args:
        start: from which passage of the section, from 1.
    """
    headings = _headings(scope, paper)
    if not headings and (section or query):
        try:
            _fetch(scope, paper)
        except SourceError as problem:
            return "", f"its full text is not held and could not be had: {problem}"
        headings = _headings(scope, paper)
    if not headings:
        return "", ""
    if section:
        chosen = _chosen(headings, section)
        with scope.services.database.shared() as conn:
            found = passages_of_section(conn, paper.arxiv_id, chosen.position)
        end = min(start - 1 + MOST_OF_SECTION, len(found))
        shown = [(paper.arxiv_id, passage) for passage in found[start - 1 : end]]
        told = f"{len(shown)} of {len(found)} passages of “{' > '.join(chosen.path)}”"
        if shown and end < len(found):
            told += f" (it goes on with start={end + 1})"
    else:
        text = clean_text(query or scope.question).strip()
        shown = _best(scope, text, [paper.arxiv_id], SHOWN) if text else []
        told = f"{len(shown)} passages of its full text"
    return render_passages(shown, [_outlined(paper, headings)]), told


def _best(scope: TurnScope, text: str, ids: Sequence[str], k: int) -> list[tuple[str, Passage]]:
    services = scope.services
    bounds = TextFilter(papers=PaperFilter(only_ids=tuple(ids)))
    vector = services.embedder.embed_query(text)
    with services.database.shared() as conn:
        hits, _ = search_passages(conn, text=text, vector=vector, filters=bounds, k=k)
    return [(hit.paper.arxiv_id, hit.passage) for hit in hits]


def _headings(scope: TurnScope, paper: Paper) -> list[Heading]:
    with scope.services.database.shared() as conn:
        return outline(conn, paper.arxiv_id)


def _fetch(scope: TurnScope, paper: Paper) -> None:
    services = scope.services
    document = document_of(services.arxiv, PaperId.parse(paper.arxiv_id))
    report = ingest_full_texts(
        services.database,
        services.embedder,
        [document],
        ask=lambda arxiv_id: services.arxiv.by_ids([arxiv_id]),
    )
    if report.skipped:
        raise SourceError(report.skipped[0].reason)


def _chosen(headings: Sequence[Heading], section: str) -> Heading:
    """The section that is meant: by its whole heading, else by a part of it."""
    wanted = clean_text(section).strip().casefold()
    names = [" > ".join(heading.path).casefold() for heading in headings]
    for heading, name in zip(headings, names, strict=True):
        if wanted in (name, name.rpartition(" > ")[2]):
            return heading
    for heading, name in zip(headings, names, strict=True):
        if wanted and wanted in name:
            return heading
    known = "; ".join(" > ".join(heading.path) for heading in headings[:MOST_HEADINGS])
    raise ToolInputError(f"There is no section {section!r}. There are: {known}.")


def _outlined(paper: Paper, headings: Sequence[Heading]) -> str:
    shown = [
        Passage("", heading.path, heading.page, heading.last_page).place or "(no heading)"
        for heading in headings[:MOST_HEADINGS]
    ]
    more = len(headings) - len(shown)
    return (
        f"Sections of the full text of arXiv:{paper.arxiv_id}: {'; '.join(shown)}"
        f"{f'; and {more} more' if more else ''}."
    )


def _search_passages(
    scope: TurnScope,
    query: str,
    category: str | None = None,
    since: str | None = None,
    until: str | None = None,
    author: str | None = None,
    arxiv_id: str | None = None,
    kind: TextKind | None = None,
    licence: str | None = None,
    around: int = 0,
    k: int = 6,
) -> ToolResult:
    asked = parse_query(clean_text(query).strip())
    if not asked.text:
        raise ToolInputError("The query is empty.")
    papers = within(scope, category, since, until, author).narrowed(asked)
    if arxiv_id is not None:
        try:
            papers = replace(papers, only_ids=(PaperId.parse(arxiv_id).value,))
        except ValueError as error:
            raise ToolInputError(str(error)) from None
    services = scope.services
    vector = services.embedder.embed_query(asked.text)
    with services.database.shared() as conn:
        hits, _ = search_passages(
            conn,
            text=asked.text,
            vector=vector,
            filters=TextFilter(papers=papers, kind=kind, licence=licence),
            k=k,
            around=around,
        )
    if not hits:
        return ToolResult("No full text that is held fits.", "no passages", (), empty=True)
    found = list({hit.paper.arxiv_id: hit.paper for hit in hits}.values())
    shown = [
        (hit.paper.arxiv_id, passage)
        for hit in hits
        for passage in (*hit.before, hit.passage, *hit.behind)
    ]
    text = render_passages(dict.fromkeys(shown))
    count = f"{len(hits)} passages of {len(found)} paper{'s' if len(found) != 1 else ''}"
    return ToolResult(f"{render_papers(found)}\n{text}", count, found)


FULL_TEXT_TOOLS = (
    ScoutTool(
        name="search_passages",
        description=(
            "Search inside the full texts that are held, for passages: methods, data, numbers, "
            "results that no abstract tells; optionally in one paper, or with their neighbours."
        ),
        args_schema=SearchPassages,
        function=_search_passages,
    ),
)
