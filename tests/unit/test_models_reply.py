"""What the model's boundary does with every way a provider can fail, over the real client."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import openai_server as fake
import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from openai_server import OpenAIServer, Step
from pydantic import SecretStr

from arxivscout.errors import ModelError
from arxivscout.llm.failures import EmptyAnswer
from arxivscout.llm.models import (
    ContextTooLong,
    Retry,
    RetryPolicy,
    load_chat_model,
    stream_reply,
)
from arxivscout.redaction import SECRET
from arxivscout.settings import ModelSettings

KEY = "sk-secret-0123456789abcdef"


@tool
def search_papers(query: str) -> str:
    """Search."""
    return ""


class Asked:
    """One call of `stream_reply` against a script, with what was told on the way."""

    def __init__(
        self,
        *script: Step,
        retries: int = 3,
        timeout_s: float = 5.0,
        deadline_s: float = 30.0,
        tools: tuple[Any, ...] = (),
        tool_choice: str | None = None,
        sleep: Callable[[float], None] | None = None,
    ) -> None:
        self.shown: list[str] = []
        self.retries: list[Retry] = []
        self.slept: list[float] = []
        self.message: AIMessage | None = None
        self.error: ModelError | None = None
        with OpenAIServer(*script) as server:
            model = load_chat_model(
                ModelSettings(
                    model="fake", base_url=server.url, api_key=SecretStr(KEY), timeout_s=timeout_s
                ),
                embedder=None,  # type: ignore[arg-type]
            )
            began = time.monotonic()
            try:
                self.message = stream_reply(
                    model,
                    [HumanMessage("Hi")],
                    tools=tools,
                    tool_choice=tool_choice,
                    deadline=time.monotonic() + deadline_s,
                    on_text=self.shown.append,
                    on_retry=self.retries.append,
                    policy=RetryPolicy(
                        max_retries=retries, sleep=sleep or self.slept.append, jitter=lambda: 1.0
                    ),
                )
            except ModelError as error:
                self.error = error
            self.seconds = time.monotonic() - began
            self.requests = server.requests
            self.headers = server.headers

    @property
    def answer(self) -> AIMessage:
        assert self.error is None, self.error
        assert self.message is not None
        return self.message

    def failed(self, kind: type[ModelError] = ModelError) -> str:
        """The one line, checked for the things every line must have."""
        assert type(self.error) is kind, (self.error, self.message)
        line = str(self.error)
        assert "\n" not in line and len(line) < 600
        assert self.error.cause and self.error.mend
        assert KEY not in line and "secret" not in line.replace(SECRET, "")
        assert self.error.__suppress_context__
        return line


def test_an_answer_comes_in_pieces_and_whole() -> None:
    asked = Asked(fake.say("Neutral mesons can be teleported."))
    assert asked.answer.text == "Neutral mesons can be teleported."
    assert len(asked.shown) > 3 and "".join(asked.shown) == asked.answer.text
    assert asked.answer.usage_metadata is not None
    assert asked.answer.usage_metadata["input_tokens"] == 10
    assert type(asked.answer) is AIMessage
    assert len(asked.requests) == 1 and not asked.retries


def test_what_a_model_thinks_aloud_is_neither_shown_nor_kept() -> None:
    asked = Asked(fake.say("<think>\nMesons? Well.\n</think>\n\nThey can be teleported."))
    assert asked.answer.text == "".join(asked.shown) == "They can be teleported."
    asked = Asked(fake.say("<think>Without end"), fake.say("<think>Again"))
    assert asked.failed(EmptyAnswer) and not asked.shown


def test_missing_usage_is_no_failure() -> None:
    asked = Asked(fake.say("Hello.", usage=False))
    assert asked.answer.text == "Hello." and asked.answer.usage_metadata is None


def test_retry_after_is_obeyed_however_long_while_there_is_time() -> None:
    asked = Asked(
        fake.status(429, retry_after=3),
        fake.status(429, retry_after=90),
        fake.say("Ok."),
        deadline_s=120,
    )
    assert asked.answer.text == "Ok."
    assert asked.slept == [3.0, 90.0]
    assert [retry.failure.kind for retry in asked.retries] == ["rate", "rate"]


@pytest.mark.parametrize("code", [500, 502, 503, 529])
def test_a_failing_server_is_asked_again_with_growing_waits(code: int) -> None:
    asked = Asked(fake.status(code), fake.status(code), fake.say("Ok."))
    assert asked.answer.text == "Ok."
    assert asked.slept == [0.5, 1.0]


def test_retries_end_and_have_one_owner() -> None:
    asked = Asked(fake.status(503, "overloaded"), retries=2)
    line = asked.failed()
    assert len(asked.requests) == 3, "the provider's own retries must be off"
    assert "after 3 attempts" in line and "overloaded" in line and "Ask again" in line


def test_no_retry_waits_past_the_deadline() -> None:
    asked = Asked(fake.status(429, retry_after=15), deadline_s=5)
    assert asked.slept == [] and len(asked.requests) == 1
    assert "no more requests" in asked.failed()


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (fake.status(401, f"Incorrect API key provided: {KEY}."), "refused the key"),
        (fake.status(403, "Forbidden"), "refused the key"),
        (fake.status(404, "The model `fake` does not exist"), "not known"),
        (fake.status(400, "temperature must be positive"), "refused the request"),
        (
            fake.status(429, "You exceeded your current quota", error_code="insufficient_quota"),
            "quota",
        ),
    ],
)
def test_what_asking_again_cannot_mend_fails_at_once(step: Step, words: str) -> None:
    asked = Asked(step)
    assert words in asked.failed()
    assert len(asked.requests) == 1 and asked.slept == []


def test_a_context_too_long_has_its_own_error() -> None:
    asked = Asked(fake.context_too_long())
    assert "longer than fake reads" in asked.failed(ContextTooLong)
    assert len(asked.requests) == 1


def test_a_stream_that_breaks_after_text_starts_over_and_tells() -> None:
    asked = Asked(fake.say("One two three four", break_after=2), fake.say("The whole answer."))
    assert asked.answer.text == "The whole answer."
    assert [retry.shown for retry in asked.retries] == [True]
    assert "".join(asked.shown).endswith("The whole answer.")


def test_a_stream_that_breaks_before_text_starts_over() -> None:
    asked = Asked(fake.say("One two", break_after=0), fake.say("Ok."))
    assert asked.answer.text == "Ok." and [retry.shown for retry in asked.retries] == [False]


def test_a_stream_that_ends_as_if_it_were_over_is_not_taken_for_an_answer() -> None:
    asked = Asked(fake.say("One two three", break_after=2, clean_cut=True), fake.say("Ok."))
    assert asked.answer.text == "Ok." and asked.retries[0].failure.kind == "broken"


def test_a_stream_that_always_breaks_ends_in_one_line() -> None:
    assert "broke off after 4 attempts" in Asked(fake.say("One two", break_after=1)).failed()


def test_an_error_inside_a_stream_is_retried() -> None:
    asked = Asked(fake.error_in_stream(), fake.say("Ok."))
    assert asked.answer.text == "Ok."


def test_what_is_no_json_in_a_stream_is_retried() -> None:
    asked = Asked(Step(raw=b"data: {broken\n\n"), fake.say("Ok."))
    assert asked.answer.text == "Ok."


def test_an_empty_answer_is_asked_for_once_more() -> None:
    asked = Asked(fake.empty(), fake.say("Now."))
    assert asked.answer.text == "Now." and asked.slept == []
    asked = Asked(fake.empty())
    assert "answered with nothing" in asked.failed(EmptyAnswer) and len(asked.requests) == 2


def test_a_server_that_hangs_is_given_up() -> None:
    asked = Asked(fake.hang(20), timeout_s=0.3, retries=1)
    assert "did not answer in time" in asked.failed()
    assert len(asked.requests) == 2 and asked.seconds < 5


def test_a_slow_stream_is_cut_off_at_the_deadline() -> None:
    asked = Asked(fake.say("word " * 200, pause_s=0.02), deadline_s=0.5)
    assert "did not answer in time" in asked.failed()
    assert asked.shown and asked.seconds < 3


def test_a_slow_stream_in_time_is_fine() -> None:
    assert len(Asked(fake.say("word " * 20, pause_s=0.02)).answer.text.split()) == 20


def test_a_server_that_is_not_there() -> None:
    model = load_chat_model(
        ModelSettings(model="fake", base_url="http://127.0.0.1:9/v1"),
        embedder=None,  # type: ignore[arg-type]
    )
    slept: list[float] = []
    with pytest.raises(ModelError, match="can't be reached after 3 attempts"):
        stream_reply(
            model,
            [HumanMessage("Hi")],
            deadline=time.monotonic() + 30,
            policy=RetryPolicy(max_retries=2, sleep=slept.append),
        )
    assert len(slept) == 2


def test_tool_calls_come_whole_and_parallel() -> None:
    asked = Asked(
        fake.calls(("search_papers", {"query": "mesons"}), ("search_papers", {"query": "kaons"})),
        tools=(search_papers,),
        tool_choice="none",
    )
    assert [c["args"]["query"] for c in asked.answer.tool_calls] == ["mesons", "kaons"]
    assert [c["id"] for c in asked.answer.tool_calls] == ["call_0", "call_1"]
    assert asked.requests[0]["tools"][0]["function"]["name"] == "search_papers"
    assert asked.requests[0]["tool_choice"] == "none"


@pytest.mark.parametrize(
    "arguments", ['{"query": "half a sen', "[1, 2]", "query=mesons", '"text"', '{"query": NaN,}']
)
def test_malformed_arguments_are_kept_as_invalid_never_guessed(arguments: str) -> None:
    asked = Asked(fake.malformed_call("search_papers", arguments), tools=(search_papers,))
    assert asked.answer.tool_calls == []
    (invalid,) = asked.answer.invalid_tool_calls
    assert invalid["args"] == arguments and invalid["error"] and invalid["id"] == "call_bad"


def test_a_call_without_an_id_gets_one_and_an_unknown_tool_passes() -> None:
    asked = Asked(fake.call("no_such_tool", id=None, a=1), tools=(search_papers,))
    (made,) = asked.answer.tool_calls
    assert made["name"] == "no_such_tool" and made["id"]


def test_a_server_that_refuses_tools_is_asked_without() -> None:
    asked = Asked(
        fake.status(400, "fake does not support tools"), fake.say("Ok."), tools=(search_papers,)
    )
    assert asked.answer.text == "Ok." and "tools" not in asked.requests[1]


@pytest.mark.parametrize("raised", [KeyboardInterrupt(), RuntimeError("stop")])
def test_what_the_listener_raises_goes_through(raised: BaseException) -> None:
    def listener(text: str) -> None:
        raise raised

    with OpenAIServer(fake.say("One two three")) as server:
        model = load_chat_model(
            ModelSettings(model="fake", base_url=server.url),
            embedder=None,  # type: ignore[arg-type]
        )
        with pytest.raises(type(raised)):
            stream_reply(
                model, [HumanMessage("Hi")], deadline=time.monotonic() + 5, on_text=listener
            )
        assert len(server.requests) == 1
