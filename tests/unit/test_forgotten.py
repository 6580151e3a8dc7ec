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


@given(st.text(min_size=LEAST_LETTERS, max_size=60), st.text(max_size=60), st.text(max_size=60))
def test_a_statement_is_in_no_text_that_was_read_without_it(
    said: str, one: str, other: str
) -> None:
    gone = Forgotten([(said, None)])
    words = said.strip(" .!,")
    read = gone.without(f"{one} {words} {other}")

    assert len(words) < LEAST_LETTERS or not words.split() or INSTEAD in read
    assert gone.without(read) == read or INSTEAD in read
