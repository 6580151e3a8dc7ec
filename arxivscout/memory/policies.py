"""What shall rest in the archive or go, and why: proposed, and done only when the person says so.

Proposals come from the policies of the settings, by category, and from what has faded: a memory
whose value (`fading.py`) fell below a threshold. Touched is a memory when it is stored, changed or
used; a project when a turn of its threads begins. What the person prefers never fades.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from psycopg import Connection

from arxivscout.memory import project as projects
from arxivscout.memory.fading import (
    HalfLives,
    importance_sql,
    value_parameters,
    value_sql,
)
from arxivscout.memory.vector_memory import give_reason
from arxivscout.policies import Policy

PROJECTS = "active projects"  # the category whose policy closes projects, too
MOST = 500  # proposals at a time

Kind = Literal["memory", "summary", "project"]
Do = Literal["archive", "delete", "close"]

_UNTOUCHED = """
SELECT 'memory', langchain_id, category, content, touched_at
FROM entity_memory LEFT JOIN memory_use AS used
    ON used.user_id = entity_memory.user_id AND used.memory_id = langchain_id
CROSS JOIN LATERAL (SELECT GREATEST(updated_at, last_used_at) AS touched_at) AS touched
WHERE entity_memory.user_id = scout_user() AND valid_to IS NULL
  AND category IS DISTINCT FROM 'person'
  AND lower(filed_under) = %(category)s AND (archived_at IS NULL OR %(delete)s)
  AND touched_at < %(now)s - make_interval(days => %(days)s)
UNION ALL
SELECT 'summary', langchain_id, 'summary', content, touched_at
FROM summary_memory LEFT JOIN memory_use AS used
    ON used.user_id = summary_memory.user_id AND used.memory_id = langchain_id
CROSS JOIN LATERAL (SELECT GREATEST(updated_at, last_used_at) AS touched_at) AS touched
WHERE summary_memory.user_id = scout_user() AND summary_id IS NULL
  AND lower(filed_under) = %(category)s AND (archived_at IS NULL OR %(delete)s)
  AND langchain_id NOT IN (SELECT project.summary_id FROM project
                           WHERE user_id = scout_user() AND project.summary_id IS NOT NULL)
  AND touched_at < %(now)s - make_interval(days => %(days)s)
ORDER BY touched_at, langchain_id LIMIT %(most)s
"""

_IDLE_PROJECTS = """
SELECT 'project', id, 'project', name, touched_at
FROM project CROSS JOIN LATERAL (
    SELECT GREATEST(project.created_at, max(turn.started_at)) AS touched_at
    FROM thread JOIN turn USING (user_id, thread_id)
    WHERE thread.user_id = scout_user() AND thread.project_id = project.id
) AS touched
WHERE user_id = scout_user() AND closed_at IS NULL
  AND touched_at < %(now)s - make_interval(days => %(days)s)
ORDER BY touched_at, id LIMIT %(most)s
"""

_VALUE = value_sql(
    age_days="extract(epoch FROM %(now)s - entity_memory.created_at) / 86400",
    days_since_use="extract(epoch FROM %(now)s - COALESCE(last_used_at, entity_memory.created_at))"
    " / 86400",
    uses="COALESCE(uses, 0)",
    kind="category",
    importance=importance_sql(kind="category", filed_under="filed_under"),
)
_FADED = f"""
SELECT 'memory', langchain_id, category, content, touched_at, worth
FROM entity_memory LEFT JOIN memory_use AS used
    ON used.user_id = entity_memory.user_id AND used.memory_id = langchain_id
CROSS JOIN LATERAL (SELECT GREATEST(updated_at, last_used_at) AS touched_at,
                           {_VALUE} AS worth) AS touched
WHERE entity_memory.user_id = scout_user() AND valid_to IS NULL AND archived_at IS NULL
  AND category IS DISTINCT FROM 'person' AND worth < %(below)s
