"""`arxivscout feedback`: what a person makes of the last answer."""

from __future__ import annotations

from typing import Annotated

import typer

from arxivscout.cli.door import (
    JsonOption,
    ThreadOption,
    UserOption,
    clean_thread,
    clean_words,
    door,
)

EPILOG = """\
\b
Examples:
  arxivscout feedback good
  arxivscout feedback bad "two of the three papers are off topic"
  arxivscout feedback correct "the effect holds in clusters only" --thread dark-matter
"""

NoteArgument = Annotated[
    list[str] | None, typer.Argument(metavar="[NOTE]", help="Why, in your words.")
]


def register(app: typer.Typer) -> None:
    """Hang this group's commands on `app`."""
    group = typer.Typer(
        help="Judge or correct the last answer: it is remembered.",
        epilog=EPILOG,
        no_args_is_help=True,
    )
    group.command("good", epilog="Example: arxivscout feedback good")(good)
    group.command("bad", epilog='Example: arxivscout feedback bad "off topic"')(bad)
    group.command("correct", epilog='Example: arxivscout feedback correct "it was in 2007"')(
        correct
    )
    group.command("save", epilog="Example: arxivscout feedback save --thread reading")(save)
    app.add_typer(group, name="feedback")


def good(
    context: typer.Context,
    note: NoteArgument = None,
    thread: ThreadOption = "default",
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """The last answer was good: work like that again."""
    _judge(context, True, note, thread, user, as_json)


def bad(
    context: typer.Context,
    note: NoteArgument = None,
    thread: ThreadOption = "default",
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """The last answer was bad: prefer other ways."""
    _judge(context, False, note, thread, user, as_json)


def correct(
    context: typer.Context,
    text: Annotated[
        list[str] | None, typer.Argument(metavar="TEXT", help="What is wrong, and what is right.")
    ] = None,
    thread: ThreadOption = "default",
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what is wrong or right in the last answer: the next ones take it into account."""
    from arxivscout.cli import render

    said = clean_words(text, "correction", 'Say what is wrong: arxivscout feedback correct "…"')
    thread_id = clean_thread(thread)
    with door(context).scout(user) as scout:
        memory_id = scout.history.correct(thread_id, said)
    if as_json:
        render.json_out({"thread_id": thread_id, "memory_id": str(memory_id)})
    else:
        render.line(f"Remembered for what comes next (id {memory_id}).")


def save(
    context: typer.Context,
    thread: ThreadOption = "default",
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Keep the last answer as a finding, with its citations."""
    from arxivscout.cli import render

    thread_id = clean_thread(thread)
    with door(context).scout(user) as scout:
        memory_id = scout.history.saved(thread_id)
    if as_json:
        render.json_out({"thread_id": thread_id, "memory_id": str(memory_id)})
    else:
        render.line(f"Kept as a finding (id {memory_id}).")


def _judge(
    context: typer.Context,
    is_good: bool,
    note: list[str] | None,
    thread: str,
    user: str | None,
    as_json: bool,
) -> None:
    from arxivscout.cli import render

    thread_id, said = clean_thread(thread), " ".join(note or []) or None
    with door(context).scout(user) as scout:
        scout.history.feedback(thread_id, is_good, said)
    judged = "good" if is_good else "bad"
    if as_json:
        render.json_out({"thread_id": thread_id, "feedback": judged, "note": said})
    else:
        render.line(f"The last answer of {thread_id} is judged {judged}.")
