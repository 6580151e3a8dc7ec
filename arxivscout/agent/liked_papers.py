"""Which papers a person liked: by a tag, a note, their words, or an answer they called good."""

from __future__ import annotations

from arxivscout.agent.memory_lists import listed, shown
from arxivscout.agent.own_statements import statements
from arxivscout.agent.tools import ToolResult, TurnScope
from arxivscout.memory.marks import Marked, marks
from arxivscout.memory.remembering import consent
from arxivscout.papers import find_paper_ids, neutralise
from arxivscout.statements.aspects import sign_of

_TAGS = frozenset(
    "liked like likes love loved favourite favorite good great best star piaciuto".split()
)

_PRAISED = """
SELECT DISTINCT ON (paper.arxiv_id) paper.arxiv_id, episode.created_at, episode.thread_id,
       COALESCE(paper.langchain_metadata ->> 'title', split_part(paper.content, E'\\n', 1))
FROM episode_memory AS episode
CROSS JOIN unnest(episode.cited) AS cited(arxiv_id)
JOIN semantic_memory AS paper ON paper.arxiv_id = cited.arxiv_id
WHERE episode.user_id = scout_user() AND episode.feedback = 'good'
  AND COALESCE(episode.thread_id <> ALL (%(hidden)s::text[]), true)
ORDER BY paper.arxiv_id, episode.created_at DESC
"""


def liked(scope: TurnScope, k: int) -> ToolResult:
    """A line for each paper that was liked, and how that is known."""
    allowed = consent(scope.services.database, scope.user, scope.thread_id)
    if allowed.choice == "nothing":
        return listed([], "papers")
    with scope.transaction() as conn:
        marked = [each for each in marks(conn) if _is_liked(each)]
        praised = conn.execute(_PRAISED, {"hidden": sorted(allowed.hidden)}).fetchall()
    lines = {
        each.arxiv_id: f"- {each.updated_at:%Y-%m-%d} ({neutralise(str(each))}): "
        f"[arXiv:{each.arxiv_id}] {neutralise(each.title or '?')}"
        for each in marked
    }
    for said in statements(scope):
        for paper in find_paper_ids(said.text) if sign_of(said.text) > 0 else ():
            lines.setdefault(
                paper.value,
                f"- {said.valid_from.astimezone():%Y-%m-%d} (said, thread "
                f"{neutralise(said.thread_id or '?')}): {shown(said.text)}",
            )
    for arxiv_id, at, thread, title in praised:
        lines.setdefault(
            arxiv_id,
            f"- {at:%Y-%m-%d} (the answer that cites it was called good, thread "
            f"{neutralise(thread or '?')}): [arXiv:{arxiv_id}] {neutralise(title)}",
        )
    return listed(list(lines.values())[:k], "papers")


def _is_liked(mark: Marked) -> bool:
    return bool(_TAGS & {tag.casefold() for tag in mark.tags}) or sign_of(mark.note or "") > 0
