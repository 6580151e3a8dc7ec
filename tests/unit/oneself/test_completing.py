"""What puts an answer of oneself right is made whole from what was asked or said before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.statements.completing import completed


@pytest.mark.parametrize(
    ("right", "before", "whole"),
    [
        ("it is 12 March 2027.", "When is my talk?", "My talk is 12 March 2027"),
        ("it's on 12 March, not on the 10th", "When is my talk?", "My talk is on 12 March"),
        ("she is Carla Bianchi.", "Who's our new supervisor now?", "Our new supervisor is Carla"),
        ("it is on Friday", "My group meeting is on Thursday.", "My group meeting is on Friday"),
        ("it is at DESY", "Where do I work?", "I work at DESY"),
        ("è il 9 marzo", "Quando è la mia scadenza?", "La mia scadenza è il 9 marzo"),
        ("sie ist am 9. März", "Wann ist meine Frist?", "Meine Frist ist am 9. März"),
        ("c'est le 9 mars", "Quand est ma date limite ?", "Ma date limite est le 9 mars"),
        ("la mia scadenza è il 9 marzo 2027", "", "la mia scadenza è il 9 marzo 2027"),
        # nothing of theirs
        ("it was found in 1998", "When was dark energy found?", ""),
        ("it is wrong", "When is my talk?", ""),
        ("GPT-3 has 175 billion parameters", "How large is GPT-3?", ""),
        ("", "When is my talk?", ""),
    ],
)
def test_the_subject_is_taken_from_before(right: str, before: str, whole: str) -> None:
    found = completed(right, before)
    assert found.startswith(whole) if whole else found == ""


@given(st.text(max_size=200), st.text(max_size=200))
def test_it_ends_and_makes_nothing_of_nothing(right: str, before: str) -> None:
    assert isinstance(completed(right, before), str)
    assert completed("", before) == ""
