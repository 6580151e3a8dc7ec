"""What the model is given in a turn: measured in its tokens, cached, cut again when refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from turns.scripted import ScriptedModel, calls, says
from turns.settled import settle

from arxivscout.agent.binding import CORE
from arxivscout.agent.events import Answered, Notice
from arxivscout.agent.measuring import estimated_tokens
from arxivscout.agent.tools import ToolResult
from arxivscout.app import Scout
from arxivscout.context.budget import count_tokens
from arxivscout.errors import ModelError, NotFound, UsageError
from arxivscout.llm.token_counts import Calibrations

Make = Callable[..., tuple[Scout, ScriptedModel]]
QUESTION = "What is known about quantum teleportation of neutral mesons?"
FIXED = ("rules", "awareness", "tools")
ANSWER = "It is verified by a measurement of CP [arXiv:0712.2288]."
TOO_LONG = "This model's maximum context length is 6000 tokens. However, you requested 9999 tokens"


class Refused(Exception):
    status_code = 400


def segments(scout: Scout, thread: str = "default") -> dict[str, dict[str, Any]]:
    return {each["segment"]: each for each in scout.history.context(thread)}


def with_usage(text: str, **usage: Any) -> AIMessage:
    return AIMessage(text, usage_metadata={"output_tokens": 9, "total_tokens": 9, **usage})  # type: ignore[typeddict-item]


ASKED = (
    "What is known about mesons?", "Compare dark matter and modified dynamics.",
    "I prefer short answers.", "Summarise this thread.", "Which tools failed?",
    "Forget what I prefer.", "Read 0809.4859.", "Search arXiv for sparse attention.",
    "What did I look at?", "Is MOND refuted?",
) * 2  # fmt: skip


@pytest.mark.parametrize("window", [4_000, 8_000, 16_000, 32_000, 200_000])
def test_the_prompts_beginning_is_the_same_over_twenty_turns(scripted: Make, window: int) -> None:
    scout, model = scripted()

    def reply(messages: list[Any]) -> AIMessage:
        sent = estimated_tokens(messages, 0) + sum(count_tokens(each) for each in told())
        return with_usage(ANSWER, input_tokens=round(1.3 * sent))  # its tokens are learned

    def told() -> list[str]:
        return [json.dumps(each) for each in model.told[-1]]

    model.script = [reply]
    services = scout._services
    services.settings = services.settings.model_copy(update={"context_window": window})
    heads = []
    for question in ASKED:
        scout.ask(question)
        heads.append([*told(), str(model.read[-1][0].content)])
    assert len({head[-1] for head in heads}) == 1
    in_place = zip(*(head[:-1] for head in heads), strict=False)
    alike = [each[0] for each in in_place if len({*each}) == 1]
    assert {*CORE[:5]} <= {json.loads(each)["function"]["name"] for each in alike}
    if window >= 32_000:  # there all tools find room
        assert len({tuple(head) for head in heads}) == 1
    else:
        constant = sum(map(count_tokens, alike))
        assert constant >= 0.7 * max(sum(map(count_tokens, head[:-1])) for head in heads)


@pytest.mark.parametrize("window", [4_000, 8_000])
def test_a_small_window_is_for_what_is_known_and_said(scripted: Make, window: int) -> None:
    scout, model = scripted(says(ANSWER))
    services = scout._services
    services.settings = services.settings.model_copy(update={"context_window": window})
    scout.ask(QUESTION)
    given = segments(scout)
    fixed = sum(given[name]["tokens"] for name in FIXED)
    assert fixed <= 0.3 * window
    assert given["tools"]["tokens"] <= 0.2 * window
    held = [name for name in given if name not in (*FIXED, "question", "answer", "margin")]
    assert sum(given[name]["budget"] for name in held) >= 0.45 * window
    assert given["knowledge"]["items"]
    (told,) = [each["function"] for each in model.told[-1] if each["function"]["name"] == CORE[0]]
    assert list(told["parameters"]["properties"]) == ["query"]


def test_tokens_that_the_provider_had_in_its_cache_are_reported(scripted: Make) -> None:
    details = {"cache_read": 1_500}
    scout, _ = scripted(with_usage(ANSWER, input_tokens=2_000, input_token_details=details))
    answer = scout.ask(QUESTION)
    assert answer.usage["cached_tokens"] == 1_500
    assert answer.to_json()["usage"]["cached_tokens"] == 1_500


def test_counts_follow_what_the_provider_reports(scripted: Make) -> None:
    scout, model = scripted()

    def reply(messages: list[Any]) -> AIMessage:
        bound = [scout._services.tools[name] for name in model.bound[-1]["tools"]]
        sent = estimated_tokens(messages, sum(tool.tokens_told(short=False) for tool in bound))
        reported.append(round(1.4 * sent))
        return with_usage(ANSWER, input_tokens=reported[-1])

    reported: list[int] = []
    model.script = [reply]
    for _ in range(3):
        scout.ask(QUESTION)
    known = Calibrations(scout.settings.home).of("openai:scripted")
    assert known.factor == pytest.approx(1.4, rel=0.01)
    report = scout.history.context("default")
    given = sum(
        each["tokens"] for each in report if each["segment"] not in ("results", "answer", "margin")
    )
    assert given == pytest.approx(reported[-1], rel=0.05)
    assert sum(each["budget"] for each in report) == pytest.approx(16_000, rel=0.01)


def test_a_refusal_for_length_is_answered_from_a_shorter_context(scripted: Make) -> None:
    refusals = iter([Refused(TOO_LONG)])

    def reply(messages: list[Any]) -> AIMessage:
        for refusal in refusals:
            raise refusal
        return says(ANSWER)

    scout, model = scripted(reply)
    answer = scout.ask(QUESTION)
    assert answer.citations
    assert [each for each in answer.degraded if "longer than the model reads" in each]
    assert len(model.read) == 2
    assert sum(each["budget"] for each in scout.history.context("default")) <= 6_000
    # The next turn begins with what the provider said.
    scout.ask(QUESTION)
    assert sum(each["budget"] for each in scout.history.context("default")) <= 6_000


def test_a_second_refusal_ends_the_turn_with_its_cause(scripted: Make) -> None:
    scout, model = scripted(Refused("prompt is too long: 9 tokens"))
    with pytest.raises(ModelError, match="longer than"):
        scout.ask(QUESTION)
    assert len(model.read) == 2


def test_the_window_is_the_profiles_and_a_guess_is_told_once(scripted: Make) -> None:
    scout, model = scripted(says(ANSWER))
    told = [each for each in scout.stream(QUESTION) if isinstance(each, Notice)]
    assert ["16,000 tokens are assumed" in each.text for each in told] == [True]
    assert not [each for each in scout.stream(QUESTION) if isinstance(each, Notice)]
    model.profile = {"max_input_tokens": 128_000}
    scout.ask(QUESTION)
    assert sum(each["budget"] for each in scout.history.context("default")) == 128_000


def test_a_result_that_is_cut_is_opened_page_by_page(scripted: Make) -> None:
    handles: list[str] = []

    def opens(messages: list[Any]) -> AIMessage:
        text = str(messages[-1].content)
        handles.append(text.partition("open_result(result_id='")[2][:36])
        assert "The last line." in text
        return calls(("open_result", {"result_id": handles[-1], "page": 2}))

    def ends(messages: list[Any]) -> AIMessage:
        assert "page 2 of" in str(messages[-1].content)
        assert "Line 500." in str(messages[-1].content)
        return says(ANSWER)

    scout, _ = scripted(calls(("search_papers", {"query": "x"})), opens, ends)
    services = scout._services
    text = "\n".join([*(f"Line {number}." for number in range(4_000)), "The last line."])
    long = services.tools["search_papers"].model_copy(
        update={"function": lambda scope, **given: ToolResult(text, "much")}
    )
    services.tools = {**services.tools, "search_papers": long}
    assert scout.ask(QUESTION).status == "answered"
    assert len(handles) == 1


def test_the_report_says_what_went_in_and_why_a_memory_did(scripted: Make) -> None:
    scout, _ = scripted(says(ANSWER))
    ended = [each for each in scout.stream(QUESTION) if isinstance(each, Answered)]
    turn = ended[-1].answer.turn_id
    found = scout.history.turn_context()
    assert str(found.turn_id) == turn
    assert found == scout.history.turn_context(turn[:8]) == scout.history.turn_context(turn)
    assert found.question == QUESTION and found.window == 16_000
    knowledge = next(each for each in found.segments if each["segment"] == "knowledge")
    papers = {each["source"]: each for each in knowledge["items"]}
    assert papers["0712.2288"]["score"] > 0.3
    (use,) = scout.history.uses("0712.2288")
    assert (str(use.turn_id), use.segment, use.used) == (turn, "knowledge", True)
    assert use.tokens == papers["0712.2288"]["tokens"]
    assert scout.history.uses("9999.99999") == []
    with pytest.raises(NotFound):
        scout.history.turn_context("0000")
    with pytest.raises(UsageError):
        scout.history.turn_context("x; DROP TABLE turn")


def test_nobody_sees_what_others_turns_were_given(scripted: Make) -> None:
    scout, _ = scripted(says(ANSWER))
    other, _ = scripted(says(ANSWER), user="other")
    turn = scout.ask(QUESTION).turn_id
    assert other.history.uses("0712.2288") == []
    with pytest.raises(NotFound):
        other.history.turn_context(turn)


def test_a_memory_is_looked_up_by_how_its_id_begins(scout) -> None:
    scout.ask("I prefer papers about neutral mesons.")
    settle(scout)
    scout.ask(QUESTION)
    (wish,) = scout.memories("preference", 5)
    assert scout.history.uses(wish.id)
    assert scout.history.uses(wish.id[:8]) == scout.history.uses(wish.id)
    assert scout.history.uses("0000") == []
