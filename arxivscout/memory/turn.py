"""A turn in the database as it begins: the lease taken, the question committed, its thread read."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from arxivscout.memory.forgotten import FORGOTTEN, Forgotten
from arxivscout.memory.kept_text import kept_text
from arxivscout.memory.lease import ACQUIRE, HELD, LeaseKeeper, busy, lease_parameters
from arxivscout.memory.postgres import Database, Statement
from arxivscout.memory.speakers import SPEAKERS
from arxivscout.memory.turn_record import STAY_ERASED

RECENT_MESSAGES = 60  # loaded; what of them the model reads is settled within its window

_OPEN = f"""
INSERT INTO turn (turn_id, thread_id, question, model)
SELECT %(turn)s, %(thread)s::text, %(question)s::text, %(model)s::text WHERE {HELD}
ON CONFLICT (turn_id) DO UPDATE
SET question = EXCLUDED.question, model = EXCLUDED.model, status = 'open',
    started_at = now(), ended_at = NULL,
    feedback = NULL, feedback_note = NULL, feedback_at = NULL
"""

# Who holds the lease is alone in the thread: another turn that is still open has no one at work.
_END_LEFT_BEHIND = f"""
UPDATE turn SET status = 'interrupted', ended_at = clock_timestamp()
WHERE thread_id = %(thread)s::text AND status = 'open' AND turn_id <> %(turn)s AND {HELD}
"""  # noqa: S608

_WRITE_QUESTION = f"""
INSERT INTO conversational_memory AS kept (thread_id, role, content, metadata, turn_id)
SELECT %(thread)s::text, 'user', %(question)s::text, '{{}}', %(turn)s WHERE {HELD}
ON CONFLICT (turn_id, role) WHERE turn_id IS NOT NULL DO UPDATE SET content = EXCLUDED.content
WHERE kept.content IS DISTINCT FROM EXCLUDED.content
"""  # noqa: S608 (HELD is a constant)

# What was said before this turn, newest first; a turn that is run again does not see what followed.
_RECENT = """
SELECT role, content, timestamp, id, summary_id IS NOT NULL FROM conversational_memory
WHERE thread_id = %(thread)s::text AND turn_id IS DISTINCT FROM %(turn)s
  AND seq < COALESCE((SELECT min(seq) FROM conversational_memory WHERE turn_id = %(turn)s),
                     9223372036854775807)
ORDER BY seq DESC LIMIT %(limit)s
"""

_UNANSWERED = """
SELECT turn_id, question, status FROM turn
WHERE thread_id = %(thread)s::text ORDER BY started_at DESC LIMIT 1
"""

_THREAD = "SELECT thread_id FROM turn WHERE turn_id = %(turn)s"


Recent = tuple[str, str, str, str, bool]
"""Role, text, ISO time, id, and whether a summary holds it."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What is read as a turn begins.

    `recent`: the newest messages of the thread, oldest first, without what was forgotten.
    `speakers`: who speaks in the
    person's conversations beside them and the assistant, in small letters.
    """

    recent: list[Recent]
    speakers: list[str]


def open_turn(
    database: Database,
    leases: LeaseKeeper,
    *,
    user: str,
    thread_id: str,
    turn_id: UUID,
    question: str,
    model: str,
    turn_timeout_s: float | None = None,
) -> Opened:
    """Take the thread's lease, commit the question, and read what was said before.

    Args:
        turn_timeout_s: seconds that this turn may take, where they are not the settings'.

    Raises:
        ThreadBusy: another process is answering in this thread.
        DatabaseUnavailable: nothing was committed.
    """
    parameters = {
        **lease_parameters(thread_id, turn_id),
        "question": kept_text(question),
        "model": model,
        "limit": RECENT_MESSAGES,
    }
    statements: list[Statement] = [
        (STAY_ERASED, {"begun": None}),
        (ACQUIRE, parameters),
        (_OPEN, parameters),
        (_END_LEFT_BEHIND, parameters),
        (_WRITE_QUESTION, parameters),
        (_RECENT, parameters),
        (SPEAKERS, {}),
        (FORGOTTEN, {}),
    ]
    _, lease, *_, recent, speakers, gone = database.batch(user, statements, turn_id)
    if not lease and leases.take_from_dead(user, thread_id):
        _, lease, *_, recent, speakers, gone = database.batch(user, statements, turn_id)
    if not lease:
        raise busy(thread_id)
    leases.hold(user, thread_id, turn_id, turn_timeout_s)
    forgotten = Forgotten(gone)
    said = [
        (role, forgotten.said_by(role, content), at.isoformat(), str(message), condensed)
        for role, content, at, message, condensed in reversed(recent)
    ]
    return Opened(said, [name for (name,) in speakers])


def thread_of(database: Database, user: str, turn_id: UUID) -> str | None:
    """The thread that the turn is in now; None when it was taken back or its thread deleted."""
    rows = database.batch(user, [(_THREAD, {"turn": turn_id})])[0]
    return rows[0][0] if rows else None


def unanswered(database: Database, user: str, thread_id: str) -> tuple[str, str] | None:
    """(turn id, question) of the thread's last turn when it got no whole answer, else None."""
    rows = database.batch(user, [(_UNANSWERED, {"thread": thread_id})])[0]
    if rows and rows[0][2] != "answered":
        return str(rows[0][0]), rows[0][1]
    return None
