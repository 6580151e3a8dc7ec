"""`arxivscout library`: the papers a person marked, and their exchange with other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from arxivscout.cli.cite import ID_HELP, FormatOption
from arxivscout.cli.door import JsonOption, UserOption, door, jsonable
from arxivscout.errors import PartlyDone, SourceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arxivscout.app import Scout
    from arxivscout.library.importing import ImportReport
    from arxivscout.memory.marks import Marked, Status
    from arxivscout.papers import Skipped
    from arxivscout.papers.citing import Format

SHOWN = 20
NO_NOTE = "-"
EXAMPLES = """\
\b
Examples:
  arxivscout library tag 0712.2288 mesons cp
  arxivscout library note 0712.2288 "The basis is fixed by conservation laws, see section 3."
  arxivscout library read 0712.2288 --status reading
  arxivscout library list --tag mesons
  arxivscout library import ~/papers.bib
  arxivscout library export --tag mesons > mesons.bib
"""
IdArgument = Annotated[str, typer.Argument(metavar="ID", help=ID_HELP)]
TagOption = Annotated[str | None, typer.Option("--tag", help="Only papers with this tag.")]

app = typer.Typer(
    help="Your library: papers with reading status, tags and notes.",
    no_args_is_help=True,
    rich_markup_mode=None,
    epilog=EXAMPLES,
)


@app.command("list")
def list_marks(
    context: typer.Context,
    tag: TagOption = None,
    status: Annotated[
        str | None, typer.Option(help="Only papers that are unread, reading or read.")
    ] = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the papers of your library, the one last marked first."""
    from arxivscout.cli import render

    with door(context).scout(user) as scout:
        found = scout.library.marks(tag=tag, status=status)
    if as_json:
        render.json_out([jsonable(each) for each in found])
    elif found:
        render.table(
            ("arXiv", "status", "title"),
            [(each.arxiv_id, each.status, _titled(each)) for each in found],
            folded=2,
        )
    else:
        render.note("No paper is marked so. `arxivscout library tag ID TAG…` marks one.")


