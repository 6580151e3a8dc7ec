"""`arxivscout paper`: the record of one paper held."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.door import JsonOption, UserOption, door, jsonable
from arxivscout.cli.library import show_marks
from arxivscout.errors import UsageError

if TYPE_CHECKING:
    from arxivscout.papers import Paper

_AUTHORS_SHOWN = 10


def register(app: typer.Typer) -> None:
    """Hang this group's commands on `app`."""
    app.command("paper")(paper)


def paper(
    context: typer.Context,
    paper_id: Annotated[
        str, typer.Argument(metavar="ID", help="0712.2288, hep-th/9901001 or an arxiv.org link.")
    ],
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the record of a paper held."""
    from arxivscout.papers import PaperId

    try:
        arxiv_id = PaperId.parse(paper_id).value
    except ValueError as reason:
        raise UsageError(f"{reason}.") from None
    with door(context).scout(user) as scout:
        found = scout.paper(arxiv_id)
        marks = scout.library.marks(ids=[arxiv_id])
    from arxivscout.cli import render

    if as_json:
        mine = marks[0].to_json() if marks else {}
        render.json_out({**jsonable(found), "url": found.url, **mine})
    else:
        show_paper(found)
        show_marks(marks)


def show_paper(found: Paper) -> None:
    """The record of a paper."""
    from arxivscout.cli import render

    render.line(found.title + (" (WITHDRAWN)" if found.withdrawn else ""), "bold")
    authors = list(found.authors)
    if len(authors) > _AUTHORS_SHOWN:
        authors[3:] = [f"and {len(found.authors) - 3} others"]
    if authors:
        render.line(", ".join(authors))
    facts = [f"arXiv:{found.arxiv_id}", found.subjects, found.published, found.journal_ref]
    render.line(" · ".join(fact for fact in facts if fact), "dim")
    render.line(found.url, "dim")
    render.line()
    render.line(found.abstract)
    if found.is_summary:
        render.line("(a summary by ArxivScout's makers, not the abstract)", "dim")
    if found.comments:
        render.line(f"Comments: {found.comments}", "dim")
