"""Tool calls as models really make them: read strictly, kept small, sent back in proper form."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from arxivscout.llm.beside import storable

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage, InvalidToolCall, ToolCall

MOST_CALLS = 32  # of one message; what a model calls beyond them in one breath is noise
LONGEST_ARGUMENTS = 20_000  # characters of one call; the longest note anybody saves is shorter
LONGEST_ASIDE = 4_000  # characters of what is said beside calls

_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")
_LONGEST_NAME = 64


def read_calls(message: AIMessage) -> tuple[list[ToolCall], list[InvalidToolCall]]:
    """The calls of a streamed message, and those that can't be read, each with an id of its own.

    LangChain's own reading completes broken JSON by guess, so a call cut short in the middle of
    its text would go through with half of it.
    """
    from langchain_core.messages import InvalidToolCall, ToolCall

    calls: list[ToolCall] = list(message.tool_calls)
    invalid: list[InvalidToolCall] = list(message.invalid_tool_calls)
    if parts := getattr(message, "tool_call_chunks", None):
        calls, invalid = [], []
        for part in parts[:MOST_CALLS]:
            name, text, identity = part["name"] or "", part["args"] or "", part["id"]
            arguments, problem = _arguments(text)
            if not name:
                problem = "the call names no tool"
            if problem:
                invalid.append(
                    InvalidToolCall(
                        name=name,
                        args=text[:LONGEST_ARGUMENTS],
                        id=identity,
                        error=problem,
                        type="invalid_tool_call",
                    )
                )
            else:
                calls.append(ToolCall(name=name, args=arguments, id=identity, type="tool_call"))
    taken: set[str] = set()
    for call in (*calls, *invalid):
        identity = call["id"]
        if not identity or identity in taken:  # some servers give none, or one to all
            identity = call["id"] = f"call_{uuid4().hex}"
        taken.add(identity)
    return calls, invalid


def as_sent(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """The conversation with its calls in the form that every server takes.

    OpenAI refuses a history with a name that no tool may have; vLLM, llama.cpp and Ollama refuse
    one with arguments that are no JSON object. A single bad call would so end a turn that only had
    to tell the model what was wrong with it.
    """
    from langchain_core.messages import AIMessage

    return [_as_sent(each) if isinstance(each, AIMessage) else each for each in messages]


def _as_sent(message: AIMessage) -> AIMessage:
    calls = [{**call, "name": _name(call["name"])} for call in message.tool_calls]
    for broken in message.invalid_tool_calls:
        name, arguments = _name(broken["name"] or ""), {"text": broken["args"] or ""}
        calls.append({"name": name, "args": arguments, "id": broken["id"], "type": "tool_call"})
    changes: dict[str, Any] = {}
    if calls and calls != message.tool_calls:
        changes |= {"tool_calls": calls, "invalid_tool_calls": []}
    if calls and isinstance(message.content, str) and len(message.content) > LONGEST_ASIDE:
        changes["content"] = message.content[:LONGEST_ASIDE] + "…"
    return message.model_copy(update=changes) if changes else message


def _arguments(text: str) -> tuple[dict[str, Any], str]:
    """The arguments, or what is wrong with them."""
    if len(text) > LONGEST_ARGUMENTS:
        return {}, f"the arguments are too long: {len(text):,} characters"
    try:
        arguments = json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError) as error:
        return {}, f"the arguments are no JSON: {error}"
    if not isinstance(arguments, dict):
        return {}, "the arguments are no JSON object"
    if storable(arguments) != arguments:
        return {}, "the arguments hold a number that is too large or none, or lists too deep"
    return arguments, ""


def _name(name: str) -> str:
    return _NOT_IN_NAMES.sub("_", name)[:_LONGEST_NAME] or "unnamed"
