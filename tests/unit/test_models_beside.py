"""What a server sends beside its answer, however odd, costs neither the answer nor its storing."""

from __future__ import annotations

import json
import time
from typing import Any

import openai_server as fake
import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage
from langchain_core.outputs import ChatGenerationChunk
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from openai_server import OpenAIServer, Step

from arxivscout.llm.beside import MOST_TOKENS, plain_usage, storable
from arxivscout.llm.models import RetryPolicy, load_chat_model, stream_reply
from arxivscout.settings import ModelSettings

GOOD_USAGE = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}


def chunk(delta: Any, reason: Any = None, **beside: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    common = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return {**common, "choices": [choice], **beside}


def said(*, beside: dict[str, Any] | None = None, reason: Any = "stop", usage: Any = None) -> Step:
    """An answer in two pieces, each with `beside` in it."""
    beside = beside or {}
    events = [
        chunk({"role": "assistant", "content": "Mesons "}, **beside),
        chunk({"content": "decay."}, **beside),
        chunk({}, reason, **beside),
        {**chunk({}, **beside), "choices": [], "usage": usage},
    ]
    return fake.stream_of(*map(json.dumps, events), "[DONE]")


def reply(step: Step, **how: Any) -> AIMessage:
    with OpenAIServer(step) as server:
        model = load_chat_model(ModelSettings(model="m", base_url=server.url), embedder=None)  # type: ignore[arg-type]
        return asked(model, **how)


def asked(model: BaseChatModel, **how: Any) -> AIMessage:
    message = stream_reply(
        model,
        [HumanMessage("Hi")],
        deadline=time.monotonic() + 20,
        policy=RetryPolicy(max_retries=0),
        **how,
    )
    assert JsonPlusSerializer().dumps_typed(message), "what a checkpoint takes"
    return message


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": 10**30, "completion_tokens": -5, "total_tokens": 10**30},
        {"prompt_tokens": float("inf"), "completion_tokens": float("nan"), "total_tokens": "x"},
        {"prompt_tokens": "few", "completion_tokens": "5.5", "total_tokens": "12"},
        {"prompt_tokens": True, "completion_tokens": 5.5, "total_tokens": [1]},
        {"prompt_tokens": 7, "total_tokens": 7},
        {"prompt_tokens": MOST_TOKENS + 1, "completion_tokens": 1, "total_tokens": 2},
        "much",
        [1, 2],
        10**30,
    ],
)
def test_a_count_of_tokens_that_can_not_be_is_left_out(usage: Any) -> None:
    message = reply(said(usage=usage))
    assert message.text == "Mesons decay." and message.usage_metadata is None


def test_what_of_a_count_can_be_is_kept() -> None:
    counted = {"input_tokens": 7, "output_tokens": 5, "total_tokens": 12}
    assert reply(said(usage=GOOD_USAGE)).usage_metadata == counted
    odd = {**GOOD_USAGE, "total_tokens": "x", "cost": 0.1, "prompt_tokens_details": {"a": -1}}
    details = {"cached_tokens": 3, "audio_tokens": float("nan")}
    usage = reply(said(usage={**odd, "prompt_tokens_details": details})).usage_metadata
    assert usage is not None and usage["total_tokens"] == 12
    assert usage["input_token_details"] == {"cache_read": 3}


@pytest.mark.parametrize("odd", [10**30, float("nan"), [[1]], {"a": 10**30}, True, "a\ud800\x00b"])
@pytest.mark.parametrize(
    "name", ["id", "model", "created", "system_fingerprint", "service_tier", "extra"]
)
def test_an_odd_field_does_not_lose_the_answer(name: str, odd: Any) -> None:
    assert reply(said(beside={name: odd})).text == "Mesons decay."


@pytest.mark.parametrize("reason", [7, {"why": 10**30}, ["stop"], "a\ud800b"])
def test_an_answer_ends_for_whatever_reason(reason: Any) -> None:
    assert reply(said(reason=reason)).text == "Mesons decay."


def test_what_nobody_asked_for_is_not_kept() -> None:
    delta = {"role": 3, "id": [1], "content": "Yes.", "function_call": 5, "reasoning": {"a": 1}}
    choice = {"index": "a", "delta": delta, "finish_reason": "stop", "logprobs": {"x": 10**30}}
    step = fake.stream_of(json.dumps({**chunk({}), "choices": [choice]}), "[DONE]")
    message = reply(step)
    assert message.text == "Yes."
    assert "logprobs" not in message.response_metadata and not message.additional_kwargs


def called(identity: Any, arguments: str) -> Step:
    function = {"name": "search_papers", "arguments": arguments}
    call = {"index": 0, "id": identity, "type": "function", "function": function}
    events = [chunk({"role": "assistant", "tool_calls": [call]}), chunk({}, "tool_calls")]
    return fake.stream_of(*map(json.dumps, events), "[DONE]")


@pytest.mark.parametrize("identity", [5, 10**30, {"a": 1}, True, None])
def test_an_odd_id_of_a_call_is_replaced(identity: Any) -> None:
    (made,) = reply(called(identity, '{"query": "mesons"}')).tool_calls
    assert made["args"] == {"query": "mesons"} and str(made["id"]).startswith("call_")


@pytest.mark.parametrize(
    "number", [str(10**30), "9" * 5_000, "1e999", "NaN", "-Infinity", "[" * 900 + "]" * 900]
)
def test_arguments_that_can_not_be_stored_are_told_to_the_model(number: str) -> None:
    message = reply(called("call_1", f'{{"k": {number}}}'))
    (invalid,) = message.invalid_tool_calls
    assert not message.tool_calls and invalid["error"] and invalid["id"] == "call_1"


class Boasting(BaseChatModel):
    """A model of another provider's library, with what no checkpoint takes beside its answer."""

    @property
    def _llm_type(self) -> str:
        return "boasting"

    def _generate(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError

    def _stream(self, *args: Any, **kwargs: Any) -> Any:
        yield ChatGenerationChunk(
            message=AIMessageChunk(
                content="Yes.",
                additional_kwargs={"huge": 10**30, "kept": 1},
                response_metadata={"object": object(), "deep": {"nan": float("nan"), "kept": [1]}},
                usage_metadata={"input_tokens": 10**30, "output_tokens": -5, "total_tokens": 1},
            )
        )


def test_another_provider_s_library_is_trusted_no_further() -> None:
    message = asked(Boasting())
    assert message.text == "Yes." and message.usage_metadata is None
    assert message.additional_kwargs == {"kept": 1}
    assert message.response_metadata["deep"] == {"kept": [1]}
    assert "object" not in message.response_metadata


def test_only_what_can_be_stored_is() -> None:
    deep: dict[str, Any] = {}
    for _ in range(3_000):
        deep = {"deep": deep}
    given = {"a": 2**63, "b": -(2**63), "c": [1e999, "x", None], "d": {1: 1, "e": (1,)}, "f": b"x"}
    assert storable(given) == {"b": -(2**63), "c": ["x", None], "d": {"e": [1]}}
    assert JsonPlusSerializer().dumps_typed(storable({"deep": deep}))
    assert plain_usage(None) is None
