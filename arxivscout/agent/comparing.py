"""The tool that puts papers side by side."""

from __future__ import annotations

from dataclasses import replace

from pydantic import Field

from arxivscout.agent.tools import Arguments, ScoutTool, ToolResult, TurnScope
from arxivscout.errors import NotFound, ToolInputError, UsageError
from arxivscout.library import Library
from arxivscout.library.comparing import MOST, Cell, Comparison
from arxivscout.llm.relevance import sentences_of
from arxivscout.papers import Paper, neutralise

ENOUGH = 2  # rows of a paper that say something; with fewer its other sentences are shown


class ComparePapers(Arguments):
    arxiv_ids: list[str] = Field(
        min_length=2, max_length=MOST, description="arXiv ids of the papers: 0712.2288."
    )


def _compare_papers(scope: TurnScope, arxiv_ids: list[str]) -> ToolResult:
    services = scope.services
    library = Library(services.database, services.embedder, services.arxiv, scope.user)
    try:
        found = library.compare(arxiv_ids)
    except NotFound:
        raise
    except UsageError as error:
        raise ToolInputError(str(error)) from None
    rows: dict[str, list[str]] = {
        "papers": [f"{neutralise(paper.title)} [arXiv:{paper.arxiv_id}]" for paper in found.papers],
        **{
            row: [str(replace(cell, text=neutralise(cell.text))) for cell in cells]
            for row, cells in found.rows.items()
        },
    }
    if more := [line for paper in found.papers for line in _unannounced(paper, found)]:
        rows["what else it says"] = more
    text = "\n\n".join(
        "\n".join([row, *(f"- {cell}" for cell in cells)]) for row, cells in rows.items()
    )
    return ToolResult(text, f"{len(found.papers)} papers side by side", list(found.papers))


def _unannounced(paper: Paper, found: Comparison) -> list[str]:
    """What a paper says without words that announce it, where its rows are mostly empty."""
    told = {c.text for cells in found.rows.values() for c in cells if c.arxiv_id == paper.arxiv_id}
    if len(told - {""}) >= ENOUGH:
        return []
    left = [each for each in sentences_of(paper) if each not in told][: ENOUGH - len(told - {""})]
    return [str(Cell(paper.arxiv_id, neutralise(each))) for each in left]


COMPARING_TOOLS = (
    ScoutTool(
        name="compare_papers",
        description=(
            "Compare papers that are held, side by side: the question, method, data, findings and "
            "limits of each, in sentences of its abstract. For differences between papers."
        ),
        args_schema=ComparePapers,
        function=_compare_papers,
    ),
)
