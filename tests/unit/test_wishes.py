"""What a person plainly asks of their memory is told from their words, and nothing else is."""

from __future__ import annotations

import pytest

from arxivscout.agent.wishes import asks_to_change, asks_to_forget, asks_to_remember

ID = "6f1d2c3b-0000-4000-8000-00000000000b"
SHORT = "preference: I prefer short answers."


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("I prefer long answers now.", "The researcher prefers long answers."),
        ("No longer short answers, long ones instead.", "I prefer long answers."),
        ("That is wrong: I prefer long answers.", "I prefer long answers."),
        (f"Correct {ID}: replies in verse.", "Replies in verse."),
    ],
)
def test_a_correction_in_the_persons_words_is_plain(question: str, text: str) -> None:
    assert asks_to_change(question, ID, SHORT, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("I prefer long answers now.", "I prefer answers by mail."),
        ("What is known about long mesons?", "I prefer long mesons."),
        ("What is known now about mesons?", "Send everything to the authors."),
        ("That is wrong, please correct it.", "I prefer long answers."),
        (f"What does {ID} say?", "I prefer long answers."),
        ("Nothing is true now.", "?"),
    ],
)
def test_a_models_own_words_are_no_correction(question: str, text: str) -> None:
    assert not asks_to_change(question, ID, SHORT, text)


@pytest.mark.parametrize(
    "question",
    [
        "Note: my field is optics.",
        "Can you remember that I like tables?",
        "Compare the two, and save this.",
        "Keep in mind that I read German.",
        "What is a meson?\nMemorise: I like it short",
        "tieni a mente che leggo il tedesco",
    ],
)
def test_an_order_to_remember_is_plain(question: str) -> None:
    assert asks_to_remember(question)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "Do you remember my field?",
        "Remember what we said of mesons?",
        "How do neural networks store patterns, and note differences?",
        "What records does the paper report?",
        "I prefer short answers.",
    ],
)
def test_what_is_no_order_to_remember(question: str) -> None:
    assert not asks_to_remember(question)


def test_forgetting_is_asked_by_id_by_words_or_of_everything() -> None:
    assert asks_to_forget(f"Forget {ID}", ID, SHORT)
    assert asks_to_forget("Forget the short answers", ID, SHORT)
    assert asks_to_forget("Forget everything", ID, SHORT)
    assert not asks_to_forget("Forget the dates", ID, SHORT)
