"""Commands about memory: shown, found, changed; what is private, and what belongs to a project."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from arxivscout.cli import render
from arxivscout.errors import UsageError
from arxivscout.papers import one_line

if TYPE_CHECKING:
    from arxivscout.cli.chat.sitting import Chat
    from arxivscout.memory.overview import MemoryItem

_SHOWN = 10  # of each kind
_NONE = "-"


def memory(chat: Chat, rest: str) -> None:
    """Show what is remembered, of one kind or each; or do something with it."""
    from arxivscout.cli.memory.show import remembered, show_memories

    verb, _, what = rest.partition(" ")
    verb = verb.lower()
    if do := _DOING.get(verb):
        if not what.strip() and verb != "review":
            raise UsageError(f"/memory {verb} needs more.", f"Usage: /memory {verb} {DOING[verb]}")
        do(chat, what.strip())
        return
    kind = rest.lower() or None
    show_memories(remembered(chat.scout, kind, _SHOWN), kind)


def _search(chat: Chat, what: str) -> None:
    from arxivscout.cli.memory.show import NONE_FITS, show_memories
    from arxivscout.memory.overview import Seen

    found = chat.scout.rights.search(what, None, _SHOWN, Seen(archived="with"))
    if found:
        show_memories(found, None)
    else:
        render.note(NONE_FITS)


def _forget(chat: Chat, what: str) -> None:
    found = chat.scout.rights.named(what)
    if _agreed("forget", found):
        chat.scout.rights.forget(found)
        render.line("Forgotten.", "dim")


def _archive(chat: Chat, what: str) -> None:
    found = chat.scout.rights.named(what)
    if _agreed("archive", found):
        chat.scout.rights.archive(found)
        render.line("Archived: /memory search finds it, no answer is told of it.", "dim")


def _restore(chat: Chat, what: str) -> None:
    chat.scout.rights.restore(chat.scout.rights.named(what, "only"))
    render.line("It is back from the archive.", "dim")


def _edit(chat: Chat, what: str) -> None:
    named, _, text = what.partition(" ")
    if not text.strip():
        raise UsageError("/memory edit needs more.", f"Usage: /memory edit {DOING['edit']}")
    new = chat.scout.rights.edit(chat.scout.rights.named(named), text.strip())
    render.line(f"It says now (id {new[:8]}): {text.strip()}", "dim")


def _review(chat: Chat, what: str) -> None:
    from arxivscout.cli.chat.picker import pick
    from arxivscout.cli.memory.changing import show_proposals

    if what:
        raise UsageError("/memory review takes nothing behind it.")
    proposed = chat.scout.rights.review()
    show_proposals(proposed)
    if proposed and pick("Do it?", [("yes", "yes"), ("no", "no")], first="no") == "yes":
        done = chat.scout.rights.follow(proposed)
        render.line(f"Done: {done:,} of {len(proposed):,}.", "dim")


_DOING: dict[str, Callable[[Chat, str], None]] = {
    "search": _search,
    "edit": _edit,
    "forget": _forget,
    "archive": _archive,
    "restore": _restore,
    "review": _review,
}
# What stands behind each; Tab shows it.
DOING = {
    "search": "WORDS",
    "edit": "ID TEXT",
    "forget": "ID, or words of it",
    "archive": "ID, or words of it",
    "restore": "ID, or words of it",
    "review": "",
}


def _agreed(do: str, memory: MemoryItem) -> bool:
    from arxivscout.cli.chat.picker import pick

    question = f"{do.capitalize()}: “{one_line(memory.text)[:120]}”?"
    taken = pick(question, [(do, do), ("keep", "keep")], first="keep")
    if taken != do:
        render.line("Nothing is changed.", "dim")
    return taken == do


def private(chat: Chat, rest: str) -> None:
    """Learn nothing from this thread and recall nothing of it elsewhere; or do so again."""
    if rest.lower() not in ("", "on", "off"):
        raise UsageError(f"{rest!r} is neither on nor off.", "Usage: /private [on|off]")
    chat.make_private(rest.lower() != "off")
    show_private(rest.lower() != "off")


def show_private(now: bool) -> None:
    """Say what private means."""
    render.line(
        "This thread is private: nothing is learned from it, nothing of it recalled elsewhere."
        if now
        else "This thread is not private any more: what is said from here on may be learned.",
        "dim",
    )


def project(chat: Chat, rest: str) -> None:
    """List the projects, or let this thread belong to one; a - to none."""
    from arxivscout.cli.project import show_projects

    if not rest:
        now = chat.scout.projects.of_thread(chat.thread_id) if chat.thread_id else None
        show_projects(chat.scout.projects.all(), now.name if now else chat.begins_in)
        return
    entered = chat.enter_project(None if rest == _NONE else rest)
    told = f"belongs to {entered}" if entered else "belongs to no project"
    render.line(f"This thread {told}.", "dim")
