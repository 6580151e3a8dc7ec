"""Lesson memory as it is read: what several episodes teach, with the cases for and against each.

`lesson_learning.py` writes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import Connection

from arxivscout.memory import vector_search
from arxivscout.memory.hybrid.distilled import bearing
from arxivscout.memory.vector_memory import Vector, VectorTable
from arxivscout.reflection.drafts import Known

COLUMNS = "id text at kind reason cases_for cases_against score"
_LIVE = "valid_to IS NULL AND archived_at IS NULL"


def _recall(*, by_words: bool) -> str:
    # What is general always counts, however many other lessons are nearer to the question.
    return f"""
{bearing("lesson_memory", f"NOT general AND {_LIVE}", 8, by_words=by_words)}
(SELECT langchain_id, content, updated_at, kind, reason, cases_for, cases_against, 1.0
 FROM lesson_memory WHERE user_id = scout_user() AND general AND {_LIVE}
 ORDER BY kind <> 'preference', cases_for - cases_against DESC, updated_at DESC LIMIT 12)
UNION ALL
(SELECT langchain_id, content, updated_at, kind, reason, cases_for, cases_against, score
 FROM bearing JOIN lesson_memory USING (langchain_id) ORDER BY score DESC)
"""  # noqa: S608


RECALL, RECALL_BY_MEANING = _recall(by_words=True), _recall(by_words=False)

_KNOWN = """
SELECT langchain_id, kind, concept, content, embedding::real[],
       ARRAY(SELECT episode_id FROM lesson_evidence
             WHERE lesson_id = langchain_id AND episode_id IS NOT NULL AND supports),
       ARRAY(SELECT episode_id FROM lesson_evidence
             WHERE lesson_id = langchain_id AND episode_id IS NOT NULL AND NOT supports),
       EXISTS (SELECT FROM lesson_evidence WHERE lesson_id = langchain_id AND turn_id IS NOT NULL),
       COALESCE(langchain_metadata ->> 'by', '')
FROM lesson_memory WHERE user_id = scout_user() AND valid_to IS NULL
ORDER BY created_at, langchain_id
"""

_STATED = """
SELECT content, updated_at FROM entity_memory
WHERE user_id = scout_user() AND category = 'preference' AND valid_to IS NULL
ORDER BY updated_at DESC, langchain_id LIMIT 50
"""

_READ = """
SELECT langchain_id, kind, concept, content, reason, cases_for, cases_against, updated_at, valid_to
FROM lesson_memory
WHERE user_id = scout_user() AND (%(ended)s OR valid_to IS NULL)
  AND (%(ids)s::uuid[] IS NULL OR langchain_id = ANY (%(ids)s::uuid[]))
ORDER BY updated_at DESC, langchain_id LIMIT %(limit)s
"""

LESSON = VectorTable(
    "lesson",
    "lesson_memory",
    insert="",  # a lesson comes by `learn`
    update="",
    live="user_id = scout_user() AND valid_to IS NULL",
)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson as it stands; `score` is its cosine with what was looked for."""

    id: UUID
    kind: str
    concept: str
    statement: str
    reason: str | None
    cases_for: int
    cases_against: int
    at: datetime
    ended_at: datetime | None = None
    score: float = 0.0


def known(conn: Connection[Any]) -> list[Known]:
    """The lessons that hold, the oldest first, with their cases."""
    return [
        Known(
            lesson,
            kind,
            concept,
            statement,
            vector or (),
            frozenset(supports),
            frozenset(against),
            said,
            by,
        )
        for lesson, kind, concept, statement, vector, supports, against, said, by in conn.execute(
            _KNOWN
        ).fetchall()
    ]


def stated(conn: Connection[Any]) -> list[tuple[str, datetime]]:
    """The person's preferences in their own words, and when they said so last."""
    return [(text, at) for text, at in conn.execute(_STATED).fetchall()]


def read(
    conn: Connection[Any],
    ids: Sequence[UUID] | None = None,
    *,
    limit: int = 100,
    ended: bool = False,
) -> list[Lesson]:
    """The person's lessons, the one last changed first; with `ended` also those that held once."""
    bound = {"ids": list(ids) if ids is not None else None, "limit": limit, "ended": ended}
    rows = conn.execute(_READ, bound).fetchall()
    return [Lesson(*row) for row in rows]


def search(conn: Connection[Any], vector: Vector, k: int) -> list[Lesson]:
    """The `k` lessons that hold nearest to `vector`, nearest first."""
    near = {each.id: each.distance for each in vector_search.search(conn, LESSON, vector, k)}
    found = {each.id: each for each in read(conn, list(near), limit=max(k, 1))}
    return [replace(found[one], score=1 - near[one]) for one in near if one in found]
