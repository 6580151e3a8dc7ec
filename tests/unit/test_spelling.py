"""Which known word a misspelled one is meant to be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.memory.spelling import distance, mended, nearest

WORDS = st.text("abcd", max_size=8)


@pytest.mark.parametrize(
    ("typed", "known", "wrong"),
    [
        ("atention", "attention", 1),
        ("nueral", "neural", 1),
        ("schmidhubr", "schmidhuber", 1),
        ("quantum", "quantum", 0),
        ("telpeortaton", "teleportation", 2),
        ("abc", "xyz", 3),
    ],
)
def test_letters_are_counted(typed: str, known: str, wrong: int) -> None:
    assert distance(typed, known, 4) == wrong
    if wrong:
        assert distance(typed, known, wrong - 1) == wrong


@given(WORDS, WORDS)
def test_the_distance_is_one(one: str, other: str) -> None:
    most = 16
    assert distance(one, other, most) == distance(other, one, most)
    assert (distance(one, other, most) == 0) == (one == other)
    assert abs(len(one) - len(other)) <= distance(one, other, most) <= max(len(one), len(other))
    for less in range(4):
        assert distance(one, other, less) == min(distance(one, other, most), less + 1)


def test_the_nearest_known_word_is_taken_then_the_more_frequent() -> None:
    known = [("attentions", 900), ("attention", 5), ("intention", 70)]
    assert nearest("atention", known) == "attention"
    assert nearest("galaxes", [("galaxes", 0), ("galaxies", 9)]) == "galaxes"
    assert nearest("latice", [("lattice", 3), ("matice", 50)]) == "lattice"
    assert nearest("schrodingr", [("schrödinger", 3)]) == "schrödinger"
    assert nearest("rabies", [("babies", 9)]) is None  # the first letter is right in nearly all
    assert nearest("zorblaxian", known) is None


def test_words_alone_are_replaced() -> None:
    text = "atention, Atention and self-atention"
    assert mended(text, {"atention": "attention"}) == "attention, Atention and self-attention"
