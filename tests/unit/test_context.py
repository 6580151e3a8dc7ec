"""A run's context: refused in one line, and what its budgets come to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.agent.choices import FORGET, as_value, chosen, forget_choice, from_value
from arxivscout.agent.context import Budgets, ContextRefused, ScoutContext, budgets
from arxivscout.errors import ConfigurationError, UsageError
from arxivscout.settings import load_settings

SETTINGS = load_settings(
    {"ARXIVSCOUT_MODELS": '{"small": {"model": "openai:small", "context_window": 4096}}'},
    home=Path("/nonexistent"),
    user="tester",
)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"max_tool_rounds": 0}, "max_tool_rounds=0 can't be used: input should be greater than"),
        ({"max_tool_rounds": 21}, "max_tool_rounds=21 can't be used: input should be less than"),
        ({"context_window": 100}, "context_window=100 can't be used"),
        ({"answer_tokens": 1}, "answer_tokens=1 can't be used"),
        ({"turn_timeout_s": -1}, "turn_timeout_s=-1 can't be used"),
        ({"tool_timeout_s": "soon"}, "tool_timeout_s='soon' can't be used"),
        ({"ask": "perhaps"}, "ask='perhaps' can't be used"),
        ({"thread": "x" * 101}, "thread='xxxx"),
        ({"rounds": 3}, "'rounds' is no field of the context. Known are: user, thread, model"),
    ],
)
def test_what_can_not_be_used_is_said_in_one_line(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ContextRefused) as refused:
        ScoutContext(**given)
    assert str(refused.value).startswith(said)
    assert "\n" not in str(refused.value)
    assert isinstance(refused.value, UsageError)
    assert refused.value.exit_code == 2


def test_every_field_is_described_and_may_be_left_out() -> None:
    assert ScoutContext() == ScoutContext.model_validate({})
    for name, field in ScoutContext.model_fields.items():
        assert field.description, name
        assert not field.is_required()


def test_budgets_are_the_contexts_then_the_models_then_the_settings() -> None:
    assert budgets(SETTINGS, None, "openai:big") == Budgets(4, 16_000, 1_000, 180.0, 30.0)
    assert budgets(SETTINGS, None, "small").context_window == 4096
    given = ScoutContext(
        max_tool_rounds=1,
        context_window=2_000,
        answer_tokens=900,
        turn_timeout_s=5,
        tool_timeout_s=1,
    )
    # An answer takes a quarter of the window at most.
    assert budgets(SETTINGS, given, "small") == Budgets(1, 2_000, 500, 5.0, 1.0)
    # The extractive model reads all it is given, but for a window that was asked for.
    assert budgets(SETTINGS, None, "extractive").context_window == 16_000
    assert budgets(SETTINGS, given, "extractive").context_window == 2_000
    with pytest.raises(ConfigurationError):
        budgets(SETTINGS, None, "nobody")


@given(st.one_of(st.none(), st.text(), st.integers(), st.booleans(), st.lists(st.text())))
def test_no_answer_but_forget_forgets(answer: object) -> None:
    choice = forget_choice("preference: I prefer short answers.")
    place = chosen(choice, answer)
    says_forget = str(answer).strip().strip(".").casefold() in (FORGET, "1")
    assert (place == 0) == (says_forget and not isinstance(answer, bool | list))
    assert from_value(as_value(choice)) == choice


def test_a_memory_is_shown_in_one_line_of_moderate_length() -> None:
    choice = forget_choice("a\nb\x1b[31m " * 2_000)
    assert choice.text.isprintable()
    assert len(choice.text) < 1_200
