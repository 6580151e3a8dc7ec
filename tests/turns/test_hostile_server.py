"""Turns against a server that misbehaves: an answer or one line, nothing lost, memory whole."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import openai_server as fake
import pytest
from openai_server import OpenAIServer, Step
from pydantic import SecretStr

from arxivscout.agent.events import Answer, Answered, Notice, Token
from arxivscout.agent.services import Services
from arxivscout.app import Scout
from arxivscout.errors import ModelError
from arxivscout.llm.models import load_chat_model
from arxivscout.llm.tool_calls import MOST_CALLS

QUESTION = "What is known about quantum teleportation of neutral mesons?"
SEARCH = fake.call("search_papers", query="neutral mesons")
CITED = fake.say("CP measurement verifies teleportation [arXiv:0712.2288].")
GOOD = "CP measurement verifies teleportation [arXiv:0712.2288]."

COUNTED = (
    json.dumps({"choices": [{"delta": {"content": GOOD}, "finish_reason": "stop"}]}),
    '{"choices": [], "usage": {"prompt_tokens": 1e999, "completion_tokens": 1, "total_tokens": 1}}',
    f'{{"choices": [], "usage": {{"prompt_tokens": {10**30}, "completion_tokens": -5}}}}',
    "[DONE]",
)


class Served:
    """A scout whose model is a scripted server, and what must hold whatever the server does."""

    def __init__(self, scout: Scout, server: OpenAIServer) -> None:
        self.scout = scout
        self.server = server

    def ask(self, question: str = QUESTION) -> Answer:
        answer = self.scout.ask(question)
        assert answer.answer.strip()
        assert answer.status == "answered"
        self.is_whole("answered")
        return answer

    def fails(self) -> str:
        """The one line the turn ends in; then the same question is asked again, and answered."""
        with pytest.raises(ModelError) as failed:
            self.scout.ask(QUESTION)
        line = str(failed.value)
        assert "\n" not in line and len(line) < 600 and failed.value.mend
        self.is_whole("failed")
        assert self.scout.unanswered() == QUESTION
        self.server.script[:] = [CITED]
        *_, last = self.scout.retry()
        assert isinstance(last, Answered)
        assert last.answer.answer == GOOD
        self.is_whole("answered")
        return line

    def is_whole(self, status: str) -> None:
        """One turn, its question and its answer once each, every call answered, nothing locked."""
        assert self.rows("SELECT status FROM turn") == [(status,)]
        said = self.rows("SELECT role, content FROM conversational_memory ORDER BY seq")
        assert said[0] == ("user", QUESTION)
        assert [role for role, _ in said[1:]] == (["assistant"] if status == "answered" else [])
        left = "SELECT count(*) FROM thread_lease WHERE thread_id = 'default'"
        assert self.rows(left) == [(0,)]  # what is reflected behind a turn holds one of its own
        assert self.server.complaints == []

    def logged(self) -> list[tuple[Any, ...]]:
        return self.rows("SELECT tool_name, status FROM tool_log_memory ORDER BY seq")

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with self.scout.database.transaction(self.scout.user) as conn:
            return conn.execute(sql).fetchall()


@pytest.fixture
def served(services: Services) -> Iterator[Callable[..., Served]]:
    servers: list[OpenAIServer] = []

    def serve(*script: Step, retries: int = 1, **limits: Any) -> Served:
        server = OpenAIServer(*script)
        servers.append(server)
        services.settings = services.settings.model_copy(
            update={
                "model": "fake",
                "model_base_url": server.url,
                "model_api_key": SecretStr("none"),
                "model_max_retries": retries,
                **limits,
            }
        )
        services.chat_model = lambda name: load_chat_model(
            services.settings.model_named(name), services.embedder
        )
        return Served(Scout(services, "tester"), server)

    yield serve
    for server in servers:
        server.close()


Serve = Callable[..., Served]


@pytest.mark.parametrize(
    "script",
    [
        pytest.param([SEARCH, fake.say(GOOD, pause_s=0.1)], id="slowly"),
        pytest.param([fake.say(GOOD, break_after=3), CITED], id="breaks once"),
        pytest.param([SEARCH, fake.say(GOOD, break_after=3), CITED], id="breaks behind a tool"),
        pytest.param([fake.say(GOOD, break_after=3, clean_cut=True), CITED], id="ends too early"),
        pytest.param([fake.status(429, retry_after=0.1), CITED], id="429"),
        pytest.param([SEARCH, fake.status(500), CITED], id="500"),
        pytest.param([fake.error_in_stream(), CITED], id="an error in the stream"),
        pytest.param([fake.stream_of("<html>busy</html>"), CITED], id="no JSON"),
        pytest.param([fake.stream_of('{"choices": []}', "[DONE]"), CITED], id="no choices"),
        pytest.param([fake.stream_of("null", "[DONE]"), CITED], id="null"),
        pytest.param([fake.stream_of('{"choices": 3}', "[DONE]"), CITED], id="odd choices"),
        pytest.param([Step(raw=b""), CITED], id="nothing at all"),
        pytest.param([fake.empty(), CITED], id="empty once"),
        pytest.param([fake.stream_of(*COUNTED)], id="impossible counts of tokens"),
    ],
)
def test_what_passes_is_asked_again_and_the_answer_is_whole(
    served: Serve, script: list[Step]
) -> None:
    turn = served(*script)
    assert turn.ask().answer == GOOD


def test_a_pause_that_the_server_asks_for_is_kept_and_told(served: Serve) -> None:
    turn = served(fake.status(429, retry_after=1), CITED)
    began = time.monotonic()
    told = [str(getattr(event, "text", "")) for event in turn.scout.stream(QUESTION)]
    assert time.monotonic() - began >= 1
    assert any("trying again in 1 s" in text for text in told)


def test_what_was_said_before_the_answer_began_again_is_kept_only_until_it_does(
    served: Serve,
) -> None:
    words = "word0 word1 word2 word3 word4 word5 word6 word7"
    turn = served(fake.say(words, break_after=4), fake.say(words, pause_s=0.05))
    events = turn.scout.stream(QUESTION, thread_id="again")
    again = "The answer of fake broke off; the answer starts again now."
    assert Notice(again) in iter(lambda: next(events), None)
    said = [event for event, _ in zip(events, range(2), strict=False)]
    assert all(isinstance(event, Token) for event in said)
    events.close()
    (kept,) = turn.rows("SELECT content FROM conversational_memory WHERE role = 'assistant'")
    assert kept[0].count("word0") == 1


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (fake.say(GOOD, break_after=3), "broke off after 2 attempts"),
        (fake.status(429, retry_after=600), "takes no more requests"),
        (fake.status(429, retry_after=0), "takes no more requests for now after 2 attempts"),
        (fake.status(500, "boom"), "failed after 2 attempts (boom)"),
        (fake.status(500, "a\nb\r\n\x1b[31m" + "c" * 9_000), "failed after 2 attempts"),
        (fake.error_in_stream("out of memory"), "out of memory"),
        (fake.stream_of("<html>busy</html>"), "broke off"),
        (fake.stream_of('{"choices": 3}', "[DONE]"), "can't be read after 2 attempts"),
        (fake.context_too_long(), "longer than fake reads"),
    ],
    ids=["breaks", "429", "429 now", "500", "500 in many lines", "stream", "html", "odd", "long"],
)
def test_what_does_not_pass_is_one_line_and_retry_answers(
    served: Serve, step: Step, words: str
) -> None:
    assert words in served(step).fails()


def test_a_stream_too_slow_for_the_turn_ends_in_one_line(served: Serve) -> None:
    turn = served(fake.say("word " * 500, pause_s=0.02), turn_timeout_s=2.0)
    assert "did not answer in time" in turn.fails()


@pytest.mark.parametrize(
    "arguments",
    ['{"query": "half a sen', "[1, 2]", "mesons", '{"query": NaN,}', "\x00", "{}" * 9, "[" * 9_999],
)
def test_malformed_arguments_are_an_observation(served: Serve, arguments: str) -> None:
    turn = served(fake.malformed_call("search_papers", arguments), CITED)
    assert turn.ask().answer == GOOD
    assert turn.logged() == [("search_papers", "error")]
    observation = turn.server.requests[1]["messages"][-1]
    assert "no JSON" in observation["content"]


@pytest.mark.parametrize(
    "name", ["no_such_tool", "search papers!", "functions.search_papers", "x" * 300, "", "ünïcode"]
)
def test_a_tool_that_does_not_exist_is_an_observation(served: Serve, name: str) -> None:
    turn = served(fake.call(name, query="mesons"), CITED)
    assert turn.ask().answer == GOOD
    ((_, status),) = turn.logged()
    assert status == "error"


@pytest.mark.parametrize(
    "ids",
    [("a", "b", "c"), ("a", "a", "a"), (None, None, None), ("", "", "")],
    ids=["own", "same", "missing", "empty"],
)
def test_parallel_calls_are_each_answered(served: Serve, ids: tuple[str | None, ...]) -> None:
    asked = [("search_papers", '{"query": "mesons"}'), ("no_such", "{}"), ("search_papers", "{")]
    step = Step(calls=tuple((*call, id) for call, id in zip(asked, ids, strict=True)))
    turn = served(step, CITED)
    assert turn.ask().answer == GOOD
    assert sorted(turn.logged()) == [
        ("no_such", "error"),
        ("search_papers", "error"),
        ("search_papers", "success"),
    ]
    assert [m["role"] for m in turn.server.requests[1]["messages"][-4:]] == [
        "assistant",
        "tool",
        "tool",
        "tool",
    ]


def test_calls_without_end_and_ids_used_again_end_in_an_answer(served: Serve) -> None:
    turn = served(SEARCH)
    answer = turn.ask()
    assert answer.citations[0].arxiv_id == "0712.2288"
    assert "composed from what was found" in answer.degraded[0]


def test_a_thousand_calls_at_once_are_cut_to_what_can_be_run(served: Serve) -> None:
    many = [("search_papers", {"query": f"mesons {n}"}) for n in range(1_000)]
    turn = served(fake.calls(*many), CITED)
    assert turn.ask().answer == GOOD
    assert turn.logged() == [("search_papers", "success")] * MOST_CALLS


def test_text_beside_a_call_is_not_the_answer(served: Serve) -> None:
    step = Step(text="Let me look.", calls=(("search_papers", '{"query": "mesons"}', "c"),))
    assert served(step, CITED).ask().answer == GOOD


def test_nothing_but_empty_content_is_made_up_for(served: Serve) -> None:
    answer = served(fake.empty()).ask()
    assert answer.citations[0].arxiv_id == "0712.2288"
    assert "composed from what was found" in answer.degraded[0]


NOISE = 200_000  # tokens


@pytest.mark.parametrize(
    "step",
    [
        fake.noise(NOISE),
        fake.say("lorem" * NOISE),
        fake.say("[" * NOISE),
        fake.say("[arXiv:" + "9" * NOISE),
    ],
    ids=["words", "one word", "brackets", "an endless citation"],
)
def test_noise_in_place_of_an_answer_is_cut_and_said(served: Serve, step: Step) -> None:
    turn = served(step)
    answer = turn.ask()
    assert len(answer.answer) < 200_000
    assert any("cut off" in line for line in answer.degraded)
    turn.server.script[:] = [CITED]
    assert turn.scout.ask("And kaons?").answer == GOOD


@pytest.mark.parametrize(
    "arguments",
    [
        json.dumps({"query": "lorem " * NOISE}),
        json.dumps({"x": ["lorem"] * NOISE}),
        "lorem" * NOISE,
    ],
    ids=["a long query", "an odd list", "no JSON"],
)
def test_noise_in_a_call_is_an_observation(served: Serve, arguments: str) -> None:
    turn = served(fake.malformed_call("search_papers", arguments), CITED)
    assert turn.ask().answer == GOOD
    ((_, _, tool_input),) = turn.rows("SELECT tool_name, status, tool_input FROM tool_log_memory")
    assert len(json.dumps(tool_input)) < 200_000
    sent = json.dumps(turn.server.requests[1])
    assert len(sent) < 200_000
