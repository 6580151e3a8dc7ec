"""`arxivscout threads rename`, `title`, `fork`, `undo` and `delete`."""

from __future__ import annotations

from typing import Annotated

import typer

from arxivscout.cli.door import JsonOption, UserOption, clean_thread, door, jsonable

NameArgument = Annotated[str, typer.Argument(metavar="THREAD", help="The thread's name.")]
OWN_TITLE = "-"
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Don't ask.")]


def register(group: typer.Typer) -> None:
    """Hang the commands on the group `threads`."""
    group.command("rename", epilog="Example: arxivscout threads rename default dark-matter")(rename)
    group.command("title", epilog='Example: arxivscout threads title default "Dark matter"')(title)
    group.command("fork", epilog="Example: arxivscout threads fork default what-if")(fork)
    group.command("undo", epilog="Example: arxivscout threads undo default")(undo)
    group.command("delete", epilog="Example: arxivscout threads delete what-if --yes")(delete)


def rename(
    context: typer.Context,
    name: NameArgument,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The name it gets.")],
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Give a thread another name, wherever it stands."""
    from arxivscout.cli import render

    thread_id, new_id = clean_thread(name), clean_thread(new)
    with door(context).scout(user) as scout:
        scout.history.rename(thread_id, new_id)
    if as_json:
        render.json_out({"thread_id": new_id, "was": thread_id})
    else:
        render.line(f"Renamed {thread_id} to {new_id}.")


def title(
    context: typer.Context,
    name: NameArgument,
    text: Annotated[
        str | None, typer.Argument(metavar="TITLE", help="- lets it name itself; none shows it.")
    ] = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Give a thread a title, or show the one it has; by itself it takes its first question's."""
    from arxivscout.cli import render

    thread_id = clean_thread(name)
    with door(context).scout(user) as scout:
        if text is None:
            now = scout.history.title_of(thread_id)
        else:
            now = scout.history.title(thread_id, None if text == OWN_TITLE else text)
    if as_json:
        render.json_out({"thread_id": thread_id, "title": now})
    else:
        render.line(f"{thread_id} is titled “{now}”.")


def fork(
    context: typer.Context,
    name: NameArgument,
    new: Annotated[
        str | None, typer.Argument(metavar="NEW", help="The copy's name; THREAD-2 if left out.")
    ] = None,
    upto: Annotated[
        str | None, typer.Option("--upto", metavar="TURN", help="Copy up to this turn's id.")
    ] = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Copy what was said in a thread into a new one, to go on from there in another direction.

    What the tools did stays with the thread that is copied.
    """
    from arxivscout.cli import render

    thread_id, new_id = clean_thread(name), clean_thread(new) if new is not None else None
    with door(context).scout(user) as scout:
        made = scout.history.fork(thread_id, new_id, upto)
    if as_json:
        render.json_out({"thread_id": made, "forked_from": thread_id})
    else:
        render.line(f"Forked {thread_id} into {made}: arxivscout chat --thread {made}")


def undo(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="THREAD", help="The thread's name.")] = "default",
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take a thread's last turn back, and what was learned in it."""
    from arxivscout.cli import render
    from arxivscout.papers import one_line

    thread_id = clean_thread(name)
    with door(context).scout(user) as scout:
        undone = scout.history.undo(thread_id)
    if as_json:
        render.json_out({"thread_id": thread_id, **jsonable(undone)})
    else:
        render.line(f"Taken back: {one_line(undone.question)[:200]}")
        render.line(f"({undone.messages} messages, {undone.memories} memories)", "dim")


def delete(
    context: typer.Context,
    name: NameArgument,
    yes: YesOption = False,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Delete a thread's messages and tool calls."""
    from arxivscout.cli import render
    from arxivscout.history.naming import unknown_thread

    thread_id = clean_thread(name)
    with door(context).scout(user) as scout:
        if not scout.history.events(thread_id, 1):
            raise unknown_thread(thread_id)
        if not yes and not render.confirm(
            f"Delete the thread {thread_id}?", otherwise="--yes deletes it without asking."
        ):
            render.note("Nothing is deleted.")
            raise typer.Exit(1)
        deleted = scout.history.delete(thread_id)
    if as_json:
        render.json_out({"thread_id": thread_id, "deleted": deleted})
    else:
        render.line(f"Deleted {thread_id}: {deleted} message{'s' if deleted != 1 else ''}.")
