"""The terminal's door: one file a command group; `render.py` is the only one that prints.

Nothing heavy is imported here or at the top of a command's file: `--help` has to be there at once.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from arxivscout.cli.door import Door
from arxivscout.cli.streams import OutputLost, stand_in
from arxivscout.errors import ScoutError, UsageError

if TYPE_CHECKING:
    from arxivscout.cli.door import OpenScout

EXAMPLES = """\
\b
Examples:
  arxivscout chat
  arxivscout ask "What is known about quantum teleportation of neutral mesons?"
  arxivscout search "graph neural networks" --category cs.LG --since 2020
  arxivscout ingest arxiv --category quant-ph --since 2024-01 --max 200
  arxivscout doctor
"""
_INTERRUPTED = 130
_ENDING_S = 0.1  # for threads that are about to end by themselves
_WORDY = ("search", "passages", "ask")  # take words that may begin with a hyphen
_MOST_SIGNALS = 3  # to end; `timeout` sends each twice
# What typer raises for a command line that can't be: click's own class, or typer's copy of it.
_REFUSED: type[Exception] = typer.BadParameter.__mro__[2]


def main(argv: Sequence[str] | None = None, *, open_scout: OpenScout | None = None) -> NoReturn:
    """Run the command line and end the process with its exit code.

    `open_scout` takes the place of `arxivscout.app.open_scout`. A `ScoutError` is one line on
    stderr and its exit code, never a traceback; what nobody foresaw is a traceback.
    """
    # The imports make a million objects that stay: looking through them for garbage again and
    # again, as by default, and once more at the end is a third of a short command's time.
    gc.set_threshold(50_000, 20, 100)
    try:
        _run(argv, open_scout)
    except SystemExit as end:
        _leave_behind(end.code if isinstance(end.code, int) else 0)
        raise
    finally:
        gc.freeze()


def _leave_behind(code: int) -> None:
    """End the process at once if another thread is still at work.

    All is stored and closed by now. What is left hangs in a model or a tool of a stopped turn, or
    in a vector that nobody needs any more: Python would wait for it, and aborts when it wakes up in
    native code in the middle of the shutdown.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    until = time.monotonic() + _ENDING_S
    left = [each for each in threading.enumerate() if each is not threading.main_thread()]
    for each in left:
        each.join(max(until - time.monotonic(), 0))
    if any(each.is_alive() for each in left):
        with contextlib.suppress(OSError, ValueError, OutputLost):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _run(argv: Sequence[str] | None, open_scout: OpenScout | None) -> NoReturn:
    stand_in()
    leave = _leaving()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)
    door = Door(opener=open_scout)
    try:
        command = typer.main.get_command(_application(door))
        code = command(
            args=_home_first(sys.argv[1:] if argv is None else list(argv)),
            prog_name="arxivscout",
            standalone_mode=False,
        )
        sys.stdout.flush()
    except _REFUSED as refused:
        _refuse(refused)
    except ScoutError as error:
        from arxivscout.cli import render

        render.error(error)
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(_INTERRUPTED)
    except OutputLost as lost:
        if lost.reader_left:
            sys.exit(128 + signal.SIGPIPE)
        from arxivscout.cli import render

        render.error(ScoutError(f"Standard output takes no more: {lost.cause}."))
        sys.exit(lost.code)
    sys.exit(code if isinstance(code, int) else 0)


def _home_first(arguments: list[str]) -> list[str]:
    """The same with `--home` before the command, where it belongs: a person may put it behind."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    moved: list[str] = []
    kept: list[str] = []
    before = iter(arguments[:end])
    for each in before:
        if each == "--home":
            moved += [each, *[value for value in [next(before, None)] if value is not None]]
        else:
            (moved if each.startswith("--home=") else kept).append(each)
    return [*moved, *kept, *arguments[end:]]


def _refuse(refused: Any) -> NoReturn:
    """Tell of a command line that can't be in one line, like every other error."""
    from arxivscout.cli import render

    if type(refused).__name__ == "NoArgsIsHelpError":  # its message is the help
        refused.show()
        sys.exit(refused.exit_code)
    cause = refused.format_message().strip()  # some end with a stop, some don't
    context = getattr(refused, "ctx", None)
    path = context.command_path if context else "arxivscout"
    mend = f"`{path} --help` tells how it is used."
    option = str(getattr(refused, "option_name", ""))
    if path.endswith(_WORDY) and option[:1] == "-" and option[:2] != "--":
        mend = f'A word to leave out stands behind `--`: `{path} -- "mesons -simulation"`.'
    render.error(
        UsageError(
            cause if cause.endswith((".", "?")) else f"{cause}.",
            mend,
        )
    )
    sys.exit(refused.exit_code)


def _leaving() -> Callable[[int, FrameType | None], None]:
    """Ends the process as an exception does, so that a turn in progress is kept and the server is
    let go; the same signal again disturbs that only when it is sent for the third time."""
    received = 0

    def leave(number: int, frame: FrameType | None) -> None:
        nonlocal received
        received += 1
        if received == 1:
            sys.exit(128 + number)
        if received >= _MOST_SIGNALS:
            os._exit(128 + number)

    return leave


def _application(door: Door) -> typer.Typer:
    from arxivscout.cli import (
        ask,
        chat,
        cite,
        context,
        doctor,
        feedback,
        full_texts,
        mcp,
        memory,
        metrics,
        paper,
        reflect,
        search,
        setup,
        stats,
        threads,
    )

    app = typer.Typer(
        help="A research companion for arXiv that remembers.",
        epilog=EXAMPLES,
        no_args_is_help=True,
        rich_markup_mode=None,  # the plain help needs a third of the time
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "obj": door},
    )

    @app.callback()
    def options(
        home: Annotated[
            str | None, typer.Option(help="Folder with the data (default: the platform's).")
        ] = None,
        user: Annotated[
            str | None, typer.Option(help="Whose memory (default: the account's name).")
        ] = None,
        verbose: Annotated[
            int, typer.Option("--verbose", "-v", count=True, help="Say more; -vv still more.")
        ] = 0,
        log_file: Annotated[
            Path | None, typer.Option(help="Also write the log into this file, from info on.")
        ] = None,
        version: Annotated[
            bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it.")
        ] = False,
    ) -> None:
        door.given(home=home, user=user, verbose=verbose, log_file=log_file)

    for group in (
        chat, ask, search, full_texts, paper, cite, threads, feedback, memory, reflect, context,
        setup, mcp, stats, metrics, doctor,
    ):  # fmt: skip
        group.register(app)
    _mount(app)
    return app


def _mount(app: typer.Typer) -> None:
    from arxivscout.cli import batch, bench, db, graph, ingest, library, project, watch

    app.add_typer(ingest.app, name="ingest")
    app.add_typer(library.app, name="library")
    app.add_typer(batch.app, name="batch")
    app.add_typer(watch.app, name="watch")
    app.add_typer(project.app, name="project")
    app.add_typer(graph.app, name="graph")
    app.add_typer(db.app, name="db")
    app.add_typer(bench.app, name="bench")


def _version(wanted: bool) -> None:
    if wanted:
        from arxivscout import __version__
        from arxivscout.cli import render

        render.line(f"arxivscout {__version__}")
        raise typer.Exit
