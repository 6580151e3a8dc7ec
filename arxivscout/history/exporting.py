"""A thread in the form that was asked for, with the papers that it cites."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

from arxivscout.history.transcript import Section, Transcript, cited_in
from arxivscout.memory import exchanges, threads
from arxivscout.memory.exchanges import Exchange
from arxivscout.memory.knowledge import papers_by_ids
from arxivscout.memory.postgres import Connection
from arxivscout.papers import Paper

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Format = Literal["md", "json", "bib", "html"]
FORMATS: tuple[Format, ...] = ("md", "json", "bib", "html")
_WANTING = {
    "weak": "what cites this source is only weakly supported by it",
    "unsupported": "what cites this source is not supported by it",
}


def export_thread(conn: Connection, thread_id: str, format: Format) -> str:
    """The thread as one text that ends in a newline."""
    said = exchanges.exchanges(conn, thread_id)
    cited = dict.fromkeys(each for exchange in said for each in cited_in(exchange.answer or ""))
    papers = {paper.arxiv_id: paper for paper in papers_by_ids(conn, cited)}
    title = threads.title(conn, thread_id)
    match format:
        case "json":
            return _json(thread_id, title, said, papers)
        case "bib":
            from arxivscout.papers.citing import render_citations

            return render_citations(list(papers.values()), "bibtex")
        case "md":
            from arxivscout.history.markdown import markdown

            return markdown(_transcript(thread_id, title, said, papers))
        case "html":
            from arxivscout.history.page import page

            return page(_transcript(thread_id, title, said, papers))


def _transcript(
    thread_id: str, title: str, said: Sequence[Exchange], papers: Mapping[str, Paper]
) -> Transcript:
    sections = [
        Section(
            question=each.question,
            asked_at=each.asked_at,
            answer=each.answer or "",
            status=each.status,
            model=each.model,
            feedback=each.feedback,
            remarks=[*_remarks(each.citations), *(("", problem) for problem in each.problems)],
        )
        for each in said
    ]
    return Transcript(title=title, thread_id=thread_id, sections=sections, papers=papers)


def _remarks(citations: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """What the check of the answer said of each citation."""
    remarks = []
    for citation in citations:
        about = str(citation.get("arxiv_id") or "")
        if wanting := _WANTING.get(str(citation.get("verdict"))):
            remarks.append((about, wanting))
        remarks += [(about, str(problem)) for problem in citation.get("problems") or ()]
    return remarks


def _json(thread_id: str, title: str, said: Sequence[Exchange], papers: Mapping[str, Paper]) -> str:
    turns = [
        {
            "turn_id": str(each.turn_id) if each.turn_id else None,
            "question": each.question,
            "asked_at": each.asked_at.isoformat() if each.asked_at else None,
            "answer": each.answer,
            "answered_at": each.answered_at.isoformat() if each.answered_at else None,
            "status": each.status,
            "model": each.model,
            "citations": each.citations,
            "problems": each.problems,
            "usage": each.usage,
            "feedback": each.feedback,
            "feedback_note": each.feedback_note,
        }
        for each in said
    ]
    held = {arxiv_id: paper.to_metadata() for arxiv_id, paper in papers.items()}
    value = {"thread_id": thread_id, "title": title, "turns": turns, "papers": held}
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
