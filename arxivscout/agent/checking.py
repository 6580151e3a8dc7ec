"""The answer of a turn beside the stored texts that it cites: fetched in one statement, compared.

The ids themselves are checked while the answer streams, by `CitationGuard`; here is what they say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import psycopg
from langchain_core.messages import ToolMessage

from arxivscout.agent.events import Citation
from arxivscout.agent.memory_tools import MEMORY_TOOLS
from arxivscout.agent.messages import turn_messages
from arxivscout.agent.services import Services
from arxivscout.agent.state import ScoutState
from arxivscout.agent.summary_tools import SUMMARY_TOOLS
from arxivscout.checking.source import Source
from arxivscout.checking.verdicts import Verdict, check_answer
from arxivscout.errors import DatabaseError, ModelError
from arxivscout.memory.kept_text import kept_text
from arxivscout.memory.knowledge import papers_by_ids
from arxivscout.memory.passages import nearest_in_words
from arxivscout.papers import Paper, one_line, parse_papers
from arxivscout.papers.excerpts import parse_passages
from arxivscout.papers.passages import Passage

MOST_AUTHORS = 20  # of a citation: who wants three thousand reads the record
_OF_THE_PERSON = (
    "preferences",
    "lessons",
    "findings",
    "notes",
    "looked_at",
    "summaries",
)  # of what is recalled
_MEMORY_TOOLS = frozenset(tool.name for tool in (*MEMORY_TOOLS, *SUMMARY_TOOLS))


def checked(services: Services, state: ScoutState) -> dict[str, Any]:
    """The state's changes: citations with verdict, passage and problems; problems of the answer."""
    answer, degraded = kept_text(state.get("answer", "")), list(state.get("degraded", ()))
    if not answer.strip():
        return {}
    citations = [Citation.from_json(each) for each in state.get("citations", ())]
    papers = _papers(services, state, [each.arxiv_id for each in citations])
    excerpts = _excerpts(services, state, list(papers), answer)
    quoted = state.get("quoted")
    try:
        found = check_answer(
            answer if quoted is None else "\n\n".join(quoted),
            {
                arxiv_id: Source(paper, excerpts.get(arxiv_id, ()))
                for arxiv_id, paper in papers.items()
            },
            services.embedder.text_array,
            versions=state.get("cited_versions", {}),
            conversation=_conversation(state),
        )
    except ModelError as error:  # an embedder behind a network
        return {"degraded": [*degraded, f"the answer was not checked: {error.cause}"]}
    return {
        "citations": [
            _told(each, papers.get(each.arxiv_id), found.verdicts.get(each.arxiv_id)).to_json()
            for each in citations
        ],
        "problems": found.problems,
    }


def _told(citation: Citation, paper: Paper | None, verdict: Verdict | None) -> Citation:
    """The citation with what is known of the paper and what the check found."""
    if paper:
        year = (paper.published or "")[:4] or None
        citation = replace(citation, authors=paper.authors[:MOST_AUTHORS], year=year)
    if verdict:
        citation = replace(
            citation,
            verdict=verdict.verdict,
            passage=verdict.passage,
            problems=verdict.problems,
            sentences=verdict.sentences,
            section=verdict.section,
            page=verdict.page,
        )
    return citation


def _conversation(state: ScoutState) -> Source:
    """What the person said in this thread and what memory holds of it, as a text to look things up.

    Nothing that the model said before is in it: what it made up once would be borne out for ever.
    """
    said = [state["started_at"][:10], state["question"], state.get("understood", "")]
    said += [
        f"{at[:10]} {text}" for role, text, at, *_ in state.get("recent", ()) if role == "user"
    ]
    for segment, rows in state.get("memory", {}).items():
        if segment in _OF_THE_PERSON:
            said += [f"{str(row.get('at') or '')[:10]} {_words(row)}" for row in rows]
    said += [
        str(message.content)
        for message in turn_messages(state["messages"])
        if isinstance(message, ToolMessage) and message.name in _MEMORY_TOOLS
    ]
    return Source(Paper(arxiv_id="", title="", abstract="\n".join(filter(None, said))))


def _words(row: Mapping[str, Any]) -> str:
    return " ".join(str(row[name]) for name in ("title", "text", "question") if row.get(name))


def _excerpts(
    services: Services, state: ScoutState, ids: Sequence[str], answer: str
) -> dict[str, tuple[Passage, ...]]:
    """Passages of the cited papers' full texts: those shown in this turn, and the nearest in words.

    What was shown in an earlier turn is borne out too, as long as it is held. What is held comes
    first: it knows where in it a page begins.
    """
    found: dict[str, dict[str, Passage]] = {arxiv_id: {} for arxiv_id in ids}
    if ids:
        with suppress(DatabaseError, psycopg.Error), services.database.shared() as conn:
            for arxiv_id, passage in nearest_in_words(conn, ids, answer):
                found[arxiv_id][one_line(passage.text)] = passage
    for message in turn_messages(state["messages"]):
        if isinstance(message, ToolMessage):
            for arxiv_id, passage in parse_passages(str(message.text)):
                if arxiv_id in found:
                    found[arxiv_id].setdefault(one_line(passage.text), passage)
    return {arxiv_id: tuple(passages.values()) for arxiv_id, passages in found.items()}


def _papers(services: Services, state: ScoutState, ids: Sequence[str]) -> dict[str, Paper]:
    """The cited papers as they are stored; without a database, as the model was shown them."""
    if not ids:
        return {}
    try:
        with services.database.shared() as conn:
            return {paper.arxiv_id: paper for paper in papers_by_ids(conn, ids)}
    except (DatabaseError, psycopg.Error):
        shown = [
            paper
            for message in [*state.get("context", ()), *turn_messages(state["messages"])]
            if isinstance(message, ToolMessage) or message.type == "human"
            for paper in parse_papers(str(message.text))
        ]
        return {paper.arxiv_id: paper for paper in shown if paper.arxiv_id in ids}