ORDER BY worth, langchain_id LIMIT %(most)s
"""  # noqa: S608 (constants)

_FADING = "faded"
_CALLED = "SELECT set_config('arxivscout.change', %(change)s, true)"  # in the change log

_KNOWN = "SELECT lower(name) FROM memory_category WHERE user_id = scout_user()"

# Only what nobody has touched since it was proposed.
_STILL = {
    "memory": """
        SELECT FROM entity_memory LEFT JOIN memory_use AS used
            ON used.user_id = entity_memory.user_id AND used.memory_id = langchain_id
        WHERE langchain_id = %(id)s AND valid_to IS NULL
          AND GREATEST(entity_memory.updated_at, last_used_at) = %(touched)s
        """,
    "summary": """
        SELECT FROM summary_memory LEFT JOIN memory_use AS used
            ON used.user_id = summary_memory.user_id AND used.memory_id = langchain_id
        WHERE langchain_id = %(id)s
          AND GREATEST(summary_memory.updated_at, last_used_at) = %(touched)s
        """,
}
_ARCHIVE = {
    "memory": """
        UPDATE entity_memory SET archived_at = clock_timestamp() WHERE langchain_id = %(id)s
        """,
    "summary": """
        UPDATE summary_memory SET archived_at = clock_timestamp() WHERE langchain_id = %(id)s
        """,
}
_DELETE = {
    "memory": "DELETE FROM entity_memory WHERE langchain_id = %(id)s",
    "summary": "DELETE FROM summary_memory WHERE langchain_id = %(id)s",
}


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed for one memory or project, and why; `memory_kind` is its kind, in words."""

    do: Do
    kind: Kind
    id: UUID
    memory_kind: str | None
    text: str
    touched_at: datetime
    why: str


def proposals(
    conn: Connection[Any],
    policies: Mapping[str, Policy],
    half: HalfLives,
    below: float,
    now: datetime,
) -> list[Proposal]:
    """What policies and fading propose, each memory once: a policy's word counts first.

    Args:
        below: the value under which a memory is proposed for the archive; 0: none is.
    """
    found: dict[UUID, Proposal] = {}
    for category, policy in policies.items():
        for each in _by_policy(conn, category, policy, now):
            found.setdefault(each.id, each)
    bound = {"now": now, "below": below, "most": MOST, **value_parameters(half)}
    for kind, row_id, memory_kind, text, touched_at, worth in conn.execute(_FADED, bound):
        why = f"{_FADING}: it is worth {worth:.3f}, less than {below:g}"
        proposal = Proposal("archive", kind, row_id, memory_kind, text, touched_at, why)
        found.setdefault(row_id, proposal)
    return list(found.values())


def strangers(conn: Connection[Any], policies: Mapping[str, Policy]) -> list[str]:
    """The policies' categories that the person does not have, if they have any yet."""
    known = {name for (name,) in conn.execute(_KNOWN).fetchall()}
    return sorted(policies.keys() - known) if known else []


def _by_policy(
    conn: Connection[Any], category: str, policy: Policy, now: datetime
) -> list[Proposal]:
    bound = {
        "category": category,
        "delete": policy.action == "delete",
        "days": policy.days,
        "now": now,
        "most": MOST,
    }
    why = f"policy for {category}: {policy}"
    found = _proposed(conn.execute(_UNTOUCHED, bound).fetchall(), policy.action, why)
    if category == PROJECTS and policy.action == "archive":
        found += _proposed(conn.execute(_IDLE_PROJECTS, bound).fetchall(), "close", why)
    return found


def _proposed(rows: Sequence[tuple[Any, ...]], do: Do, why: str) -> list[Proposal]:
    return [
        Proposal(do, kind, row_id, memory_kind, text, touched_at, why)
        for kind, row_id, memory_kind, text, touched_at in rows
    ]


def follow(conn: Connection[Any], proposed: Sequence[Proposal]) -> int:
    """Do what is proposed, but for what was touched since; how many that were."""
    done = 0
    for each in proposed:
        give_reason(conn, each.why)
        conn.execute(_CALLED, {"change": "decay" if each.why.startswith(_FADING) else ""})
        if each.kind == "project":
            done += _close(conn, each)
            continue
        bound = {"id": each.id, "touched": each.touched_at}
        if conn.execute(_STILL[each.kind], bound).fetchone() is not None:
            statement = (_DELETE if each.do == "delete" else _ARCHIVE)[each.kind]
            done += conn.execute(statement, bound).rowcount
    return done


def _close(conn: Connection[Any], proposal: Proposal) -> int:
    found = [each for each in projects.projects(conn) if each.id == proposal.id]
    if not found or found[0].closed_at is not None:
        return 0
    projects.close(conn, found[0])
    return 1
