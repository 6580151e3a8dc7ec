"""Turns that nothing was learned from yet, and what was learned, stored once for each turn.

A turn that was run again is learned from anew: first what it taught before is taken back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import Connection
from psycopg.types.json import Jsonb

from arxivscout.memory import gate
from arxivscout.memory.candidate import Candidate, Link
from arxivscout.memory.gate import Outcome
from arxivscout.memory.postgres import Database
from arxivscout.memory.vector_memory import LOCK_KIND, Vector

# A turn that is open has someone at work, unless its lease is gone: its process was killed.
_OPEN_THREADS = """
SELECT DISTINCT thread_id FROM turn
WHERE user_id = scout_user() AND learned_at IS NULL AND status = 'open'
"""

# The newest, but learned from in the order in which they were asked: what is said later holds.
_WAITING = """
SELECT newest.turn_id, thread_id, newest.question, COALESCE(citations, '[]'), model, started_at,
       before.question, newest.report IS NOT NULL,
       EXISTS (SELECT FROM turn AS same
               WHERE same.user_id = scout_user() AND same.learned_at IS NOT NULL
                 AND same.thread_id = newest.thread_id AND same.question = newest.question)
FROM (SELECT * FROM turn WHERE user_id = scout_user() AND learned_at IS NULL
        AND (status <> 'open' OR NOT EXISTS (
            SELECT FROM thread_lease AS held
            WHERE held.user_id = scout_user() AND held.thread_id = turn.thread_id
              AND holder = turn_id AND expires_at > clock_timestamp()))
      ORDER BY started_at DESC LIMIT %(most)s) AS newest
LEFT JOIN LATERAL (
    SELECT question FROM turn AS earlier
    WHERE earlier.user_id = scout_user() AND earlier.thread_id = newest.thread_id
      AND earlier.started_at < newest.started_at
    ORDER BY earlier.started_at DESC LIMIT 1
) AS before ON true
ORDER BY started_at
"""

# Vectors that are stored already: of the same text, and of papers that are held.
_VECTORS = """
SELECT DISTINCT ON (content) content, embedding::text FROM entity_memory
WHERE user_id = scout_user() AND embedding IS NOT NULL
  AND content_hash = ANY (SELECT md5(text)::uuid FROM unnest(%(texts)s::text[]) AS text)
UNION ALL
SELECT '=' || arxiv_id, embedding::text FROM semantic_memory
WHERE arxiv_id = ANY(%(papers)s) AND embedding IS NOT NULL
"""

_LOCK = """
SELECT learned FROM turn
WHERE turn_id = %(turn)s AND question = %(question)s AND (learned_at IS NULL) = %(first)s
FOR UPDATE
"""
_STILL_THERE = "SELECT stay_erased(%(begun)s)"

_TAKE_BACK_EDGES = """
DELETE FROM relation_memory
WHERE turn_id = %(turn)s AND subject_id = ANY(%(touched)s::uuid[]) AND predicate <> 'looked_at'
  AND derived_by IS NULL AND valid_to IS NULL
"""
_ADDED = """
SELECT langchain_id FROM entity_memory
WHERE langchain_id = ANY(%(added)s::uuid[]) AND valid_to IS NULL
  AND EXISTS (SELECT FROM change_log WHERE row_id = langchain_id AND turn_id = %(turn)s
              AND user_id = scout_user() AND action = 'insert' AND undone_at IS NULL)
"""
_HOLDS_AGAIN = """
UPDATE entity_memory SET valid_to = NULL, superseded_by = NULL, ended_because = NULL
WHERE superseded_by = ANY(%(added)s::uuid[])
"""
_TAKE_BACK = "DELETE FROM entity_memory WHERE langchain_id = ANY(%(added)s::uuid[])"

_DONE = """
UPDATE turn SET learned_at = clock_timestamp(),
    learned = jsonb_build_object(
        'added', COALESCE(learned -> 'added', '[]') || %(added)s,
        'touched', COALESCE(learned -> 'touched', '[]') || %(touched)s)
