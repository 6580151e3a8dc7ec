"""What is remembered of one person, and what may be."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from arxivscout.scout.person import Person

if TYPE_CHECKING:
    from arxivscout.memory.candidate import Candidate, Link
    from arxivscout.memory.change_log import ChangeLog
    from arxivscout.memory.overview import MemoryItem, Seen
    from arxivscout.memory.remembering import Consent, Remembering
    from arxivscout.memory.rights.own import Rights


class Remembered(Person):
    """One person's memories and their consent."""

    @property
    def rights(self) -> Rights:
        """What the person may do with their memories: see, change, take along, have them erased."""
        from arxivscout.memory.rights.own import Rights

        def relations(text: str) -> tuple[Sequence[Candidate], Sequence[Link]]:
            from arxivscout.learning import relations_of

            told = relations_of(self.user, text, datetime.now(UTC))
            return told.candidates, told.links

        return Rights(self.database, self.embedder, self.settings, self.user, relations)

    @property
    def changes(self) -> ChangeLog:
        """Every change to the person's memory, and how one is taken back."""
        from arxivscout.memory.change_log import ChangeLog

        return ChangeLog(self.database, self.embedder, self.user)

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
        from arxivscout.memory.threads import written_thread

        make_private(self.database, self.user, written_thread(thread_id), private)

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
