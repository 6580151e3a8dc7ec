"""Which papers a person was shown: what their turns cite, each when it was first, newest first."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from arxivscout.agent.memory_lists import listed, shown
from arxivscout.agent.tools import ToolResult, TurnScope
from arxivscout.memory.forgotten import forgotten
from arxivscout.memory.remembering import consent
from arxivscout.memory.time_words import time_asked
from arxivscout.papers import neutralise

_SHOWN = """
SELECT paper, at, thread_id, question, title FROM (
    SELECT DISTINCT ON (paper.arxiv_id) paper.arxiv_id AS paper, turn.started_at AS at,
           turn.thread_id::text AS thread_id, turn.question,
           COALESCE(paper.langchain_metadata ->> 'title', split_part(paper.content, E'\\n', 1))
               AS title
    FROM turn
    CROSS JOIN LATERAL jsonb_array_elements(
        CASE jsonb_typeof(turn.citations) WHEN 'array' THEN turn.citations ELSE '[]' END) AS cited
    JOIN semantic_memory AS paper ON paper.arxiv_id = cited ->> 'arxiv_id'
    WHERE turn.user_id = scout_user() AND turn.thread_id <> ALL (%(hidden)s::text[])
      AND (%(only)s::text IS NULL OR turn.thread_id = %(only)s::text)
      AND (%(since)s::timestamptz IS NULL OR turn.started_at >= %(since)s)
      AND (%(until)s::timestamptz IS NULL OR turn.started_at < %(until)s)
    ORDER BY paper.arxiv_id, turn.started_at
) AS each ORDER BY at DESC, paper LIMIT %(limit)s
"""


def shown_papers(scope: TurnScope, query: str, k: int) -> ToolResult:
    """A line for each paper that an answer cited, at the time that the query names, if any."""
    allowed = consent(scope.services.database, scope.user, scope.thread_id)
    here = datetime.now().astimezone()
    days = time_asked(query, here.date()).periods
    zone = here.tzinfo or UTC
    bound = {
        "hidden": sorted(allowed.hidden),
        "only": scope.thread_id if allowed.choice == "nothing" else None,
        "since": datetime.combine(days[0][0], time(), zone) if days else None,
        "until": datetime.combine(days[0][1] + timedelta(days=1), time(), zone) if days else None,
        "limit": k,
    }
    with scope.transaction() as conn:
        rows = conn.execute(_SHOWN, bound).fetchall()
        gone = forgotten(conn)
    lines = [
        f"- {at.astimezone():%Y-%m-%d} (thread {neutralise(thread)}): [arXiv:{paper}] "
        f"{neutralise(title)} | asked: {shown(gone.without(question))}"
        for paper, at, thread, question, title in rows
    ]
    return listed(lines, "papers")
