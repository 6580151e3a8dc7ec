"""What can be said to the chat that is no question: `/help` and its kin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arxivscout.cli import render
from arxivscout.errors import NotFound, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from arxivscout.cli.chat import Chat

_PAPERS_FOUND = 10
_MEMORIES_SHOWN = 10  # of each kind


def run(chat: Chat, said: str) -> None:
    """Carry out a line that begins with a slash.

    Raises:
        UsageError: there is no such command.
    """
    name, _, rest = said.partition(" ")
    if name not in COMMANDS:
        raise UsageError(f"There is no command {name}.", "/help lists those there are.")
    COMMANDS[name][1](chat, rest.strip())


def _help(chat: Chat, rest: str) -> None:
    width = max(map(len, COMMANDS))
    for name, (says, _) in COMMANDS.items():
        render.line(f"  {name:{width}}  {says}")
    render.line("  Anything else is a question, or something to remember (I prefer …).")
    render.line("  Ctrl-C stops an answer and clears a line; twice, or Ctrl-D, leaves.", "dim")


def _papers(chat: Chat, rest: str) -> None:
    from arxivscout.papers import find_paper_ids

    scout = chat.scout
    if rest:
        hits = scout.search(
            rest, category=None, since=None, until=None, author=None, k=_PAPERS_FOUND
        )
        render.papers(hits)
        return
    said = [e.text or "" for e in scout.thread_events(chat.thread_id) if e.kind == "assistant"]
    cited = dict.fromkeys(each.value for text in said for each in find_paper_ids(text))
    render.line(f"{scout.paper_count():,} papers held; /papers WORDS searches them.", "dim")
    if not cited:
        render.line("No paper is cited in this thread yet.")
    for arxiv_id in cited:
        try:
            paper = scout.paper(arxiv_id)
        except NotFound:
            continue
        render.source(arxiv_id, f"{paper.title} ({paper.submission_date or '?'})", paper.url)


def _memory(chat: Chat, rest: str) -> None:
    from arxivscout.cli.memory import remembered, show_memories

    show_memories(remembered(chat.scout, rest or None, _MEMORIES_SHOWN))


def _threads(chat: Chat, rest: str) -> None:
    from arxivscout.cli.door import clean_thread
    from arxivscout.cli.threads import show_threads

    if not rest:
        show_threads(chat.scout.threads())
        return
    chat.thread_id = clean_thread(rest)
    render.line(f"Now in thread {chat.thread_id}.", "dim")
    chat.resume()


def _retry(chat: Chat, rest: str) -> None:
    chat.retry()


def _quit(chat: Chat, rest: str) -> None:
    chat.open = False


COMMANDS: dict[str, tuple[str, Callable[[Chat, str], None]]] = {
    "/help": ("this list", _help),
    "/papers": ("papers cited in this thread; /papers WORDS searches those held", _papers),
    "/memory": ("what is remembered; /memory KIND for one kind (preference, finding…)", _memory),
    "/threads": ("your threads; /threads NAME goes on in that one", _threads),
    "/retry": ("ask the last question again, if it got no answer", _retry),
    "/quit": ("leave", _quit),
}
