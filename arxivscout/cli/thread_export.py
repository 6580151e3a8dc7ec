"""`arxivscout threads export`: a conversation as a document."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.door import UserOption, clean_thread, door
from arxivscout.errors import UsageError

if TYPE_CHECKING:
    from arxivscout.history.exporting import Format

EPILOG = """\
\b
Examples:
  arxivscout threads export default                          Markdown on stdout
  arxivscout threads export default --output default.html    a web page, by its ending
  arxivscout threads export default --format bib >> papers.bib
"""


def register(group: typer.Typer) -> None:
    """Hang the command on the group `threads`."""
    group.command("export", epilog=EPILOG)(export)


def export(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="THREAD", help="The thread's name.")] = "default",
    format: Annotated[
        str | None, typer.Option("--format", "-f", help="md, json, bib or html (default: md).")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file instead of stdout.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    user: UserOption = None,
) -> None:
    """Write a thread as Markdown, JSON, BibTeX of all it cites, or one web page."""
    from arxivscout.cli import render

    thread_id = clean_thread(name)
    wanted = checked_format(format or (output.suffix[1:].lower() if output else "") or "md")
    if output is not None and output.exists() and not force:
        raise UsageError(f"{output} is there already.", "--force replaces it.")
    with door(context).scout(user) as scout:
        text = scout.history.export(thread_id, wanted)
    if output is None:
        render.document(text)
    else:
        write_document(output, text)
        render.note(f"Wrote {output}.")


def checked_format(given: str) -> Format:
    """The format of this name.

    Raises:
        UsageError: there is no such format.
    """
    from arxivscout.history.exporting import FORMATS

    for format in FORMATS:
        if format == given:
            return format
    raise UsageError(f"No format is called {given!r}.", f"There are {', '.join(FORMATS)}.")


def write_document(file: Path, text: str) -> None:
    """Write the file whole or not at all.

    Raises:
        UsageError: it can't be written.
    """
    part = file.with_name(f".{file.name}.part")
    try:
        part.write_text(text, "utf-8")
        part.replace(file)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise UsageError(f"{file} can't be written: {error.strerror}.") from None
