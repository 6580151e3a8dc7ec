"""The server's tools over papers: found, read, cited. Their text is fenced: data, never orders."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from mcp import types
from pydantic import Field

from arxivscout.agent.full_text_tools import SearchPassages
from arxivscout.agent.paper_bounds import Filters
from arxivscout.agent.tools import Arguments
from arxivscout.context.budget import shorten
from arxivscout.mcp_server.calls import Call
from arxivscout.mcp_server.tools import ServedTool
from arxivscout.papers import Paper, render_papers
from arxivscout.papers.citing import Format

MOST = 50  # papers that one search can be paged through
ABSTRACT_TOKENS = 80  # of each paper in a list

# Of a search's summary; what follows is what it says of itself.
_COUNT = re.compile(r"^[\d,]+ papers? (?:nearest to it|found)")

ArxivId = Annotated[
    str,
    Field(max_length=200, description="arXiv id or address: 0712.2288, hep-th/9901001v2."),
]


class Bounded(Filters):
    query: str = Field(
        max_length=2_000,
        description="What to look for, in English: topic, method, title or names; also operators: "
        '"a phrase", -word, author:, title:, cat:, year:, since:, until:, id:.',
    )
    category: str | None = Field(
        None, max_length=50, description="arXiv category or archive: cs.CL, hep-th, math."
    )
    author: str | None = Field(None, max_length=200, description="Name of an author.")


class SearchPapers(Bounded):
    limit: int = Field(10, ge=1, le=25, description="How many papers at most.")
    offset: int = Field(0, ge=0, lt=MOST, description="How many of the first to leave out.")
    diverse: bool = Field(False, description="Papers that differ from each other.")


class SearchArxiv(Bounded):
    limit: int = Field(10, ge=1, le=25, description="How many papers at most.")


class SearchFullTexts(SearchPassages):
    query: str = Field(max_length=2_000, description="What to look for, in English.")
    k: int = Field(5, ge=1, le=20, description="How many passages at most.")


class ReadPaper(Arguments):
    arxiv_id: ArxivId
    query: str | None = Field(
        None, max_length=2_000, description="What to look for in its full text, in English."
    )
    section: str | None = Field(
        None, max_length=300, description="Heading of the section of its full text to read."
    )
    start: int = Field(1, ge=1, le=10_000, description="From which passage of the section on.")


class Cite(Arguments):
    arxiv_ids: list[ArxivId] = Field(
        min_length=1, max_length=100, description="The papers, in the order of the entries."
    )
    format: Format = Field("bibtex", description="csl is CSL-JSON.")


async def _search_papers(call: Call, asked: SearchPapers) -> str:
    end = min(asked.offset + asked.limit, MOST)
    given = asked.model_dump(exclude={"limit", "offset"})
    # One more than is shown tells whether there are more.
    result = await call.use("search_papers", {**given, "k": min(end + 1, MOST)}, "searching")
    page = result.papers[asked.offset : end]
    if not page:
        return "No paper was found." if not result.papers else "There are no more papers."
    lines = [_listed(page), f"Papers {asked.offset + 1} to {asked.offset + len(page)}."]
    if len(result.papers) > end:
        lines.append(f"For more: the same with offset={end}.")
    lines.append("read_paper gives one whole.")
    how = _COUNT.sub("", result.summary).strip(" ,;")
    return "\n".join([*lines, *([f"Note: {how}."] if how else [])])


async def _search_arxiv(call: Call, asked: SearchArxiv) -> str:
    given = asked.model_dump(exclude={"limit"})
    result = await call.use("search_arxiv", {**given, "max_results": asked.limit}, "asking arXiv")
    if not result.papers:
        return "arXiv has found no paper."
    told = f"{result.summary.rstrip('.')}. All are held now; read_paper gives one."
    return f"{_listed(result.papers)}\n{told}"


async def _search_full_texts(call: Call, asked: SearchFullTexts) -> str:
    return (await call.use("search_passages", asked.model_dump(), "searching")).text


async def _read_paper(call: Call, asked: ReadPaper) -> str:
    result = await call.use("read_paper", asked.model_dump(), "reading")
    return f"{result.text}\n{result.summary.rstrip('.')}."


async def _cite(call: Call, asked: Cite) -> str:
    def cite() -> str:
        notes: list[str] = []
        entries = call.scout.library.cite(asked.arxiv_ids, asked.format, notice=notes.append)
        return "\n".join([entries, *(f"Note: {note}" for note in notes)])

    return await call.work(cite)


def _listed(papers: Sequence[Paper]) -> str:
    return render_papers(
        replace(paper, abstract=shorten(paper.abstract, ABSTRACT_TOKENS)) for paper in papers
    )


_FETCHES = types.ToolAnnotations(readOnlyHint=False, destructiveHint=False, openWorldHint=True)

PAPER_TOOLS = (
    ServedTool(
        "search_papers",
        "Search the arXiv papers held here, by meaning and by words; the nearest first, with the "
        "beginnings of their abstracts.",
        SearchPapers,
        _search_papers,
    ),
    ServedTool(
        "search_arxiv",
        "Search arXiv itself over the network and keep what is found. Slower: use it when "
        "search_papers finds nothing that fits.",
        SearchArxiv,
        _search_arxiv,
        _FETCHES,
    ),
    ServedTool(
        "search_full_texts",
        "Search inside the full texts held here, for passages; in one paper alone with arxiv_id.",
        SearchFullTexts,
        _search_full_texts,
    ),
    ServedTool(
        "read_paper",
        "Read one paper: its record with the abstract; of its full text, where it is held, the "
        "sections, the passages that bear on query, or a section from a passage on. With query "
        "or section the full text is fetched from arXiv where it is not held.",
        ReadPaper,
        _read_paper,
        _FETCHES,
    ),
    ServedTool(
        "cite",
        "Bibliography entries of papers held here, as BibTeX, RIS, CSL-JSON or Markdown.",
        Cite,
        _cite,
    ),
)
