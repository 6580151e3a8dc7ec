"""`arxivscout chat`: the conversation in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from arxivscout.cli.door import ModelOption, ThreadOption, UserOption, clean_thread, door
from arxivscout.errors import ModelError, ScoutError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arxivscout.agent.events import Event
    from arxivscout.app import Scout

EPILOG = """\
\b
In the chat, /help lists the commands. Ctrl-C stops an answer, Ctrl-D leaves.
"""
_EXTRACTIVE = (
    "No language model is set, so answers are extractive: the most relevant sentences of what is "
    "found, cited. ARXIVSCOUT_MODEL=provider:model brings one that writes."
)
_TO_TRY = (
    "What is known about quantum teleportation of neutral mesons?",
    "Which papers are about dark matter?",
    "I prefer short answers.",
)


def register(app: typer.Typer) -> None:
    """Hang this group's commands on `app`."""
    app.command("chat", epilog=EPILOG)(chat)


def chat(
    context: typer.Context,
    thread: ThreadOption = "default",
    user: UserOption = None,
    model: ModelOption = None,
) -> None:
    """Talk about papers, and be remembered."""
    thread_id = clean_thread(thread)
    with door(context).scout(user, model=model) as scout:
        Chat(scout, thread_id, model).run()


class Chat:
    """One sitting: which thread is open, and whether it goes on."""

    def __init__(self, scout: Scout, thread_id: str, model: str | None) -> None:
        self.scout = scout
        self.thread_id = thread_id
        self.model = model
        self.open = True

    def run(self) -> None:
        """Read and answer until the person leaves."""
        from arxivscout.cli import commands, render
        from arxivscout.cli.prompt import line_reader

        self.scout.warm_up()
        self.greet()
        self.resume()
        read = line_reader(self.scout.settings.home, self.scout.user, list(commands.COMMANDS))
        while self.open and (said := read()) is not None:
            try:
                if said.startswith("/"):
                    commands.run(self, said)
                elif said:
                    self.ask(said)
            except ScoutError as error:
                render.error(error)
            except KeyboardInterrupt:
                render.line("(stopped)", "yellow")

    def greet(self) -> None:
        """Say who answers, what with, and what to try."""
        from arxivscout.cli import render

        held = self.scout.paper_count()
        name = self.model or self.scout.settings.model
        render.line(f"ArxivScout · {held:,} papers held · model {name} · /help", "bold")
        if name == "extractive":
            render.line(_EXTRACTIVE, "dim")
        if self.scout.only_starter():
            render.line("This is the starter collection. Things to try:", "dim")
            for each in _TO_TRY:
                render.line(f"  {each}", "dim")

    def resume(self) -> None:
        """Show where the thread stands: its last exchange, or a question left unanswered."""
        from arxivscout.cli import render

        said = [e for e in self.scout.thread_events(self.thread_id) if e.kind != "tool"]
        question = next((e for e in reversed(said) if e.kind == "user"), None)
        if question is None:
            return
        render.line(f"\nThread {self.thread_id}, last on {render.moment(question.at)}:", "dim")
        render.line(f"> {question.text}")
        if said[-1].kind == "assistant":
            render.line(said[-1].text or "")
        if self.scout.unanswered(self.thread_id):
            render.line("(no whole answer: /retry asks it again)", "yellow")

    def ask(self, question: str) -> None:
        """One turn."""
        self.show(self.scout.stream(question, thread_id=self.thread_id, model=self.model))

    def retry(self) -> None:
        """The last question once more, if it got no answer."""
        self.show(self.scout.retry(self.thread_id, model=self.model))

    def show(self, events: Iterator[Event]) -> None:
        """A turn's events on the screen; Ctrl-C ends the turn, not the chat."""
        from arxivscout.cli import render
        from arxivscout.cli.turn import TurnView

        try:
            TurnView(render.out(), render.out()).run(events)
        except KeyboardInterrupt:
            render.line("(stopped; what there was of the answer is kept)", "yellow")
        except ModelError as error:
            render.error(error)
            render.line("(the question is kept: /retry asks it again)", "dim")
        render.line()
