"""One sitting of the chat: which thread is open, which model answers, and whether it goes on."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from arxivscout.cli import render
from arxivscout.cli.chat.keys import unechoed
from arxivscout.cli.chat.status import show_status
from arxivscout.cli.logs import logs_held
from arxivscout.cli.turn import TurnView
from arxivscout.errors import ModelError, ScoutError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from arxivscout.agent.events import Choice, Citation, Event
    from arxivscout.app import Scout

_GIVE_WAY_S = 0.0005


class Chat:
    """What the commands work on.

    Attributes:
        cited: the papers of the last answer that cites any, by the numbers of its footnotes.
        listed: ids of the papers of the last list that was shown since then, by their numbers.
        seen: ids of papers shown in this sitting, the newest last; they complete at Tab.
        begins_private, begins_in: what a thread is that its first question will name: private, in
            this project.
    """

    def __init__(self, scout: Scout, thread_id: str, model: str | None) -> None:
        self.scout = scout
        self.thread_id = thread_id
        self.model = model
        self.open = True
        self.cited: dict[int, Citation] = {}
        self.listed: dict[int, str] = {}
        self.seen: dict[str, None] = {}
        self.begins_private = False
        self.begins_in: str | None = None

    @property
    def model_name(self) -> str:
        """Who answers."""
        return self.model or self.scout.settings.model

    @property
    def begun(self) -> str:
        """The thread's name.

        Raises:
            UsageError: nothing was asked in it, and so there is no such thread yet.
        """
        if not self.thread_id or self.scout.history.last_exchange(self.thread_id) is None:
            raise UsageError("Nothing has been asked in this thread yet.")
        return self.thread_id

    def run(self) -> None:
        """Read and answer until the person leaves."""
        from arxivscout.cli.chat import welcome
        from arxivscout.cli.chat.prompt import line_reader

        welcome.greet(self)
        self.resume()
        render.line()
        read = line_reader(self)
        # The thread that loads gives way to keys sooner than Python's 5 ms, many times a key.
        sys.setswitchinterval(_GIVE_WAY_S)
        self.scout.warm_up()  # not before: it would keep the prompt waiting
        with unechoed():
            while self.open:
                with logs_held():
                    if (said := read()) is None:
                        return
                    if said:
                        self._heed(said)
                        render.line()

    def _heed(self, said: str) -> None:
        """Carry out a command, or ask a question."""
        from arxivscout.cli.chat import commands

        try:
            if said.startswith("/"):
                commands.run(self, said)
            else:
                self.ask(said)
        except ScoutError as error:
            render.error(error)
        except KeyboardInterrupt:
            render.line("(stopped)", "yellow")

    def resume(self) -> None:
        """Show where the thread stands: its last exchange, or a question left unanswered."""
        from arxivscout.cli.chat.past import show_last_exchange

        self.cited, self.listed = {}, {}
        private = self.begins_private
        if self.thread_id:
            show_last_exchange(self)
            private = self.scout.consent(self.thread_id).private
        if private:
            from arxivscout.cli.chat.memories import show_private

            show_private(True)

    def enter(self, thread_id: str) -> None:
        """Go on in another thread."""
        self.thread_id = thread_id
        render.line(f"Now in thread {thread_id}.", "dim")
        self.resume()

    def begin(self) -> None:
        """Go on in a new thread, which its first question names."""
        self.thread_id, self.cited, self.listed = "", {}, {}
        self.begins_private, self.begins_in = False, None
        render.line("A new thread; its first question names it.", "dim")

    def make_private(self, private: bool) -> None:
        """Learn nothing from this thread, which may be yet to begin; or again."""
        if self.thread_id:
            self.scout.make_private(self.thread_id, private)
        else:
            self.begins_private = private

    def enter_project(self, wanted: str | None) -> str | None:
        """Let this thread, which may be yet to begin, belong to a project, or to none; its name."""
        if self.thread_id:
            entered = self.scout.projects.enter(wanted, self.thread_id)
        else:
            entered = self.scout.projects.open_one(wanted) if wanted is not None else None
            self.begins_in = entered.name if entered else None
        return entered.name if entered else None

    def ask(self, question: str) -> None:
        """One turn."""
        if not self.thread_id:
            self.thread_id = self.scout.history.name_for(question)
            if self.begins_private:
                self.scout.make_private(self.thread_id)
            if self.begins_in is not None:
                self.scout.projects.enter(self.begins_in, self.thread_id)
        self.show(
            lambda decide: self.scout.stream(
                question, thread_id=self.thread_id, model=self.model, decide=decide
            )
        )

    def retry(self) -> None:
        """The last question once more, if it got no answer."""
        self.show(lambda decide: self.scout.retry(self.begun, model=self.model, decide=decide))

    def show(self, begin: Callable[[Callable[[Choice], str]], Iterator[Event]]) -> None:
        """A turn's events on the screen; Ctrl-C ends the turn, not the chat."""
        view = TurnView(render.out(), render.out())
        try:
            answer = view.run(begin(lambda choice: _decide(view, choice)))
        except KeyboardInterrupt:
            kept = "what there was of the answer is kept" if view.said else "/retry asks again"
            render.line(f"(stopped; {kept})", "yellow")
        except ModelError as error:
            render.error(error)
            render.line("(the question is kept: /retry asks it again)", "dim")
        else:
            if answer:
                self.cite(view.footnotes.numbered(answer.citations))
                show_status(self, answer)

    def cite(self, cited: dict[int, Citation]) -> None:
        """These are the footnotes that commands mean by their numbers; none leave the last ones."""
        if cited:
            self.cited, self.listed = cited, {}
        self.see(each.arxiv_id for each in cited.values())

    def see(self, arxiv_ids: Iterable[str]) -> None:
        """Papers were shown; they complete at Tab."""
        for arxiv_id in arxiv_ids:
            self.seen.pop(arxiv_id, None)
            self.seen[arxiv_id] = None

    def numbered(self, number: int) -> str:
        """The paper that a number means: of the list shown last, else a footnote.

        Raises:
            UsageError: there is no such number.
        """
        if self.listed:
            if number in self.listed:
                return self.listed[number]
            raise UsageError(f"The last list has no number {number}.")
        if number in self.cited:
            return self.cited[number].arxiv_id
        raise UsageError(f"The last answer that cites has no footnote {number}.")


def _decide(view: TurnView, choice: Choice) -> str:
    from arxivscout.cli.chat.picker import pick

    view.pause()
    taken = pick(choice.text, [(option, option) for option in choice.options])
    view.go_on()
    return taken if taken is not None else choice.options[-1]
