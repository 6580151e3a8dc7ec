"""The readings of a question that could mean one paper or another."""

from __future__ import annotations

from collections.abc import Sequence

import psycopg

from arxivscout.context.followup import about_papers, papers_meant
from arxivscout.errors import DatabaseError
from arxivscout.memory.knowledge import paper_by_id
from arxivscout.memory.postgres import Database
from arxivscout.papers import one_line


def readings(
    database: Database, question: str, understood: str, last_shown: Sequence[str]
) -> list[dict[str, str]]:
    """What `question` can mean, if that is more than one thing; empty if it is clear.

    Args:
        understood: the question as it stands alone: the first reading, about all the papers.

    Returns:
        each reading's `label` for the person, and what the question is then `understood` as.
    """
    papers = papers_meant(question, last_shown)
    if not papers:
        return []
    found = [{"label": "all of them", "understood": understood}]
    for paper in papers:
        label = f"[arXiv:{paper}] {_title(database, paper)}".strip()
        found.append({"label": label, "understood": about_papers(question, [paper])})
    return found


def _title(database: Database, arxiv_id: str) -> str:
    try:
        with database.shared() as conn:
            paper = paper_by_id(conn, arxiv_id)
    except (DatabaseError, psycopg.Error):
        return ""
    return one_line(paper.title) if paper else ""
