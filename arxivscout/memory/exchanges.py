"""What was asked and answered in a thread, turn by turn, with what is known of each answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import Connection

from arxivscout.memory.kept_text import kept_text

# A question's answer is the next thing that somebody else says; a turn knows the rest.
_LAST = """
SELECT asked.content, asked.timestamp, asked.turn_id, answer.content, answer.timestamp,
       turn.status, turn.model, turn.citations, turn.problems, turn.usage, turn.feedback,
       turn.feedback_note
FROM (SELECT content, timestamp, seq, turn_id FROM conversational_memory
      WHERE user_id = scout_user() AND thread_id = %(thread)s::text AND role = 'user'
      ORDER BY timestamp DESC, seq DESC LIMIT 1) AS asked
LEFT JOIN LATERAL (
    SELECT content, timestamp FROM conversational_memory AS said
    WHERE user_id = scout_user() AND thread_id = %(thread)s::text AND role = 'assistant'
      AND (said.timestamp, said.seq) > (asked.timestamp, asked.seq)
    ORDER BY said.timestamp DESC, said.seq DESC LIMIT 1) AS answer ON true
LEFT JOIN turn ON turn.turn_id = asked.turn_id
"""

_LAST_CITATIONS = """
SELECT turn.citations FROM conversational_memory AS said JOIN turn ON turn.turn_id = said.turn_id
WHERE said.user_id = scout_user() AND said.thread_id = %(thread)s::text AND role = 'assistant'
  AND turn.citations <> '[]'
ORDER BY said.timestamp DESC, said.seq DESC LIMIT 1
"""

_ALL = """
SELECT role, content, timestamp, said.turn_id, turn.status, turn.model, turn.citations,
       turn.problems, turn.usage, turn.feedback, turn.feedback_note
FROM conversational_memory AS said LEFT JOIN turn ON turn.turn_id = said.turn_id
WHERE said.thread_id = %(thread)s::text AND role IN ('user', 'assistant')
ORDER BY timestamp, seq
"""

_LAST_TURN = """
SELECT turn_id, question, status, citations, (
    SELECT content FROM conversational_memory AS said
    WHERE said.turn_id = turn.turn_id AND role = 'assistant')
FROM turn
WHERE user_id = scout_user() AND thread_id = %(thread)s::text ORDER BY started_at DESC LIMIT 1
"""

_USAGE = """
SELECT COALESCE(model, '?'), count(*),
       COALESCE(sum((usage ->> 'input_tokens')::bigint), 0)::bigint,
       COALESCE(sum((usage ->> 'output_tokens')::bigint), 0)::bigint,
       count(*) FILTER (WHERE usage ? 'input_tokens')
