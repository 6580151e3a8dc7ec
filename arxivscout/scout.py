"""One person's ArxivScout, as the doors and other people's Python see it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from arxivscout.errors import (
    DatabaseError,
    DatabaseUnavailable,
    NotFound,
    ScoutError,
    UsageError,
)

if TYPE_CHECKING:
    from arxivscout.agent.events import Answer, Choice, Citation, Event
    from arxivscout.agent.services import Services
    from arxivscout.agent.tools import ScoutTool
    from arxivscout.batch.batches import Batches
    from arxivscout.embedding import Embedder
    from arxivscout.history import History
    from arxivscout.history.lessons import Lessons
    from arxivscout.ingest import IngestReport
    from arxivscout.library import Library
    from arxivscout.memory.change_log import ChangeLog
    from arxivscout.memory.graph.own import Graph
    from arxivscout.memory.overview import MemoryItem, Seen
    from arxivscout.memory.passage_search import PassageHit, TextFilter
    from arxivscout.memory.projects import Projects
    from arxivscout.memory.remembering import Consent, Remembering
    from arxivscout.memory.rights.own import Rights
    from arxivscout.papers import Paper, PaperHit, Skipped
    from arxivscout.retriever import ScoutRetriever
    from arxivscout.settings import ModelSettings
    from arxivscout.sources.arxiv_api import ArxivClient
    from arxivscout.sources.documents import Document
    from arxivscout.watching import Watches

Notice = Callable[[str], None]
Decide = Callable[["Choice"], str]


def quiet(text: str) -> None:
    """Tell nobody."""


class Scout:
    """One person's ArxivScout: asks, searches, remembers."""

    def __init__(self, services: Services, user: str) -> None:
        self.user = user
        self.settings = services.settings
        self.database = services.database
        self.embedder = services.embedder
        self._services = services
        self._running: dict[str, list[Any]] = {}  # messages of each thread, for a lost database
        self._picked: dict[str, list[str]] = {}
        self._graph: Any = None
        self._compiling = threading.Lock()

    @property
    def arxiv(self) -> ArxivClient:
        """arXiv's API."""
        return self._services.arxiv

    @property
    def library(self) -> Library:
        """The person's library: papers cited, marked, compared, imported and exported."""
        from arxivscout.library import Library

        return Library(self.database, self.embedder, self.arxiv, self.user)

    @property
    def rights(self) -> Rights:
        """What the person may do with their memories: see, change, take along, have them erased."""
        from arxivscout.memory.rights.own import Rights

        return Rights(self.database, self.embedder, self.settings, self.user)

    @property
    def changes(self) -> ChangeLog:
        """Every change to the person's memory, and how one is taken back."""
        from arxivscout.memory.change_log import ChangeLog

        return ChangeLog(self.database, self.embedder, self.user)

    @property
    def projects(self) -> Projects:
        """What the person works on: threads, papers and findings that belong together."""
        from arxivscout.memory.projects import Projects

        return Projects(self.database, self.embedder, self.user)

    @property
    def graph(self) -> Graph:
        """What is joined to what: among the person's memories, and among the papers."""
        from arxivscout.memory.graph.own import Graph

        return Graph(self.database, self.embedder, self.user)

    @property
    def watches(self) -> Watches:
        """The person's watches: topics of which they are told what is new on arXiv."""
        from arxivscout.watching import Watches

        return Watches(self.database, self.embedder, self.arxiv, self._services.leases, self.user)

    @property
    def history(self) -> History:
        """The person's threads: read, named, forked, exported, judged, and taken back by turns."""
        from arxivscout.history import History

        return History(
            self._services,
            self.user,
            running=self._running,
            picked=self._picked,
            store_waiting=lambda: self.store_waiting(quiet),
        )

    @property
    def lessons(self) -> Lessons:
        """What the person's turns have taught: episodes, lessons, and reflecting on them."""
        from arxivscout.history.lessons import Lessons

        return Lessons(self._services, self.user)

    def batches(self, model: str | None = None) -> Batches:
        """The person's batches of research jobs; `model` answers those that name nobody."""
        from arxivscout.batch.batches import Batches

        return Batches(self._services, self.user, model)

    # asking

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
            running=self._running.setdefault(thread_id, []),
            picked=self._picked.setdefault(thread_id, []),
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

    # papers

    def as_retriever(
        self,
        *,
        k: int = 10,
        category: str | None = None,
        since: str | None = None,
        until: str | None = None,
        author: str | None = None,
        diverse: float | bool = False,
    ) -> ScoutRetriever:
        """The search for papers, so bounded, as a LangChain retriever."""
        from arxivscout.retriever import ScoutRetriever

        return ScoutRetriever(
            search=self.search,
            k=k,
            category=category,
            since=since,
            until=until,
            author=author,
            diverse=diverse,
        )

    def search(
        self,
        query: str,
        *,
        category: str | None = None,
        since: str | None = None,
        until: str | None = None,
        author: str | None = None,
        k: int = 10,
        diverse: float | bool = False,
        notice: Notice = quiet,
    ) -> list[PaperHit]:
        """The `k` papers held that fit best, best first; each tells why (`PaperHit.why`).

        Args:
            query: words and operators (`papers/query.py`); the other bounds hold as well.
            diverse: how much likeness to a better hit counts against one, 0 to 1; True: by half.
            notice: is told why hits were not re-ranked, where the settings want it.
        """
        from arxivscout.memory.paper_filter import PaperFilter
        from arxivscout.papers import parse_query

        asked = parse_query(query)
        filters = PaperFilter(category=category, since=since, until=until, author=author)
        if self.settings.rerank == "off":  # then no model is near, and its library stays unloaded
            from arxivscout.memory.paper_search import find_papers

            return find_papers(
                self.database, self.embedder, asked, filters=filters, k=k, diverse=diverse
            )
        from arxivscout.agent.searching import search_held

        found = search_held(self._services, self.user, asked, filters=filters, k=k, diverse=diverse)
        if found.degraded:
            notice(f"{found.degraded[:1].upper()}{found.degraded[1:]}")
        return found.hits

    def paper(self, arxiv_id: str) -> Paper:
        """The record of a paper that is held.

        Raises:
            UsageError: no arXiv id.
            NotFound: it is not held.
        """
        from arxivscout.memory.knowledge import paper_by_id
        from arxivscout.papers import PaperId

        try:
            wanted = PaperId.parse(arxiv_id)
        except ValueError as error:
            raise UsageError(f"{error}.") from None
        with self.database.shared() as conn:
            paper = paper_by_id(conn, wanted.value)
        if paper is None:
            raise NotFound(
                f"arXiv:{wanted.value} is not held.",
                f"`arxivscout ingest arxiv --ids {wanted.value}` fetches it.",
            )
        return paper

    def paper_count(self) -> int:
        """How many papers are held."""
        from arxivscout.memory.knowledge import paper_count

        with self.database.shared() as conn:
            return paper_count(conn)

    def only_starter(self) -> bool:
        """Whether the papers held are those that came along, and no others."""
        from arxivscout.memory.knowledge import only_starter

        with self.database.shared() as conn:
            return only_starter(conn)

    def ingest(
        self,
        records: Iterable[Paper | Skipped],
        *,
        embedder: Embedder | None = None,
        expected: int | None = None,
        progress: Callable[[IngestReport], None] | None = None,
        notice: Notice = quiet,
    ) -> IngestReport:
        """Store papers; see `arxivscout.ingest.ingest_papers`.

        Args:
            embedder: gives the vectors in the Scout's own one's place, and has its identity.
        """
        from arxivscout.ingest import ingest_papers

        return ingest_papers(
            self.database,
            embedder or self.embedder,
            records,
            expected=expected,
            progress=progress,
            notice=notice,
        )

    def ingest_full_texts(
        self,
        documents: Iterable[Document | Skipped],
        *,
        progress: Callable[[IngestReport], None] = lambda report: None,
    ) -> IngestReport:
        """Store full texts; see `arxivscout.ingest_fulltext.ingest_full_texts`."""
        from arxivscout.ingest_fulltext import ingest_full_texts

        return ingest_full_texts(
            self.database,
            self.embedder,
            documents,
            ask=lambda arxiv_id: self.arxiv.by_ids([arxiv_id]),
            progress=progress,
        )

    def passages(
        self, query: str, *, filters: TextFilter | None = None, k: int = 8, around: int = 0
    ) -> list[PassageHit]:
        """The `k` passages of the full texts held that fit best, best first.

        Args:
            query: words and the operators of a search for papers; `filters` hold as well.
            around: how many passages before and behind each come along.
        """
        from dataclasses import replace

        from arxivscout.memory.passage_search import NO_TEXT_FILTER, search_passages
        from arxivscout.papers import parse_query

        asked = parse_query(query)
        filters = filters or NO_TEXT_FILTER
        with self.database.shared() as conn:
            return search_passages(
                conn,
                text=asked.text,
                vector=self.embedder.embed_query(asked.text),
                filters=replace(filters, papers=filters.papers.narrowed(asked)),
                k=k,
                around=around,
            )[0]

    # memory

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

    @property
    def remembering(self) -> Remembering | None:
        """What may be remembered of the person beyond a conversation; None until they are asked."""
        from arxivscout.memory.remembering import remembering

        return remembering(self.database, self.user)

    def decide_remembering(self, choice: Remembering) -> None:
        """Obey from now on; what is remembered already stays."""
        from arxivscout.memory.remembering import decide_remembering

        decide_remembering(self.database, self.user, choice)

    def consent(self, thread_id: str | None = None) -> Consent:
        """What may be remembered of the person, in this thread or in general."""
        from arxivscout.memory.remembering import consent

        return consent(self.database, self.user, thread_id)

    def leave_out(self, categories: Collection[str]) -> None:
        """Remember nothing of these categories from now on; what is remembered already stays."""
        from arxivscout.memory.remembering import leave_out

        leave_out(self.database, self.user, categories)

    def make_private(self, thread_id: str, private: bool = True) -> None:
        """Let nothing be learned from a thread, nor recalled elsewhere, from now on; or again."""
        from arxivscout.memory.remembering import make_private
        from arxivscout.memory.threads import check_thread

        make_private(self.database, self.user, check_thread(thread_id), private)

    def embed_said(self) -> int:
        """Give messages that have no vector one, now; how many that were."""
        from arxivscout.memory.message_vectors import embed_messages

        return embed_messages(self.database, self.embedder, self.user)

    def memories(
        self,
        kind: str | None = None,
        limit: int = 50,
        seen: Seen | None = None,
    ) -> list[MemoryItem]:
        """What is remembered of and for this person, the newest first.

        Args:
            kind: None: all but ways of working and episodes.
            seen: None: what holds now and is not in the archive.
        """
        from arxivscout.memory.overview import HELD_NOW

        return self.rights.items(kind, limit, seen or HELD_NOW)
