"""`arxivscout cite`, `similar` and `compare`: papers held, for a bibliography and side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from arxivscout.cli.door import JsonOption, UserOption, check_range, door

if TYPE_CHECKING:
    from arxivscout.library.comparing import Comparison
    from arxivscout.papers.citing import Format

MOST = 200
ID_HELP = "An arXiv id in any form: 0712.2288, hep-th/9901001v2, an arxiv.org link."
CITE = """\
\b
Examples:
  arxivscout cite 0712.2288 hep-th/9901001 > papers.bib
  arxivscout cite https://arxiv.org/abs/0712.2288v1 --format ris
  arxivscout cite 0712.2288 --format csl | pandoc --citeproc …
"""
SIMILAR = """\
\b
Examples:
  arxivscout similar 0712.2288
  arxivscout similar https://arxiv.org/abs/0712.2288 --k 20 --json
"""
COMPARE = """\
\b
Examples:
  arxivscout compare 0712.2288 0809.4859
  arxivscout compare 0712.2288 0809.4859 2505.21638 --json

\b
A cell is a sentence of the paper's stored text, word for word, chosen by rules; where none says it,
the cell says so. Nothing is written or guessed.
"""
FormatOption = Annotated[
    str, typer.Option("--format", "-f", help="bibtex, ris, csl (CSL-JSON) or markdown.")
]
IdsArgument = Annotated[list[str], typer.Argument(metavar="ID...", help=ID_HELP)]


def register(app: typer.Typer) -> None:
    """Hang this group's commands on `app`."""
    app.command("cite", epilog=CITE)(cite)
    app.command("similar", epilog=SIMILAR)(similar)
    app.command("compare", epilog=COMPARE)(compare)


def cite(context: typer.Context, ids: IdsArgument, format: FormatOption = "bibtex") -> None:
    """Print papers held as entries of a bibliography."""
    from arxivscout.cli import render

    with door(context).scout() as scout:
        text = scout.library.cite(ids, cast("Format", format), notice=render.note)
    render.document(text)


def similar(
    context: typer.Context,
    paper_id: Annotated[str, typer.Argument(metavar="ID", help=ID_HELP)],
    k: Annotated[int, typer.Option("--k", "-k", help=f"How many, 1 to {MOST}.")] = 10,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the papers held that are nearest to one of them, withdrawn ones left out."""
    from arxivscout.cli import render
    from arxivscout.cli.search import show_hits

    check_range(k, "--k", 1, MOST)
    with door(context).scout(user) as scout:
        hits = scout.library.similar(paper_id, k, notice=render.note)
        marks = scout.library.marks(ids=[hit.paper.arxiv_id for hit in hits])
    show_hits(hits, marks, as_json=as_json)
    if not hits and not as_json:
        render.note("No other paper is held. `arxivscout ingest arxiv --query …` brings some in.")


def compare(context: typer.Context, ids: IdsArgument, as_json: JsonOption = False) -> None:
    """Set papers side by side: question, method, data, findings, limits."""
    from arxivscout.cli import render

    with door(context).scout() as scout:
        found = scout.library.compare(ids)
    if as_json:
        render.json_out(found.to_json())
    else:
        show_comparison(found)


def show_comparison(found: Comparison) -> None:
    """The papers as columns of a table; each cell ends in its citation."""
    from arxivscout.cli import render

    render.side_by_side(
        [
            f"{paper.title}{' (WITHDRAWN)' if paper.withdrawn else ''} [arXiv:{paper.arxiv_id}]"
            for paper in found.papers
        ],
        {row: [str(cell) for cell in cells] for row, cells in found.rows.items()},
    )
    if any(paper.is_summary for paper in found.papers):
        render.note("Where only a summary by ArxivScout's makers is held, sentences are of that.")
    render.note("Sentences as they stand in what is held, chosen by rules.")
