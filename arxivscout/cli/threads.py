"""`arxivscout threads`: the conversations held, with what the tools did in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.door import (
    JsonOption,
    UserOption,
    check_range,
    clean_thread,
    door,
    jsonable,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arxivscout.memory.conversation import ThreadEvent
    from arxivscout.memory.threads import ThreadSummary

_LONGEST_NAME = 24
NameArgument = Annotated[str, typer.Argument(metavar="THREAD", help="The thread's name.")]

EPILOG = """\
\b
Examples:
  arxivscout threads list
  arxivscout threads show reading --last 20
  arxivscout threads rename default dark-matter
  arxivscout threads title dark-matter "Candidates for dark matter"
  arxivscout threads fork dark-matter
  arxivscout threads export dark-matter --format html --output dark-matter.html
  arxivscout threads undo dark-matter
"""


def register(app: typer.Typer) -> None:
    """Hang this group's commands on `app`."""
    from arxivscout.cli import thread_changes, thread_export

    group = typer.Typer(
        help="List, show, rename, fork, export, undo or delete conversations.",
        epilog=EPILOG,
        no_args_is_help=True,
    )
    group.command("list")(list_threads)
    group.command("show")(show)
    thread_changes.register(group)
    thread_export.register(group)
    app.add_typer(group, name="threads")


def list_threads(
    context: typer.Context,
    jobs: Annotated[bool, typer.Option("--jobs", help="Those of batch jobs too.")] = False,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """List your threads, the last used first."""
    with door(context).scout(user) as scout:
        found = scout.history.threads(of_jobs=jobs)
    from arxivscout.cli import render

    if as_json:
        render.json_out([jsonable(each) for each in found])
    else:
        show_threads(found)


def show(
    context: typer.Context,
    name: NameArgument,
    last: Annotated[
        int | None, typer.Option("--last", help="Only the newest N messages and tool calls.")
    ] = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a thread's messages and tool calls, in the order in which they happened."""
    thread_id = clean_thread(name)
    if last is not None:
        check_range(last, "--last", 1, 1_000_000)
    with door(context).scout(user) as scout:
        events = scout.history.events(thread_id, last)
    if not events:
        from arxivscout.history.naming import unknown_thread

        raise unknown_thread(thread_id)
    from arxivscout.cli import render

    if as_json:
        render.json_out([jsonable(each) for each in events])
    else:
        for event in events:
            show_event(event)


def show_threads(found: Sequence[ThreadSummary], current: str | None = None) -> None:
    """The threads as a table; `current`, the one that is open, is marked."""
    from arxivscout.cli import render

    if not found:
        render.note("No thread yet.")
        return
    render.table(
        ("", "thread", "turns", "last", "about"),
        [
            (
                "•" if each.thread_id == current else "",
                _fitted(each.thread_id),
                str(each.turns),
                render.minute(each.last_at),
                _about(each),
            )
            for each in found
        ],
        folded=4,
    )


def _fitted(thread_id: str) -> str:
    """The name, cut where one would push the other columns off a terminal; Tab completes it."""
    from arxivscout.cli import render

    whole = not render.out().is_terminal or len(thread_id) <= _LONGEST_NAME
    return thread_id if whole else thread_id[: _LONGEST_NAME - 1] + "…"


def _about(thread: ThreadSummary) -> str:
    """Title and last question; one of them where they say the same."""
    from arxivscout.memory.titles import title_of
    from arxivscout.papers import one_line

    question = one_line(thread.last_question or "")
    if not question or thread.title == title_of(question):
        return question or thread.title
    return f"{thread.title} · {question}"


def show_event(event: ThreadEvent) -> None:
    """One message or tool call, with its time."""
    from arxivscout.cli import render

    at = render.moment(event.at)
    if event.kind == "tool":
        took = f", {event.duration_ms:.0f} ms" if event.duration_ms is not None else ""
        good = event.status in (None, "success", "ok", "empty")
        render.line(f"{at}  • {event.name} · {event.status}{took}", "dim" if good else "red")
    else:
        render.line(f"{at}  {'you' if event.kind == 'user' else 'ArxivScout'}", "bold")
        render.line(event.text or "")
        if event.status == "interrupted":
            render.line("(interrupted)", "yellow")
        render.line()
