"""What a model says that a turn teaches holds only with a true quote, whatever it says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.llm.learning import MOST_EACH, MOST_REPLY, read_reply

WORDS = "I moved to Trieste in May and don't use Fortran, because nobody here reads it."
PAPERS = {"2506.04108": "Rectified attention reduces errors by 12 % on long texts."}


def reply(**statement: Any) -> str:
    return json.dumps({"statements": [{"kind": "fact", "source": None, **statement}]})


def test_a_statement_with_a_true_quote_holds():
    told = read_reply(
        f"Here it is:\n```json\n{reply(text='I moved to Trieste.', quote='i moved to Trieste')}```",
        WORDS,
        {},
    )
    assert [each.text for each in told.statements] == ["I moved to Trieste."]
    assert told.dropped == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("The researcher moved to Trieste in May.", True),
        ("The researcher moved to Rome in May.", False),  # another word
        ("The researcher moved to Trieste in May 2024.", False),  # a number more
    ],
)
def test_a_text_that_says_more_than_its_quote_becomes_the_quote(text, kept):
    told = read_reply(reply(text=text, quote="I moved to Trieste in May"), WORDS, {})
    assert told.statements[0].text == (text if kept else "I moved to Trieste in May")


def test_a_negation_or_a_number_that_is_left_out_brings_the_quote_back():
    told = read_reply(reply(text="I use Fortran.", quote="don't use Fortran"), WORDS, {})
    assert told.statements[0].text == "don't use Fortran"
    finding = {"kind": "finding", "source": "2506.04108"}
    quote = "Rectified attention reduces errors by 12 %"
    told = read_reply(reply(text="Attention reduces errors.", quote=quote, **finding), "", PAPERS)
    assert told.statements[0].text == quote


def test_a_reason_stands_in_the_quote_or_is_none():
    quote = "don't use Fortran, because nobody here reads it"
    for reason, kept in (("nobody here reads it", True), ("it is old", False)):
        told = read_reply(reply(text=quote, quote=quote, reason=reason), WORDS, {})
        assert told.statements[0].reason == (reason if kept else None)


@pytest.mark.parametrize(
    "statement",
    [
        {"text": "I live in Rome.", "quote": "I live in Rome"},
        {"text": "x", "quote": "moved to Trieste"},
        {"text": "I moved to Trieste.", "quote": "--"},
        {"text": "I moved to Trieste.", "quote": "oved to Triest"},
        {"text": "I moved to Trieste.", "quote": "moved to Trieste", "kind": "spell"},
        {"text": "I moved to Trieste.", "quote": "moved to Trieste", "source": "2506.04108"},
        {"text": "I moved to Trieste.", "quote": "moved to Trieste", "source": "9999.99999"},
        {"text": "I moved to Trieste.", "quote": "moved to Trieste", "kind": "finding"},
        {"text": "a" * 501, "quote": "moved to Trieste"},
        {"text": 7, "quote": "moved to Trieste"},
        {"text": "I moved to Trieste."},
    ],
)
def test_what_has_no_true_quote_or_another_shape_is_dropped_and_told(statement):
    told = read_reply(reply(**statement), WORDS, PAPERS)
    assert told.statements == [] and len(told.dropped) == 1


def test_a_relation_names_what_its_quote_names():
    def relation(**changed: Any) -> str:
        given = {"subject": "me", "predicate": "moved to", "object": "Trieste", "quote": WORDS}
        return json.dumps({"relations": [{**given, **changed}]})

    assert len(read_reply(relation(), WORDS, {}).relations) == 1
    for changed in ({"object": "Rome"}, {"subject": "Anna"}, {"predicate": "'; DROP TABLE"}):
        assert read_reply(relation(**changed), WORDS, {}).relations == []


def test_a_reply_is_bounded():
    many = {"statements": [{"kind": "fact", "text": WORDS, "quote": WORDS}] * 100}
    assert len(read_reply(json.dumps(many), WORDS, {}).statements) == MOST_EACH
    assert read_reply(" " * (MOST_REPLY + 1), WORDS, {}).dropped


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8) | st.sampled_from([WORDS, "me"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["statements", "relations", "kind", "text", "quote", "source", "subject", "object"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(JSON.map(json.dumps) | st.text(max_size=200))
def test_whatever_comes_back_is_read_and_nothing_holds_without_a_quote(said):
    told = read_reply(said, WORDS, PAPERS)
    shown = " ".join([WORDS, *PAPERS.values()]).lower()
    for each in (*told.statements, *told.relations):
        assert each.quote.lower().strip() in shown or each.quote.strip(" .,!?").lower() in shown