FROM turn WHERE user_id = scout_user() AND thread_id = %(thread)s::text
GROUP BY 1 ORDER BY 1
"""

_REPORT = """
SELECT report FROM turn
WHERE user_id = scout_user() AND thread_id = %(thread)s::text ORDER BY started_at DESC LIMIT 1
"""

_JUDGE = """
UPDATE turn SET feedback = %(feedback)s::text, feedback_note = %(note)s::text, feedback_at = now()
WHERE turn_id = %(turn)s
"""

_WORKFLOW = "SELECT langchain_id FROM workflow_memory WHERE turn_id = %(turn)s"


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and its answer; what only a turn has is empty for words that were put in."""

    question: str
    asked_at: datetime | None
    turn_id: UUID | None = None
    answer: str | None = None
    answered_at: datetime | None = None
    status: str | None = None  # answered, interrupted, failed; open while it is being answered
    model: str | None = None
    citations: list[dict[str, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)  # what the check found amiss
    usage: dict[str, Any] = field(default_factory=dict)
    feedback: str | None = None  # good or bad
    feedback_note: str | None = None


@dataclass(frozen=True, slots=True)
class LastTurn:
    """A thread's newest turn; `answer` is "" where there is none, `cited` the ids in it."""

    turn_id: UUID
    question: str
    status: str
    answer: str
    cited: list[str]


@dataclass(frozen=True, slots=True)
class ThreadUsage:
    """Tokens of a thread: in all, and by model {name: {turns, input_tokens, output_tokens}}.

    `measured` of the turns told their tokens; the others' (a model may not say) are not in the sum.
    """

    turns: int
    input_tokens: int
    output_tokens: int
    by_model: dict[str, dict[str, int]]
    measured: int


def last_exchange(conn: Connection[Any], thread_id: str) -> Exchange | None:
    """The thread's last question with its answer, if it got one; read from the thread's end."""
    row = conn.execute(_LAST, {"thread": thread_id}).fetchone()
    if row is None:
        return None
    question, asked_at, turn_id, answer, answered_at, status, model, *known = row
    citations, problems, usage, *judged = known
    return Exchange(
        question, asked_at, turn_id, answer, answered_at, status, model, citations or [],
        problems or [], usage or {}, *judged,
    )  # fmt: skip


def last_citations(conn: Connection[Any], thread_id: str) -> list[dict[str, Any]]:
    """The citations of the thread's last answer that has any: its footnotes, from 1; else []."""
    row = conn.execute(_LAST_CITATIONS, {"thread": thread_id}).fetchone()
    return list(row[0]) if row else []


def exchanges(conn: Connection[Any], thread_id: str) -> list[Exchange]:
    """All that was asked and answered in the thread, in order.

    What an assistant said unasked has an empty question; what it said in several messages is one
    answer.
    """
    found: list[dict[str, Any]] = []
    for row in conn.execute(_ALL, {"thread": thread_id}).fetchall():
        role, content, at, turn_id, status, model, citations, problems, usage, *judged = row
        known = {
            "turn_id": turn_id,
            "status": status,
            "model": model,
            "citations": citations or [],
            "problems": problems or [],
            "usage": usage or {},
            "feedback": judged[0],
            "feedback_note": judged[1],
        }
        if role == "user":
            found.append({"question": content, "asked_at": at, **known})
        elif found and found[-1].get("answer") is None and found[-1]["turn_id"] == turn_id:
            found[-1] |= {"answer": content, "answered_at": at}
        elif found and turn_id is None:
            found[-1] |= {"answer": f"{found[-1].get('answer') or ''}\n\n{content}".strip()}
        else:
            found.append({"question": "", "asked_at": None, "answer": content, "answered_at": at})
            found[-1] |= known
    return [Exchange(**each) for each in found]


def last_turn(conn: Connection[Any], thread_id: str) -> LastTurn | None:
    """The thread's newest turn, whatever came of it."""
    row = conn.execute(_LAST_TURN, {"thread": thread_id}).fetchone()
    if row is None:
        return None
    turn_id, question, status, citations, answer = row
    cited = [citation["arxiv_id"] for citation in citations or []]
    return LastTurn(turn_id, question, status, answer or "", cited)


def usage(conn: Connection[Any], thread_id: str) -> ThreadUsage:
    """The tokens that the thread's turns took."""
    rows = conn.execute(_USAGE, {"thread": thread_id}).fetchall()
    return ThreadUsage(
        turns=sum(row[1] for row in rows),
        input_tokens=sum(row[2] for row in rows),
        output_tokens=sum(row[3] for row in rows),
        by_model={
            model: {"turns": turns, "input_tokens": given, "output_tokens": said}
            for model, turns, given, said, _ in rows
        },
        measured=sum(row[4] for row in rows),
    )


def report(conn: Connection[Any], thread_id: str) -> list[dict[str, Any]]:
    """What went into the last turn's context, what was cut and why; [] before the first turn."""
    row = conn.execute(_REPORT, {"thread": thread_id}).fetchone()
    return list(row[0] or []) if row else []


def judge(conn: Connection[Any], turn_id: UUID, good: bool, note: str | None) -> UUID | None:
    """Keep what the person said of a turn's answer; the id of the workflow it came from, if any."""
    feedback = "good" if good else "bad"
    note = kept_text(note).strip() if note else None
    conn.execute(_JUDGE, {"turn": turn_id, "feedback": feedback, "note": note or None})
    row = conn.execute(_WORKFLOW, {"turn": turn_id}).fetchone()
    return row[0] if row else None
