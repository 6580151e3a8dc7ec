"""One turn on the screen: what the tools do, the answer as it comes, its sources, what is amiss."""

from __future__ import annotations

import signal
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

from arxivscout.agent.events import Answered, Event, Notice, Token, ToolEnded, ToolStarted
from arxivscout.cli import render
from arxivscout.cli.answer import AnswerWriter

if TYPE_CHECKING:
    from rich.console import Console

    from arxivscout.agent.events import Answer, Citation

_SAYINGS = {
    "search_papers": "searching the papers held: {query}",
    "search_arxiv": "searching arXiv: {query}",
    "read_paper": "reading arXiv:{arxiv_id}",
    "recall_memory": "looking into memory ({kind}): {query}",
    "read_tool_logs": "looking into the tool log",
    "save_memory": "remembering a {kind}: {text}",
    "update_memory": "correcting a memory: {text}",
    "forget_memory": "forgetting a memory",
    "summarise_thread": "summarising the thread",
    "expand_summary": "opening a summary",
}
_LONGEST_SAYING = 68


class TurnView:
    """Shows a turn's events: activity on one console, the answer on another.

    With `answer` None the answer isn't shown (who prints JSON has it from `last`).
    """

    def __init__(self, activity: Console, answer: Console | None) -> None:
        self.last: Answer | None = None
        self._activity = activity
        self._answer = answer
        self._writer = AnswerWriter(answer) if answer else None
        self._running: list[tuple[str, str]] = []
        self._sign = ExitStack()
        self._said = False  # something of the answer is on the screen
        self._told = False  # something else is

    def run(self, events: Iterator[Event]) -> Answer | None:
        """Show events until they end; None when the turn ended without an answer.

        After Ctrl-C, or when the process is told to end, the turn is stopped and kept as far as it
        came, and the exception goes on.
        """
        try:
            self._wait("thinking")
            for event in events:
                self._show(event)
        except (KeyboardInterrupt, SystemExit):
            self._end()
            with _patient():
                if isinstance(events, Generator):
                    events.close()
            raise
        finally:
            self._end()
        return self.last

    def _show(self, event: Event) -> None:
        match event:
            case Token(text=text):
                if self._writer:
                    self._sign.close()
                    self._begin()
                    self._writer.write(text)
            case ToolStarted(name=name, arguments=arguments):
                self._running.append((name, _saying(name, arguments)))
                self._wait(self._running[-1][1])
            case ToolEnded():
                self._tool_ended(event)
            case Notice(text=text):
                self._tell(text, "yellow")
            case Answered(answer=answer):
                self.last = answer
                self._end()
                self._show_end(answer)

    def _begin(self) -> None:
        # A blank line sets the answer off from what the tools did, where both share a screen.
        if not self._said and self._told and self._activity is self._answer:
            render.line(console=self._activity)
        self._said = True

    def _tool_ended(self, event: ToolEnded) -> None:
        running = next((each for each in self._running if each[0] == event.name), None)
        if running:
            self._running.remove(running)
        saying = running[1] if running else _saying(event.name, {})
        good = event.status in ("success", "ok", "empty")
        self._tell(
            f"• {saying} · {event.summary or event.status}, {event.seconds:.1f} s",
            "dim" if good else "red",
        )
        self._wait(self._running[-1][1] if self._running else "thinking")

    def _tell(self, text: str, style: str) -> None:
        self._sign.close()
        if self._writer and self._said:
            self._writer.finish()
        render.line(text, style, console=self._activity)
        self._told = True

    def _wait(self, text: str) -> None:
        self._sign.close()
        self._sign.enter_context(render.working(text, self._activity))

    def _end(self) -> None:
        self._sign.close()
        if self._writer:
            self._writer.finish()

    def _show_end(self, answer: Answer) -> None:
        if self._answer and self._writer:
            if not self._said and answer.answer:
                self._begin()
                self._writer.write(answer.answer)
                self._writer.finish()
            show_sources(answer.citations, self._answer)
        if answer.status == "interrupted":
            render.line("(interrupted: kept as far as it came)", "yellow", console=self._activity)
        for each in answer.degraded:
            render.line(f"degraded: {each}", "yellow", console=self._activity)


def show_sources(citations: list[Citation], console: Console) -> None:
    """The cited papers under an answer: id, title, link."""
    if not citations:
        return
    render.line("\nSources", "bold", console=console)
    for each in citations:
        render.source(each.arxiv_id, each.title, each.url, console=console)


def _saying(name: str, arguments: dict[str, Any]) -> str:
    from arxivscout.papers import one_line

    values = {key: value for key, value in arguments.items() if value is not None}
    try:
        saying = _SAYINGS[name].format_map(values)
    except KeyError:
        saying = f"{name} {', '.join(f'{key}={value}' for key, value in values.items())}"
    saying = one_line(render.safe(saying))
    return saying if len(saying) <= _LONGEST_SAYING else saying[: _LONGEST_SAYING - 1] + "…"


@contextmanager
def _patient() -> Iterator[None]:
    """Let what is being stored be stored: only the third Ctrl-C inside is obeyed."""
    pressed = 0

    def count(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed += 1
        if pressed >= 3:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, count)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
