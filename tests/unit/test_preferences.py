"""Standing preferences: the labelled lists beside this file, what they amount to, robustness."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arxivscout.preferences import (
    KINDS,
    Preference,
    Wishes,
    applies,
    effective_wishes,
    find_preferences,
    not_understood,
    overridden,
    wishes_from_texts,
)

TODAY = date(2026, 11, 30)
LISTS = Path(__file__).parent / "preferences"


def read_list(name: str) -> list[dict[str, Any]]:
    lines = (LISTS / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


WORDINGS = read_list("wordings.jsonl")
CONTROLS = read_list("controls.jsonl")
HELD_OUT = read_list("held_out.jsonl")
HELD_OUT_2 = read_list("held_out_2.jsonl")


@dataclass(frozen=True)
class Record:
    title: str = "A title"
    abstract: str = "An abstract"
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    published: str | None = None


def lowered(terms: Any) -> list[str]:
    return sorted(term.lower() for term in terms)


def test_the_lists_are_as_large_as_they_should_be() -> None:
    assert len(WORDINGS) >= 60
    assert all(sum(one["kind"] == kind for one in WORDINGS) >= 8 for kind in KINDS)
    assert len(CONTROLS) >= 40
    assert len(HELD_OUT) >= 30


@pytest.mark.parametrize("case", WORDINGS, ids=lambda case: case["text"][:50])
def test_a_wording_gives_its_preference(case: dict[str, Any]) -> None:
    (found,) = find_preferences(case["text"], today=TODAY)
    assert (found.kind, found.lifts) == (case["kind"], case.get("lifts", False))
    assert (found.since, found.until) == (case.get("since"), case.get("until"))
    assert lowered(found.unwanted) == lowered(case.get("unwanted", ()))
    if not found.lifts:
        assert lowered(found.wanted) == lowered(case.get("wanted", ()))
    assert found.language == case.get("language")
    assert list(found.style) == case.get("style", [])
    assert found.reason == case.get("reason")
    assert found.quote == case.get("quote", case["text"])


@pytest.mark.parametrize("case", CONTROLS, ids=lambda case: case["text"][:50])
def test_a_control_gives_none(case: dict[str, Any]) -> None:
    assert find_preferences(case["text"], today=TODAY) == []


def misread(cases: list[dict[str, Any]]) -> list[str]:
    """The texts whose kinds, or whose being none, the rules get wrong."""
    wrong = []
    for case in cases:
        found = find_preferences(case["text"], today=TODAY)
        wanted = (case["kind"], case.get("lifts", False))
        right = bool(found) and all((one.kind, one.lifts) == wanted for one in found)
        if not (right if case["kind"] else not found):
            wrong.append(case["text"])
    return wrong


@pytest.mark.parametrize(("cases", "most"), [(HELD_OUT, 1), (HELD_OUT_2, 8)])
def test_lists_written_without_a_look_at_the_rules(cases: list[dict[str, Any]], most: int) -> None:
    """Read rightly at first: 60 of 63 (written before the rules), 29 of 58 (after, on purpose
    far from the labelled list; all its controls were right). The rules have learned since."""
    assert len(wrong := misread(cases)) <= most, wrong


def test_a_control_among_the_held_out_is_never_taken_for_a_preference() -> None:
    assert misread([case for case in HELD_OUT + HELD_OUT_2 if case["kind"] is None]) == []


def test_one_message_may_hold_several() -> None:
    text = "No simulations please. I trust Emmy Noether's work.\nAnswer in Italian, keep it short."
    assert [one.kind for one in find_preferences(text)] == [
        "methods",
        "authors",
        "language",
        "style",
    ]


@pytest.mark.parametrize(
    ("text", "wanted", "unwanted"),
    [
        ("I work on kaons and dislike string theory", ("kaons",), ("string theory",)),
        ("I dislike string theory and work on kaons.", ("kaons",), ("string theory",)),
        ("I work on kaons, dislike string theory", ("kaons",), ("string theory",)),
        ("I like papers on kaons but not string theory", ("kaons",), ("string theory",)),
        ("I study kaons but am not interested in strings", ("kaons",), ("strings",)),
        ("My field is optics and I hate string theory", ("optics",), ("string theory",)),
        ("Lavoro sui neutrini e odio le stringhe", ("neutrini",), ("stringhe",)),
        ("I work on graphene and my field is optics", ("graphene", "optics"), ()),
        ("I study misinformation and hate speech", ("misinformation", "hate speech"), ()),
        ("I'm interested in trust and love", ("trust", "love"), ()),
        ("I design trials and study protocols", None, None),
        ("We prefer kaons and dislike strings", None, None),
    ],
)
def test_coordinated_wishes_hold_each_by_itself(
    text: str, wanted: tuple[str, ...] | None, unwanted: tuple[str, ...] | None
) -> None:
    found = find_preferences(text)
    if wanted is None:
        assert found == []
    else:
        assert [(one.wanted, one.unwanted) for one in found] == [(wanted, unwanted)]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("I prefer short answers, and papers after 2005.", ["style", "dates"]),
        ("I prefer short answers and papers after 2005.", ["style", "dates"]),
        ("I only want papers after 2005 and answers in bullet points.", ["dates", "style"]),
        (
            "I prefer brief answers, papers after 2005, and no simulations",
            ["style", "dates", "methods"],
        ),
        ("I don't want long answers and papers before 2006", ["style", "dates"]),
        ("From now on give me short answers and papers after 2005", ["style", "dates"]),
        ("Preferisco risposte brevi e articoli dopo il 2005", ["style", "dates"]),
        ("I prefer papers on neutrinos and papers on dark matter", ["topics"]),
        ("I love short proofs, and papers after 2005 often have them", []),
    ],
)
def test_a_verb_goes_on_to_what_is_named_next(text: str, kinds: list[str]) -> None:
    found = find_preferences(text)
    assert [one.kind for one in found] == kinds
    assert {one.since for one in found if one.kind == "dates"} <= {"2006-01-01"}
    assert not_understood(text) == []


def test_a_part_that_no_rule_reads_is_told() -> None:
    text = "I want short answers, bullet points, and papers since 2005"
    assert not_understood(text) == ["papers since 2005"]
    assert not_understood("Which papers are new since 2005?") == []


def test_a_stored_quote_moves_with_the_day_it_is_read_on() -> None:
    quote = "Only show me work from the last five years."
    (now,) = find_preferences(quote, today=TODAY)
    (later,) = find_preferences(quote, today=date(2028, 2, 29))
    assert (now.since, later.since) == ("2021-11-30", "2023-02-28")


def test_later_statements_win() -> None:
    wishes = wishes_from_texts(
        [
            "I do not want papers older than 2010",
            "I'm not interested in string theory",
            "Answer in Italian",
            "Keep answers short",
            "Never show me papers by Isaac Newton",
            "I do not want papers older than 2015",
            "I'm interested in string theory",
            "Answer in French",
            "I like long detailed answers",
            "I trust Isaac Newton's work",
        ],
        today=TODAY,
    )
    assert wishes == Wishes(
        since="2015-01-01",
        wanted=("string theory",),
        authors_wanted=("Isaac Newton",),
        language="French",
        style=("long",),
    )


@pytest.mark.parametrize(
    ("said", "taken_back"),
    [
        ("I do not want papers older than 2015", "I changed my mind, older papers are fine again"),
        ("please skip anything before 2018", "Forget what I said about dates"),
        ("Leave out papers on string theory", "You can show me papers on string theory again"),
        ("No simulations please", "Simulations are OK again"),
        ("Never show me papers by Isaac Newton", "Papers by Isaac Newton are welcome again"),
        ("Answer in Italian", "You no longer need to answer in Italian"),
        ("No formulas", "You may use formulas again"),
        ("Keep answers short", "Forget all my preferences"),
        ("Niente simulazioni", "Dimentica quello che ho detto sui metodi"),
    ],
)
def test_what_is_taken_back_no_longer_holds(said: str, taken_back: str) -> None:
    assert wishes_from_texts([said])
    assert wishes_from_texts([said, taken_back]) == Wishes()


def test_taking_one_topic_back_leaves_the_others() -> None:
    wishes = wishes_from_texts(
        ["I'm not interested in axions and monopoles", "Papers on axions are fine again"]
    )
    assert wishes.unwanted == ("monopoles",)


def test_bounds_that_leave_nothing_give_way_to_the_newer_one() -> None:
    older = Preference(kind="dates", quote="", until="2010-12-31")
    newer = Preference(kind="dates", quote="", since="2015-01-01")
    assert effective_wishes([older, newer]) == Wishes(since="2015-01-01")


@pytest.mark.parametrize(
    ("said", "record", "reason"),
    [
        ("No papers older than 2015", Record(published="2012-03-04"), "published 2012-03-04"),
        ("No papers older than 2015", Record(published="2015-01-01"), None),
        ("No papers older than 2015", Record(published=None), None),
        ("Nothing published after 2020", Record(published="2021-01"), "published 2021-01"),
        ("No simulations please", Record(abstract="A simulation of stars."), "about simulations"),
        ("No simulations please", Record(abstract="Found without any simulation."), None),
        ("No theory please", Record(abstract="Theories of growth."), "about theory"),
        ("I don't care about string theory", Record(title="String  Theory"), "about string"),
        ("I don't care about RL", Record(abstract="World models"), None),
        ("Never show me papers by Isaac Newton", Record(authors=("I. Newton",)), "written by I."),
        ("Never show me papers by Isaac Newton", Record(authors=("Newton, Isaac",)), "written by"),
        ("Never show me papers by Isaac Newton", Record(authors=("Helmut Newton",)), None),
        ("I prefer experimental work over theory", Record(abstract="A theory."), None),
    ],
)
def test_why_a_paper_is_unwanted(said: str, record: Record, reason: str | None) -> None:
    found = applies(find_preferences(said, today=TODAY), record)
    assert (found or "").startswith(reason or "") if reason else found is None


PIECES = st.sampled_from(
    "I|don't|want|papers|older than|2015|0000|9999|no|please|,|.|?|!|\n|\"|'|>|`|always|in|Italian|"
    "by|Newton|because|only|last|99|years|answers|short|non|voglio|forget|what I said|again|\0"
    "|\ud800|’|are fine|prefer|over|since|February|-|<|;|:|and|I'm not interested in|my|È|29".split(
        "|"
    )
)
TEXTS = st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=60).map(" ".join))


@given(TEXTS, st.dates(min_value=date(1992, 1, 1), max_value=date(2200, 12, 31)))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_and_quotes_are_its_own_words(text: str, today: date) -> None:
    found = find_preferences(text, today=today)
    for one in found:
        assert one.quote in text and one.quote.strip()
        assert one.since is None or date.fromisoformat(one.since)
        assert one.until is None or date.fromisoformat(one.until)
    wishes = effective_wishes(found)
    applies(wishes, Record(published="2015-05-05", authors=("A B",)))
    assert not wishes.since or not wishes.until or wishes.since <= wishes.until


@pytest.mark.parametrize(
    "piece",
    ["a ", "I don't want ", '"', "'", ".", "A. ", "No b. ", "I like x, ", "please ", "I prefer a",
     "`", "> ", "<", " ", "\n", "abstract:\n\n", "I trust A B C D E F G ", "because ", "so I ",
     "I only want " + "very " * 50 + ". ", "I want no papers by " + "Ab " * 80 + ". ",
     "We do what we can, and more is known of it. ", "I find " + "x " * 120 + ". "],
    ids=lambda piece: repr(piece[:20]),
)  # fmt: skip
@pytest.mark.timeout(20)
def test_100_000_characters_are_read_to_their_end(piece: str) -> None:
    text = (piece * (100_000 // len(piece) + 1))[:100_000]
    find_preferences(text)


def test_a_limit_on_categories_excludes_the_others_and_a_liking_does_not() -> None:
    limit = wishes_from_texts(["I only want papers from quant-ph", "Only in cs.CL please"])
    assert limit.categories == ("cs.CL",)
    assert applies(limit, Record(categories=("cs.LG", "cs.CL"))) is None
    assert applies(limit, Record(categories=("quant-ph",))) == "not in cs.CL"
    assert applies(limit, Record()) is None
    archive = wishes_from_texts(["I do not want papers from astro-ph"])
    assert applies(archive, Record(categories=("astro-ph.CO",))) == "in astro-ph"
    assert not wishes_from_texts(["I prefer papers from cs.CL"]).categories
    assert not wishes_from_texts(["Only in cs.CL please", "forget the category limit"])


def test_a_new_bound_beside_a_lifted_one_holds() -> None:
    old = "I do not want papers older than 2015"
    new = "I do not want papers older than 2000 any more, forget the 2015 limit"
    assert wishes_from_texts([old, "I prefer short answers.", new]) == Wishes(
        since="2000-01-01", style=("short",)
    )


@pytest.mark.parametrize(
    ("new", "gone"),
    [
        ("Actually, I prefer long answers.", [0]),
        ("I do not want papers older than 2000 any more, forget the 2015 limit", [1]),
        ("The date of papers does not matter to me any more.", [1]),
        ("I do not want papers on dark matter", []),
        ("What is dark matter?", []),
    ],
)
def test_a_statement_that_is_contradicted_or_contained_is_overridden(
    new: str, gone: list[int]
) -> None:
    said = ["I prefer short answers.", "I do not want papers older than 2015", "Be nice to cats"]
    assert overridden(said, new) == gone


@pytest.mark.parametrize("case", read_list("other_languages.jsonl"), ids=lambda case: case["text"])
def test_the_commonest_wishes_in_german_french_and_spanish(case: dict[str, Any]) -> None:
    found = find_preferences(case["text"], today=TODAY)
    assert [one.kind for one in found] == ([case["kind"]] if case["kind"] else [])
    assert [one.reason for one in found] == ([case.get("reason")] if case["kind"] else [])
    assert all(one.quote == case["text"] for one in found)
