"""Relations that are asked for in plain words, as the graph is asked for them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.llm.graph_questions import graph_call
from arxivscout.llm.pattern_questions import papers_pattern
from arxivscout.llm.relation_questions import relation_call
from arxivscout.memory.graph.pattern import parse_pattern


def edges(question: str) -> tuple[set[str], str]:
    found = papers_pattern(question)
    assert found is not None
    return {str(each) for each in parse_pattern(found[0])}, found[1]


ASKED = [
    ("papers by authors who worked on jets and cite 0704.0001",
     {"?paper written_by ?a1", '?p2 written_by ?a1', '?p2 about "jets"',
      '?paper cites "0704.0001"'}, "paper"),
    ("Which papers by authors who worked on dark matter cite 0704.0001?",
     {"?paper written_by ?a1", "?p2 written_by ?a1", '?p2 about "dark matter"',
      '?paper cites "0704.0001"'}, "paper"),
    ("Show me all articles whose authors have also published on string theory.",
     {"?paper written_by ?a1", "?p2 written_by ?a1", '?p2 about "string theory"'}, "paper"),
    ("Find papers about inflation by people who worked on black holes",
     {"?paper written_by ?a1", "?p2 written_by ?a1", '?p2 about "black holes"',
      '?paper about "inflation"'}, "paper"),
    ("papers about the theory of gravity by Emmy Noether that cite 0704.0001",
     {'?paper about "theory of gravity"', '?paper written_by "Emmy Noether"',
      '?paper cites "0704.0001"'}, "paper"),
    ("papers citing 0704.0001 and about dark matter",
     {'?paper cites "0704.0001"', '?paper about "dark matter"'}, "paper"),
    ("Which papers are cited by 0704.0749?", {'"0704.0749" cites ?paper'}, "paper"),
    ("papers by Jonathan L. Feng that cite papers about axions",
     {'?paper written_by "Jonathan L. Feng"', "?paper cites ?p1", '?p1 about "axions"'}, "paper"),
    ("Which papers in hep-ph cite 0704.0001?",
     {'?paper in_category "hep-ph"', '?paper cites "0704.0001"'}, "paper"),
    ("Which authors worked on dark matter and on inflation?",
     {"?p1 written_by ?author", '?p1 about "dark matter"', "?p2 written_by ?author",
      '?p2 about "inflation"'}, "author"),
    ("Who has worked with Emmy Noether?",
     {"?p1 written_by ?author", '?p1 written_by "Emmy Noether"'}, "author"),
    ("researchers who studied axions and cite “Dark matter candidates”",
     {"?p1 written_by ?author", '?p1 about "axions"', "?p2 written_by ?author", "?p2 cites ?p3",
      '?p3 about "Dark matter candidates"'}, "author"),
    ("articoli di autori che hanno lavorato su buchi neri e citano 0704.0001",
     {"?paper written_by ?a1", "?p2 written_by ?a1", '?p2 about "buchi neri"',
      '?paper cites "0704.0001"'}, "paper"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "expected", "wanted"), ASKED)
def test_several_steps_in_plain_words_are_a_pattern(
    question: str, expected: set[str], wanted: str
) -> None:
    assert edges(question) == (expected, wanted)
    call = graph_call(question)
    assert call is not None and call[0] == "match" and call[1]["wanted"] == wanted


@pytest.mark.parametrize(
    "question",
    [
        "papers about dark matter",
        "Find papers about dark matter by Feng",
        "papers by Feng from 2010",
        "Which papers are about teleportation of neutral mesons?",
        "papers that use diffusion models",
        "papers by authors",
        "authors",
        "Who are you?",
        "who",
        "Which papers did I read?",
        "inertial reference frames",
        "Show me what I said.",
        "",
    ],
)
def test_what_one_search_tells_is_no_pattern(question: str) -> None:
    assert papers_pattern(question) is None


@pytest.mark.parametrize(
    ("question", "tool", "arguments"),
    [
        ("What extends LoRA?", "neighbours",
         {"name": "LoRA", "predicates": ["extends"], "transitive": True, "backward": True}),
        ("What does my pipeline depend on?", "neighbours",
         {"name": "pipeline", "predicates": ["depends_on"], "transitive": True}),
        ("What does ATLAS contain?", "neighbours",
         {"name": "ATLAS", "predicates": ["part_of"], "transitive": True, "backward": True}),
        ("What uses PyTorch?", "match", {"pattern": '?x uses "PyTorch"'}),
        ("What does the trainer use?", "match", {"pattern": '"trainer" uses ?x'}),
        ("Which methods extend LoRA and use PyTorch?", "match",
         {"pattern": '?x extends "LoRA"; ?x uses "PyTorch"'}),
        ("What contradicts 0704.0001?", "match", {"pattern": '?x contradicts "0704.0001"'}),
    ],
)  # fmt: skip
def test_what_joins_things_is_asked_along_its_verb(
    question: str, tool: str, arguments: dict[str, Any]
) -> None:
    call = relation_call(question)
    assert call is not None and call[0] == tool
    assert {name: call[1][name] for name in call[1] if name != "limit"} == arguments


@pytest.mark.parametrize(
    "question",
    [
        "What is dark matter?",
        "What needs to be done?",
        "What does it depend on?",
        "What do you need?",
        "What does that mean?",
        "What are mesons used in?",
        "What works best for jets?",
        "what",
    ],
)
def test_other_questions_ask_for_no_relation(question: str) -> None:
    assert relation_call(question) is None


WORDS = st.lists(
    st.sampled_from(
        "papers by authors who worked on jets and cite 0704.0001 cited whose about in hep-ph what "
        'extends with "dark matter" the , which published'.split(" ")
    ),
    max_size=20,
)


@given(WORDS)
def test_any_order_of_such_words_is_a_pattern_or_none(words: list[str]) -> None:
    question = " ".join(words)
    if found := papers_pattern(question):
        variables = {name for each in parse_pattern(found[0]) for name in each.variables}
        assert found[1] in variables
    relation_call(question)
