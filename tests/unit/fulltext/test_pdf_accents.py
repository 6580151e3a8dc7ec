"""Accents that stand as characters of their own come upon their letters, wherever they are told."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.sources.fulltext.pdf_accents import Glyph, with_accents


def _set(text: str) -> list[Glyph | None]:
    return [
        None if char == " " else Glyph(char, 5.0 * place, 5.0 * place + 5, 100, 10, 0)
        for place, char in enumerate(text)
    ]


def _said(glyphs: list[Glyph | None]) -> str:
    return "".join(glyph.char if glyph else " " for glyph in glyphs)


@pytest.mark.parametrize(
    ("text", "accent", "place", "raised", "said"),
    [
        ("Godel, 1931", "¨", 1, 0, "Gödel, 1931"),
        ("Cech", "ˇ", 0, 2.5, "Čech"),
        ("naıve", "¨", 2, 0, "naïve"),
        ("facade", "¸", 2, 0, "façade"),
        ("Erdos", "˝", 3, 0, "Erdős"),
        ("a 5 m", "´", 2, 0, "a 5 m´"),
        ("aaa", "´", 1, 9, "aaa´"),
    ],
    ids=["level", "raised", "dotless", "below", "double", "no letter", "of another line"],
)
def test_an_accent_is_put_upon_the_letter_it_stands_over(
    text: str, accent: str, place: int, raised: float, said: str
) -> None:
    mark = Glyph(accent, 5.0 * place + 0.5, 5.0 * place + 4.5, 100 - raised, 10, 0)
    assert _said(with_accents([*_set(text), mark])) == said
    if said != f"{text}´":
        assert _said(with_accents([mark, *_set(text)])) == said


@given(
    text=st.text(alphabet="abcdexyz 019.,", max_size=40),
    accents=st.lists(st.tuples(st.sampled_from("´¨ˆ˜ˇ¸"), st.floats(-20, 250)), max_size=6),
)
def test_no_letter_is_lost_and_none_is_made(text: str, accents: list[tuple[str, float]]) -> None:
    marks = [Glyph(char, x, x + 4, 100, 10, 0) for char, x in accents]
    said = _said(with_accents([*_set(text), *marks]))
    bare = "".join(char for char in unicodedata.normalize("NFD", said) if char.isascii())
    assert bare == text
