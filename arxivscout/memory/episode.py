"""Episode memory (episodic): one row a turn, with what was done and what the person made of it.

A turn's episode is written with the turn. Feedback comes by a command, or in what is said next; a
command's stands, whatever is said later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg import Connection
from psycopg.types.json import Json

from arxivscout.memory import vector_search
from arxivscout.memory.kept_text import kept_text
from arxivscout.memory.postgres import Statement
from arxivscout.memory.vector_memory import Vector, VectorTable, vector_text
from arxivscout.reflection.episode import Action, Episode, Feedback

_WRITE = """
INSERT INTO episode_memory AS kept (content, embedding, langchain_metadata, turn_id, thread_id,
                                    request, thought, actions, cited, outcome, created_at)
VALUES (%(content)s::text, %(vector)s::vector, %(metadata)s, %(turn)s, left(%(thread)s::text, 100),
        %(request)s::text, %(thought)s::text, %(actions)s, %(cited)s::text[], %(outcome)s::text,
        COALESCE(%(at)s::timestamptz, now()))
ON CONFLICT (turn_id) WHERE turn_id IS NOT NULL DO UPDATE
SET content = EXCLUDED.content, embedding = EXCLUDED.embedding, request = EXCLUDED.request,
    thought = EXCLUDED.thought, actions = EXCLUDED.actions, cited = EXCLUDED.cited,
    outcome = EXCLUDED.outcome, langchain_metadata = EXCLUDED.langchain_metadata,
    feedback = NULL, feedback_note = NULL, feedback_turn = NULL, updated_at = now()
WHERE (kept.content, kept.request, kept.thought, kept.actions, kept.cited, kept.outcome)
      IS DISTINCT FROM (EXCLUDED.content, EXCLUDED.request, EXCLUDED.thought, EXCLUDED.actions,
                        EXCLUDED.cited, EXCLUDED.outcome)
RETURNING langchain_id
"""

# Said again in other words, a turn says something else of the one before it.
_TAKE_BACK_SAID = """
UPDATE episode_memory
SET feedback = NULL, feedback_note = NULL, feedback_turn = NULL, updated_at = now()
WHERE feedback_turn = %(turn)s AND feedback_note IS DISTINCT FROM %(note)s::text
"""

_BEFORE = """
SELECT before.turn_id FROM turn AS before, turn AS this
WHERE this.turn_id = %(turn)s AND before.user_id = scout_user()
  AND before.thread_id = this.thread_id AND before.started_at < this.started_at
ORDER BY before.started_at DESC LIMIT 1
"""

_SAID = f"""
UPDATE episode_memory
SET feedback = %(feedback)s::text, feedback_note = %(note)s::text, feedback_turn = %(turn)s,
    updated_at = now()
WHERE turn_id = ({_BEFORE}) AND (feedback IS NULL OR feedback_turn IS NOT NULL)
  AND (feedback, feedback_note) IS DISTINCT FROM (%(feedback)s::text, %(note)s::text)
"""  # noqa: S608

# A way of working whose answer was wrong is no example.
_SAID_WRONG = f"""
UPDATE workflow_memory SET outcome = 'failure', updated_at = now(), langchain_metadata = (
    SELECT json_object_agg(key, CASE key WHEN 'outcome' THEN '"failure"' ELSE value END)
    FROM json_each(langchain_metadata))
WHERE turn_id = ({_BEFORE}) AND outcome <> 'failure'
  AND (SELECT feedback_turn FROM episode_memory AS said
       WHERE said.turn_id = workflow_memory.turn_id) = %(turn)s
"""  # noqa: S608

_JUDGE = """
UPDATE episode_memory
SET feedback = %(feedback)s::text, feedback_note = %(note)s::text, feedback_turn = NULL,
    updated_at = now()
WHERE turn_id = %(turn)s
RETURNING langchain_id
"""

_COLUMNS = """
SELECT episode.langchain_id, content, request, created_at, thread_id, COALESCE(thought, ''),
       actions, cited, outcome, feedback, COALESCE(feedback_note, ''),
       {vector}, updated_at, COALESCE(reflected_at >= updated_at, false)
FROM episode_memory AS episode
LEFT JOIN reflected_episode AS seen ON seen.episode_id = episode.langchain_id
"""

_RECENT = f"""
{_COLUMNS.format(vector="embedding::real[]")}
WHERE episode.user_id = scout_user() AND created_at > now() - make_interval(days => %(days)s)
ORDER BY created_at DESC, episode.langchain_id LIMIT %(limit)s
"""

_NEWEST = f"""
{_COLUMNS.format(vector="NULL::real[]")}
WHERE episode.user_id = scout_user() AND (%(ids)s::uuid[] IS NULL
                                          OR episode.langchain_id = ANY (%(ids)s::uuid[]))
