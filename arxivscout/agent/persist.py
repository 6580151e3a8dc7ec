"""What a turn leaves behind: the same function for the node and for the door after Ctrl-C."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any

import psycopg
from langchain_core.messages import AIMessage, ToolMessage

from arxivscout.agent.afterwards import afterwards
from arxivscout.agent.episodes import episode_of, said_before
from arxivscout.agent.events import KEPT_NOWHERE
from arxivscout.agent.messages import turn_messages
from arxivscout.agent.paper_tools import PAPER_TOOLS
from arxivscout.agent.services import Services, vector_text
from arxivscout.errors import DatabaseError, DatabaseUnavailable, Erased
from arxivscout.learning.turns import MOST_STATEMENTS
from arxivscout.memory.finishing import Vectors, finish_turn
from arxivscout.memory.kept_text import kept_text
from arxivscout.memory.leaving_out import left_in
from arxivscout.memory.looked_at import person_text
from arxivscout.memory.remembering import consent, permitted
from arxivscout.memory.turn_record import TurnRecord
from arxivscout.monitoring.measuring import is_node
from arxivscout.papers import one_line
from arxivscout.preferences import stated_wishes

_log = logging.getLogger(__name__)
_PAPER_TOOLS = frozenset(tool.name for tool in PAPER_TOOLS)


def persist_turn(services: Services, state: Mapping[str, Any], *, status: str) -> list[str]:
    """Store the turn in one transaction, or on disk when the database is lost.

    Returns:
        What was degraded in storing it; empty when the database committed everything.
    """
    started = time.perf_counter()
    record = turn_record(state, status)
    try:
        store_record(services, record)
    except Erased as erased:
        return [erased.cause]
    except (DatabaseError, psycopg.Error) as error:
        why = _why(error)
        reason = f"{why}: this turn waits on disk and is stored when that has changed"
        record.degraded.append(reason)
        try:
            services.outbox(record.user).put(record)
        except OSError as full:
            return [f"{KEPT_NOWHERE}: {why}, and on disk: {full.strerror or full}"]
        return [reason]
    spent_ms = (time.perf_counter() - started) * 1000
    _log.info("turn ended", extra=_in_short(record))
    afterwards(services, state, persist_ms=spent_ms, failed=status == "failed")
    return []


def _why(error: DatabaseError | psycopg.Error) -> str:
    if isinstance(error, DatabaseUnavailable):
        return "the database could not be reached"
    told = error.cause if isinstance(error, DatabaseError) else one_line(str(error))[:200]
    return f"the database could not store it ({told.rstrip('.')})"


def store_record(services: Services, record: TurnRecord) -> None:
    """Embed what the turn says anew, in one go, and commit it all.

    Raises:
        DatabaseError: nothing of it was stored.
        Erased: nothing of it ever is.
    """
    allowed = consent(services.database, record.user, record.thread_id)
    record = permitted(record, allowed)
    said = [("preference", each["quote"], None, None) for each in record.preferences]
    embedder = services.embedder
    places = left_in(services.database, embedder, record.user, allowed.left_out, said)
    record.preferences = [record.preferences[place] for place in places]
    texts = [preference["quote"] for preference in record.preferences]
    if record.workflow:
        texts.append(record.workflow)
    if record.citations:
        texts.append(person_text(record.user))
    made = iter(vector_text(v) for v in (services.embedder.embed_documents(texts) if texts else []))
    vectors = Vectors(
        preferences=[next(made) for _ in record.preferences],
        workflow=next(made) if record.workflow else None,
        person=next(made) if record.citations else None,
        # The question's own, which was made to recall by.
        episode=services.vector(record.episode["content"]) if record.episode else None,
    )
    finish_turn(services.database, record, vectors)


def turn_record(state: Mapping[str, Any], status: str) -> TurnRecord:
    """The turn as it is stored, from the state it ended in."""
    work = turn_messages(state.get("messages", ()))
    answer = str(state.get("answer") or "")
    return TurnRecord(
        turn_id=state["turn_id"],
        user=state["user"],
        thread_id=state["thread_id"],
        question=state["question"],
        started_at=state["started_at"],
        status=status,
        answer=answer,
        model=state.get("model", ""),
        citations=list(state.get("citations", ())),
        problems=list(state.get("problems", ())),
        report=list(state.get("context_report", ())),
        degraded=list(state.get("degraded", ())),
        usage=dict(state.get("usage", {})),
        timings_ms={name: round(ms, 1) for name, ms in state.get("timings_ms", {}).items()},
        # Clean before it is embedded: a vector tells its words, too.
        workflow=kept_text(_workflow(state, work, status)) if state.get("rounds") else "",
        outcome=_outcome(state, work, status),
        preferences=_preferences(state, work),
        tool_logs=list(state.get("unlogged", ())),
        episode=episode_of(state, work),
        said=said_before(state["question"]),
    )


def _in_short(record: TurnRecord) -> dict[str, Any]:
    """The turn in a log: numbers and names of ours, no word of anybody."""
    return {
        "turn": record.turn_id,
        "status": record.status,
        "outcome": record.outcome,
        "model": record.model,
        "ms": round(sum(ms for name, ms in record.timings_ms.items() if is_node(name))),
        "cited": len(record.citations),
        "degraded": len(record.degraded),
    }


def _steps(work: Sequence[Any]) -> list[str]:
    results = {each.tool_call_id: each for each in work if isinstance(each, ToolMessage)}
    steps = []
    for message in work:
        for call in message.tool_calls if isinstance(message, AIMessage) else ():
            result = results.get(call["id"] or "")
            status = str(result.content).rpartition("status: ")[2] if result else "not run"
            arguments = ", ".join(f"{key}={value}" for key, value in call["args"].items())
            steps.append(one_line(f"{call['name']}({arguments})")[:200] + f" -> {status}")
    return steps


def _workflow(state: Mapping[str, Any], work: Sequence[Any], status: str) -> str:
    lines = [f"task: {one_line(state.get('understood') or state['question'])[:500]}"]
    lines += [f"{number}. {step}" for number, step in enumerate(_steps(work), start=1)]
    cited = [citation["arxiv_id"] for citation in state.get("citations", ())]
    lines.append(
        f"outcome: {status}, "
        + (f"answered from {', '.join(cited)}" if cited else "no paper was cited")
    )
    return "\n".join(lines)


def _outcome(state: Mapping[str, Any], work: Sequence[Any], status: str) -> str:
    """Judged by evidence: did the turn end, did tools fail, do papers bear the answer out?

    An answer without papers is a success only where it had to do with none: what was searched for
    and not found, or said without a source, is nobody's example.
    """
    if status == "failed":
        return "failure"
    citations = state.get("citations") or ()
    if status == "answered" and citations:
        wrong = all(citation.get("verdict") == "unsupported" for citation in citations)
        return "failure" if wrong else "success"
    results = [each for each in work if isinstance(each, ToolMessage)]
    failed = [each for each in results if each.status == "error"]
    if failed and len(failed) == len(results):
        return "failure"
    of_papers = any(each.name in _PAPER_TOOLS for each in results)
    empty = all("\nstatus: empty" in str(each.content) for each in results)
    done = status == "answered" and results and not (failed or empty or of_papers)
    return "success" if done else "unknown"


def _preferences(state: Mapping[str, Any], work: Sequence[Any]) -> list[dict[str, Any]]:
    """Standing preferences in the person's own words, unless the model has just saved them."""
    done = {m.tool_call_id for m in work if isinstance(m, ToolMessage) and m.status == "success"}
    saved = any(
        call["name"] in ("save_memory", "remember") and call["args"].get("kind") == "preference"
        for message in work
        if isinstance(message, AIMessage)
        for call in message.tool_calls
        if call["id"] in done
    )
    if saved:
        return []
    return [
        {
            "quote": kept_text(each.quote),
            "reason": each.reason and kept_text(each.reason),
            "kind": each.kind,
        }
        for each in stated_wishes(state["question"])[:MOST_STATEMENTS]
    ]
