"""How lessons come, change and end.

One lesson of a kind holds for a concept at a time. What says the same gets the new cases, another
statement supersedes the old one, and a lesson ends when its cases have turned or the person says
that it is wrong: then it is not learned again from the same cases.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal
from uuid import UUID

import numpy as np
from psycopg import Connection
from psycopg.types.json import Json

from arxivscout.errors import NotFound
from arxivscout.memory.gate.verdict import compare
from arxivscout.memory.kept_text import kept_text
from arxivscout.memory.lesson import LESSON, Lesson, known, read
from arxivscout.memory.vector_memory import Vector, give_reason, lock_kind, vector_text
from arxivscout.reflection.drafts import Draft, Known, known_as

# What the person has forgotten or spoken against is not learned again from its old cases.
_SPOKEN_AGAINST = """
SELECT ARRAY(SELECT episode_id FROM lesson_evidence
             WHERE lesson_id = langchain_id AND episode_id IS NOT NULL)
FROM lesson_memory
WHERE user_id = scout_user() AND kind = %(kind)s AND valid_to IS NOT NULL
  AND (concept = %(concept)s OR content_hash = md5(%(statement)s::text)::uuid)
  AND cases_for > 0 AND langchain_metadata ->> 'ended' IS NULL
ORDER BY valid_to DESC LIMIT 1
"""

_INSERT = """
INSERT INTO lesson_memory (content, embedding, langchain_metadata, kind, concept, general,
                           reason)
VALUES (%(statement)s, %(vector)s::vector, %(metadata)s, %(kind)s, %(concept)s,
        %(general)s, %(reason)s)
RETURNING langchain_id
"""

_CASE = """
INSERT INTO lesson_evidence AS kept (lesson_id, episode_id, supports)
SELECT %(lesson)s, given.id, %(supports)s FROM unnest(%(episodes)s::uuid[]) AS given (id)
WHERE EXISTS (SELECT FROM episode_memory WHERE langchain_id = given.id)
ON CONFLICT (lesson_id, COALESCE(episode_id, turn_id)) DO UPDATE SET supports = EXCLUDED.supports
WHERE kept.supports <> EXCLUDED.supports
"""

_NO_CASE = """
DELETE FROM lesson_evidence
WHERE lesson_id = %(lesson)s AND episode_id = ANY (%(gone)s::uuid[])
"""

_REASON = """
UPDATE lesson_memory SET reason = %(reason)s, updated_at = now()
WHERE langchain_id = %(lesson)s AND reason IS DISTINCT FROM %(reason)s
"""

_WORD = """
INSERT INTO lesson_evidence AS kept (lesson_id, turn_id, supports, note)
VALUES (%(lesson)s, %(turn)s, %(supports)s, %(note)s)
ON CONFLICT (lesson_id, COALESCE(episode_id, turn_id)) DO UPDATE
SET supports = EXCLUDED.supports, note = EXCLUDED.note
WHERE (kept.supports, kept.note) IS DISTINCT FROM (EXCLUDED.supports, EXCLUDED.note)
"""

_END = """
UPDATE lesson_memory SET valid_to = clock_timestamp(), updated_at = now(), langchain_metadata = CASE
    WHEN %(by_cases)s THEN (langchain_metadata::jsonb || '{"ended": "by its cases"}')::json
    ELSE langchain_metadata END
WHERE langchain_id = %(lesson)s AND user_id = scout_user() AND valid_to IS NULL
RETURNING langchain_id
"""

_SUCCEEDED = (
    "UPDATE lesson_memory SET superseded_by = %(successor)s WHERE langchain_id = %(lesson)s"
)


RULES = "rules"  # who found a lesson, if not a model
TURNED = "its cases have turned"
NO_LONGER = "what happened since no longer shows it"

Change = Literal["added", "merged", "superseded", "ended", "unchanged"]


@dataclass(frozen=True, slots=True)
class Learned:
    """What became of a draft; `id` is the lesson's that holds now, or that has ended."""

    id: UUID | None
    change: Change
    kind: str
    statement: str
    why: str = ""


def learn_all(
    conn: Connection[Any],
    given: Sequence[tuple[Draft, str, Vector]],
    seen: Collection[UUID],
) -> list[Learned]:
    """Bring in all drafts of a reflection, and end the lessons of rules that rest on nothing but
    episodes that teach them no longer.

    Args:
        given: each with who found it (rules, or the model's name) and the statement's vector.
        seen: all episodes that were looked at.
    """
    lock_kind(conn, LESSON.kind)
    held = known(conn)
    learned = [learn(conn, draft, v, by=by, seen=seen, held=held) for draft, by, v in given]
    found, looked_at = {each.id for each in learned}, set(seen)
    for each in held:
        if each.by == RULES and each.id not in found and not each.said and each.cases <= looked_at:
            end(conn, each.id, NO_LONGER)
            learned.append(Learned(each.id, "ended", each.kind, each.statement, NO_LONGER))
    return learned


def preview(
    conn: Connection[Any],
    given: Sequence[tuple[Draft, str, Vector]],
    seen: Collection[UUID],
) -> list[Learned]:
    """What `learn_all` would do: all is done, told, and taken back."""
    with conn.transaction(force_rollback=True):
        return learn_all(conn, given, seen)


