"""An answer is said again as it is asked: shorter, in one sentence; never the same twice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.llm.extractive_answer import Written
from arxivscout.llm.extractive_lessons import Remark, remark_on
from arxivscout.llm.extractive_reading import Reading
from arxivscout.llm.said_again import brief, said_again, sentences_asked
from arxivscout.reflection.noticing import Noticed

TWO = "Sentences quoted from 2 papers.\n\nOne. [arXiv:0712.2288]\nTwo. [arXiv:0809.4859]"


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("Munich: you said “I moved to Munich” (2026-12-01, thread “t”).", "Munich."),
        ("Prof. Anna Rossi: you said “…”.", "Prof. Anna Rossi."),
        ("Sì: hai detto “Uso JAX” (2026-12-01).", "Sì."),
        ("Because it is slow. You said “I switched to JAX”.", "Because it is slow."),
        ("You have told me nothing on that. If you look for papers, …", None),
        (
            "Extractive answer (no chat model is set): not found in what I hold: nothing relevant "
            "to this question.\nSearched for “x”.",
            "Not found in what I hold.",
        ),
        ("Padova; Trieste: you said:\n- “I live in Padova”\n- “…”", "Padova; Trieste."),
    ],
)
def test_the_answer_alone_is_left(text, short) -> None:
    assert brief(text) == (short or "You have told me nothing on that.")


def test_what_can_t_be_shorter_is_not_said_twice() -> None:
    reading = Reading("Where do I live?", "", last_answer="Munich.")
    written = Written("Munich: you said “I moved to Munich” (2026-12-01, thread “t”).")
    assert "can’t say that shorter" in said_again(written, reading, "short").text
    again = said_again(written, Reading("", "", last_answer=written.text), "short")
    assert again.text == "Munich."


def test_a_list_stays_whole() -> None:
    listed = Written("This is what I hold.\n\nWhat you prefer:\n- short answers")
    assert said_again(listed, Reading("", ""), "short") == listed


@pytest.mark.parametrize(
    ("note", "before", "count"),
    [
        ("in one sentence", TWO, 1),
        ("In two sentences, please.", "", 2),
        ("in una frase", TWO, 1),
        ("shorter", TWO, 1),
        ("shorter", TWO.rpartition("\n")[0], 1),
        ("shorter", "Munich.", None),
    ],
)
def test_sentences_are_as_many_as_asked_or_fewer_than_before(note, before, count) -> None:
    remark = Remark(Noticed("bad", "short", note), "Keep answers short.")
    assert sentences_asked(remark, before) == count
    assert sentences_asked(None, before) is None


@given(st.text(max_size=300))
def test_any_answer_is_made_brief(text) -> None:
    assert len(brief(text)) <= len(text) + 2


def test_how_answers_are_to_be_from_now_on_is_no_word_on_the_one_before() -> None:
    asked = Reading("From now on I prefer long answers.", "", earlier=("What is dark matter?",))
    assert remark_on(asked) == (asked, None)
    asked = Reading("longer, please", "", earlier=("What is dark matter?",))
    assert remark_on(asked)[1] is not None
