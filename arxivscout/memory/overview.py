"""What is remembered of and for one person, as a list they can read and point into."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from psycopg import Connection

from arxivscout.errors import NotFound, UsageError
from arxivscout.memory.candidate import THINGS
from arxivscout.papers import clean_text, one_line

MOST_NAMED = 5  # memories told of where words name more than one
_LEAST_LETTERS = 3  # of words that stand in a memory; fewer are its whole text, or name none
_ASIDE = ("workflow", "episode")  # only seen when they are asked for
Archived = Literal["without", "with", "only"]

# All that is remembered, also what held once; a paper is as new as the last look at it.
REMEMBERED = """
held AS (
    SELECT langchain_id AS id, 'entity_memory' AS store, category AS kind, content AS text,
           COALESCE(CASE category WHEN 'paper' THEN (
               SELECT max(recorded_at) FROM relation_memory
               WHERE object_id = langchain_id AND predicate = 'looked_at'
                 AND relation_memory.valid_to IS NULL
           ) END, updated_at) AS at, thread_id, reason, filed_under, archived_at, project_id,
           valid_from, valid_to, embedding, name, created_at, confidence
    FROM entity_memory
    WHERE user_id = scout_user() AND category IS DISTINCT FROM 'person'
    UNION ALL
    SELECT langchain_id, 'lesson_memory', 'lesson', content, updated_at, NULL, reason, NULL,
           archived_at, NULL, valid_from, valid_to, embedding, NULL, created_at, 1
    FROM lesson_memory WHERE user_id = scout_user()
    UNION ALL
    SELECT langchain_id, 'workflow_memory', 'workflow', content, updated_at, thread_id, outcome,
           NULL, NULL, NULL, created_at, NULL, embedding, NULL, created_at, 1
    FROM workflow_memory WHERE user_id = scout_user()
    UNION ALL
    SELECT langchain_id, 'episode_memory', 'episode', content, created_at, thread_id, outcome,
           NULL, NULL, NULL, created_at, NULL, embedding, NULL, created_at, 1
    FROM episode_memory WHERE user_id = scout_user()
    UNION ALL
    SELECT id, 'paper_mark', 'note', 'arXiv:' || arxiv_id || ': ' || note, noted_at, NULL, NULL,
           NULL, NULL, NULL, noted_at, NULL, NULL, NULL, noted_at, 1
    FROM paper_mark WHERE user_id = scout_user() AND note IS NOT NULL
    UNION ALL
    SELECT langchain_id, 'summary_memory', 'summary', content, updated_at, thread_id, NULL,
           filed_under, archived_at, project_id, created_at, NULL, embedding, NULL, created_at, 1
    FROM summary_memory WHERE user_id = scout_user()
)
"""
COLUMNS = """
    held.id::text, kind, text, at, held.thread_id, reason, store, filed_under, archived_at,
    project.name, valid_from, valid_to
"""
# What of it is meant (`bound`): what holds, or held at a moment.
MEANT = """
FROM held
LEFT JOIN thread ON thread.user_id = scout_user() AND thread.thread_id = held.thread_id
LEFT JOIN project ON project.user_id = scout_user()
                 AND project.id = COALESCE(held.project_id, thread.project_id)
WHERE CASE WHEN %(kind)s::text IS NULL THEN kind IS NULL OR kind <> ALL (%(aside)s)
           ELSE kind = %(kind)s END
  AND CASE WHEN %(as_of)s::timestamptz IS NULL THEN valid_to IS NULL
           ELSE valid_from <= %(as_of)s AND (valid_to IS NULL OR valid_to > %(as_of)s) END
  AND CASE %(archived)s WHEN 'with' THEN true WHEN 'only' THEN archived_at IS NOT NULL
           ELSE archived_at IS NULL END
  AND (%(category)s::text IS NULL OR lower(filed_under) = lower(%(category)s))
  AND (%(project)s::uuid IS NULL OR project.id = %(project)s)
"""

_HELD = f"WITH {REMEMBERED} SELECT {COLUMNS} {MEANT}"
_NEWEST = _HELD + "ORDER BY at DESC, held.id LIMIT %(limit)s"

_NAMED = f"""{_HELD}
  AND (held.id::text LIKE %(prefix)s OR lower(text) = lower(%(text)s::text)
       OR %(within)s AND position(lower(%(text)s::text) IN lower(text)) > 0)
