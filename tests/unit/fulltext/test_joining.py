"""Lines joined to text: hyphens that break words go, hyphens that belong to words stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.sources.fulltext.joining import Joiner


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["the repre-", "sentation of"], "the representation of"),
        (["state-of-the-", "art results"], "state-of-the-art results"),
        (["state-", "of-the-art results"], "state-of-the-art results"),
        (["the GPT-", "3 model"], "the GPT-3 model"),
        (["by Jean-", "Paul Serre"], "by Jean-Paul Serre"),
        (["a soft\xad", "ened hyphen"], "a softened hyphen"),
        (["two-", "and three-point"], "two- and three-point"),
        (["pages 3 -", "and more"], "pages 3 - and more"),
        (["at https://arxiv.org/", "abs/1706.03762"], "at https://arxiv.org/abs/1706.03762"),
        (["see https://example.org/a-", "b for it"], "see https://example.org/a-b for it"),
        (
            ["at https://arxiv.org/", "abs/1706.03762, and"],
            "at https://arxiv.org/abs/1706.03762, and",
        ),
        (["at https://example.org/", "for more"], "at https://example.org/ for more"),
        (["see http://example.org.", "We then"], "see http://example.org. We then"),
        (["one line", "and the next"], "one line and the next"),
        (["a paragraph", "", "goes on"], "a paragraph goes on"),
        ([], ""),
    ],
)
def test_lines_become_text(lines: list[str], text: str) -> None:
    assert Joiner([*lines, "all of the art of hyphens"]).join(lines) == text


def test_the_documents_own_words_say_whether_a_hyphen_stays() -> None:
    kept = Joiner(["a well-posed problem", "it is well-", "posed"])
    assert kept.join(["it is well-", "posed"]) == "it is well-posed"
    gone = Joiner(["cooperation pays", "their coope-", "ration"])
    assert gone.join(["their coope-", "ration"]) == "their cooperation"
    both = Joiner(["the over-", "all result", "an overall score"])
    assert both.join(["the over-", "all result"]) == "the overall result"


def test_the_parts_of_broken_words_are_no_words_of_the_document() -> None:
    joiner = Joiner(["self-", "ish genes", "the self-", "ish gene"])
    assert joiner.join(["the self-", "ish gene"]) == "the selfish gene"


LINES = st.lists(
    st.text(alphabet=st.sampled_from("abcXYZ012-\xad‐ ./:é,"), max_size=12), max_size=8
)


@given(LINES)
def test_no_letter_is_lost_and_none_is_made_up(lines: list[str]) -> None:
    joined = Joiner(lines).join(lines)
    assert [c for c in joined if c.isalnum()] == [c for c in "".join(lines) if c.isalnum()]


@given(st.lists(st.text(max_size=20), max_size=6))
def test_any_text_is_joined_in_order(lines: list[str]) -> None:
    joined = Joiner(lines).join(lines)
    assert [c for c in joined if c.isalnum()] == [c for c in "".join(lines) if c.isalnum()]
