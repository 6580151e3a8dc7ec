"""What a person lets be remembered of them beyond a conversation: asked once, obeyed everywhere.

The conversation itself is always kept, as long as the person does not delete it. Besides the one
choice for all, they may leave out categories of memories, and make a thread private: nothing is
learned from it, and nothing of it is recalled elsewhere.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from arxivscout.memory.candidate import STATEMENTS
from arxivscout.memory.postgres import Database, Statement
from arxivscout.memory.turn_record import TurnRecord

Remembering = Literal["everything", "facts", "asked", "nothing"]
CHOICES: dict[Remembering, str] = {
    "everything": "What I prefer, look at and find out, and what worked",
    "facts": "What I say and prefer, not what I look at",
    "asked": "Only what I ask to be remembered",
    "nothing": "Nothing; each conversation stands alone",
}
# What is said, in the words of memory: `Candidate.kind`.
_SAID = frozenset(STATEMENTS) | {"correction"}

# One row: the choice, the categories left out, the person's other private threads, and whether this
# one is.
READ = """
SELECT (SELECT value FROM person_setting WHERE name = 'remembering'),
       (SELECT value FROM person_setting WHERE name = 'left out'),
       ARRAY(SELECT thread_id::text FROM thread
             WHERE user_id = scout_user() AND private
               AND thread_id IS DISTINCT FROM %(thread)s::text),
       EXISTS (SELECT FROM thread
               WHERE user_id = scout_user() AND private AND thread_id = %(thread)s::text)
"""
_WRITE = """
INSERT INTO person_setting (name, value) VALUES (%(name)s, %(value)s)
ON CONFLICT (user_id, name) DO UPDATE SET value = excluded.value, updated_at = now()
"""
_MAKE_PRIVATE = """
INSERT INTO thread (thread_id, private) VALUES (%(thread)s::text, %(private)s)
ON CONFLICT (user_id, thread_id) DO UPDATE SET private = EXCLUDED.private
"""


@dataclass(frozen=True, slots=True)
class Consent:
    """What may be learned in a thread, and what of other threads may be read in it.

    Attributes:
        choice: None when the person has not been asked: then everything is.
        left_out: categories (`filed_under`) of which nothing is remembered.
        hidden: threads of which nothing is recalled here: the person's other private ones.
        private: whether this thread is private.
    """

    choice: Remembering | None = None
    left_out: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()
    private: bool = False

    def may_learn(self, category: str, filed_under: str | None = None) -> bool:
        """Whether a memory of this kind, filed there, may be learned from a turn of the thread."""
        return filed_under not in self.left_out and may_learn(self.choice, category, self.private)

    def may_keep(self, filed_under: str | None = None) -> bool:
        """Whether the person may have something remembered here by asking for it."""
        return self.choice != "nothing" and not self.private and filed_under not in self.left_out


NO_CONSENT = Consent("nothing")


def may_learn(choice: Remembering | None, category: str, private: bool) -> bool:
    """Whether a turn may teach a memory of this kind, unasked.

    Args:
        choice: None when the person has not been asked.
        category: the memory's kind (`Candidate.kind`), or workflow or looked_at.
        private: whether the turn is of a private thread.
    """
    if private:
        return False
    return choice in (None, "everything") or (choice == "facts" and category in _SAID)


def consent_statement(thread_id: str | None) -> Statement:
    """What `consent_from_row` reads, to be sent along with other statements."""
    return READ, {"thread": thread_id}


def consent_from_row(row: Sequence[Any]) -> Consent:
    """The consent in the one row of `READ`."""
    choice, left_out, hidden, private = row
    return Consent(
        cast("Remembering | None", choice),
        frozenset(json.loads(left_out or "[]")),
        frozenset(hidden),
        bool(private),
    )


def consent(database: Database, user: str, thread_id: str | None = None) -> Consent:
    """What the person lets be remembered in this thread; without one, in general."""
    return consent_from_row(database.batch(user, [consent_statement(thread_id)])[0][0])


def remembering(database: Database, user: str) -> Remembering | None:
    """What the person decided; None when they have not been asked: then everything is."""
    return consent(database, user).choice


def decide_remembering(database: Database, user: str, choice: Remembering) -> None:
    """Store what the person decided. What is remembered already stays."""
    database.batch(user, [(_WRITE, {"name": "remembering", "value": choice})])


def leave_out(database: Database, user: str, categories: Collection[str]) -> None:
    """Remember nothing of these categories from now on; what is remembered already stays."""
    value = json.dumps(sorted(categories), ensure_ascii=False)
    database.batch(user, [(_WRITE, {"name": "left out", "value": value})])


def make_private(database: Database, user: str, thread_id: str, private: bool) -> None:
    """Let nothing be learned from a thread, nor recalled elsewhere, from now on; or again."""
    database.batch(user, [(_MAKE_PRIVATE, {"thread": thread_id, "private": private})])


def permitted(record: TurnRecord, consent: Consent) -> TurnRecord:
    """The turn without what it would teach that may not be learned from it.

    What the person asked to be remembered is stored by the tool they asked it of.
    """
    return dataclasses.replace(
        record,
        preferences=record.preferences if consent.may_learn("preference", "preferences") else [],
        workflow=record.workflow if consent.may_learn("workflow", "methods") else "",
        looked_at=record.looked_at and consent.may_learn("looked_at", "reading notes"),
        episode=record.episode if consent.may_learn("episode") else None,
    )


def recalled(
    rows: Sequence[dict[str, Any]], thread_id: str, consent: Consent
) -> list[dict[str, Any]]:
    """The memories that may be read for a question of this thread."""
    if consent.choice != "nothing":
        return [row for row in rows if row.get("thread_id") not in consent.hidden]
    return [row for row in rows if row.get("thread_id") == thread_id]


def recalled_messages(
    rows: Sequence[dict[str, Any]], thread_id: str, consent: Consent
) -> list[dict[str, Any]]:
    """The messages that may be read for a question of this thread.

    Who wants less than everything asked for no conversation to be remembered elsewhere.
    """
    if consent.choice in ("asked", "facts"):
        consent = dataclasses.replace(consent, choice="nothing")
    return recalled(rows, thread_id, consent)
