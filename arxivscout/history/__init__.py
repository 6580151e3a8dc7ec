"""A person's threads: read, named, forked, exported, judged, and taken back turn by turn."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from arxivscout.errors import UsageError
from arxivscout.history import judging, naming
from arxivscout.history.exporting import FORMATS, Format, export_thread
from arxivscout.memory import context_log, conversation, exchanges, threads
from arxivscout.memory.context_log import TurnContext, Use
from arxivscout.memory.exchanges import Exchange, LastTurn, ThreadUsage
from arxivscout.memory.lease import alone
from arxivscout.memory.threads import ThreadSummary, check_thread
from arxivscout.memory.titles import name_of
from arxivscout.memory.undo import Undone, undo_turn

if TYPE_CHECKING:
    from arxivscout.agent.held_threads import HeldThreads
    from arxivscout.agent.services import Services
    from arxivscout.memory.conversation import ThreadEvent
    from arxivscout.memory.postgres import Connection

Result = TypeVar("Result")


class History:
    """One person's threads, each named by a parameter: `UsageError` where that can name none."""

    def __init__(
        self,
        services: Services,
        user: str,
        *,
        held: HeldThreads,
        store_waiting: Callable[[], object],
    ) -> None:
        """Args:
        held: what this process holds of the threads, which goes with what is taken back.
        store_waiting: stores the turns that wait on disk, which may be of the thread at hand.
        """
        self._database = services.database
        self._leases = services.leases
        self._embedder = services.embedder
        self._user = user
        self._held = held
        self._store_waiting = store_waiting

    # reading

    def threads(self, *, of_jobs: bool = False) -> list[ThreadSummary]:
        """The person's threads, the one last spoken in first; those of batch jobs if asked for."""
        with self._transaction() as conn:
            return threads.threads(conn, of_jobs=of_jobs)

    def events(self, thread_id: str, limit: int | None = None) -> list[ThreadEvent]:
        """Messages and tool calls of a thread, interleaved as they happened; the newest `limit`."""
        with self._reading(thread_id) as conn:
            return conversation.events(conn, thread_id, limit)

    def last_exchange(self, thread_id: str) -> Exchange | None:
        """The thread's last question and its answer: one query, however long the thread is."""
        with self._reading(thread_id) as conn:
            return exchanges.last_exchange(conn, thread_id)

    def last_citations(self, thread_id: str) -> list[dict[str, Any]]:
        """What footnotes mean: the citations of the thread's last answer that has any."""
        with self._reading(thread_id) as conn:
            return exchanges.last_citations(conn, thread_id)

    def usage(self, thread_id: str) -> ThreadUsage:
        """The tokens that the thread's turns took, in all and by model."""
        with self._reading(thread_id) as conn:
            return exchanges.usage(conn, thread_id)

    def context(self, thread_id: str) -> list[dict[str, Any]]:
        """The last turn's context: for each segment its budget, what went in, what was cut, why."""
        with self._reading(thread_id) as conn:
            return exchanges.report(conn, thread_id)

    def turn_context(self, turn: str | None = None, thread_id: str | None = None) -> TurnContext:
        """The context of a turn, by its id or how that begins; of the last one (of the thread).

        Raises:
            UsageError: no id, or one that more than one turn has.
            NotFound: there is no such turn.
        """
        with self._transaction() as conn:
            return context_log.turn_context(conn, turn, thread_id)

    def uses(self, memory: str, limit: int = 20) -> list[Use]:
        """In which turns a memory or a paper was given to the model or cut, the newest first.

        Args:
            memory: an id, or how a memory's id begins, as lists show it.
        """
        with self._transaction() as conn:
            return context_log.uses(conn, naming.whole_id(conn, memory), limit)

    def export(self, thread_id: str, format: Format) -> str:
        """The thread as a document: Markdown, JSON, BibTeX of all it cites, or one web page.

        Raises:
            UsageError: there is no such format.
            NotFound: there is no such thread.
        """
        if format not in FORMATS:
            raise UsageError(f"No format is called {format!r}.", f"There are {', '.join(FORMATS)}.")
        with self._reading(thread_id) as conn:
            naming.check_there(conn, thread_id)
            return export_thread(conn, thread_id, format)

    # names

    def name_for(self, question: str) -> str:
        """A name, not yet taken, for a thread that begins with `question`.

        What only says how the person wants things names no subject: such a thread is called so.
        """
        from arxivscout.preferences import stated_wishes

        states = not question.rstrip().endswith("?") and bool(stated_wishes(question))
        with self._transaction() as conn:
            name = "preferences" if states else name_of(question) or "thread"
            return threads.free_name(conn, name)

    def title_of(self, thread_id: str) -> str:
        """The thread's title: the one it was given, or its own, from its first question.

        Raises:
            NotFound: there is no such thread.
        """
        with self._reading(thread_id) as conn:
            naming.check_there(conn, thread_id)
            return threads.title(conn, thread_id)

    def title(self, thread_id: str, text: str | None) -> str:
        """Give a thread a title; None lets it name itself again, from its first question.

        Returns:
            the title that it has now.

        Raises:
            UsageError: the title is empty or over 200 characters.
            NotFound: there is no such thread.
        """
        title = None if text is None else naming.checked_title(text)
        with self._reading(thread_id) as conn:
            naming.check_there(conn, thread_id)
            threads.set_title(conn, thread_id, title)
            return threads.title(conn, thread_id)

    def rename(self, thread_id: str, new: str) -> None:
        """Give a thread another name, wherever it stands, in one transaction.

        Raises:
            UsageError: `new` can't name a thread, or names one.
            NotFound: there is no such thread.
            ThreadBusy: a turn is at work in it.
        """
        new = naming.checked_name(new)
        if new == thread_id:
            return
        self._store_waiting()

        def work(conn: Connection) -> None:
            naming.check_free(conn, thread_id, new)
            threads.rename(conn, thread_id, new)

        self._alone([thread_id, new], work)
        self._sweep_checkpoints()
        self._held.rename(thread_id, new)

    def fork(
        self, thread_id: str, new: str | None = None, upto_turn: UUID | str | None = None
    ) -> str:
        """Copy what was said in a thread, up to and with a turn, into a new one; its name.

        What was learned is the person's in any thread, and is not copied.

        Args:
            new: its name; None takes the thread's with a number behind.

        Raises:
            UsageError: `new` can't name a thread, or names one; the turn is none of the thread's.
            NotFound: there is no such thread.
        """
        check_thread(thread_id)
        self._store_waiting()
        given = None if new is None else naming.checked_name(new)
        upto = None if upto_turn is None else naming.turn_id_of(upto_turn)
        while True:
            with self._transaction() as conn:
                name = given or threads.free_name(conn, thread_id)

            def work(conn: Connection, name: str = name) -> bool:
                if given is None and threads.is_there(conn, name):
                    return False  # somebody was faster
                naming.check_free(conn, thread_id, name)
                if upto is not None and not threads.is_turn_of(conn, thread_id, upto):
                    raise UsageError(f"No turn {upto} belongs to the thread {thread_id!r}.")
                threads.fork(conn, thread_id, name, upto)
                return True

            if self._alone([name], work):
                return name

    def delete(self, thread_id: str) -> int:
        """Delete a thread's messages, tool logs, turns, summaries; say how many messages.

        Raises:
            ThreadBusy: a turn is at work in it.
        """
        self._store_waiting()

        deleted = self._alone([thread_id], lambda conn: threads.delete(conn, thread_id))
        self._held.forget(thread_id)
        self._sweep_checkpoints()
        return deleted

    # the last turn

    def undo(self, thread_id: str) -> Undone:
        """Take the last turn back, memories included, as if it had not been asked.

        Its messages, tool logs and workflow go, and so does what it learned; what it superseded,
        changed or forgot is as it was. Papers that it found stay: they are everybody's. What
        another turn has used since stays too.

        Raises:
            NotFound: there is no such thread.
            ThreadBusy: it is being answered.
        """
        self._store_waiting()

        def work(conn: Connection) -> tuple[LastTurn, Undone]:
            last = exchanges.last_turn(conn, thread_id)
            if last is None:
                raise naming.unknown_thread(thread_id)
            return last, undo_turn(conn, last, self._embedder.embed_documents)

        last, undone = self._alone([thread_id], work)
        self._held.forget_turn(thread_id, str(last.turn_id))
        self._sweep_checkpoints()
        return undone

    def feedback(self, thread_id: str, good: bool, note: str | None = None) -> None:
        """Keep what the person says of the last answer; ways that were good are recalled first.

        Raises:
            UsageError: there is no answer.
            ThreadBusy: a turn is at work in the thread.
        """
        self._alone([thread_id], lambda conn: judging.judge(conn, thread_id, good, note))

    def correct(self, thread_id: str, text: str) -> UUID:
        """Remember what the person says is wrong, or right, in the last answer; the memory's id.

        The thread's next answers are told of it, and so are others that it bears on.

        Raises:
            UsageError: there is no answer, or no correction, or one of over 4,000 characters.
            ThreadBusy: a turn is at work in the thread.
        """
        embed = self._embedder.embed_query
        return self._alone([thread_id], lambda conn: judging.correct(conn, thread_id, text, embed))

    def saved(self, thread_id: str) -> UUID:
        """Keep the last answer as a finding, with its citations; the memory's id.

        Raises:
            UsageError: there is no answer.
            ThreadBusy: a turn is at work in the thread.
        """
        embed = self._embedder.embed_query
        return self._alone([thread_id], lambda conn: judging.save(conn, thread_id, embed))

    # what the methods above have in common

    def _transaction(self) -> AbstractContextManager[Connection]:
        return self._database.transaction(self._user)

    def _reading(self, thread_id: str) -> AbstractContextManager[Connection]:
        check_thread(thread_id)
        return self._transaction()

    def _alone(self, thread_ids: list[str], work: Callable[[Connection], Result]) -> Result:
        names = [check_thread(each) for each in thread_ids]
        return alone(self._database, self._leases, self._user, names, work)

    def _sweep_checkpoints(self) -> None:
        from arxivscout.agent.checkpoints import sweep_checkpoints

        sweep_checkpoints(self._database, self._user)
