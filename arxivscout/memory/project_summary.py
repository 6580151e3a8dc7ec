"""The summary of a project: progress, decisions, what is to do, papers and threads, with links.

It is made by rule from what is remembered, and kept in summary memory: recalled as such when a
question is near to it, and all that is recalled of a project that is closed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg import Connection

from arxivscout.errors import NotFound
from arxivscout.memory import vector_memory
from arxivscout.memory.project import Project
from arxivscout.memory.summary import SUMMARY
from arxivscout.memory.vector_memory import Vector
from arxivscout.papers import clean_text, one_line
from arxivscout.statements.own_words import TO_DO

SHOWN = 20  # of each kind; `arxivscout memory show --project` has all
_LONGEST = 300  # characters of a memory

_MEMORIES = """
SELECT langchain_id, category, content, thread_id, created_at::date
FROM entity_memory
WHERE user_id = scout_user() AND valid_to IS NULL
  AND category IN ('finding', 'fact', 'decision', 'question', 'correction')
  AND (project_id = %(project)s OR project_id IS NULL AND thread_id IN (
      SELECT thread_id FROM thread WHERE user_id = scout_user() AND project_id = %(project)s))
ORDER BY created_at DESC, langchain_id
"""
# Those that the person put there, then those that answers in its threads cite.
_PAPERS = """
WITH cited AS (
    SELECT citation ->> 'arxiv_id' AS arxiv_id, count(*) AS uses
    FROM turn JOIN thread USING (user_id, thread_id),
         jsonb_array_elements(CASE jsonb_typeof(citations) WHEN 'array' THEN citations
                              ELSE '[]' END) AS citation
    WHERE turn.user_id = scout_user() AND project_id = %(project)s GROUP BY 1
), own AS (
    SELECT arxiv_id FROM project_paper
    WHERE user_id = scout_user() AND project_id = %(project)s
)
SELECT arxiv_id,
       COALESCE(held.langchain_metadata ->> 'title', split_part(held.content, E'\\n', 1),
                '(not held)')
FROM own FULL JOIN cited USING (arxiv_id) LEFT JOIN semantic_memory AS held USING (arxiv_id)
ORDER BY own.arxiv_id IS NULL, COALESCE(uses, 0) DESC, arxiv_id
"""
_THREADS = """
SELECT thread_id, count(turn_id), max(started_at)::date
FROM thread LEFT JOIN turn USING (user_id, thread_id)
WHERE thread.user_id = scout_user() AND thread.project_id = %(project)s
GROUP BY thread_id ORDER BY max(started_at) DESC NULLS LAST, thread_id
"""
_BELONGS = """
UPDATE summary_memory SET project_id = %(project)s, filed_under = %(filed_under)s
WHERE user_id = scout_user() AND langchain_id = %(summary)s
"""
_HAS = "UPDATE project SET summary_id = %(summary)s WHERE id = %(project)s"


@dataclass(frozen=True, slots=True)
class Detail:
    """Something remembered of a project: what, in which thread, when."""

    id: UUID
    kind: str
    text: str
    thread_id: str | None
    day: Any


@dataclass(frozen=True, slots=True)
class Progress:
    """All that a project has: what was found out, decided and is open, papers and threads."""

    findings: list[Detail]
    decisions: list[Detail]
    to_do: list[Detail]
    papers: list[tuple[str, str]]
    threads: list[tuple[str, int, Any]]


def progress(conn: Connection[Any], project_id: UUID) -> Progress:
    """Where the project stands."""
    bound = {"project": project_id}
    details = [Detail(*row) for row in conn.execute(_MEMORIES, bound).fetchall()]
    to_do = [each for each in details if each.kind == "question" or each.text.startswith(TO_DO)]
    return Progress(
        findings=[
            each
            for each in details
            if each.kind in ("finding", "fact", "correction") and each not in to_do
        ],
        decisions=[each for each in details if each.kind == "decision"],
        to_do=to_do,
        papers=conn.execute(_PAPERS, bound).fetchall(),
        threads=conn.execute(_THREADS, bound).fetchall(),
    )


def summary_text(project: Project, stands: Progress) -> str:
    """The summary, in Markdown."""
    begun = f"{project.created_at:%Y-%m-%d}"
    parts = [f"Project {project.name}, begun {begun}"]
    if project.closed_at:
        parts[0] += f", closed {project.closed_at:%Y-%m-%d}"
    if project.goal:
        parts.append(f"Goal: {project.goal}")
    papers = [f"[arXiv:{arxiv_id}] {one_line(title)}" for arxiv_id, title in stands.papers]
    threads = [
        f"{name}: {turns} turn{'s' if turns != 1 else ''}" + (f", last {day}" if day else "")
        for name, turns, day in stands.threads
    ]
    parts += [
        *_section("Progress", [_line(each) for each in stands.findings]),
        *_section("Decisions", [_line(each) for each in stands.decisions]),
        *_section("To do", [_line(each) for each in stands.to_do]),
        *_section("Papers", papers),
        *_section("Threads", threads),
    ]
    return "\n".join(parts)


def _section(title: str, lines: Sequence[str]) -> list[str]:
    if not lines:
        return []
    more = [f"- and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    return [f"\n{title}:", *(f"- {line}" for line in lines[:SHOWN]), *more]


def _line(detail: Detail) -> str:
    text = one_line(clean_text(detail.text)).removeprefix(TO_DO)
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    where = f", thread {detail.thread_id}" if detail.thread_id else ""
    return f"{text} ({detail.day}{where}, id {str(detail.id)[:8]})"


def keep_summary(conn: Connection[Any], project: Project, text: str, vector: Vector | None) -> UUID:
    """Keep the summary, in the place of the one before."""
    metadata = {"project": project.name, "project_id": str(project.id), "category": "project"}
    kept = project.summary_id
    if kept is not None:
        try:
            vector_memory.update(conn, SUMMARY, kept, text, vector, metadata)
        except NotFound:  # it was forgotten
            kept = None
    if kept is None:
        kept = vector_memory.write(conn, SUMMARY, text, vector, metadata)
    filed_under = "archived projects" if project.closed_at else "active projects"
    bound = {"summary": kept, "project": project.id, "filed_under": filed_under}
    conn.execute(_BELONGS, bound)
    conn.execute(_HAS, bound)
    return kept
