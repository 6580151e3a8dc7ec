"""Projects: what threads, papers and findings are about, from its beginning to its summary.

A memory belongs to a project by itself or through the thread it was learned in. When a project is
closed its details rest in the archive and its summary stays; reopened, it brings back what that put
there. What the person prefers is no detail of a project.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from psycopg import Connection

from arxivscout.errors import NotFound, UsageError
from arxivscout.memory.kept_text import kept_name, kept_text
from arxivscout.memory.vector_memory import give_reason
from arxivscout.papers import one_line

MOST_NAME = 100  # characters

_PROJECT: LiteralString = """
SELECT id, name, goal, created_at, closed_at, summary_id,
       (SELECT count(*) FROM thread WHERE user_id = scout_user() AND project_id = project.id),
       (SELECT count(*) FROM project_paper
        WHERE user_id = scout_user() AND project_id = project.id)
FROM project WHERE user_id = scout_user()
"""
_ALL = _PROJECT + " ORDER BY closed_at IS NOT NULL, created_at DESC, name"
_NAMED = _PROJECT + " AND (lower(name) = lower(%(wanted)s) OR id::text LIKE %(prefix)s)"
_NEW = """
INSERT INTO project (name, goal) VALUES (%(name)s, %(goal)s)
ON CONFLICT (user_id, name) DO NOTHING RETURNING id
"""
_OF_THREAD = """
SELECT project_id FROM thread
WHERE user_id = scout_user() AND thread_id = %(thread)s::text AND project_id IS NOT NULL
"""
_ADD_THREAD = """
INSERT INTO thread (thread_id, project_id) VALUES (%(thread)s::text, %(project)s)
ON CONFLICT (user_id, thread_id) DO UPDATE SET project_id = EXCLUDED.project_id
"""
_ADD_PAPER = """
INSERT INTO project_paper (project_id, arxiv_id) VALUES (%(project)s, %(paper)s)
ON CONFLICT DO NOTHING
"""
_ADD_MEMORY = """
UPDATE entity_memory SET project_id = %(project)s
WHERE user_id = scout_user() AND langchain_id = %(memory)s
  AND project_id IS DISTINCT FROM %(project)s
"""
_CLOSE = "UPDATE project SET closed_at = %(at)s WHERE id = %(project)s AND closed_at IS NULL"
_REOPEN = "UPDATE project SET closed_at = NULL WHERE id = %(project)s"

# What rests when the project is closed: its live memories but for preferences, and the summaries
# of its threads; never its own summary.
_ARCHIVE = (
    """
    UPDATE entity_memory SET archived_at = %(at)s
    WHERE user_id = scout_user() AND valid_to IS NULL AND archived_at IS NULL
      AND category NOT IN ('preference', 'person')
      AND (project_id = %(project)s OR project_id IS NULL AND thread_id IN (
          SELECT thread_id FROM thread
          WHERE user_id = scout_user() AND project_id = %(project)s))
    """,
    """
    UPDATE summary_memory SET archived_at = %(at)s
    WHERE user_id = scout_user() AND archived_at IS NULL
      AND langchain_id IS DISTINCT FROM %(summary)s::uuid
      AND (project_id = %(project)s OR project_id IS NULL AND thread_id IN (
          SELECT thread_id FROM thread
          WHERE user_id = scout_user() AND project_id = %(project)s))
    """,
)
# What was archived with it bears the moment of its closing.
_RESTORE = (
    """
    UPDATE entity_memory SET archived_at = NULL
    WHERE user_id = scout_user() AND archived_at = %(at)s
    """,
    """
    UPDATE summary_memory SET archived_at = NULL
    WHERE user_id = scout_user() AND archived_at = %(at)s
    """,
)


@dataclass(frozen=True, slots=True)
class Project:
    """A project; `summary_id` is of its newest summary, if it has one."""

    id: UUID
    name: str
    goal: str | None
    created_at: datetime
    closed_at: datetime | None
    summary_id: UUID | None
    threads: int
    papers: int


def new(conn: Connection[Any], name: str, goal: str | None = None) -> Project:
    """Begin a project.

    Raises:
        UsageError: no name, or one that a project has.
    """
    name = kept_name(checked_name(name), "a project")
    bound = {"name": name, "goal": kept_text(one_line(goal or "")) or None}
    if conn.execute(_NEW, bound).fetchone() is None:
        raise UsageError(f"A project is called {name!r} already.", "Name it otherwise.")
    return project(conn, name)


def checked_name(name: str) -> str:
    """A project's name as it is kept.

    Raises:
        UsageError: nothing is left of it, or too much.
    """
    cleaned = one_line(name)
    if not cleaned or len(cleaned) > MOST_NAME:
        raise UsageError(f"A project's name has 1 to {MOST_NAME} characters.")
    return cleaned


def projects(conn: Connection[Any]) -> list[Project]:
    """The person's projects, open ones first, the newest first."""
    return [Project(*row) for row in conn.execute(_ALL).fetchall()]


