"""One turn on the screen: what tools do, the answer as it comes, its footnotes, what is amiss."""

from __future__ import annotations

import signal
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from arxivscout.agent.events import Answered, Event, Notice, Token, ToolEnded, ToolStarted
from arxivscout.cli import render
from arxivscout.cli.activity import Activity
from arxivscout.cli.footnotes import Footnotes, first_few
from arxivscout.cli.logs import logs_held
from arxivscout.cli.markdown import MarkdownStream, PlainStream

if TYPE_CHECKING:
    from rich.console import Console

    from arxivscout.agent.events import Answer


def answer_stream(console: Console, footnotes: Footnotes) -> MarkdownStream | PlainStream:
    """What shows an answer on `console`: rendered where text can be styled, else as written."""
    kind = MarkdownStream if console.color_system else PlainStream
    return kind(console, footnotes.number)


class TurnView:
    """Shows a turn's events: activity on one console, the answer on another.

    With `answer` None the answer isn't shown (who prints JSON has it from `last`).
    """

    def __init__(self, activity: Console, answer: Console | None) -> None:
        self.last: Answer | None = None
        self.footnotes = Footnotes()
        self._console = activity
        self._answer = answer
        self._activity = Activity(activity)
        self._writer = answer_stream(answer, self.footnotes) if answer else None
        self.said = False  # something of an answer is on the screen
        self._begun = False  # what comes next goes on with it

    def run(self, events: Iterator[Event]) -> Answer | None:
        """Show events until they end; None when the turn ended without an answer.

        After Ctrl-C, or when the process is told to end, the turn is stopped and kept as far as it
        came, and the exception goes on.
        """
        with logs_held():
            try:
                self._activity.think()
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

    def pause(self) -> None:
        """Leave the screen to a question that is asked in the middle of the turn."""
        self._activity.fold()
        self._interrupt()

    def go_on(self) -> None:
        """The question was answered."""
        self._activity.think()

    def _show(self, event: Event) -> None:
        match event:
            case Token(text=text):
                if self._writer:
                    self._begin()
                    self._writer.write(text)
            case ToolStarted(name=name, arguments=arguments):
                self._interrupt()
                self._activity.started(name, arguments)
            case ToolEnded():
                self._activity.ended(event)
            case Notice(text=text):
                self._interrupt()
                if self.said:
                    self._set_off()
                self._activity.tell(text, "yellow")
                self._activity.think()
            case Answered(answer=answer):
                self.last = answer
                self._end()
                self._show_end(answer)

    def _begin(self) -> None:
        self._activity.fold()
        if self._begun:
            return
        if self.said or self._activity.told:
            self._set_off()
        self.footnotes.clear()
        self._begun = self.said = True

    def _set_off(self) -> None:
        """A blank line, where what stands above is seen beside what comes."""
        if self._answer and (self.said or self._shares_screen):
            render.line(console=self._answer)

    @property
    def _shares_screen(self) -> bool:
        consoles = (self._console, self._answer)
        return self._console is self._answer or all(each and each.is_terminal for each in consoles)

    def _interrupt(self) -> None:
        """Something else than the next word: what was said is not, or not yet, the answer."""
        if self._writer and self._begun:
            self._writer.finish()
        self._begun = False

    def _end(self) -> None:
        self._activity.fold()
        if self._writer:
            self._writer.finish()

    def _show_end(self, answer: Answer) -> None:
        if self._answer and self._writer:
            if not self.said and answer.answer:
                self._begin()
                self._writer.write(answer.answer)
                self._writer.finish()
            self.footnotes.show(answer.citations, self._answer)
        if answer.status == "interrupted":
            render.line("(interrupted: kept as far as it came)", "yellow", console=self._console)
        for each in first_few(answer.problems):
            render.line(f"! {each}", "yellow", console=self._console)
        for each in answer.degraded:
            render.line(f"degraded: {each}", "yellow", console=self._console)


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
