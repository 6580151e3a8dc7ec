"""Queries: words become terms, conditions conditions, and nothing else becomes anything."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.errors import ToolInputError
from arxivscout.sources.arxiv_query import build_query


@pytest.mark.parametrize(
    ("words", "query"),
    [
        ("graph neural networks", "all:graph AND all:neural AND all:networks"),
        (
            "What is known about quantum teleportation of neutral mesons?",
            "all:quantum AND all:teleportation AND all:neutral AND all:mesons",
        ),
        ('"quantum teleportation" mesons', 'all:"quantum teleportation" AND all:mesons'),
        ("self-attention", 'all:"self attention"'),
        ("Schrödinger's cat 量子", 'all:"schrödinger s" AND all:cat AND all:量子'),
        ("what is this about?", "all:what AND all:is AND all:this AND all:about"),
        ("ti:foo ANDNOT (au:bar OR x*)", "all:ti AND all:foo AND all:au AND all:bar AND all:x"),
        ('"AND" "a OR b"', 'all:"and" AND all:"a or b"'),
        ('unclosed "quote', "all:unclosed AND all:quote"),
        ("graph graph GRAPH", "all:graph"),
    ],
)
def test_words(words: str, query: str) -> None:
    assert build_query(words).text() == query


def test_conditions() -> None:
    query = build_query(
        "mesons decay", category="cs", author="Yu Shi", since="2015", until="2016-02"
    )
    assert query.text() == (
        'all:mesons AND all:decay AND (cat:cs OR cat:cs.*) AND au:"yu shi" AND '
        "submittedDate:[201501010000 TO 201602292359]"
    )
    assert query.text(any_term=True).startswith("(all:mesons OR all:decay) AND (cat:cs")
    assert build_query("", category="quant-ph").text() == "cat:quant-ph"
    assert build_query("x", category="math.ST", since="2020-05-01").text() == (
        "all:x AND cat:math.ST AND submittedDate:[202005010000 TO 209912312359]"
    )


@pytest.mark.parametrize(
    "given_",
    [
        {"words": ""},
        {"words": " ?! "},
        {"words": "x", "category": "cs.CL) OR (all:x"},
        {"words": "x", "category": "CS"},
        {"words": "x", "since": "last year"},
        {"words": "x", "since": "2015-13"},
        {"words": "x", "since": "2015-02-30"},
        {"words": "x", "since": "2016", "until": "2015"},
        {"words": "x", "author": "*"},
    ],
)
def test_what_can_not_be_asked(given_: dict[str, str]) -> None:
    with pytest.raises(ToolInputError):
        build_query(**given_)


TERM = r'(?:all|au):(?:[\w]+|"[\w ]+")'
CONDITION = r"\(cat:[a-z-]+ OR cat:[a-z-]+\.\*\)|cat:[A-Za-z.-]+|submittedDate:\[\d+ TO \d+\]"
ITEM = rf"(?:{TERM}|{CONDITION})"
QUERY = re.compile(rf"{ITEM}(?: AND {ITEM})*")


@given(
    st.text() | st.text(st.sampled_from('ab "():*?[]{}\\+-!^~&|ANDORNOT')),
    st.none() | st.sampled_from(["cs", "quant-ph"]),
    st.none() | st.text(max_size=20),
)
def test_nothing_in_the_words_is_an_operator(
    words: str, category: str | None, author: str | None
) -> None:
    try:
        text = build_query(words, category=category, author=author).text()
    except ToolInputError:
        return
    assert QUERY.fullmatch(text)
    assert len(text) < 12 * 12 * 70


def test_long_queries_are_cut() -> None:
    query = build_query("word " * 100 + " ".join(f"w{n}" for n in range(10_000)) + "x" * 100_000)
    assert len(query.terms) == 12
    assert len(build_query("x" * 100_000).text()) < 100
