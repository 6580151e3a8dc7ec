"""What comes beside an answer: ids, names, reasons, token counts. None of it may cost the answer.

A server may send anything there: a count of 10³⁰ tokens, a name that is a list, NaN. Whatever can't
be read or stored is left out, as if the server had not sent it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from langchain_core.messages.ai import UsageMetadata

MOST_TOKENS = 100_000_000  # of one call; no model reads as many
_LARGEST = 2**63  # of what a checkpoint and a database keep as a whole number
_DEEPEST = 20
_LEFT_OUT = object()
_COUNTS = ("prompt_tokens", "completion_tokens")
_DETAILS = ("prompt_tokens_details", "completion_tokens_details")
_NAMES = ("id", "model", "object", "service_tier", "system_fingerprint")


def storable(values: Mapping[str, Any]) -> dict[str, Any]:
    """What of `values` a checkpoint takes: text, numbers, and lists and mappings of them."""
    return dict(_pairs(values, 0))


def _storable(value: Any, depth: int) -> Any:
    match value:
        case None | bool() | str():
            return value
        case int():
            return value if -_LARGEST <= value < _LARGEST else _LEFT_OUT
        case float():
            return value if math.isfinite(value) else _LEFT_OUT
        case Mapping() if depth < _DEEPEST:
            return dict(_pairs(value, depth + 1))
        case list() | tuple() if depth < _DEEPEST:
            kept = (_storable(each, depth + 1) for each in value)
            return [each for each in kept if each is not _LEFT_OUT]
    return _LEFT_OUT


def _pairs(values: Mapping[Any, Any], depth: int) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        kept = _storable(value, depth)
        if isinstance(name, str) and kept is not _LEFT_OUT:
            yield name, kept


def plain_usage(usage: UsageMetadata | None) -> UsageMetadata | None:
    """LangChain's count of a call's tokens if there can be such a call, else None."""
    if usage is None or not (
        _is_count(usage["input_tokens"]) and _is_count(usage["output_tokens"])
    ):
        return None
    plain: UsageMetadata = {
        "input_tokens": usage["input_tokens"],
        "output_tokens": usage["output_tokens"],
        "total_tokens": usage["input_tokens"] + usage["output_tokens"],
    }
    if _is_count(usage["total_tokens"]):
        plain["total_tokens"] = usage["total_tokens"]
    if details := _counts(usage.get("input_token_details")):
        plain["input_token_details"] = details  # type: ignore[typeddict-item]
    if details := _counts(usage.get("output_token_details")):
        plain["output_token_details"] = details  # type: ignore[typeddict-item]
    return plain


class PlainReplies:
    """A client for chat completions in OpenAI's form whose chunks hold what they should beside
    the answer, or nothing; LangChain would fail over the rest."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def create(self, **asked: Any) -> Any:
        """The reply, streamed as mappings or whole as it came."""
        reply = self._client.create(**asked)
        return _plain_chunks(reply) if asked.get("stream") else reply

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)


@contextmanager
def _plain_chunks(stream: Any) -> Iterator[Iterator[Any]]:
    with stream as chunks:
        # Odd types are told of by a warning each; they are left out here, and nothing is lost.
        yield (plain_chunk(each.model_dump(warnings=False)) for each in chunks)


def plain_chunk(chunk: dict[str, Any]) -> dict[str, Any]:
    """One event of a stream without what can't stand beside an answer."""
    plain = {key: value for key, value in chunk.items() if key not in ("usage", *_NAMES)}
    plain |= {key: chunk[key] for key in _NAMES if isinstance(chunk.get(key), str)}
    plain["usage"] = _plain_counts(chunk.get("usage"))
    if isinstance(choices := chunk.get("choices"), list):
        plain["choices"] = [_plain_choice(each) for each in choices]
    return plain


def _plain_choice(choice: Any) -> Any:
    if not isinstance(choice, dict):
        return choice
    plain = {**choice, "logprobs": None}  # nobody asked for them
    if "finish_reason" in choice and not isinstance(choice["finish_reason"], str):
        # None says that the answer goes on; whatever else it is, it ends the answer.
        plain["finish_reason"] = "stop" if choice["finish_reason"] else None
    if isinstance(delta := choice.get("delta"), dict):
        plain["delta"] = {**delta, "role": "assistant", "id": None, "function_call": None}
        if isinstance(calls := delta.get("tool_calls"), list):
            plain["delta"]["tool_calls"] = [_plain_call(each) for each in calls]
    return plain


def _plain_call(call: Any) -> Any:
    if not isinstance(call, dict) or isinstance(call.get("id"), str):
        return call
    return {**call, "id": None}  # it gets one of ours


def _plain_counts(usage: Any) -> dict[str, Any] | None:
    """OpenAI's count of a call's tokens, if both of its numbers can be."""
    if not isinstance(usage, dict) or not all(_is_count(usage.get(each)) for each in _COUNTS):
        return None
    plain = _counts(usage)
    for each in _DETAILS:
        if details := _counts(usage.get(each)):
            plain[each] = details
    return plain


def _counts(values: Any) -> dict[str, Any]:
    if not isinstance(values, Mapping):
        return {}
    return {key: value for key, value in values.items() if _is_count(value)}


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MOST_TOKENS
