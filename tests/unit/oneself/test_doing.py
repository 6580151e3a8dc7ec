"""What was to be done is done when somebody says so."""

from __future__ import annotations

import pytest

from arxivscout.statements.completing import moved
from arxivscout.statements.doing import is_done
from arxivscout.statements.own_words import keeps_nothing, own_clauses


@pytest.mark.parametrize(
    ("said", "task", "done"),
    [
        ("I have emailed Silvia.", "email Silvia", True),
        ("I sent the draft to Carla", "send the draft", True),
        ("Done with rerunning chains.", "rerun chains", True),
        ("We've just submitted the abstract", "submit the abstract by Friday", True),
        ("I email Silvia every week", "email Silvia", False),
        ("I have emailed Carla.", "email Silvia", False),
        ("I have read the draft", "send the draft", False),
    ],
)
def test_it_is_told_by_its_verb_and_its_object(said: str, task: str, done: bool) -> None:
    assert is_done(said, f"To do: {task}") is done
    assert not is_done(said, task)


@pytest.mark.parametrize(
    ("message", "tasks"),
    [
        ("TODO: reply to the referee, rerun chains", ["reply to the referee", "rerun chains"]),
        ("Remind me to call Anna, Carla and Eva.", ["call Anna, Carla and Eva"]),
        ("I must book a flight", ["book a flight"]),
        ("I need to compare methods for jet tagging.", []),
        ("Do I need to submit the abstract?", []),
    ],
)
def test_tasks_are_read(message: str, tasks: list[str]) -> None:
    found = [each.text for each in own_clauses(message) if each.text.startswith("To do: ")]
    assert found == [f"To do: {task}" for task in tasks]


@pytest.mark.parametrize(
    ("said", "before", "whole"),
    [
        ("Actually they extended it to 20 December.", "My paper is due on 10 December.",
         "My paper is due on 20 December"),
        ("It has been moved to Friday", "My talk is on Monday", "My talk is on Friday"),
        ("they moved it to Rome", "My talk is on Monday", ""),
        ("It has been moved to Friday", "I use JAX since Monday", ""),
        ("It has been moved to Friday", "", ""),
    ],
)  # fmt: skip
def test_what_is_moved_is_what_was_said_before(said: str, before: str, whole: str) -> None:
    assert moved(said, before) == whole


@pytest.mark.parametrize(
    ("message", "nothing"),
    [
        ("Don't remember this: my salary is 50k.", True),
        ("Please don't store this, but I'm going to quit in June.", True),
        ("Off the record, I'm pregnant.", True),
        ("Non ricordarlo: cambio lavoro.", True),
        ("What is the trade between US and China", False),
        ("The correlation between us and them", False),
        ("Just between us, I quit.", True),
        ("I don't remember where I work.", False),
        ("Don't forget this: I use JAX.", False),
        ("Do not store papers on axions.", False),
    ],
)
def test_what_is_not_to_be_kept_is_known_by_its_words(message: str, nothing: bool) -> None:
    assert keeps_nothing(message) is nothing
