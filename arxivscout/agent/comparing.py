"""The tool that puts papers side by side."""

from __future__ import annotations

from dataclasses import replace

from pydantic import Field

from arxivscout.agent.tools import Arguments, ScoutTool, ToolResult, TurnScope
from arxivscout.errors import NotFound, ToolInputError, UsageError
from arxivscout.library import Library
from arxivscout.library.comparing import MOST
from arxivscout.papers import neutralise


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
    text = "\n\n".join(
        "\n".join([row, *(f"- {cell}" for cell in cells)]) for row, cells in rows.items()
    )
    return ToolResult(text, f"{len(found.papers)} papers side by side", list(found.papers))


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