def project(conn: Connection[Any], wanted: str) -> Project:
    """The project of this name, or whose id begins so.

    Raises:
        NotFound: there is none, or several ids begin so.
    """
    name = one_line(wanted)
    is_id = len(name) >= 4 and set(name.lower()) <= set("0123456789abcdef-")
    bound = {"wanted": name, "prefix": f"{name.lower()}%" if is_id else None}
    found = [Project(*row) for row in conn.execute(_NAMED, bound).fetchall()]
    named = [each for each in found if each.name.lower() == name.lower()] or found
    exact = [each for each in named if each.name == name] or named
    if len(exact) != 1:
        raise NotFound(
            f"{'Several projects are' if exact else 'No project is'} called {name!r}.",
            "`arxivscout project list` has yours.",
        )
    return exact[0]


def of_thread(conn: Connection[Any], thread_id: str) -> UUID | None:
    """The project that the thread belongs to."""
    row = conn.execute(_OF_THREAD, {"thread": thread_id}).fetchone()
    return row[0] if row else None


def add_thread(conn: Connection[Any], project_id: UUID | None, thread_id: str) -> None:
    """Let a thread belong to a project, and no other; None: to none."""
    conn.execute(_ADD_THREAD, {"project": project_id, "thread": thread_id})


def add_paper(conn: Connection[Any], project_id: UUID, arxiv_id: str) -> bool:
    """Let a paper belong to a project, among others; whether it did not before."""
    return bool(conn.execute(_ADD_PAPER, {"project": project_id, "paper": arxiv_id}).rowcount)


def add_memory(conn: Connection[Any], project_id: UUID, memory_id: UUID) -> bool:
    """Let a memory belong to a project; whether it did not before."""
    return bool(conn.execute(_ADD_MEMORY, {"project": project_id, "memory": memory_id}).rowcount)


def close(conn: Connection[Any], closed: Project) -> int:
    """Archive the project's details; how many that were. Its summary stays.

    Raises:
        UsageError: it is closed.
    """
    row = conn.execute("SELECT clock_timestamp()").fetchone()
    bound = {"project": closed.id, "summary": closed.summary_id, "at": row and row[0]}
    if not conn.execute(_CLOSE, bound).rowcount:
        raise UsageError(f"The project {closed.name!r} is closed already.")
    give_reason(conn, f"the project {closed.name} was closed")
    return sum(conn.execute(statement, bound).rowcount for statement in _ARCHIVE)


def reopen(conn: Connection[Any], closed: Project) -> int:
    """Bring back what closing the project had archived; how many memories that were.

    Raises:
        UsageError: it is open.
    """
    if closed.closed_at is None:
        raise UsageError(f"The project {closed.name!r} is open.")
    conn.execute(_REOPEN, {"project": closed.id})
    give_reason(conn, f"the project {closed.name} was reopened")
    bound = {"at": closed.closed_at}
    return sum(conn.execute(statement, bound).rowcount for statement in _RESTORE)
