"""What a model thinks aloud is no part of what it says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.llm.thoughts import Spoken, spoken

PIECES = ("<think>", "</think>", "<", "thin", "k>", "<thought>", "</thought>", "\n", " ", "a", "b.")


def said(pieces: list[str]) -> str:
    voice = Spoken()
    return "".join([*(voice.feed(piece) for piece in pieces), voice.finish()])


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("<think>Hm.\nWell.</think>\n\nMesons decay.", "Mesons decay."),
        ("\n<think>\n\n</think>\n\nMesons decay.", "\nMesons decay."),
        ("<THINKING>Hm.</THINKING> Yes.", "Yes."),
        ("Yes.\n<think>Or no?</think>\nNo.", "Yes.\nNo."),
        ("<think>One.</think><think>Two.</think>Three.", "Three."),
        ("<think>It never ends", ""),
        ("<think>A <think> within.</think>Yes.", "Yes."),
        ("R1 marks thoughts by `<think>` and `</think>`.",) * 2,
        ("a < b and <b> is bold",) * 2,
        ("<thin", "<thin"),
        ("  indented\n\n  text\n",) * 2,
    ],
)
def test_thoughts_are_cut_out_wherever_the_text_is_split(text: str, answer: str) -> None:
    assert said([text]) == answer
    assert said(list(text)) == answer
    for at in range(len(text)):
        assert said([text[:at], text[at:]]) == answer


@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_how_a_text_is_split_changes_nothing(pieces: list[str]) -> None:
    assert said(pieces) == said(["".join(pieces)]) == spoken("".join(pieces))


@given(st.text(alphabet=st.characters(exclude_characters="<")))
def test_a_text_without_tags_is_what_it_was(text: str) -> None:
    assert said([text[:3], text[3:]]) == text


def test_blocks_of_a_content_are_cut_together() -> None:
    blocks = [
        {"type": "text", "text": "<think>Hm"},
        {"type": "image"},
        {"type": "text", "text": "</think>Yes."},
    ]
    assert spoken(blocks) == [
        {"type": "text", "text": ""},
        {"type": "image"},
        {"type": "text", "text": "Yes."},
    ]
    assert spoken(None) is None
