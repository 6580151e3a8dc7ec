"""The commands of the chat: one table, and what a line that begins with a slash does."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arxivscout.cli import render
from arxivscout.cli.chat import answers, knobs, memories, papers, threads
from arxivscout.errors import UsageError

if TYPE_CHECKING:
    from arxivscout.cli.chat.sitting import Chat


@dataclass(frozen=True, slots=True)
class Command:
    """One command. `arguments` stand in the help; what is in capitals there, Tab completes."""

    name: str
    arguments: str
    handler: Callable[[Chat, str], None]
    help: str

    @property
    def usage(self) -> str:
        return f"{self.name} {self.arguments}".rstrip()

    def run(self, chat: Chat, rest: str) -> None:
        """Carry it out.

        Raises:
            UsageError: an argument is missing, or there is one where none is taken.
        """
        if not self.arguments and rest:
            raise UsageError(f"{self.name} takes nothing behind it.", f"Usage: {self.usage}")
        if self.arguments and not self.arguments.startswith("[") and not rest:
            raise UsageError(f"{self.name} needs more.", f"Usage: {self.usage}")
        self.handler(chat, rest)


def run(chat: Chat, said: str) -> None:
    """Carry out a line that begins with a slash.

    Raises:
        UsageError: there is no such command, or it can't be used so.
    """
    name, _, rest = said.partition(" ")
    if "\n" in name:
        name, _, rest = said.partition("\n")
    command = COMMANDS.get(name.lower())
    if command is None:
        raise UsageError(f"There is no command {name}.", _nearest(name))
    command.run(chat, rest.strip())


def _nearest(name: str) -> str:
    near = difflib.get_close_matches(name.lower(), COMMANDS, n=1)
    return f"Did you mean {near[0]}? /help lists all." if near else "/help lists those there are."


def _help(chat: Chat, rest: str) -> None:
    if rest:
        name = "/" + rest.lstrip("/").lower()
        if name not in COMMANDS:
            raise UsageError(f"There is no command {name}.", _nearest(name))
        render.line(f"  {COMMANDS[name].usage}")
        render.line(f"      {COMMANDS[name].help}")
        return
    width = max(len(each.usage) for each in COMMANDS.values())
    for command in COMMANDS.values():
        render.hanging(f"  {command.usage:{width}}  ", command.help)
    render.line("  Anything else is a question, or something to remember (I prefer …).")
    render.line(
        "  IDs are arXiv ids, or numbers of the last answer's footnotes or of the last list.", "dim"
    )
    render.line("  Alt-Enter or a \\ at its end makes a new line; Tab completes.", "dim")
    render.line("  Ctrl-C stops an answer and clears a line; twice, or Ctrl-D, leaves.", "dim")


def _quit(chat: Chat, rest: str) -> None:
    chat.open = False


_TABLE = (
    Command("/new", "[NAME]", threads.new, "a new thread; its first question names it"),
    Command("/threads", "[THREAD]", threads.threads, "your threads; with a name, go on there"),
    Command("/resume", "[THREAD]", threads.resume, "pick a thread to go on with"),
    Command("/rename", "NAME", threads.rename, "give this thread another name"),
    Command("/fork", "[NAME]", threads.fork, "a copy of this thread, to go another way"),
    Command("/export", "FORMAT [FILE]", threads.export, "write this thread: md, json, bib, html"),
    Command("/search", "WORDS", papers.search, "search the papers held"),
    Command("/papers", "[WORDS]", papers.cited, "papers this thread cites; with words, /search"),
    Command("/paper", "ID", papers.paper, "a paper's record"),
    Command("/similar", "ID", papers.similar, "the papers held that are nearest to one"),
    Command("/compare", "ID ID…", papers.compare, "papers side by side, each cell cited"),
    Command("/cite", "[STYLE] [ID…]", papers.cite, "bibtex, ris, csl, markdown; the last answer's"),
    Command("/read", "ID [STATUS]", papers.read, "how far it is read: unread, reading, read"),
    Command("/tag", "ID [-]TAG…", papers.tag, "tag a paper; - takes a tag off"),
    Command("/note", "ID [-|TEXT]", papers.note, "your note on a paper; a - takes it away"),
    Command("/why", "[N]", answers.why, "what supports footnote N, and how well"),
    Command("/good", "[WHY]", answers.good, "the last answer was good"),
    Command("/bad", "[WHY]", answers.bad, "the last answer was bad"),
    Command("/correct", "TEXT", answers.correct, "what is wrong in the last answer; remembered"),
    Command("/save", "", answers.save, "keep the last answer as a finding"),
    Command("/retry", "", answers.retry, "ask the last question again, if unanswered"),
    Command("/undo", "", answers.undo, "take the last turn back, memories included"),
    Command("/memory", "[KIND|DO…]", memories.memory, "what is remembered; search, forget, edit …"),
    Command("/private", "[on|off]", memories.private, "learn nothing from this thread; or again"),
    Command("/project", "[PROJECT]", memories.project, "your projects; put this thread into one"),
    Command("/context", "", knobs.context, "what the last question was asked with"),
    Command("/model", "[MODEL]", knobs.model, "the models there are; with a name, take it"),
    Command("/help", "[COMMAND]", _help, "this list"),
    Command("/quit", "", _quit, "leave"),
)
COMMANDS = {each.name: each for each in _TABLE}
