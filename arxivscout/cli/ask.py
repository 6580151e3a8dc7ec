"""`arxivscout ask` and `retry`: one question, one answer."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.door import (
    DEFAULT_THREAD,
    JsonOption,
    ModelOption,
    PrivateOption,
    ProjectOption,
    ThreadOption,
    UserOption,
    clean_question,
    clean_thread,
    door,
)
from arxivscout.errors import DatabaseError, ModelError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arxivscout.agent.events import Event

ASK_EXAMPLES = """\
\b
Examples:
  arxivscout ask "What is known about quantum teleportation of neutral mesons?"
  arxivscout ask --thread reading "and its limitations?"
  arxivscout ask --private "What is known about rare diseases of the liver?"
  arxivscout ask --json - < question.txt
"""


def register(app: typer.Typer) -> None:
    """Hang this group's commands on `app`."""
    app.command("ask", epilog=ASK_EXAMPLES)(ask)
    app.command("retry")(retry)


def ask(
    context: typer.Context,
    question: Annotated[
        list[str] | None, typer.Argument(help="What you want to know; - reads standard input.")
    ] = None,
    thread: ThreadOption = "default",
    user: UserOption = None,
    model: ModelOption = None,
    private: PrivateOption = False,
    project: ProjectOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask one question; the answer cites the papers that it rests on."""
    asked, thread_id = clean_question(question), clean_thread(thread)
    with door(context).scout(user, model=model) as scout:
        if private:
            if thread_id == DEFAULT_THREAD:
                thread_id = scout.history.name_for(asked)
            scout.make_private(thread_id)
        if project is not None:
            scout.projects.enter(project, thread_id)
        _answer(scout.stream(asked, thread_id=thread_id, model=model), thread_id, as_json)


def retry(
    context: typer.Context,
    thread: ThreadOption = "default",
    user: UserOption = None,
    model: ModelOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask a thread's last question again, if it got no answer."""
    thread_id = clean_thread(thread)
    with door(context).scout(user, model=model) as scout:
        _answer(scout.retry(thread_id, model=model), thread_id, as_json)


def _answer(events: Iterator[Event], thread_id: str, as_json: bool) -> None:
    from arxivscout.cli import render
    from arxivscout.cli.turn import TurnView

    try:
        answer = TurnView(render.err(), None if as_json else render.out()).run(events)
    except ModelError as error:
        again = f"The question is kept: `{_retry(thread_id)}` asks it again."
        raise ModelError(error.cause, f"{error.mend} {again}".strip()) from None
    if answer is None:
        raise ModelError("The turn ended without an answer.", f"Try `{_retry(thread_id)}`.")
    if as_json:
        render.json_out(answer.to_json())
    if answer.status == "failed":
        raise typer.Exit(ModelError.exit_code)
    if not answer.is_kept:
        raise DatabaseError(
            "The turn is kept nowhere, neither in the database nor on disk.",
            "`arxivscout doctor` tells more; then ask again.",
        )


def _retry(thread_id: str) -> str:
    named = "" if thread_id == "default" else f" --thread {shlex.quote(thread_id)}"
    return f"arxivscout retry{named}"
