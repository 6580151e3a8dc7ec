"""What a person makes of the last answer: judged, corrected, kept.

All of it goes with the turn when that is taken back, so it is logged under the turn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from arxivscout.errors import UsageError
from arxivscout.history.naming import unknown_thread
from arxivscout.memory import entity, episode, exchanges, workflow
from arxivscout.memory.exchanges import LastTurn
from arxivscout.memory.postgres import SET_TURN, Connection
from arxivscout.memory.vector_memory import Vector
from arxivscout.papers import clean_text, one_line
from arxivscout.reflection.noticing import notice

MOST_CORRECTION = 4_000
_SHOWN_QUESTION = 200  # characters of a question that are repeated with what was learned from it

Embed = Callable[[str], Vector]


def judge(conn: Connection, thread_id: str, good: bool, note: str | None) -> None:
    """Keep the judgement with the turn, its episode, and the way of working that led to the answer.

    Raises:
        UsageError: there is no answer.
    """
    last = _last_answered(conn, thread_id)
    episode.judge(conn, last.turn_id, "good" if good else "bad", note)
    workflow_id = exchanges.judge(conn, last.turn_id, good, note)
    said = notice(note) if note else None
    if workflow_id is not None and not (said and said.asks):  # "too long" is no wrong way
        reason = f"the researcher judged the answer {'good' if good else 'bad'}"
        workflow.judged(conn, workflow_id, "success" if good else "failure", reason)


def correct(conn: Connection, thread_id: str, text: str, embed: Embed) -> UUID:
    """Store a correction, with the question so that it is found when that is asked again.

    Raises:
        UsageError: there is no answer, or no correction, or one that is too long.
    """
    text = clean_text(text).strip()
    if not 1 <= len(text) <= MOST_CORRECTION:
        raise UsageError(f"A correction has 1 to {MOST_CORRECTION:,} characters.")
    last = _last_answered(conn, thread_id)
    episode.judge(conn, last.turn_id, "corrected", text)
    return _learn(
        conn,
        thread_id,
        last,
        "correction",
        f"Asked “{_short(last.question)}”, the answer was corrected: {text}",
        "the researcher corrected the answer",
        embed,
    )


def save(conn: Connection, thread_id: str, embed: Embed) -> UUID:
    """Store the answer as a finding; of one that quotes by rule, what it quotes.

    Raises:
        UsageError: there is no answer, or it found nothing.
    """
    from arxivscout.llm.extractive_answer import is_extractive, quoted_part

    last = _last_answered(conn, thread_id)
    found = last.answer
    if is_extractive(found) and not (found := quoted_part(found)):
        raise UsageError("The last answer quotes no paper: there is no finding to keep.")
    reason = f"the researcher saved the answer to “{_short(last.question)}”"
    return _learn(conn, thread_id, last, "finding", found, reason, embed)


def _learn(
    conn: Connection,
    thread_id: str,
    last: LastTurn,
    category: str,
    text: str,
    reason: str,
    embed: Embed,
) -> UUID:
    metadata: dict[str, Any] = {
        "category": category,
        "reason": reason,
        "thread_id": thread_id,
        "turn_id": str(last.turn_id),
    }
    if last.cited:
        metadata["arxiv_ids"] = last.cited
    return entity.write(conn, text, embed(text), metadata)


def _last_answered(conn: Connection, thread_id: str) -> LastTurn:
    last = exchanges.last_turn(conn, thread_id)
    if last is None:
        raise unknown_thread(thread_id)
    if not last.answer:
        raise UsageError(f"The last question of the thread {thread_id!r} was not answered.")
    conn.execute(SET_TURN, [str(last.turn_id)])
    return last


def _short(question: str) -> str:
    line = one_line(question)
    return line if len(line) <= _SHOWN_QUESTION else f"{line[: _SHOWN_QUESTION - 1]}…"
