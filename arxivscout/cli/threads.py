"""`arxivscout threads`: the conversations held, with what the tools did in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arxivscout.cli.door import JsonOption, UserOption, clean_thread, door, jsonable
from arxivscout.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arxivscout.memory.conversation import ThreadEvent, ThreadSummary

NameArgument = Annotated[str, typer.Argument(metavar="THREAD", help="The thread's name.")]


def register(app: typer.Typer) -> None:
    """Hang this group's commands on `app`."""
    group = typer.Typer(help="List, show or delete conversations.", no_args_is_help=True)
    group.command("list")(list_threads)
    group.command("show")(show)
    group.command("delete")(delete)
    app.add_typer(group, name="threads")


def list_threads(
    context: typer.Context, user: UserOption = None, as_json: JsonOption = False
) -> None:
    """List your threads, the last used first."""
    with door(context).scout(user) as scout:
        found = scout.threads()
    from arxivscout.cli import render

    if as_json:
        render.json_out([jsonable(each) for each in found])
    else:
        show_threads(found)


def show(
    context: typer.Context,
    name: NameArgument,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a thread's messages and tool calls, in the order in which they happened."""
    thread_id = clean_thread(name)
    with door(context).scout(user) as scout:
        events = scout.thread_events(thread_id)
    if not events:
        raise _unknown(thread_id)
    from arxivscout.cli import render

    if as_json:
        render.json_out([jsonable(each) for each in events])
    else:
        for event in events:
            show_event(event)


def delete(
    context: typer.Context,
    name: NameArgument,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Don't ask.")] = False,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Delete a thread's messages and tool calls."""
    from arxivscout.cli import render

    thread_id = clean_thread(name)
    with door(context).scout(user) as scout:
        if not scout.thread_events(thread_id):
            raise _unknown(thread_id)
        if not yes and not render.confirm(f"Delete the thread {thread_id}?"):
            render.note("Nothing is deleted.")
            raise typer.Exit(1)
        deleted = scout.delete_thread(thread_id)
    if as_json:
        render.json_out({"thread_id": thread_id, "deleted": deleted})
    else:
        render.line(f"Deleted {thread_id}: {deleted} rows.")


def show_threads(found: Sequence[ThreadSummary]) -> None:
    """The threads as a table."""
    from arxivscout.cli import render

    if not found:
        render.note("No thread yet.")
        return
    render.table(
        ("thread", "turns", "last", "last question"),
        [
            (each.thread_id, str(each.turns), render.day(each.last_at), each.last_question or "")
            for each in found
        ],
        folded=3,
    )


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


def _unknown(thread_id: str) -> NotFound:
    return NotFound(f"No thread is called {thread_id!r}.", "`arxivscout threads list` has yours.")
