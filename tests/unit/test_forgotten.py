"""What was forgotten is taken out of what is read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arxivscout.memory.forgotten import INSTEAD, LEAST_LETTERS, Forgotten

FORTRAN = Forgotten([("I avoid Fortran because the old code was slow.", None)])


def test_its_words_are_left_out_with_their_reason_and_without_in_any_case() -> None:
    assert FORTRAN.without("I use C, and i avoid  Fortran.") == "I use C, and [forgotten]."
    assert (
        FORTRAN.without("You said “I avoid Fortran because the old code was slow”.")
        == "You said “[forgotten]”."
    )
    assert FORTRAN.without("I avoid Fortranesque code") == "I avoid Fortranesque code"


def test_words_that_stand_in_anything_are_not_looked_for() -> None:
    assert Forgotten([("I use R", None)]).without("I use R and RStudio") == "I use R and RStudio"


def test_of_a_row_only_texts_are_changed() -> None:
    row = {"text": "I avoid Fortran", "score": 0.5, "at": None}
    assert FORTRAN.row_without(row) == {"text": INSTEAD, "score": 0.5, "at": None}


WORDS = st.text("abcdeé XYZ'’012.,", min_size=LEAST_LETTERS, max_size=60)


@given(WORDS, st.text(max_size=60), st.text(max_size=60))
def test_a_statement_is_in_no_text_that_was_read_without_it(
    said: str, one: str, other: str
) -> None:
    words = " ".join(said.split()).strip(" .!,")
    read = Forgotten([(said, None)]).without(f"{one} {words} {other}")

    assert len(words) < LEAST_LETTERS or INSTEAD in read
    assert len(words) < LEAST_LETTERS or f" {words} " not in read


def test_an_answer_that_told_of_it_is_left_out_with_what_stands_before_the_quotation() -> None:
    said = Forgotten([("My therapist is Ludmila Vantongeren", None)])
    told = "Ludmila Vantongeren: you said “My therapist is Ludmila Vantongeren” (today)."

    assert said.said_by("assistant", f"{told}\n\nAsk on.") == "[forgotten]\n\nAsk on."
    assert said.said_by("user", "My therapist is Ludmila Vantongeren.") == "[forgotten]."


def test_scripts_without_blanks_and_other_marks_are_found() -> None:
    gone = Forgotten([("我有糖尿病。", None), ("I met O'Neil at the café", None)])

    assert gone.without("昨天我有糖尿病了") == "昨天[forgotten]了"
    assert gone.without("I met O’Neil at the cafe\u0301!") == "[forgotten]!"
