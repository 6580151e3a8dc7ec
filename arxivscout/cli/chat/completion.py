"""What Tab completes: commands, and behind them papers, threads, models, kinds, formats."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from arxivscout.cli.chat.commands import COMMANDS
from arxivscout.errors import ScoutError

if TYPE_CHECKING:
    from arxivscout.cli.chat.sitting import Chat

# The beginning of an arXiv id in the text of a question.
_ID_BEGUN = re.compile(r"(?:(?<=arXiv:)|(?<!\S))(?:\d{2,}[\d.]*|[a-z-]+/\d*)\Z")

_WORDS = {
    "FORMAT": ("md", "json", "bib", "html"),
    "STYLE": ("bibtex", "ris", "csl", "markdown"),
    "STATUS": ("unread", "reading", "read"),
}


class ChatCompleter(Completer):
    """Completes one chat's lines."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        text = document.text_before_cursor
        name, blank, rest = text.partition(" ")
        if text.startswith("/") and not blank:
            for command in COMMANDS.values():
                if command.name.startswith(name.lower()):
                    yield _completion(command.name, len(name), command.help)
        elif known := COMMANDS.get(name.lower()):
            begun = rest.lstrip() if "THREAD" in known.arguments else rest.split(" ")[-1]
            for value, told in self._values(known.arguments):
                if value.lower().startswith(begun.lower()):
                    yield _completion(value, len(begun), told)
        elif begun_id := _ID_BEGUN.search(text):
            for value, told in self._papers():
                if value.startswith(begun_id[0]):
                    yield _completion(value, len(begun_id[0]), told)

    def _values(self, arguments: str) -> Iterator[tuple[str, str]]:
        """What the words in capitals may be, with what is told of each."""
        for kind in re.findall(r"[A-Z]+", arguments):
            yield from self._of_kind(kind)

    def _of_kind(self, kind: str) -> Iterator[tuple[str, str]]:
        match kind:
            case "ID":
                yield from self._papers()
            case "THREAD":
                yield from self._threads()
            case "MODEL":
                settings = self._chat.scout.settings
                models = dict.fromkeys(["extractive", settings.model, *sorted(settings.models)])
                yield from ((name, "") for name in models)
            case "KIND":
                from arxivscout.cli.memory.show import KINDS

                yield from ((each, "") for each in KINDS)
            case "DO":
                from arxivscout.cli.chat.memories import DOING

                yield from ((word, what) for word, what in DOING.items())
            case "PROJECT":
                yield from self._projects()
            case "FORMAT" | "STYLE" | "STATUS":
                yield from ((word, "") for word in _WORDS[kind])
            case "COMMAND":
                yield from ((name.removeprefix("/"), "") for name in COMMANDS)

    def _papers(self) -> Iterator[tuple[str, str]]:
        titles = {each.arxiv_id: each.title for each in self._chat.cited.values()}
        for arxiv_id in reversed(self._chat.seen):
            yield arxiv_id, titles.get(arxiv_id, "")

    def _threads(self) -> Iterator[tuple[str, str]]:
        try:
            found = self._chat.scout.history.threads()
        except ScoutError:  # a lost database completes nothing
            return
        for each in found:
            yield each.thread_id, each.title

    def _projects(self) -> Iterator[tuple[str, str]]:
        try:
            found = self._chat.scout.projects.all()
        except ScoutError:
            return
        for each in found:
            yield each.name, each.goal or ""


def _completion(value: str, typed: int, told: str) -> Completion:
    from arxivscout.cli.render import safe
    from arxivscout.papers import one_line

    return Completion(value, start_position=-typed, display_meta=one_line(safe(told))[:60])
