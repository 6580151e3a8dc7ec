"""What OpenAI and the servers that imitate it refuse in a conversation that is sent to them."""

from __future__ import annotations

import json
import re
from typing import Any

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def complaint(messages: list[dict[str, Any]]) -> str | None:
    """Why this conversation is refused, in a line; None when it is fine.

    OpenAI refuses calls left unanswered, answers to no call, and names it would not take as a
    tool's; vLLM, llama.cpp and Ollama refuse arguments that are no JSON object.
    """
    waiting: list[str] = []
    for message in messages:
        role = message["role"]
        if role == "tool":
            if message["tool_call_id"] not in waiting:
                return "messages with role 'tool' must be a response to 'tool_calls'"
            waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            return f"'tool_calls' must be followed by tool messages: no response to {waiting}"
        for call in message.get("tool_calls") or ():
            name, arguments = call["function"]["name"], call["function"]["arguments"]
            if not _NAME.fullmatch(name):
                return f"tool_calls.function.name {name[:80]!r} does not match the pattern"
            if not call["id"] or call["id"] in waiting:
                return f"tool_calls.id {call['id']!r} is empty or stands twice"
            if not _is_object(arguments):
                return f"tool_calls.function.arguments are no JSON object: {arguments[:80]!r}"
            waiting.append(call["id"])
        if role == "assistant" and not (message.get("content") or message.get("tool_calls")):
            return "an assistant message needs content or tool_calls"
    return f"no response to {waiting}" if waiting else None


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
