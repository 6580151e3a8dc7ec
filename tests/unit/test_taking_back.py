"""What is taken back is told apart from what is asked; it is what the last answer told back."""

from __future__ import annotations

import pytest

from arxivscout.llm.taking_back import taken_back

TOLD = "Munich: you said “I moved to Munich” (2026-12-01, thread “t”)."


@pytest.mark.parametrize(
    "question",
    ["Undo that", "undo that please", "I take that back.", "Scratch that!", "I never said that!",
     "No, I didn't say that.", "forget what I just said", "Annulla questo", "Non l'ho mai detto."],
)  # fmt: skip
def test_the_words_of_the_last_answer_are_meant(question) -> None:
    assert taken_back(question, TOLD, wrong=False) == "I moved to Munich"
    stated = "Understood: “I use JAX.” There is no question in that."
    assert taken_back(question, stated, wrong=False) == "I use JAX"
    assert taken_back(question, "Not found in what I hold.", wrong=False) == ""


def test_that_it_is_wrong_takes_back_only_what_the_person_was_told_of_themselves() -> None:
    assert taken_back("that's wrong", TOLD, wrong=True) == "I moved to Munich"
    assert taken_back("that's wrong", "Axions are light. [arXiv:0712.2288]", wrong=True) is None


@pytest.mark.parametrize(
    "question",
    ["How do I undo a commit?", "forget that I use JAX", "I didn't say which paper.", "Ok"],
)
def test_other_words_take_nothing_back(question) -> None:
    assert taken_back(question, TOLD, wrong=False) is None
