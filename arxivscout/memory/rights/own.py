"""One person's memory in their own hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from psycopg import Connection

from arxivscout.errors import NotFound, UsageError
from arxivscout.memory import entity, overview, policies, summary, vector_memory
from arxivscout.memory.candidate import THINGS
from arxivscout.memory.fading import half_lives
from arxivscout.memory.overview import HELD_NOW, Archived, MemoryItem, Seen
from arxivscout.memory.policies import Proposal
from arxivscout.memory.postgres import Database
from arxivscout.memory.restating import Relations, restate
from arxivscout.memory.rights.erasing import Erasure, counted, erase
from arxivscout.memory.rights.exporting import export
from arxivscout.memory.rights.importing import import_memory
from arxivscout.memory.rights.searching import search
from arxivscout.memory.rights.waiting import in_silence
from arxivscout.memory.vector_memory import give_reason
from arxivscout.papers import clean_text

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder
    from arxivscout.settings import Settings

LONGEST = 4_000  # characters of a memory

# What is forgotten by its end stays in the history of what held; what has none is deleted.
_DELETE = {
    "workflow_memory": "DELETE FROM workflow_memory WHERE langchain_id = %(id)s",
    "episode_memory": "DELETE FROM episode_memory WHERE langchain_id = %(id)s",
    "paper_mark": "UPDATE paper_mark SET note = NULL, noted_at = NULL WHERE id = %(id)s",
    "lesson_memory": """
        UPDATE lesson_memory SET valid_to = clock_timestamp()
        WHERE langchain_id = %(id)s AND valid_to IS NULL
        """,
}
_ARCHIVE = {
    "entity_memory": """
        UPDATE entity_memory SET archived_at = %(at)s
        WHERE langchain_id = %(id)s AND (archived_at IS NULL) <> (%(at)s::timestamptz IS NULL)
        """,
    "summary_memory": """
        UPDATE summary_memory SET archived_at = %(at)s
        WHERE langchain_id = %(id)s AND (archived_at IS NULL) <> (%(at)s::timestamptz IS NULL)
        """,
    "lesson_memory": """
        UPDATE lesson_memory SET archived_at = %(at)s
        WHERE langchain_id = %(id)s AND (archived_at IS NULL) <> (%(at)s::timestamptz IS NULL)
        """,
}


class Rights:
    """What a person may do with their memories; each is named by its id or its words."""

    def __init__(
        self,
        database: Database,
        embedder: Embedder,
        settings: Settings,
        user: str,
        relations: Relations,
    ) -> None:
        """`relations`: what a statement relates the person to, and joins."""
        self._database = database
        self._embedder = embedder
        self._settings = settings
        self._user = user
        self._relations = relations

    # seeing

    def items(self, kind: str | None, limit: int, seen: Seen = HELD_NOW) -> list[MemoryItem]:
        """The newest memories, of one kind or of all but ways of working and episodes."""
        with self._database.transaction(self._user) as conn:
            return overview.memories(conn, kind, limit, seen)

    def search(
        self, text: str, kind: str | None, limit: int, seen: Seen = HELD_NOW
    ) -> list[MemoryItem]:
        """The memories that fit `text`, the likest first; none where none does."""
        vector = self._embedder.embed_query(text)
        with self._database.transaction(self._user) as conn:
            return search(conn, text, vector, kind, limit, seen, half_lives(self._settings))

    def named(self, wanted: str, archived: Archived = "with") -> MemoryItem:
        """The one memory whose id begins so, or in whose text these words stand.

        Raises:
            UsageError: more than one.
            NotFound: there is none.
        """
        with self._database.transaction(self._user) as conn:
            return overview.named(conn, wanted, archived)

    # changing

    def edit(self, memory: MemoryItem, text: str, reason: str | None = None) -> str:
        """Let a memory say something else from now on; the id under which it does.

        Raises:
            UsageError: it is of a kind that is not written by hand, or there is no text.
        """
        text = clean_text(text).strip()
        if not text or len(text) > LONGEST:
            raise UsageError(f"A memory has 1 to {LONGEST:,} characters.")
        stores = {"entity_memory": entity.ENTITY, "summary_memory": summary.SUMMARY}
        if memory.store not in stores or memory.kind in THINGS:  # a thing is what it is called
            article = "An" if (memory.kind or "")[:1] in "aeiou" else "A"
            raise UsageError(f"{article} {memory.kind} is not edited.", "It can be forgotten.")
        vector = self._embedder.embed_documents([text])[0]
        why = reason or "edited by hand"
        with self._database.transaction(self._user) as conn:
            if memory.store == "entity_memory":
                return str(restate(conn, memory.id, text, vector, why, self._relations))
            store = stores[memory.store]
            return str(vector_memory.update(conn, store, memory.id, text, vector, None, why))

    def forget(self, memory: MemoryItem, reason: str | None = None) -> None:
        """Forget a memory; the change log can bring it back.

        Raises:
            NotFound: it is forgotten already.
        """
        with self._database.transaction(self._user) as conn:
            give_reason(conn, reason or "forgotten by hand")
            if memory.store == "entity_memory":
                entity.forget(conn, memory.id, reason)
            elif memory.store == "summary_memory":
                _done(summary.delete(conn, memory.id, reason), memory)
            else:
                _done(conn.execute(_DELETE[memory.store], {"id": memory.id}).rowcount, memory)

    def archive(self, memory: MemoryItem, reason: str | None = None) -> None:
        """Put a memory into the archive: kept and found when it is asked for, not recalled.

        Raises:
            UsageError: memories of its kind are not archived, or it is already.
        """
        with self._database.transaction(self._user) as conn:
            archive(conn, memory, reason or "archived by hand", datetime.now(UTC))

    def restore(self, memory: MemoryItem, reason: str | None = None) -> None:
        """Bring a memory back from the archive.

        Raises:
            UsageError: it is not there.
        """
        with self._database.transaction(self._user) as conn:
            archive(conn, memory, reason or "restored by hand", None)

    # forgetting by rule

    def review(self) -> list[Proposal]:
        """What policies and fading propose to archive, delete or close."""
        below = self._settings.memory_archive_below
        half = half_lives(self._settings)
        with self._database.transaction(self._user) as conn:
            now = datetime.now(UTC)
            return policies.proposals(conn, self._settings.policies, half, below, now)

    def strange_policies(self) -> list[str]:
        """The categories that policies of the settings name, and that the person does not have."""
        with self._database.transaction(self._user) as conn:
            return policies.strangers(conn, self._settings.policies)

    def follow(self, proposed: Sequence[Proposal]) -> int:
        """Do what is proposed, but for what was touched since; how many that were."""
        with self._database.transaction(self._user) as conn:
            return policies.follow(conn, proposed)

    # taking along

    def export(
        self,
        file: Path,
        *,
        vectors: bool = False,
        progress: Callable[[int], None] = lambda rows: None,
    ) -> int:
        """Write all that is kept of the person; see `exporting.export`."""
        return export(self._database, self._user, file, vectors=vectors, progress=progress)

    def import_(
        self,
        file: Path,
        *,
        mapped: bool = False,
        progress: Callable[[int, int], None] = lambda done, total: None,
        notice: Callable[[str], None] = in_silence,
    ) -> int:
        """Bring an export back; see `importing.import_memory`."""
        return import_memory(
            self._database,
            self._embedder,
            self._user,
            file,
            mapped=mapped,
            progress=progress,
            notice=notice,
        )

    def counted(self) -> dict[str, int]:
        """How many rows of the person each table has that has any."""
        return counted(self._database, self._user)

    def erase(self, notice: Callable[[str], None] = in_silence) -> Erasure:
        """Erase all that is kept of the person; see `erasing.erase`."""
        return erase(self._database, self._user, self._settings.home, notice=notice)


def archive(conn: Connection[Any], memory: MemoryItem, why: str, at: datetime | None) -> None:
    """Put a memory into the archive at a moment; None: bring it back.

    Raises:
        UsageError: memories of its kind are not archived, or it is where it shall be.
    """
    statement = _ARCHIVE.get(memory.store)
    if statement is None:
        raise UsageError(f"A {memory.kind} is not archived.", "It can be forgotten.")
    give_reason(conn, why)
    if not conn.execute(statement, {"id": UUID(memory.id), "at": at}).rowcount:
        raise UsageError("It is in the archive already." if at else "It is not in the archive.")


def _done(rows: int, memory: MemoryItem) -> None:
    if not rows:
        raise NotFound(f"There is no memory {memory.id}.")