ORDER BY held.id::text LIKE %(prefix)s DESC NULLS LAST, lower(text) = lower(%(text)s) DESC, at DESC
LIMIT 100
"""


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """One memory: what it is, what it says, when and where it was kept, why; where it is filed.

    `archived_at`: since when it rests in the archive. `valid_to`: until when it held.
    """

    id: str
    kind: str | None
    text: str
    at: datetime
    thread_id: str | None
    reason: str | None
    store: str
    filed_under: str | None
    archived_at: datetime | None
    project: str | None
    valid_from: datetime
    valid_to: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Which memories are meant: of a category, a project, as of a moment, in the archive or not."""

    category: str | None = None
    project_id: UUID | None = None
    as_of: datetime | None = None
    archived: Archived = "without"


HELD_NOW = Seen()


def memories(
    conn: Connection[Any], kind: str | None, limit: int, seen: Seen = HELD_NOW
) -> list[MemoryItem]:
    """The newest memories, of one kind or of all but ways of working and episodes."""
    return items(conn, _NEWEST, {**bound(kind, seen), "limit": limit})


def named(conn: Connection[Any], wanted: str, archived: Archived = "with") -> MemoryItem:
    """The one memory whose id begins so, or in whose text these words stand.

    Words mean what was said or noted, and a thing of the graph only where nothing else has them.

    Raises:
        UsageError: more than one: `details` names some.
        NotFound: there is none.
    """
    text = one_line(clean_text(wanted))
    if not text:
        raise UsageError("No memory is named.", "Give its id, how that begins, or its words.")
    is_id = re.fullmatch(r"[0-9a-fA-F-]{4,36}", text)
    given = {
        "text": text,
        "prefix": f"{text.lower()}%" if is_id else None,
        "within": len(text) >= _LEAST_LETTERS or not text.isascii(),
    }
    found: Sequence[MemoryItem] = []
    for kind in (None, *_ASIDE):
        found = items(conn, _NAMED, {**bound(kind, Seen(archived=archived)), **given})
        by_id = [each for each in found if is_id and each.id.startswith(text.lower())]
        said = [each for each in found if each.kind not in THINGS] or found
        whole = [each for each in said if one_line(each.text).lower() == text.lower()]
        found = by_id or whole or _having(text, said)
        if found:
            break
    if not found:
        where = " in the archive" if archived == "only" else ""
        raise NotFound(
            f"No memory{where} is {text[:60]!a}.", "`arxivscout memory search` finds them."
        )
    if len(found) > 1:
        raise _several(text, found)
    return found[0]


def _having(text: str, memories: Sequence[MemoryItem]) -> Sequence[MemoryItem]:
    """Those in which the words stand as such, else at a word's beginning: "Stan" in no "instance".

    What is written without blanks has them anywhere.
    """
    begins = rf"(?<!\w){re.escape(text)}"
    for pattern in (rf"{begins}(?!\w)", begins):
        has = re.compile(pattern, re.IGNORECASE)
        if found := [each for each in memories if has.search(one_line(each.text))]:
            return found
    return [] if text.isascii() else memories


def _several(text: str, found: Sequence[MemoryItem]) -> UsageError:
    error = UsageError(f"{len(found)} memories are named by {text[:60]!a}.", "Give one's id:")
    error.details = tuple(
        f"{each.id[:8]}  {one_line(each.text)[:80]}" for each in found[:MOST_NAMED]
    )
    return error


def bound(kind: str | None, seen: Seen) -> dict[str, Any]:
    """What `MEANT` is bound to."""
    return {
        "kind": kind,
        "aside": list(_ASIDE),
        "as_of": seen.as_of,
        "archived": seen.archived,
        "category": seen.category,
        "project": seen.project_id,
    }


def items(conn: Connection[Any], statement: str, given: dict[str, Any]) -> list[MemoryItem]:
    """The memories that a statement gives, whose rows have `COLUMNS`."""
    return [MemoryItem(*row) for row in conn.execute(statement, given).fetchall()]
