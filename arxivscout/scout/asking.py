"""One person's turns: asked, resumed, explained; and the models that answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from arxivscout.agent.held_threads import HeldThreads
from arxivscout.errors import DatabaseError, DatabaseUnavailable, ScoutError, UsageError
from arxivscout.scout.person import Notice, Person, quiet

if TYPE_CHECKING:
    from arxivscout.agent.events import Answer, Choice, Citation, Event
    from arxivscout.agent.services import Services
    from arxivscout.agent.tools import ScoutTool
    from arxivscout.history import History
    from arxivscout.settings import ModelSettings

Decide = Callable[["Choice"], str]


class Asking(Person):
    """Asks in the person's threads, and reads what was said in them."""

    def __init__(self, services: Services, user: str) -> None:
        super().__init__(services, user)
        self._held = HeldThreads()
        self._graph: Any = None
        self._compiling = threading.Lock()

    @property
    def history(self) -> History:
        """The person's threads: read, named, forked, exported, judged, and taken back by turns."""
        from arxivscout.history import History

        return History(
            self._services,
            self.user,
            held=self._held,
            store_waiting=lambda: self.store_waiting(quiet),
        )

    def ask(self, question: str, *, thread_id: str = "default", model: str | None = None) -> Answer:
        """Ask and wait for the whole answer.

        Raises:
            Fatal: there is no answer; the question is kept.
        """
        from arxivscout.agent.events import Answered

        for event in self.stream(question, thread_id=thread_id, model=model):
            if isinstance(event, Answered):
                return event.answer
        raise AssertionError("a turn that ends without an answer raises")

    def stream(
        self,
        question: str,
        *,
        thread_id: str = "default",
        model: str | None = None,
        decide: Decide | None = None,
    ) -> Iterator[Event]:
        """Ask, and see what happens as it happens; `Answered` comes last.

        Closing the iterator, or Ctrl-C inside it, stops the turn and keeps what was said.

        Args:
            decide: asks the person to choose, and gives one of the choice's options. With nobody
                to ask, only what was plainly asked for is forgotten, and a question that could
                mean one of several papers is taken for all of them.

        Raises:
            Fatal: there is no answer; the question is kept.
        """
        return self._turn(question, str(uuid4()), thread_id, model, resume=False, decide=decide)

    def retry(
        self,
        thread_id: str = "default",
        *,
        model: str | None = None,
        decide: Decide | None = None,
    ) -> Iterator[Event]:
        """Ask the thread's last question again if it got no whole answer; go on where it stopped.

        Raises:
            UsageError: the last question was answered.
            NotFound: there is no such thread.
        """
        from arxivscout.history.naming import unknown_thread
        from arxivscout.memory.threads import check_thread
        from arxivscout.memory.turn import unanswered

        found = unanswered(self.database, self.user, check_thread(thread_id))
        if found is None:
            if self.history.last_exchange(thread_id) is None:
                raise unknown_thread(thread_id)
            raise UsageError(
                f"The last question of the thread {thread_id!r} was answered.", "Ask another one."
            )
        turn_id, question = found
        return self._turn(question, turn_id, thread_id, model, resume=True, decide=decide)

    def unanswered(self, thread_id: str = "default") -> str | None:
        """The thread's last question, if it got no whole answer."""
        from arxivscout.memory.threads import check_thread
        from arxivscout.memory.turn import unanswered

        found = unanswered(self.database, self.user, check_thread(thread_id))
        return found[1] if found else None

    def _turn(
        self,
        question: str,
        turn_id: str,
        thread_id: str,
        model: str | None,
        *,
        resume: bool,
        decide: Decide | None = None,
    ) -> Iterator[Event]:
        # A generator to its first line: who shows a sign of work does it before anything is loaded.
        if self._graph is None:  # the embedder opens outside of Python, beside the imports below
            threading.Thread(
                target=self.embedder.embed_query, args=("warm up",), daemon=True, name="warm-up"
            ).start()
        from arxivscout.agent.run import run_turn

        if model is not None:
            self.settings.model_named(model)
        self.store_waiting(quiet)
        yield from run_turn(
            self._services,
            self._compiled(),
            user=self.user,
            thread_id=thread_id,
            turn_id=UUID(turn_id),
            question=question,
            model=model,
            held=self._held.of(thread_id),
            resume=resume,
            decide=decide,
        )

    def why(self, n: int, thread_id: str = "default") -> Citation:
        """The n-th footnote, from 1, of the last answer with any: its verdict and its passage.

        Raises:
            UsageError: the thread has no answer, or none with such a footnote.
        """
        from arxivscout.agent.events import Citation

        last = self.history.last_exchange(thread_id)
        if last is None or not last.answer:
            raise UsageError(f"The thread {thread_id!r} has no answer yet.", "Ask something.")
        citations = self.history.last_citations(thread_id)
        if not citations:
            raise UsageError(f"There is no footnote {n}: no answer cites a paper yet.")
        if not 1 <= n <= (count := len(citations)):
            papers = f"{count} paper{'s' if count != 1 else ''}"
            raise UsageError(f"There is no footnote {n}: the last answer that cites has {papers}.")
        return Citation.from_json(citations[n - 1])

    def check_model(self, name: str) -> None:
        """Open the chat model of this name, as a turn would; nothing is sent.

        Raises:
            ConfigurationError: it can't be used, with what is missing.
        """
        self._services.chat_model(name)

    def try_model(self, model: ModelSettings) -> str | None:
        """Ask a model for a word: None when it answers, else why not in a line.

        Raises:
            ConfigurationError: it can't be used, with what is missing.
        """
        from arxivscout.llm.trying import try_model

        return try_model(model, self.embedder)

    def warm_up(self) -> None:
        """Load what the first turn needs, in the background while the person types."""

        def load() -> None:
            # What goes wrong here goes wrong again in the turn, where it is told.
            with suppress(ScoutError):
                self._compiled()
                self._services.chat_model(self.settings.model)
                self.embedder.embed_query("warm up")

        threading.Thread(target=load, daemon=True, name="warm-up").start()

    def _compiled(self) -> Any:
        with self._compiling:
            if self._graph is None:
                from arxivscout.agent.checkpoints import (
                    ScoutSaver,
                    set_up_checkpoints,
                    sweep_checkpoints,
                )
                from arxivscout.agent.graph import build_graph

                with suppress(DatabaseUnavailable):  # then a turn can't be resumed, but answered
                    set_up_checkpoints(self.database)
                    sweep_checkpoints(self.database, self.user)
                self._graph = build_graph(self._services, ScoutSaver(self.database, self.user))
            return self._graph

    def store_waiting(self, notice: Notice) -> int:
        """Store the turns that wait on disk since the database was lost; say how many."""
        outbox = self._services.outbox(self.user)
        if not outbox.waiting():
            return 0
        from arxivscout.agent.persist import store_record

        try:
            stored = outbox.store_all(lambda record: store_record(self._services, record))
        except DatabaseError:
            return 0
        if stored:
            notice(f"Stored {stored} turn{'s' if stored > 1 else ''} that waited for the database.")
        return stored

    def as_tools(self, thread_id: str = "default", *, said: str = "") -> list[ScoutTool]:
        """The tools of a turn, as LangChain tools that other agents call in this person's name.

        Args:
            thread_id: to which memory that they keep is said to belong.
            said: the person's own words, where a tool obeys these alone.
        """
        from arxivscout.agent.toolkit import LENT
        from arxivscout.agent.tools import TurnScope
        from arxivscout.memory.threads import check_thread

        scope = TurnScope(self._services, self.user, check_thread(thread_id), str(uuid4()), said)
        return [tool.within(scope) for tool in LENT]
