"""Which turns of the conversation stay in the window, by each strategy."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.context.budget import count_tokens
from arxivscout.context.importance import decides, facts, importance
from arxivscout.context.segments import Said
from arxivscout.context.working_memory import exchanges, newest_whole, select_turns
from arxivscout.window_shares import Strategy

STRATEGIES: list[Strategy] = list(get_args(Strategy))
TEXTS = st.one_of(
    st.text(max_size=200),
    st.text(alphabet="量子論。", max_size=200),
    st.sampled_from(["x" * 20_000, "We decided to use 42 GPUs. " * 40, "😀" * 300]),
)
ROLES = st.sampled_from(["user", "assistant", "tool"])
THREADS = st.lists(st.builds(Said, ROLES, TEXTS, st.uuids().map(str), st.booleans()), max_size=30)


def thread(*texts: str, condensed: int = 0) -> list[Said]:
    """Question and answer by turns; the first `condensed` of them stand in a summary."""
    return [
        Said("user" if at % 2 == 0 else "assistant", text, str(at), at < condensed)
        for at, text in enumerate(texts)
    ]


@given(THREADS, st.integers(0, 800), st.sampled_from(STRATEGIES))
def test_turns_stay_within_their_tokens_in_order_and_none_is_lost_unsaid(
    messages: list[Said], tokens: int, strategy: Strategy
) -> None:
    kept, cut = select_turns(messages, tokens, strategy)
    assert sum(count_tokens(said.text) + 4 for said in kept) <= tokens
    places = [said.source for said in messages]
    order = [places.index(said.source) for said in kept]
    assert order == sorted(order)
    gone = {source for source, reason in cut if "shortened" not in reason}
    assert gone == set(places) - {said.source for said in kept}


@given(THREADS, st.integers(0, 800), st.sampled_from(STRATEGIES))
def test_no_answer_stands_without_its_question_and_no_call_without_its_result(
    messages: list[Said], tokens: int, strategy: Strategy
) -> None:
    kept = {said.source for said in select_turns(messages, tokens, strategy)[0]}
    for exchange in exchanges(messages):
        sources = {said.source for _, said in exchange}
        assert not sources & kept or sources <= kept


@given(THREADS, st.integers(0, 800), st.integers(0, 400), st.sampled_from(STRATEGIES))
def test_the_newest_that_stay_whole_do_so_with_more_room_too(
    messages: list[Said], tokens: int, more: int, strategy: Strategy
) -> None:
    whole = newest_whole(messages, tokens, strategy)
    kept, _ = select_turns(messages, tokens + more, strategy)
    assert kept[len(kept) - whole :] == messages[len(messages) - whole :]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_last_exchange_always_stays(strategy: Strategy) -> None:
    messages = thread(*["word " * 500] * 40, "What is it?", "It is so. " * 300, condensed=42)
    kept, _ = select_turns(messages, 200, strategy)
    assert [said.source for said in kept][-2:] == ["40", "41"]


def test_the_window_has_the_newest_twenty_messages() -> None:
    kept, cut = select_turns(thread(*map(str, range(50))), 10_000, "window")
    assert [said.text for said in kept] == [str(at) for at in range(30, 50)]
    assert len(cut) == 30


@pytest.mark.parametrize("strategy", ["summaries", "hybrid"])
def test_what_a_summary_holds_leaves_its_place(strategy: Strategy) -> None:
    kept, cut = select_turns(thread(*map(str, range(50)), condensed=30), 10_000, strategy)
    assert [said.text for said in kept] == [str(at) for at in range(30, 50)]
    assert {reason for _, reason in cut} == {"a summary holds it"}


@pytest.mark.parametrize("strategy", ["importance", "hybrid"])
def test_an_old_decision_stays_where_small_talk_goes(strategy: Strategy) -> None:
    talk = ["How was the weather over there?", "It was mild and a little cloudy that day."]
    decision = ["We decided to use PostgreSQL, not SQLite.", "Noted, PostgreSQL it is."]
    messages = thread(*talk * 5, *decision, *talk * 20)
    kept, _ = select_turns(messages, 250, strategy)
    assert decision[0] in [said.text for said in kept]
    window, _ = select_turns(messages, 250, "window")
    assert decision[0] not in [said.text for said in window]


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("We decided to use PostgreSQL.", 0.8),
        ("The answer must be under 300 words.", 0.7),
        ("That failed with an error.", 0.7),
        ("I prefer short answers.", 0.7),
        ("Abbiamo deciso di usare PostgreSQL.", 0.8),
        ("See [arXiv:0712.2288].", 0.7),
    ],
)
def test_what_matters_weighs_more_than_small_talk(text: str, least: float) -> None:
    assert importance("It was nice to hear about your garden.") == 0.5
    assert least <= importance(text) <= 1


def test_facts_are_ids_dates_and_numbers() -> None:
    text = "On 7 May 2023 we read arXiv:0712.2288: 42.5 % of 1,000 runs failed, two days ago."
    assert facts(text) == ["0712.2288", "7 May 2023", "two days ago", "42.5", "1,000"]
    assert not decides(text)


@given(st.text(max_size=300))
def test_no_text_breaks_the_rules(text: str) -> None:
    assert 0.5 <= importance(text) <= 1
    facts(text)
