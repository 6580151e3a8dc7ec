"""Times that a question names are read by the turn's clock."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.memory.time_words import time_asked

TODAY = date(2026, 11, 30)  # a Monday


def day(text: str) -> date:
    return date.fromisoformat(text)


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("What did I ask yesterday?", "2026-11-29", "2026-11-29"),
        ("Cosa ho chiesto ieri?", "2026-11-29", "2026-11-29"),
        ("l'altro ieri, che cosa?", "2026-11-28", "2026-11-28"),
        ("the day before yesterday", "2026-11-28", "2026-11-28"),
        ("What did we discuss last week?", "2026-11-23", "2026-11-29"),
        ("la settimana scorsa", "2026-11-23", "2026-11-29"),
        ("What came up this week?", "2026-11-30", "2026-11-30"),
        ("il mese scorso", "2026-10-01", "2026-10-31"),
        ("last month", "2026-10-01", "2026-10-31"),
        ("in the past 3 days", "2026-11-27", "2026-11-30"),
        ("two weeks ago", "2026-11-13", "2026-11-19"),
        ("3 mesi fa", "2026-08-01", "2026-08-31"),
        ("a year ago", "2025-01-01", "2025-12-31"),
        ("What did we read in March?", "2026-03-01", "2026-03-31"),
        ("cosa ho letto a dicembre", "2025-12-01", "2025-12-31"),
        ("in May 2023", "2023-05-01", "2023-05-31"),
        ("on 7 May 2023", "2023-05-07", "2023-05-07"),
        ("il 3 marzo", "2026-03-03", "2026-03-03"),
        ("On December 24th we spoke", "2025-12-24", "2025-12-24"),
        ("what was said on 2026-11-05?", "2026-11-05", "2026-11-05"),
        ("in 2026-02", "2026-02-01", "2026-02-28"),
        ("on Tuesday", "2026-11-24", "2026-11-24"),
        ("lunedì scorso", "2026-11-23", "2026-11-23"),
    ],
)
def test_a_time_is_the_days_it_means(question: str, first: str, last: str) -> None:
    assert time_asked(question, TODAY).periods == ((day(first), day(last)),)


@pytest.mark.parametrize(
    "question",
    [
        "What is known about neutral mesons?",
        "It may be that models march on",
        "May I ask something?",
        "papers since 2019",
        "What happens on 2026-02-31?",
        "on 31 February",
        "what will be on 2027-01-01",
    ],
)
def test_what_names_no_past_day_means_none(question: str) -> None:
    assert time_asked(question, TODAY).periods == ()


def test_the_beginning_and_the_end_of_what_was_said_may_be_asked_for() -> None:
    assert time_asked("What was the first thing I asked?", TODAY).order == "first"
    assert time_asked("Qual è la prima cosa che ho chiesto?", TODAY).order == "first"
    assert time_asked("the last question I had", TODAY).order == "latest"
    assert time_asked("first-order logic", TODAY).order is None


@pytest.mark.parametrize("question", ["When did we meet?", "Quando è stato?", "What year was it?"])
def test_a_question_may_ask_for_a_time(question: str) -> None:
    assert time_asked(question, TODAY).when
    assert not time_asked("What is said when it rains?", TODAY).when


WORDS = st.sampled_from(
    "last this week month year yesterday ieri fa ago 3 31 2026 2026-02-30 February may May in a "
    "settimana scorsa on Tuesday first thing two days 0 999 years".split()
)


@given(st.lists(WORDS, max_size=8), st.dates(date(1, 1, 1), date(9999, 12, 31)))
def test_any_words_on_any_day_give_past_days_in_order(words: list[str], today: date) -> None:
    for first, last in time_asked(" ".join(words), today).periods:
        assert first <= last <= today


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    time_asked(text, TODAY)


@given(st.integers(1, 300))
def test_so_many_days_ago_is_that_day(count: int) -> None:
    asked = time_asked(f"what did I ask {count} days ago", TODAY)
    assert asked.periods == ((TODAY - timedelta(days=count),) * 2,)