@app.command("tag")
def tag_paper(
    context: typer.Context,
    paper_id: IdArgument,
    tags: Annotated[list[str], typer.Argument(metavar="TAG...", help="With or without a #.")],
    remove: Annotated[bool, typer.Option("--remove", help="Take them off.")] = False,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put tags on a paper, or take them off."""
    with door(context).scout(user) as scout:
        _show(scout.library.tag(paper_id, *tags, remove=remove), as_json)


@app.command("note")
def note_paper(
    context: typer.Context,
    paper_id: IdArgument,
    text: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TEXT...]", help="In place of the note before; - takes it away, none shows it."
        ),
    ] = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Note something on a paper; it is recalled when the paper is."""
    from arxivscout.cli import render

    with door(context).scout(user) as scout:
        marked = note_typed(scout, paper_id, " ".join(text or []).strip())
    if marked:
        _show(marked, as_json)
    elif as_json:
        render.json_out({"arxiv_id": paper_id, "note": None})
    if not (as_json or (marked and marked.note)):
        render.note("There is no note on it.")


@app.command("read")
def read_paper(
    context: typer.Context,
    paper_id: IdArgument,
    status: Annotated[str, typer.Option(help="unread, reading or read.")] = "read",
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say how far a paper is read."""
    with door(context).scout(user) as scout:
        _show(scout.library.read(paper_id, cast("Status", status)), as_json)


@app.command("remove")
def remove_paper(context: typer.Context, paper_id: IdArgument, user: UserOption = None) -> None:
    """Take a paper out of your library, marks and all; the paper itself stays."""
    from arxivscout.cli import render

    with door(context).scout(user) as scout:
        marked = scout.library.marks(ids=[paper_id])
        scout.library.remove(paper_id)
    for each in marked:
        render.line(f"Removed from your library: arXiv:{each.arxiv_id}  {each.title}")


@app.command("import")
def import_file(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A BibTeX file.")],
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take a BibTeX file's papers in: keywords become tags, annotations a note."""
    from arxivscout.cli import render

    with door(context).scout(user, quiet=as_json) as scout:
        report = scout.library.import_bib(path, notice=render.note)
    if as_json:
        render.json_out(jsonable(report))
    else:
        show_import(report)
    if not report.broken:
        return
    first = f"{report.broken[0].where}: {report.broken[0].reason}"
    if not report.added and not report.known:
        raise SourceError(f"Nothing was taken in: the first that failed: {first}.")
    raise PartlyDone(
        f"{len(report.broken):,} of {report.read:,} entries could not be taken "
        f"(the first: {first}); the others are in."
    )


@app.command("export")
def export_library(
    context: typer.Context,
    format: FormatOption = "bibtex",
    tag: TagOption = None,
    user: UserOption = None,
) -> None:
    """Print the papers of your library as a bibliography."""
    from arxivscout.cli import render

    with door(context).scout(user) as scout:
        text = scout.library.export(cast("Format", format), tag, notice=render.note)
    if text:
        render.document(text)
    else:
        render.note("No paper is marked so.")


def note_typed(scout: Scout, paper_id: str, text: str) -> Marked | None:
    """What was typed behind a paper's id: a note, `-` takes it away, nothing leaves it as it is.

    Returns:
        the paper's marks as they are then; None for a paper held that has none.
    """
    if text not in ("", NO_NOTE):
        return scout.library.note(paper_id, text)
    if not (marks := scout.library.marks(ids=[paper_id])):
        scout.paper(paper_id)  # an id that is not held is an error
        return None
    return scout.library.note(paper_id, "") if text else marks[0]


def show_marks(found: Sequence[Marked]) -> None:
    """The marks of each paper: status and tags, then the note with its date."""
    from arxivscout.cli import render

    for each in found:
        render.line(f"In your library: {each}", "dim")
        if each.note:
            render.line(f"Your note of {render.day(each.noted_at)}: {each.note}")


def show_import(report: ImportReport) -> None:
    """What became of a file's entries."""
    from arxivscout.cli import render

    _name("skipped", report.foreign)
    _name("broken", report.broken)
    if report.wanted:
        ids = ",".join(report.wanted[:SHOWN])
        more = " ..." if len(report.wanted) > SHOWN else ""
        render.note(f"Not held, kept as wanted: {ids}{more}")
        render.note("Import the file again when arXiv can be reached, and they are fetched.")
    render.line(
        f"{report.read:,} read: {len(report.added):,} added, {len(report.known):,} known before, "
        f"{len(report.foreign) + len(report.broken):,} skipped"
    )
    if report.fetched or report.wanted:
        render.line(
            f"Of those added or known, {len(report.fetched):,} were fetched from arXiv, "
            f"{len(report.wanted):,} are wanted and not held."
        )


def _name(what: str, entries: Sequence[Skipped]) -> None:
    from arxivscout.cli import render

    for each in entries[:SHOWN]:
        render.note(f"{what} {each.where}: {each.reason}")
    if len(entries) > SHOWN:
        render.note(f"... and {len(entries) - SHOWN:,} more (--json names all)")


def _titled(each: Marked) -> str:
    """The title, with tags and note on lines of their own below it."""
    from arxivscout.papers.tags import shown_tag

    withdrawn = " (WITHDRAWN)" if each.withdrawn else ""
    wanted = "" if each.held else " (wanted)"
    lines = [
        f"{each.title or '?'}{withdrawn}{wanted}",
        " ".join(map(shown_tag, each.tags)),
        f"Note: {each.note}" if each.note else "",
    ]
    return "\n".join(filter(None, lines))


def _show(each: Marked, as_json: bool) -> None:
    from arxivscout.cli import render

    if as_json:
        render.json_out(jsonable(each))
    else:
        render.line(f"arXiv:{each.arxiv_id}  {each.title}", "bold")
        show_marks([each])