ORDER BY created_at DESC, episode.langchain_id LIMIT %(limit)s
"""

EPISODE = VectorTable(
    "episode",
    "episode_memory",
    insert="",  # an episode is no text that is there once: `write` has its own statement
    update="",
)


@dataclass(frozen=True, slots=True)
class Done:
    """What a turn did, as it is stored; `content` is its question standing alone."""

    content: str
    request: str
    thought: str = ""
    actions: Sequence[Mapping[str, Any]] = ()  # tool, arguments, status
    cited: Sequence[str] = ()
    outcome: str = "unknown"
    at: str | None = None  # ISO 8601


def finishing(
    turn: UUID, thread_id: str, done: Done, vector: str | None, said: Mapping[str, Any] | None
) -> list[Statement]:
    """The statements that leave a turn's episode, for the transaction that stores the turn.

    Args:
        vector: of `done.content`, in the database's text form.
        said: feedback on the turn before this one: `feedback`, `note`, and whether it is `wrong`.
    """
    given = said or {"feedback": None, "note": None}
    bound = {"turn": turn, **given}
    statements: list[Statement] = [
        (_WRITE, _parameters(done, vector, turn, thread_id)),
        (_TAKE_BACK_SAID, bound),
    ]
    if said:
        statements.append((_SAID, bound))
    if said and said.get("wrong"):
        statements.append((_SAID_WRONG, bound))
    return statements


def write(
    conn: Connection[Any],
    done: Done,
    vector: Vector | None,
    *,
    turn_id: UUID | None = None,
    thread_id: str | None = None,
) -> UUID | None:
    """Store an episode; that of a turn is there once. Its id, None if nothing has changed."""
    bound = _parameters(done, vector_text(vector), turn_id, thread_id)
    row = conn.execute(_WRITE, bound).fetchone()
    return row[0] if row else None


def judge(conn: Connection[Any], turn_id: UUID, feedback: Feedback, note: str | None) -> bool:
    """Keep what the person said of a turn's answer by a command; say whether it has an episode."""
    note = kept_text(note).strip() if note else None
    bound = {"turn": turn_id, "feedback": feedback, "note": note or None}
    return conn.execute(_JUDGE, bound).fetchone() is not None


def recent(conn: Connection[Any], limit: int, days: int) -> list[Episode]:
    """The person's newest episodes with their vectors, the oldest of them first."""
    rows = conn.execute(_RECENT, {"limit": limit, "days": days}).fetchall()
    return [_episode(row) for row in reversed(rows)]


def newest(conn: Connection[Any], limit: int) -> list[Episode]:
    """The person's newest episodes without vectors, the newest first."""
    rows = conn.execute(_NEWEST, {"limit": limit, "ids": None}).fetchall()
    return [_episode(row) for row in rows]


def search(conn: Connection[Any], vector: Vector, k: int) -> list[tuple[Episode, float]]:
    """The `k` episodes whose requests are nearest, each with its cosine distance (0 to 2)."""
    near = {each.id: each.distance for each in vector_search.search(conn, EPISODE, vector, k)}
    rows = conn.execute(_NEWEST, {"limit": k, "ids": list(near)}).fetchall()
    found = [_episode(row) for row in rows]
    return sorted(((each, near[each.id]) for each in found), key=lambda pair: pair[1])


def _parameters(
    done: Done, vector: str | None, turn_id: UUID | None, thread_id: str | None
) -> dict[str, Any]:
    return {
        "content": kept_text(done.content),
        "vector": vector,
        "metadata": Json({"outcome": done.outcome, "thread_id": thread_id}),
        "turn": turn_id,
        "thread": thread_id,
        "request": kept_text(done.request),
        "thought": kept_text(done.thought),
        "actions": Json([dict(action) for action in done.actions]),
        "cited": list(done.cited),
        "outcome": done.outcome,
        "at": done.at,
    }


def _episode(row: Sequence[Any]) -> Episode:
    actions = [
        Action(str(each.get("tool")), each.get("arguments") or {}, str(each.get("status")))
        for each in row[6]
        if isinstance(each, dict)
    ]
    return Episode(
        id=row[0], content=row[1], request=row[2], at=row[3], thread_id=row[4], thought=row[5],
        actions=actions, cited=row[7], outcome=row[8], feedback=row[9], note=row[10],
        vector=row[11] or (), changed_at=row[12], reflected=row[13],
    )  # fmt: skip
