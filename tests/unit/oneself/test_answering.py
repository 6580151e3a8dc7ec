"""What is asked of oneself is answered from what was said: the answer first, its words and day."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.statements.answering import answer, nothing_told
from arxivscout.statements.asking import perhaps_own
from arxivscout.statements.bearing import Said
from arxivscout.statements.likewords import Words, alike

HERE = Path(__file__).parent
_ON = re.compile(r" on (\d{4}-\d\d-\d\d)")


def rows(name: str) -> list[dict]:
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def said(text: str, since: str, until: str = "", **given: str) -> Said:
    ended = date.fromisoformat(until) if until else None
    return Said(text, date.fromisoformat(since), ended, thread="told", **given)


HISTORY = [said(**row) for row in rows("history.jsonl")]


def told(question: str, history: list[Said] = HISTORY) -> str:
    own = perhaps_own(question)
    assert own is not None, "it is asked of oneself"
    on = _ON.search(question)
    text, _ = answer(own, history, date.fromisoformat(on[1]) if on else None)
    return text or nothing_told(own)


@pytest.mark.parametrize("row", rows("questions.jsonl"), ids=lambda row: row["question"])
def test_the_answer_leads_and_what_does_not_bear_on_it_is_left_out(row) -> None:
    text = told(row["question"])
    assert text.casefold().startswith(row["starts"].casefold())
    assert [each for each in row["must"] if each not in text] == []
    assert [each for each in row["not"] if each in text] == []


OTHERS = [
    said("I live in Trieste with my wife", "2026-09-02"),
    said("I work at SISSA as a postdoc", "2026-09-12"),
    said("I am a postdoc in string theory", "2026-09-22"),
    said(
        "I use PyTorch", "2026-10-02", "2026-11-11", next="I use JAX now", next_reason="it is slow"
    ),
    said("I use JAX now", "2026-11-11", reason="it compiles faster"),
    said("I dislike reinforcement learning papers", "2026-10-12", kind="preference"),
    said("I love graph neural networks", "2026-10-13", kind="preference"),
    said("My advisor is Maria Bianchi at Padova", "2026-10-14"),
    said("My thesis deadline is March 3, 2027", "2026-10-15"),
    said(
        "We decided not to use quantum annealing", "2026-10-16", kind="decision", reason="of noise"
    ),
    said("I have two children", "2026-10-18"),
    said("I was at MIT until 2019", "2026-10-19"),
    said("My dog is called Boson", "2026-10-20"),
    said("I am allergic to peanuts", "2026-10-21"),
    said("I am interested in topological order", "2026-10-22"),
    said("I have never used Julia", "2026-10-23"),
    said("I play chess on Sundays", "2026-10-24"),
    said("My favourite journal is PRL", "2026-10-26"),
    said("I moved from Padova to Trieste", "2026-10-28"),
    said("I supervise two master students", "2026-10-29"),
    said("Uso Emacs per scrivere", "2026-11-02"),
    said("I prefer papers from 2020 on", "2026-11-05", kind="preference"),
]


@pytest.mark.parametrize(
    ("question", "starts"),
    [
        ("which city do I live in?", "Trieste: "),
        ("Where did I live before?", "Padova: "),
        ("Who's my boss?", "Maria Bianchi at Padova: "),
        ("Is my advisor Paolo?", "No: you said “My advisor is Maria"),
        ("What do you know about my advisor?", "Maria Bianchi at Padova: "),
        ("Do I have kids?", "Yes: you said “I have two children”"),
        ("Do I own a dog?", "Yes: you said “My dog is called Boson”"),
        ("Do I own a horse?", "You have told me nothing"),
        ("Do I like GNNs?", "Yes: "),
        ("Do I hate RL papers?", "Yes: "),
        ("Do I like RL papers?", "No: "),
        ("What do I dislike?", "Reinforcement learning papers: you said “I dislike"),
        ("Have I ever used Julia?", "No: "),
        ("Did I ever use PyTorch?", "Yes: "),
        ("Do I still use PyTorch?", "No: "),
        ("Did I stop using PyTorch?", "Yes: "),
        ("When did I stop using PyTorch?", "On 2026-11-11: "),
        ("Why did I stop using PyTorch?", "Because it is slow. "),
        ("What framework am I using?", "JAX: "),
        ("Che editor uso?", "Emacs: "),
        ("Was I ever at MIT?", "Yes: "),
        ("Do you know where I work?", "SISSA: "),
        ("Do I work at CERN?", "No: you said “I work at SISSA"),
        ("Did we decide to use quantum annealing?", "No: "),
        ("Why did we decide against quantum annealing?", "Because of noise. "),
        ("What am I allergic to?", "You said “I am allergic to peanuts”"),
        ("What am I interested in?", "Topological order: you said “I am interested"),
        ("What do I do on Sundays?", "You said “I play chess on Sundays”"),
        ("What is my favourite journal?", "PRL: "),
        ("How many students do I supervise?", "Two master students: "),
        ("Do I prefer long answers?", "You have told me nothing"),
        ("Am I a professor?", "No: you said “I am a postdoc"),
        ("Did I tell you about my dog?", "Yes: "),
        ("What is my h-index?", "You have told me nothing"),
    ],
)
def test_the_same_is_asked_in_other_words(question, starts) -> None:
    assert told(question, OTHERS).startswith(starts)


def test_a_later_word_for_what_is_one_at_a_time_ends_the_older_but_for_what_is_beside_it() -> None:
    history = [
        said("My supervisor is Anna Rossi", "2026-01-01"),
        said("My second supervisor is Karl Weiss", "2026-02-01"),
    ]
    text = told("Who is my supervisor?", history)
    assert "Anna Rossi" in text and "Karl Weiss" in text
    history.append(said("My supervisor is now Ines Sol", "2026-03-01"))
    text = told("Who is my supervisor?", history)
    assert text.startswith("Ines Sol") and "Anna Rossi" not in text


def test_i_moved_to_a_laboratory_tells_of_work_and_to_a_city_of_a_home() -> None:
    history = [said("I live in Rome", "2026-01-01"), said("I moved to DESY", "2026-02-01")]
    assert told("Where do I live?", history).startswith("Rome: ")
    assert told("Where do I work?", history).startswith("DESY: ")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("supervisor", "supervises", True),
        ("statistics", "statistical", True),
        ("cat", "cats", True),
        ("taught", "teach", True),
        ("neutrino", "neutron", False),
        ("student", "studies", False),
        ("tensor", "tensorflow", False),
        ("python", "pythia", False),
        ("gpt-2", "gpt-3", False),
    ],
)
def test_words_are_alike_that_differ_by_an_ending(one, other, same) -> None:
    assert alike(one, other) == same == alike(other, one)


def test_initials_stand_for_words_and_words_for_initials() -> None:
    assert Words("I avoid reinforcement-learning papers").has("rl")
    assert Words("I love graph neural networks").has("gnns")
    assert Words("I avoid RL").has_all(["reinforcement", "learning"])
    assert not Words("I use JAX").has("rl")


texts = st.text(max_size=120)


@given(texts, st.lists(texts, max_size=4))
def test_any_question_is_answered_by_words_that_were_said_or_by_none(question, statements) -> None:
    own = perhaps_own(f"Do I use {question}?")
    if own:
        history = [said(each, "2026-01-01") for each in statements]
        text, rests = answer(own, history)
        assert bool(text) == bool(rests) and set(rests) <= set(history)
        assert all(each.text.strip(" .") in text for each in rests)


@given(texts, texts)
def test_likeness_is_symmetric_and_never_raises(one, other) -> None:
    assert alike(one, other) == alike(other, one)
    Words(one).has(other)
    assert 0 <= Words(one).place([other]) <= len(one)


def test_of_one_day_the_later_statement_holds() -> None:
    first, then = said("I live in Rome", "2026-01-01"), said("I moved to Munich", "2026-01-01")
    for history in ([first, replace(then, nth=1)], [replace(then, nth=1), first]):
        assert told("Where do I live?", history).startswith("Munich: ")
        assert told("Where did I live before?", history).startswith("Rome: ")


def test_what_was_told_in_the_same_breath_has_taken_the_place() -> None:
    over = said("I no longer use ROOT", "2026-03-01", nth=1)
    came = said("I switched to Julia", "2026-03-01", nth=0, reason="it is faster")
    other = said("I switched to tea", "2026-03-02", nth=5)
    text = told("What do I use instead of ROOT?", [other, over, came])
    assert text.startswith("Julia") and "tea" not in text


def test_why_something_is_avoided_is_told_however_it_was_said() -> None:
    wish = said(
        "No more dark matter papers please.",
        "2026-03-01",
        kind="preference",
        reason="My last project on it was a disaster",
    )
    for question in ("Why do I avoid dark matter?", "Why don't I like dark matter papers?"):
        assert "last project on it was a disaster" in told(question, [wish]), question
