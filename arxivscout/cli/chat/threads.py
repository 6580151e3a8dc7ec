"""Commands about threads: begun, gone on with, named, copied, exported."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from arxivscout.cli import render
from arxivscout.errors import NotFound, UsageError
from arxivscout.papers import one_line

if TYPE_CHECKING:
    from arxivscout.cli.chat.sitting import Chat
    from arxivscout.memory.threads import ThreadSummary


def new(chat: Chat, rest: str) -> None:
    """Begin a thread; without a name it gets one from its first question."""
    from arxivscout.cli.door import clean_thread

    if rest:
        name = clean_thread(rest)
        if chat.scout.history.last_exchange(name):
            raise UsageError(f"A thread is called {name!r} already.", f"/resume {name} opens it.")
        chat.enter(name)
    else:
        chat.begin()


def threads(chat: Chat, rest: str) -> None:
    """List the threads, or go on in one, which may be new."""
    from arxivscout.cli.door import clean_thread
    from arxivscout.cli.threads import show_threads

    if rest:
        chat.enter(clean_thread(rest))
    else:
        show_threads(chat.scout.history.threads(), chat.thread_id)


def resume(chat: Chat, rest: str) -> None:
    """Go on in a thread that there is, by name or from a list."""
    from arxivscout.cli.chat.picker import pick

    found = chat.scout.history.threads()
    if rest:
        name = one_line(rest)
        if name not in [each.thread_id for each in found]:
            raise NotFound(f"No thread is called {name!r}.", "/resume lists those there are.")
        chat.enter(name)
        return
    if not found:
        render.line("No thread yet.", "dim")
        return
    taken = pick("Which thread?", [(each.thread_id, _described(each)) for each in found])
    if taken is not None:
        chat.enter(taken)


def _described(thread: ThreadSummary) -> str:
    parts = [thread.thread_id, render.day(thread.last_at)]
    if thread.title and thread.title != thread.thread_id:
        parts.append(thread.title)
    if thread.last_question and thread.last_question != thread.title:
        parts.append(thread.last_question)
    return " · ".join(parts)


def rename(chat: Chat, rest: str) -> None:
    """Give this thread another name."""
    name = one_line(rest)
    chat.scout.history.rename(chat.begun, name)
    chat.thread_id = name
    render.line(f"This thread is called {name} now.", "dim")


def fork(chat: Chat, rest: str) -> None:
    """Copy this thread, and go on in the copy."""
    chat.thread_id = chat.scout.history.fork(chat.begun, one_line(rest) or None)
    render.line(f"Now in thread {chat.thread_id}, a copy; the other one stays as it is.", "dim")


def export(chat: Chat, rest: str) -> None:
    """Write this thread to a file that is not there yet."""
    from arxivscout.cli.thread_export import checked_format, write_document

    given, _, named = rest.partition(" ")
    format = checked_format(given.lower())
    path = Path(named.strip() or f"{_file_name(chat.begun)}.{format}").expanduser()
    if path.exists():
        raise UsageError(f"{path} is there already.", f"Name another: /export {format} FILE")
    write_document(path, chat.scout.history.export(chat.begun, format))
    render.line(f"Written to {path}.", "dim")


def _file_name(thread_id: str) -> str:
    kept = "".join(each if each.isalnum() or each in "-_ ." else "_" for each in thread_id)
    return kept.strip(" .") or "thread"
