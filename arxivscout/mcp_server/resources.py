"""The papers held, as resources: `arxiv://0712.2288`."""

from __future__ import annotations

from mcp import types
from mcp.shared.exceptions import McpError
from pydantic import AnyUrl

from arxivscout.errors import ScoutError
from arxivscout.memory.paper_listing import listed_papers
from arxivscout.papers import PaperId, one_line, render_papers
from arxivscout.scout import Scout

SCHEME = "arxiv://"
PAGE = 100
NOT_FOUND = -32002  # the protocol's code for a resource that is not there

TEMPLATE = types.ResourceTemplate(
    uriTemplate=f"{SCHEME}{{+id}}",
    name="paper",
    description="The record of a paper that is held, by its arXiv id.",
    mimeType="text/plain",
)


def page_of(scout: Scout, cursor: str | None) -> types.ListResourcesResult:
    """A page of the papers held, in the order of their ids; its cursor is the last one's id."""
    after = ""
    if cursor:
        try:
            after = PaperId.parse(cursor).value
        except ValueError:
            raise _refused(types.INVALID_PARAMS, "The cursor is not one of ours.") from None
    with scout.database.shared() as conn:
        papers = listed_papers(conn, after, PAGE + 1)
    shown = papers[:PAGE]
    return types.ListResourcesResult(
        resources=[
            types.Resource(
                uri=AnyUrl(SCHEME + arxiv_id),
                name=arxiv_id,
                title=one_line(title)[:300],
                mimeType="text/plain",
            )
            for arxiv_id, title in shown
        ],
        nextCursor=shown[-1][0] if len(papers) > PAGE else None,
    )


def read(scout: Scout, uri: AnyUrl) -> types.ReadResourceResult:
    """The record of one paper, as every text of a paper: fenced."""
    text = str(uri)
    if not text.startswith(SCHEME):
        raise _refused(NOT_FOUND, "Resources are arxiv://ID.")
    try:
        paper = scout.paper(text.removeprefix(SCHEME).strip("/"))
    except ScoutError as error:
        raise _refused(NOT_FOUND, one_line(str(error))) from None
    contents = types.TextResourceContents(
        uri=uri, mimeType="text/plain", text=render_papers([paper])
    )
    return types.ReadResourceResult(contents=[contents])


def _refused(code: int, message: str) -> McpError:
    return McpError(types.ErrorData(code=code, message=message))
