"""What a turn reads out of the thread's messages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from arxivscout.agent.tools import Call
from arxivscout.errors import UsageError
from arxivscout.memory.turn import RECENT_MESSAGES, Recent
from arxivscout.papers import find_paper_ids


def turn_messages(messages: Sequence[Any]) -> list[Any]:
    """This turn's messages: those after the person's last one."""
    for at in range(len(messages) - 1, -1, -1):
        if isinstance(messages[at], HumanMessage):
            return list(messages[at + 1 :])
    return []


def mentioned_ids(state: Mapping[str, Any]) -> frozenset[str]:
    """The ids that the person named in this thread, and those that this turn's tools failed on.

    An answer may repeat them, to say that they are not held: that cites nothing.
    """
    said = [str(state.get("question") or "")]
    said += [text for role, text, *_ in state.get("recent") or () if role == "user"]
    said += [
        str(message.content)
        for message in turn_messages(state.get("messages") or ())
        if isinstance(message, ToolMessage) and message.status == "error"
    ]
    return frozenset(found.value for text in said for found in find_paper_ids(text))


def asked_in(messages: Sequence[AnyMessage]) -> HumanMessage:
    """The person's last message.

    Raises:
        UsageError: there is none.
    """
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            return message
    raise UsageError("There is no question.", "Send a human message.")


def turn_id_of(asked: HumanMessage, user: str, thread_id: str, run_thread: object) -> UUID:
    """The turn is named by its human message: the same message is the same turn.

    Args:
        run_thread: LangGraph's own thread, in which an id that is no UUID is unique.
    """
    try:
        return UUID(asked.id or "")
    except ValueError:
        return uuid5(NAMESPACE_URL, json.dumps([user, thread_id, str(run_thread), asked.id]))


def running_conversation(messages: Sequence[AnyMessage]) -> list[Recent]:
    """What was said before this turn as far as the state knows, when the database does not."""
    said = [
        (
            "user" if isinstance(message, HumanMessage) else "assistant",
            str(message.text),
            "",
            message.id or "",
            False,
        )
        for message in messages[:-1]
        if isinstance(message, HumanMessage)
        or (
            isinstance(message, AIMessage)
            and not message.tool_calls
            and "error" not in message.response_metadata
        )
    ]
    return said[-RECENT_MESSAGES:]


def calls_of(message: AnyMessage, turn_id: str = "", round_number: int = 0) -> list[Call]:
    """The model's calls, those included that can't be read: each must be answered.

    The log of a call is named by its turn, round and words, so that a turn that is run again from
    an earlier checkpoint logs the same call once.
    """
    if not isinstance(message, AIMessage):
        return []
    calls = [Call(call["id"] or "", call["name"], call["args"]) for call in message.tool_calls]
    calls += [
        Call(call["id"] or "", call["name"] or "", {"text": call["args"]}, call["error"] or "?")
        for call in message.invalid_tool_calls
    ]
    seen: dict[str, int] = {}
    named = []
    for call in calls:
        words = json.dumps([call.name, dict(call.arguments)], sort_keys=True, default=str)
        seen[words] = seen.get(words, 0) + 1
        place = json.dumps([turn_id, round_number, words, seen[words]])
        named.append(replace(call, log_id=str(uuid5(NAMESPACE_URL, place))))
    return named