WHERE turn_id = %(turn)s
"""
_GIVE_UP = """
UPDATE turn SET learned_at = clock_timestamp() WHERE turn_id = %(turn)s AND learned_at IS NULL
"""
_BEGIN_ANEW = "UPDATE turn SET learned = NULL WHERE turn_id = %(turn)s"


@dataclass(frozen=True, slots=True)
class Unlearned:
    """A turn that is over.

    `before` is the question before it in its thread; `finished` says that it was stored whole, and
    its process not killed before; `known` that the same was said there before, and learned from.
    """

    turn_id: UUID
    thread_id: str
    question: str
    citations: list[dict[str, Any]]
    model: str | None
    at: datetime
    before: str
    finished: bool
    known: bool


def open_threads(database: Database, user: str) -> list[str]:
    """The threads with turns that are not over, as far as is known."""
    (rows,) = database.batch(user, [(_OPEN_THREADS, {})])
    return [thread for (thread,) in rows]


def waiting(database: Database, user: str, most: int) -> list[Unlearned]:
    """The newest turns that nothing was learned from, at most so many, oldest first."""
    (rows,) = database.batch(user, [(_WAITING, {"most": most})])
    return [
        Unlearned(turn, thread, question, citations, model, at, before or "", finished, known)
        for turn, thread, question, citations, model, at, before, finished, known in rows
    ]


def stored_vectors(
    database: Database, user: str, texts: Sequence[str], papers: Sequence[str]
) -> dict[str, Vector]:
    """Vectors at hand: by their text, those of papers by "=" and the arXiv id."""
    parameters = {"texts": list(texts), "papers": list(papers)}
    (rows,) = database.batch(user, [(_VECTORS, parameters)])
    return {key: [float(each) for each in text[1:-1].split(",")] for key, text in rows}


def store(
    database: Database,
    user: str,
    turn: Unlearned,
    candidates: Sequence[Candidate],
    links: Sequence[Link],
    vectors: Sequence[Vector | None],
    *,
    first: bool = True,
) -> list[Outcome] | None:
    """Bring what a turn teaches through the gate, in one transaction of the turn's.

    Args:
        first: whether it is what makes the turn learned from; else it is added to that.

    Returns:
        None if the turn was taken back, was run again or was learned from in the meantime.

    Raises:
        psycopg.Error: nothing was stored; also when the person was erased since.
    """
    named = {"turn": turn.turn_id, "question": turn.question, "first": first}
    with database.transaction(user, turn.turn_id) as conn:
        conn.execute(_STILL_THERE, {"begun": turn.at})
        conn.execute(LOCK_KIND, {"kind": "entity"})
        row = conn.execute(_LOCK, named).fetchone()
        if row is None:
            return None
        if first and row[0]:
            _take_back(conn, turn.turn_id, row[0])
        outcomes = gate.remember(conn, candidates, links, vectors, at=turn.at)
        # A preference is stored with its turn, and stays when that is learned from anew.
        news = zip(candidates, outcomes, strict=True)
        added = _ids(o.id for c, o in news if o.action in _NEW and c.kind != "preference")
        touched = _ids(each.id for each in outcomes)
        done = {"turn": turn.turn_id, "added": Jsonb(added), "touched": Jsonb(touched)}
        conn.execute(_DONE, done)
    return outcomes


def give_up(database: Database, user: str, turn: Unlearned) -> None:
    """Let the turn count as learned from, though nothing of it could be stored."""
    database.batch(user, [(_GIVE_UP, {"turn": turn.turn_id})])


_NEW = ("added", "superseded", "kept_beside")


def _take_back(conn: Connection[Any], turn: UUID, learned: dict[str, list[str]]) -> None:
    """What an earlier run of the turn taught goes, and what it superseded holds again."""
    conn.execute(_TAKE_BACK_EDGES, {"turn": turn, "touched": learned["touched"]})
    given = {"turn": turn, "added": learned["added"]}
    added = [row for (row,) in conn.execute(_ADDED, given).fetchall()]
    conn.execute(_HOLDS_AGAIN, {"added": added})
    conn.execute(_TAKE_BACK, {"added": added})
    conn.execute(_BEGIN_ANEW, {"turn": turn})


def _ids(given: Iterable[UUID]) -> list[str]:
    return list(dict.fromkeys(map(str, given)))
