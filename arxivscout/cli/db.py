"""`arxivscout db`: the database's life, from start to backup."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arxivscout.cli.door import EmbeddingOption, JsonOption, UserOption, WorkersOption, door
from arxivscout.errors import UsageError

if TYPE_CHECKING:
    from arxivscout.memory.embedded import EmbeddedServer
    from arxivscout.memory.postgres import Database
    from arxivscout.settings import Settings

app = typer.Typer(
    help="The database: start, stop, look at, back up, restore.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", dir_okay=False)]


@app.command()
def start(context: typer.Context) -> None:
    """Start the embedded server, and keep it up until `db stop`."""
    from arxivscout.cli import render

    settings = door(context).settings()
    with render.getting_ready() as notice:
        _embedded(settings, notice).keep_up()
    render.line("The database runs until `arxivscout db stop`.")


@app.command()
def stop(
    context: typer.Context,
    force: Annotated[bool, typer.Option("--force", help="Even if processes use it.")] = False,
) -> None:
    """Stop the embedded server; with others at work, once the last has left."""
    from arxivscout.cli import render

    if _embedded(door(context).settings()).stop(force=force):
        render.line("The database is stopped.")
    else:
        render.line("Others are using the database: it stops when the last has left (or --force).")


@app.command()
def status(context: typer.Context, as_json: JsonOption = False) -> None:
    """Tell about the server, the schema and the embedder, without starting anything.

    The exit code is 4 if the database can't be used.
    """
    from arxivscout.cli import render
    from arxivscout.memory.status import status as look

    told = look(door(context).settings())
    if as_json:
        render.json_out(told)
    else:
        for name, value in told.items():
            render.line(f"{name.replace('_', ' ') + ':':<12} {_shown(name, value)}")
    if "error" in told:
        raise typer.Exit(4)


@app.command()
def url(
    context: typer.Context,
    admin: Annotated[
        bool, typer.Option("--admin", help="Of the owner, who sees past row security.")
    ] = False,
    user: UserOption = None,
) -> None:
    """Print the URL by which other programs connect, as the person's application role.

    It holds a password. The embedded server has to be up: see `db start`.
    """
    from arxivscout.cli import render

    settings = door(context).settings(user)
    with _opened(settings) as database:
        render.line(database.admin_user_url() if admin else database.user_url(settings.user))
    if settings.database_url is None and not _embedded(settings).status().running:
        render.note("The server is down now; `arxivscout db start` keeps it up.")


@app.command()
def migrate(context: typer.Context) -> None:
    """Bring the schema up to date (every command does, at its start)."""
    from arxivscout.cli import render

    with _opened(door(context).settings()):
        render.line("The schema is up to date.")


@app.command()
def backup(
    context: typer.Context,
    file: FileArgument,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Write everything that is stored, of all people, into FILE."""
    from arxivscout.cli import render
    from arxivscout.memory import backup as backups
    from arxivscout.memory.rights.files import note_backup

    if file.exists() and not force:
        raise UsageError(f"{file} is there already.", "Name another file, or replace it: --force.")
    settings = door(context).settings()
    with _attached(settings) as (database, _):
        size = backups.backup(database, file)
    try:
        note_backup(settings.home, file)
    except OSError as error:  # the disk may be full, and that why there is a backup
        why = f"Not noted in {settings.home} ({error.strerror})"
        render.note(f"{why}: who erases a person is not told of it.")
    render.line(f"{file}: {size / 1e6:,.1f} MB")


@app.command()
def restore(context: typer.Context, file: FileArgument) -> None:
    """Put what FILE holds into an empty database: all of it, or nothing."""
    from arxivscout.cli import render
    from arxivscout.memory import backup as backups

    with _attached(door(context).settings()) as (database, notice):
        backups.restore(database, file, notice=notice)
    render.line(f"{file} is restored.")


@app.command()
def reset(
    context: typer.Context,
    yes: Annotated[bool, typer.Option("--yes", help="Really.")] = False,
) -> None:
    """Delete everything that is stored: papers, conversations and memories, of all people."""
    from arxivscout.cli import render
    from arxivscout.memory import backup as backups

    if not yes:
        raise UsageError(
            "This deletes all papers, conversations and memories of all people.",
            "`arxivscout db backup FILE` keeps them; `arxivscout db reset --yes` goes ahead.",
        )
    with _attached(door(context).settings()) as (database, notice):
        backups.reset(database, notice=notice)
    render.line("The database is empty.")


@app.command()
def reembed(
    context: typer.Context, embedding: EmbeddingOption = None, workers: WorkersOption = None
) -> None:
    """Make all vectors anew with the embedder of the settings; goes on where it was stopped.

    Searches go on meanwhile with the old vectors. Papers that are used come first.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from arxivscout import ingest
    from arxivscout.cli import render
    from arxivscout.embedding import load_embedder
    from arxivscout.embedding.on_ray import at_work

    settings = door(context).settings(embedding=embedding)
    embedder = load_embedder(settings)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (
        _opened(settings) as database,
        at_work(workers, embedder, settings) as cluster,
        Progress(*columns, console=render.err(), disable=not render.err().is_terminal) as bar,
    ):
        task = bar.add_task("embedding", total=None)

        def progress(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        ingest.reembed(database, cluster or embedder, progress=progress)
    render.line(f"All vectors are by {embedder.identity.name} now.")


def _embedded(settings: Settings, notice: Callable[[str], None] = lambda _: None) -> EmbeddedServer:
    from arxivscout.memory.embedded import EmbeddedServer

    if settings.database_url is not None:
        raise UsageError(
            "ARXIVSCOUT_DATABASE_URL names another server, which is not ours to start or stop.",
            "Unset it for the embedded one; `make db-up` and `make db-down` are for Docker's.",
        )
    return EmbeddedServer(settings.home, notice=notice)


@contextmanager
def _opened(settings: Settings) -> Iterator[Database]:
    from arxivscout.cli import render
    from arxivscout.memory.opening import open_database

    with render.getting_ready() as notice:
        database = open_database(settings, notice=notice)
    try:
        yield database
    finally:
        database.close()


@contextmanager
def _attached(settings: Settings) -> Iterator[tuple[Database, Callable[[str], None]]]:
    """For what must work on a database that `_opened` refuses."""
    from arxivscout.cli import render
    from arxivscout.memory.opening import attach_database

    with render.getting_ready() as notice:
        database = attach_database(settings, notice=notice)
    try:
        yield database, notice
    finally:
        database.close()


def _shown(name: str, value: Any) -> str:
    if name == "size_bytes":
        return f"{value / 1e6:,.1f} MB"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(str(each) for each in value.values())
    if isinstance(value, list):
        return ", ".join(value) or "none"
    return "none" if value is None else str(value)