def learn(
    conn: Connection[Any],
    draft: Draft,
    vector: Vector,
    *,
    by: str,
    seen: Collection[UUID] = (),
    held: list[Known] | None = None,
) -> Learned:
    """Bring a draft in: a new lesson, more cases for one that is known, another in its place, or
    its end. The same draft again changes nothing.

    Args:
        by: rules, or the model's name.
        seen: all episodes that were looked at: those of them that are no cases any more are taken
            away from the lesson's.
        held: the lessons that hold, which are kept in step; None: they are read.
    """
    if held is None:
        lock_kind(conn, LESSON.kind)
        held = known(conn)
    statement, reason = kept_text(draft.statement), kept_text(draft.reason) or None
    old, same = _about_the_same(draft, vector, held, by)
    if not draft.holds:
        if old is None:
            return Learned(None, "unchanged", draft.kind, statement, "no such lesson holds")
        _lay_beside(conn, old, draft, seen)
        end(conn, old.id, TURNED)
        held.remove(old)
        return Learned(old.id, "ended", draft.kind, old.statement, TURNED)
    if old is not None and same:
        if not (changed := _lay_beside(conn, old, draft, seen)):
            return Learned(old.id, "unchanged", draft.kind, old.statement)
        conn.execute(_REASON, {"lesson": old.id, "reason": reason})
        held[held.index(old)] = changed
        return Learned(old.id, "merged", draft.kind, old.statement)
    bound = {"kind": draft.kind, "concept": draft.concept, "statement": statement}
    if refused := conn.execute(_SPOKEN_AGAINST, bound).fetchone():
        fresh = set(draft.supports) - set(refused[0])
        if 2 * len(fresh) <= len(draft.supports):
            return Learned(None, "unchanged", draft.kind, statement, "the researcher was against")
    if old is not None:
        end(conn, old.id, f"superseded: {statement[:200]}")
        held.remove(old)
    metadata = {"kind": draft.kind, "concept": draft.concept, "by": by}
    values = {
        **bound,
        "vector": vector_text(vector),
        "metadata": Json(metadata),
        "general": draft.general,
        "reason": reason,
    }
    row = conn.execute(_INSERT, values).fetchone()
    assert row is not None
    new = Known(row[0], draft.kind, draft.concept, statement, vector, by=by)
    held.append(_lay_beside(conn, new, draft, seen) or new)
    if old is None:
        return Learned(new.id, "added", draft.kind, statement)
    conn.execute(_SUCCEEDED, {"lesson": old.id, "successor": new.id})
    return Learned(new.id, "superseded", draft.kind, statement, f"in place of: {old.statement}")


def reinforce(
    conn: Connection[Any], lesson_id: UUID, turn_id: UUID, supports: bool, note: str
) -> Lesson:
    """Count the person's own word as a case; one against a lesson ends it.

    Raises:
        NotFound: this person has no such lesson, or it has ended.
    """
    lock_kind(conn, LESSON.kind)
    found = read(conn, [lesson_id])
    if not found or found[0].ended_at is not None:
        raise NotFound(f"There is no lesson {lesson_id}.")
    give_reason(conn, f"the researcher said so: {note}")
    word = {"lesson": lesson_id, "turn": turn_id, "supports": supports, "note": kept_text(note)}
    conn.execute(_WORD, word)
    if not supports:
        end(conn, lesson_id, f"the researcher was against it: {note}", by_cases=False)
    return read(conn, [lesson_id], ended=True)[0]


def end(conn: Connection[Any], lesson_id: UUID, reason: str, *, by_cases: bool = True) -> bool:
    """End a lesson: it is no longer read; say whether it held.

    Args:
        by_cases: its cases have turned. Else a person wants it so, and it is not learned again from
            the same ones.
    """
    give_reason(conn, reason)
    bound = {"lesson": lesson_id, "by_cases": by_cases}
    return conn.execute(_END, bound).fetchone() is not None


def _about_the_same(
    draft: Draft, vector: Vector, held: Sequence[Known], by: str
) -> tuple[Known | None, bool]:
    """The lesson that a draft is about, and whether it says the same.

    By concept and cases, then by its words; a model's words are compared as the write gate does.
    """
    if found := known_as(draft, held):
        return found, found.statement == draft.statement
    for each in held:
        if each.kind != draft.kind:
            continue
        if each.statement == draft.statement:
            return each, True
        if by != RULES and len(each.vector):
            likeness = _cosine(vector, each.vector)
            relation = compare(draft.statement, each.statement, likeness).relation
            if relation != "different":
                return each, relation == "same"
    return None, False


def _lay_beside(
    conn: Connection[Any], lesson: Known, draft: Draft, seen: Collection[UUID]
) -> Known | None:
    """Lay a draft's cases beside a lesson; the lesson with them, None if they are there already."""
    supports, against = frozenset(draft.supports), frozenset(draft.against)
    gone = (lesson.cases & frozenset(seen)) - supports - against
    if supports <= lesson.supports and against <= lesson.against and not gone:
        return None
    changed = 0
    for for_it, episodes in ((True, draft.supports), (False, draft.against)):
        bound = {"lesson": lesson.id, "supports": for_it, "episodes": list(episodes)}
        changed += conn.execute(_CASE, bound).rowcount
    if gone:
        changed += conn.execute(_NO_CASE, {"lesson": lesson.id, "gone": list(gone)}).rowcount
    return (
        replace(
            lesson,
            supports=(lesson.supports | supports) - against - gone,
            against=(lesson.against | against) - supports - gone,
        )
        if changed
        else None
    )


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    a, b = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    lengths = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / lengths if lengths and a.shape == b.shape else 0.0
