"""A turn as an episode: what was planned and done, and what it says of the turn before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, ToolMessage

from arxivscout.papers import clean_text, one_line
from arxivscout.papers.rendering import LEFT_OUT_LINE
from arxivscout.redaction import redacted
from arxivscout.reflection.episode import SEARCHES
from arxivscout.reflection.noticing import notice

MOST_THOUGHT = 1_000  # characters
MOST_VALUE = 200  # of an argument
MOST_ACTIONS = 40
LONGEST_REQUEST = 2_000


def episode_of(state: Mapping[str, Any], work: Sequence[Any]) -> dict[str, Any]:
    """What is kept of a turn besides its outcome: plain values (`memory.episode.Done`), without
    secrets and addresses."""
    request = str(state["question"])
    return {
        "content": redacted(str(state.get("understood") or request)[:LONGEST_REQUEST]),
        "request": redacted(request[:LONGEST_REQUEST]),
        "thought": _thought(work),
        "actions": _actions(work, unwanted=bool(LEFT_OUT_LINE.search(state.get("answer") or ""))),
        "cited": [citation["arxiv_id"] for citation in state.get("citations", ())],
    }


def said_before(question: str) -> dict[str, Any] | None:
    """What the person says of the answer before this question, if they do."""
    noticed = notice(question)
    if noticed is None:
        return None
    return {"feedback": noticed.feedback, "note": redacted(noticed.note), "wrong": noticed.wrong}


def _thought(work: Sequence[Any]) -> str:
    """The plan: what the model said before it called tools, and which it called, round by round."""
    parts = []
    for message in work:
        if isinstance(message, AIMessage) and message.tool_calls:
            names = " and ".join(dict.fromkeys(call["name"] for call in message.tool_calls))
            said = one_line(str(message.text))
            parts.append(f"{said} ({names})" if said else names)
    return redacted(clean_text(", then ".join(parts) or "answer at once"))[:MOST_THOUGHT]


def _actions(work: Sequence[Any], *, unwanted: bool) -> list[dict[str, Any]]:
    """The calls.

    Args:
        unwanted: the answer leaves out what was found, as the person wants: it was not in vain.
    """
    results = {each.tool_call_id: each for each in work if isinstance(each, ToolMessage)}
    return [
        {
            "tool": str(call["name"])[:100],
            "arguments": {
                clean_text(str(name))[:100]: _value(value) for name, value in call["args"].items()
            },
            "status": _status(results.get(call["id"] or ""), unwanted=unwanted),
        }
        for message in work
        if isinstance(message, AIMessage)
        for call in message.tool_calls
    ][:MOST_ACTIONS]


def _value(value: Any) -> Any:
    if isinstance(value, bool | int) or value is None:
        return value
    return redacted(clean_text(one_line(str(value))))[:MOST_VALUE]


def _status(result: ToolMessage | None, *, unwanted: bool) -> str:
    """How a call ended: ok, left out, empty, error, timeout, or not run."""
    if result is None:
        return "not run"
    said = str(result.content).rpartition("\nstatus: ")[2].split(" ", 1)[0]
    if result.status == "error":
        return "timeout" if said == "timeout" else "error"
    if said == "empty":
        return "empty"
    return "left out" if unwanted and result.name in SEARCHES else "ok"
