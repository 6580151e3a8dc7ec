"""Questions of the person's own are told from those of papers, in five languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.statements.asking import LONGEST, own_question
from arxivscout.statements.naming import words_about

LIST = Path(__file__).parent / "learning" / "own_questions.jsonl"
ROWS = [json.loads(line) for line in LIST.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["text"])
def test_a_question_is_of_the_person_or_of_papers(row) -> None:
    own = own_question(row["text"])
    assert (own is not None) == row["own"]
    if own and "about" in row:
        assert list(own.about) == row["about"]


@pytest.mark.parametrize(
    ("question", "before"),
    [
        ("What did I use before JAX?", True),
        ("Where did I formerly work?", True),
        ("Cosa usavo prima di JAX?", True),
        ("Was habe ich vor JAX benutzt?", True),
        ("Qu'est-ce que j'utilisais avant JAX ?", True),
        ("¿Qué usaba antes de JAX?", True),
        ("Do I use JAX?", False),
        ("Why did I drop Julia?", False),
    ],
)
def test_before_asks_for_what_was_so(question, before) -> None:
    own = own_question(question)
    assert own is not None and own.before == before


@given(st.text(max_size=2 * LONGEST))
def test_any_text_is_read(text) -> None:
    own = own_question(text)
    assert own is None or all(word == word.casefold() for word in own.about)
    assert len(set(words_about(text))) == len(words_about(text))


@given(st.lists(st.sampled_from(["Did", "I", "we", "use", "before", "not", "ever", "why", "my",
                                 "ho", "ich", "j'ai", "?", ".", "JAX"]), max_size=60))  # fmt: skip
def test_any_order_of_its_words_is_read(words) -> None:
    own_question(" ".join(words))
