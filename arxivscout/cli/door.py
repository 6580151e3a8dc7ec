"""What every command goes through: the options given, the settings, an open Scout, clean input."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.errors import UsageError

if TYPE_CHECKING:
    from datetime import datetime

    from arxivscout.app import Scout
    from arxivscout.settings import Settings

    OpenScout = Callable[..., AbstractContextManager[Scout]]

UserOption = Annotated[
    str | None, typer.Option("--user", help="Whose memory (default: the account's name).")
]
ThreadOption = Annotated[
    str, typer.Option("--thread", "-t", help="The conversation to go on with, or to begin.")
]
DEFAULT_THREAD = "default"
PrivateOption = Annotated[
    bool,
    typer.Option(
        "--private",
        help="Learn nothing from the thread, recall nothing of it elsewhere; a new one, unless "
        "--thread names it.",
    ),
]
ProjectOption = Annotated[
    str | None, typer.Option("--project", "-p", help="Let the thread belong to this project.")
]
ModelOption = Annotated[
    str | None, typer.Option("--model", "-m", help="provider:model, or a name from the config.")
]
EmbeddingOption = Annotated[
    str | None,
    typer.Option("--embedding", help="The embedder: minilm, static (fast), or as the settings."),
]
WorkersOption = Annotated[
    str | None,
    typer.Option("--workers", help="Where texts are embedded: ray, or ray:ADDRESS of a cluster."),
]
CategoryOption = Annotated[
    str | None,
    typer.Option("--category", help="arXiv category or archive, such as cs.LG or astro-ph."),
]
AuthorOption = Annotated[str | None, typer.Option("--author", help="Part of an author's name.")]
SinceOption = Annotated[
    str | None, typer.Option("--since", help="First date: YYYY, YYYY-MM or YYYY-MM-DD.")
]
UntilOption = Annotated[str | None, typer.Option("--until", help="Last date, in the same forms.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON on stdout, nothing else.")]

MAX_QUESTION = 1_000_000
MAX_THREAD = 100  # what the database takes


@dataclass
class Door:
    """The options of one run, and how its Scout is opened."""

    opener: OpenScout | None = None
    home: str | None = None
    user: str | None = None
    verbose: int = 0
    log_file: Path | None = None

    def given(
        self, *, home: str | None, user: str | None, verbose: int, log_file: Path | None = None
    ) -> None:
        """Note the options that stand before the command."""
        self.home, self.user, self.verbose, self.log_file = home, user, verbose, log_file

    def settings(self, user: str | None = None, *, embedding: str | None = None) -> Settings:
        """The settings, with what the command line says on top; logging is set up on the way.

        Raises:
            ConfigurationError: a setting that can't be used.
        """
        from arxivscout.cli.logs import set_up_logs
        from arxivscout.settings import load_settings

        settings = load_settings(home=self.home, user=user or self.user, embedding=embedding)
        level = {0: settings.log_level, 1: "info"}.get(self.verbose, "debug")
        set_up_logs(settings, level, self.log_file or settings.log_file)
        return settings

    @contextmanager
    def scout(
        self,
        user: str | None = None,
        *,
        model: str | None = None,
        embedding: str | None = None,
        quiet: bool = False,
    ) -> Iterator[Scout]:
        """An open Scout; what is set up on the way is told on stderr unless `quiet`.

        A `model` that the settings don't know is refused before anything is opened.
        """
        from arxivscout.cli import render

        settings = self.settings(user, embedding=embedding)
        if model is not None:
            settings.model_named(model)
        opener = self.opener or _app_opener()
        with ExitStack() as stack:
            with render.getting_ready(quiet=quiet) as notice:
                scout = stack.enter_context(opener(settings, notice=notice))
            yield scout


def _app_opener() -> OpenScout:
    from arxivscout.app import open_scout

    return open_scout


def door(context: typer.Context) -> Door:
    """The door that `main` hung on the context."""
    found = context.find_object(Door)
    assert found is not None
    return found


def clean_question(words: list[str] | None) -> str:
    """The question from the arguments; from stdin with `-`, or with no argument and a pipe.

    Raises:
        UsageError: nothing is asked, or more than `MAX_QUESTION` characters.
    """
    question = clean_words(words, "question", 'Ask one: arxivscout ask "…"')
    if len(question) > MAX_QUESTION:
        raise UsageError(
            f"The question has more than {MAX_QUESTION:,} characters.",
            "Put papers in with `arxivscout ingest file`, and ask about them.",
        )
    return question


def clean_words(words: list[str] | None, what: str, usage: str) -> str:
    """A `what` from the arguments; from stdin with `-`, or with no argument and a pipe.

    Raises:
        UsageError: nothing is given.
    """
    from arxivscout.papers import clean_text

    if words in (None, [], ["-"]):
        if not words and sys.stdin.isatty():
            raise UsageError(f"No {what} is given.", usage)
        given = sys.stdin.buffer.read(4 * MAX_QUESTION + 1).decode("utf-8", "replace")
    else:
        given = " ".join(words or [])
    cleaned = clean_text(given).strip()
    if not cleaned:
        raise UsageError(f"The {what} is empty.", usage)
    return cleaned


def clean_thread(name: str) -> str:
    """A thread's name without what can't be stored or shown.

    Raises:
        UsageError: nothing is left, or more than `MAX_THREAD` characters.
    """
    from arxivscout.papers import one_line

    cleaned = one_line(name)
    if not cleaned or len(cleaned) > MAX_THREAD:
        raise UsageError(f"A thread's name has 1 to {MAX_THREAD} characters.")
    return cleaned


def clean_date(given: str | None, option: str, *, end: bool = False) -> str | None:
    """An ISO date from `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; what is left out is the first day of it,
    with `end` the last.

    Raises:
        UsageError: any other form, or no such day.
    """
    from arxivscout.papers.dates import day_named

    if given is None:
        return None
    day = day_named(given, end=end)
    if day is None:
        raise UsageError(f"{option} {given!r} is no date.", "Use YYYY, YYYY-MM or YYYY-MM-DD.")
    return day.isoformat()


def clean_moment(given: str | None, option: str) -> datetime | None:
    """The moment that is given, or the last one of the day, month or year; in the person's zone.

    Raises:
        UsageError: any other form, or no such moment.
    """
    from arxivscout.papers.dates import MOMENT_FORMS, moment_named

    if given is None:
        return None
    moment = moment_named(given)
    if moment is None:
        raise UsageError(f"{option} {given!r} is no date.", f"Use {MOMENT_FORMS}.")
    return moment


def check_range(value: int, option: str, least: int, most: int) -> int:
    """`value` if it lies between the two, both included.

    Raises:
        UsageError: it does not.
    """
    if not least <= value <= most:
        raise UsageError(f"{option} {value} is out of range.", f"Give {least} to {most}.")
    return value


def jsonable(value: object) -> dict[str, object]:
    """A frozen value as a dict of plain ones."""
    assert dataclasses.is_dataclass(value) and not isinstance(value, type)
    return dataclasses.asdict(value)
