"""Patterns and rules are read as they are written; what can't be read is told with its place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.errors import UsageError
from arxivscout.memory.graph.node import name_key, predicate_key
from arxivscout.memory.graph.pattern import (
    Named,
    Rule,
    Term,
    Triple,
    Variable,
    parse_pattern,
    parse_rule,
)
from arxivscout.papers import one_line

WORDS = st.text(min_size=1, max_size=30).map(one_line).filter(bool)
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
TERMS: st.SearchStrategy[Term] = st.one_of(
    st.builds(Variable, NAMES, st.none() | NAMES), st.builds(Named, WORDS)
)
TRIPLES = st.builds(
    Triple, TERMS, st.from_regex(r"[a-z]{1,8}(_[a-z]{1,8})?", fullmatch=True), TERMS
)


def _read(text: str) -> None:
    for parse in (parse_pattern, parse_rule):
        try:
            parse(text)
        except UsageError as refused:
            assert refused.cause and refused.mend


def test_the_pattern_of_the_manual_is_read() -> None:
    assert parse_pattern(
        '?p written_by ?a; ?q:paper written_by ?a, ?q about "X Y"\n?p cites 0704.0001'
    ) == (
        Triple(Variable("p"), "written_by", Variable("a")),
        Triple(Variable("q", "paper"), "written_by", Variable("a")),
        Triple(Variable("q"), "about", Named("X Y")),
        Triple(Variable("p"), "cites", Named("0704.0001")),
    )


def test_a_pattern_can_be_json() -> None:
    text = json.dumps(
        [
            ["?p", "cites", "X Y"],
            {"subject": "?p", "predicate": "Written-by", "object": "?a:author"},
        ]
    )
    assert parse_pattern(text) == (
        Triple(Variable("p"), "cites", Named("X Y")),
        Triple(Variable("p"), "written_by", Variable("a", "author")),
    )


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "empty"),
        (" ; ;\n", "empty"),
        ("?a extends", "2 parts"),
        ("?a extends ?b ?c", "fourth"),
        ("?a ?b ?c", "predicate"),
        ('?a "extends" ?c', "predicate"),
        ('?a extends "open', "can't be read"),
        ("? extends ?b", "can't be read"),
        ('?a extends ""', "1 to"),
        ("?a ++ ?b", "no predicate"),
        ("?a extends ?b => ?a builds_on ?b", "can't be read"),
        ("[1, 2]", "Edge 1"),
        ('[["?a", "b"]]', "Edge 1"),
        ("[[[[", "no JSON"),
        ("[" * 3_000, "JSON"),
        ("?a x ?b;" * 400, "at most"),
        (";".join(f"?a x{n} ?b" for n in range(9)), "at most 8"),
        (";".join(f"?a extends ?b{n}" for n in range(9)), "at most 8"),
    ],
)
def test_what_is_no_pattern_is_refused_with_its_place(text: str, cause: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_pattern(text)
    assert cause in refused.value.cause
    assert "For example" in refused.value.mend


@given(st.lists(TRIPLES, min_size=1, max_size=8, unique=True))
def test_what_is_written_is_read_back(triples: list[Triple]) -> None:
    assert parse_pattern("; ".join(map(str, triples))) == tuple(triples)


@given(st.text(max_size=300))
def test_any_text_is_a_pattern_or_refused(text: str) -> None:
    _read(text)


@given(st.text(alphabet="?abc:;,\"=>[]{} \n\\'“”", max_size=60))
def test_any_text_of_its_own_signs_is_a_pattern_or_refused(text: str) -> None:
    _read(text)


def test_a_rule_is_read_and_written_the_same() -> None:
    text = "?a extends ?b, ?b extends ?c => ?a builds_on ?c"
    rule = parse_rule(text)
    assert str(rule) == text
    assert parse_rule(json.dumps({"if": [["?a", "extends", "?b"], ["?b", "extends", "?c"]],
                                  "then": ["?a", "builds_on", "?c"]})) == rule  # fmt: skip


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("?a extends ?b", "=>"),
        ("?a extends ?b =>", "one edge"),
        ("=> ?a extends ?b", "empty"),
        ("?a extends ?b => ?a x ?b; ?b x ?a", "one edge"),
        ("?a extends ?b => ?a x ?c", "variables"),
        ('?a extends ?b => ?a x "y"', "variables"),
        ("?a extends ?b => ?a x ?a", "itself"),
        ('{"if": [], "then": ["?a", "x", "?b"]}', "empty"),
        ('{"when": []}', "JSON"),
    ],
)
def test_what_is_no_rule_is_refused(text: str, cause: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_rule(text)
    assert cause in refused.value.cause


def test_predicates_have_one_spelling() -> None:
    assert {
        predicate_key(text) for text in ("Works on", "works-on", " works_on ", "WORKS  ON")
    } == {"works_on"}
    assert predicate_key("– !") == ""
    assert predicate_key("обобщает") == "обобщает"


@given(st.text(max_size=80))
def test_keys_stay_as_they_are(text: str) -> None:
    assert name_key(name_key(text)) == name_key(text)
    assert predicate_key(predicate_key(text)) == predicate_key(text)


def test_a_rule_knows_its_variables() -> None:
    rule = parse_rule("?a extends ?b, ?b extends ?c => ?a builds_on ?c")
    assert isinstance(rule, Rule)
    assert rule.head.variables == {"a", "c"}
