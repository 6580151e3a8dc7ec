"""A person's projects as the doors see them, each named by its name or how its id begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from arxivscout.errors import NotFound, UsageError
from arxivscout.memory import overview, threads
from arxivscout.memory import project as kept
from arxivscout.memory.postgres import Connection, Database
from arxivscout.memory.project import Project
from arxivscout.memory.project_summary import Progress, keep_summary, progress, summary_text
from arxivscout.papers import PaperId

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder


class Projects:
    """What one person works on; `NotFound` where a name names none."""

    def __init__(self, database: Database, embedder: Embedder, user: str) -> None:
        self._database = database
        self._embedder = embedder
        self._user = user

    def all(self) -> list[Project]:
        """All of them, open ones first."""
        with self._database.transaction(self._user) as conn:
            return kept.projects(conn)

    def named(self, wanted: str) -> Project:
        """The project of this name."""
        with self._database.transaction(self._user) as conn:
            return kept.project(conn, wanted)

    def new(self, name: str, goal: str | None = None) -> Project:
        """Begin one.

        Raises:
            UsageError: no name, or one that a project has.
        """
        with self._database.transaction(self._user) as conn:
            return kept.new(conn, name, goal)

    def progress(self, wanted: str) -> tuple[Project, Progress]:
        """Where it stands."""
        with self._database.transaction(self._user) as conn:
            found = kept.project(conn, wanted)
            return found, progress(conn, found.id)

    def of_thread(self, thread_id: str) -> Project | None:
        """The project that a thread belongs to."""
        with self._database.transaction(self._user) as conn:
            project_id = kept.of_thread(conn, thread_id)
            return next((each for each in kept.projects(conn) if each.id == project_id), None)

    def open_one(self, wanted: str) -> Project:
        """The project of this name.

        Raises:
            UsageError: it is closed.
        """
        with self._database.transaction(self._user) as conn:
            return _open_one(conn, wanted)

    def enter(self, wanted: str | None, thread_id: str) -> Project | None:
        """Let a thread, which may be new, belong to an open project; None: to none.

        Raises:
            UsageError: the project is closed.
        """
        with self._database.transaction(self._user) as conn:
            found = _open_one(conn, wanted) if wanted is not None else None
            kept.add_thread(conn, found.id if found else None, threads.written_thread(thread_id))
            return found

    def add(
        self,
        wanted: str,
        *,
        papers: Sequence[str] = (),
        thread_ids: Sequence[str] = (),
        memories: Sequence[str] = (),
    ) -> int:
        """Let papers, threads and memories belong to an open project; how many did not before.

        Raises:
            UsageError: no arXiv id, a closed project, a memory that can't be told from others.
            NotFound: no such thread or memory; then nothing is added.
        """
        try:
            ids = [PaperId.parse(each).value for each in papers]
        except ValueError as error:
            raise UsageError(f"{error}.") from None
        with self._database.transaction(self._user) as conn:
            found = _open_one(conn, wanted)
            added = sum(kept.add_paper(conn, found.id, each) for each in ids)
            for thread_id in thread_ids:
                if not threads.is_there(conn, threads.check_thread(thread_id)):
                    raise NotFound(
                        f"No thread is called {thread_id!r}.",
                        "`arxivscout threads list` has yours.",
                    )
                added += kept.of_thread(conn, thread_id) != found.id
                kept.add_thread(conn, found.id, thread_id)
            for words in memories:
                memory = overview.named(conn, words)
                if memory.store != "entity_memory":
                    raise UsageError(f"A {memory.kind} can't be put into a project.")
                added += kept.add_memory(conn, found.id, UUID(memory.id))
            return added

    def summarize(self, wanted: str) -> tuple[Project, str]:
        """Make its summary anew and keep it; the summary, too."""
        with self._database.transaction(self._user) as conn:
            found = kept.project(conn, wanted)
            return found, self._summarized(conn, found)

    def close(self, wanted: str) -> tuple[Project, str, int]:
        """Archive its details and keep its summary; how many details that were.

        Raises:
            UsageError: it is closed.
        """
        with self._database.transaction(self._user) as conn:
            archived = kept.close(conn, kept.project(conn, wanted))
            found = kept.project(conn, wanted)
            return found, self._summarized(conn, found), archived

    def reopen(self, wanted: str) -> tuple[Project, int]:
        """Open it again and bring back what closing it archived; how many memories that were.

        Raises:
            UsageError: it is open.
        """
        with self._database.transaction(self._user) as conn:
            found = kept.project(conn, wanted)
            restored = kept.reopen(conn, found)
            self._summarized(conn, kept.project(conn, wanted))
            return found, restored

    def _summarized(self, conn: Connection, found: Project) -> str:
        text = summary_text(found, progress(conn, found.id))
        keep_summary(conn, found, text, self._embedder.embed_documents([text])[0])
        return text


def _open_one(conn: Connection, wanted: str) -> Project:
    found = kept.project(conn, wanted)
    if found.closed_at is not None:
        raise UsageError(
            f"The project {found.name!r} is closed.",
            f"`arxivscout project reopen {found.name}` opens it again.",
        )
    return found
