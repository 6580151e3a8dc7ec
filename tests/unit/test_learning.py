"""What a turn teaches by rule: the lists beside this file, papers, secrets, robustness."""

from __future__ import annotations

import json
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arxivscout.learning import Learned, Turn, Used, learned
from arxivscout.learning.turns import MOST_CANDIDATES
from arxivscout.memory.candidate import STATEMENTS, THINGS
from arxivscout.papers import Paper
from arxivscout.redaction import redacted

LISTS = Path(__file__).parent / "learning"
NOW = datetime(2026, 11, 30, tzinfo=UTC)


def read_list(name: str) -> list[dict[str, Any]]:
    lines = (LISTS / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


TEACHES = read_list("teaches.jsonl")
SILENT = read_list("silent.jsonl")
HELD_OUT = read_list("held_out.jsonl")

SPARSE = Paper(
    arxiv_id="2506.04108",
    title="ReSA: Rectified Sparse Attention",
    abstract="Sparse attention speeds up long generation of large language models (LLMs). "
    "We propose ReSA, a method that rectifies errors by dense passes. "
    "In this paper we ask whether that is enough. "
    "It builds on FlashAttention and is evaluated on the LongBench and RULER benchmarks. "
    "Our experiments show that ReSA reduces errors by 12% at a length of 64k tokens. "
    "Kernels are written with the Triton library.",
    authors=("Yutao Sun", "Tianzhu Ye", "Li Dong"),
)


def learn(words: str, *papers: Used, before: str = "") -> Learned:
    return learned(
        Turn(person="ioana", words=words, at=NOW, papers=papers, before=before, thread_id="t")
    )


def statements(found: Learned) -> list[tuple[str, str]]:
    return [(each.kind, each.text) for each in found.candidates if each.name is None]


def links(found: Learned) -> set[tuple[str, str, str]]:
    def called(place: int) -> str:
        return str(found.candidates[place].name or found.candidates[place].text)

    return {(called(each.subject), each.predicate, called(each.object)) for each in found.links}


def test_the_lists_are_as_long_as_they_should_be():
    assert len(TEACHES) >= 60 and len(SILENT) >= 60 and len(HELD_OUT) >= 40


@pytest.mark.parametrize("row", TEACHES, ids=lambda row: row["text"][:60])
def test_what_a_person_states_is_learned(row):
    found = learn(row["text"])
    assert set(row["kinds"]) <= {kind for kind, _ in statements(found)}
    own = {(predicate, name) for who, predicate, name in links(found) if who == "ioana"}
    assert {tuple(link) for link in row.get("links", ())} <= own
    if reason := row.get("reason"):
        assert reason in [each.reason for each in found.candidates]
    for each in found.candidates:
        if each.name is None:
            assert each.quote is not None and each.quote in " ".join(row["text"].split())


@pytest.mark.parametrize("row", SILENT, ids=lambda row: row["text"][:60])
def test_what_a_person_does_not_state_teaches_nothing(row):
    assert learn(row["text"]) == Learned()


def test_wordings_not_looked_at_when_the_rules_were_written_are_mostly_right():
    missed = [
        row["text"]
        for row in HELD_OUT
        if row["kinds"] and not set(row["kinds"]) & {k for k, _ in statements(learn(row["text"]))}
    ]
    loud = [row["text"] for row in HELD_OUT if not row["kinds"] and learn(row["text"])]
    taught = sum(bool(row["kinds"]) for row in HELD_OUT)
    assert len(missed) <= 0.2 * taught, missed
    assert len(loud) <= 0.05 * (len(HELD_OUT) - taught), loud


def test_of_two_statements_in_one_message_the_later_comes_later():
    found = learn("I use PyTorch. No, actually I use JAX.")
    assert statements(found) == [("fact", "I use PyTorch"), ("fact", "I use JAX")]


def test_a_negation_is_kept_and_draws_no_edge():
    found = learn("We don't use PyTorch. I rarely rely on simulations.")
    assert statements(found) == [
        ("fact", "We don't use PyTorch"),
        ("fact", "I rarely rely on simulations"),
    ]
    assert not [edge for edge in links(found) if edge[1] == "uses"]


def test_a_correction_is_learned_with_the_question_it_corrects():
    found = learn("That's wrong: the mass is 125 GeV.", before="How heavy is the Higgs boson?")
    assert statements(found) == [
        (
            "correction",
            "Asked “How heavy is the Higgs boson?”, the answer was corrected: That's wrong: the "
            "mass is 125 GeV",
        )
    ]
    assert not learn("That's wrong: the mass is 125 GeV.")


def test_a_paper_teaches_what_it_names_and_what_it_found():
    found = learn("What is new?", Used(SPARSE, (SPARSE.abstract,)))
    kinds = {each.name: each.kind for each in found.candidates if each.name}
    assert kinds["ReSA"] == "method" and kinds["large language models"] == "method"
    assert kinds["LongBench"] == kinds["RULER"] == "dataset" and kinds["Triton"] == "tool"
    assert kinds["Yutao Sun"] == "author" and kinds["2506.04108"] == "paper"
    assert {
        ("2506.04108", "introduces", "ReSA"),
        ("2506.04108", "evaluated_on", "RULER"),
        ("2506.04108", "extends", "FlashAttention"),
        ("2506.04108", "written_by", "Li Dong"),
    } <= links(found)
    results = [each for each in found.candidates if each.kind == "finding"]
    assert [each.quote for each in results] == [
        "Sparse attention speeds up long generation of large language models (LLMs).",
        "Our experiments show that ReSA reduces errors by 12% at a length of 64k tokens.",
    ]
    assert all(each.source == "2506.04108" and each.confidence < 1 for each in results)
    (llms,) = [each for each in found.candidates if each.name == "large language models"]
    assert llms.aliases == ("LLMs",)


def test_a_withdrawn_paper_and_one_that_nothing_was_used_of_have_found_nothing():
    from dataclasses import replace

    withdrawn = Used(replace(SPARSE, withdrawn=True), (SPARSE.abstract,))
    for used in (withdrawn, Used(SPARSE)):
        assert "finding" not in [each.kind for each in learn("", used).candidates]


def test_ten_thousand_things_in_one_turn_are_as_many_as_are_kept_and_the_best_supported():
    papers = [
        Used(
            Paper(
                arxiv_id=f"2401.{number:05}",
                title=f"Meth{number}X: a method",
                abstract="It is evaluated on the CommonSet benchmark and "
                f"on the Set{number}Y data set.",
                authors=(f"Author Number{number}",),
            )
        )
        for number in range(3_000)
    ]
    found = learn("I work at CERN on jets.", *papers)
    assert len(found.candidates) == MOST_CANDIDATES
    assert [each.text for each in found.candidates[:2]] == ["I work at CERN", "I work on jets"]
    assert "CommonSet" in [each.name for each in found.candidates]


@pytest.mark.parametrize(
    "words",
    [
        "My advisor Anna (anna@cern.ch) uses sk-abcdefghijklmnopqrstuvwx1234 for us.",
        "I work with Anna Rossi at CERN, write to anna@cern.ch or +41 22 767 61 11.",
        "Remember that my cluster login is ioana and my password is swordfish.",
    ],
)
def test_no_secret_is_learned(words):
    for each in learn(words).candidates:
        for text in (each.text, each.quote or "", each.name or "", each.reason or ""):
            assert redacted(text) == text
            assert "swordfish" not in text


PIECES = st.sampled_from(
    [row["text"] for row in TEACHES + SILENT]
    + ["\n\n", "“", "”", "```", '"', "> ", "; ", " and ", ", because ", "?", "!", ":", " - ", "\0"]
)
MESSAGES = st.lists(PIECES | st.text(max_size=20), max_size=8).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(
    MESSAGES, st.lists(st.builds(Used, st.just(SPARSE), st.just((SPARSE.abstract,))), max_size=1)
)
def test_whatever_is_said_what_is_learned_is_well_formed(words, papers):
    found = learn(words, *papers)
    assert found == learn(words, *papers)
    assert len(found.candidates) <= MOST_CANDIDATES
    seen = set()
    for each in found.candidates:
        assert each.kind in (*STATEMENTS, *THINGS, "correction")
        assert each.text.strip() and 0 <= each.confidence <= 1
        assert (each.kind in THINGS) == (each.name is not None)
        assert (each.kind, (each.name or each.text).casefold()) not in seen
        seen.add((each.kind, (each.name or each.text).casefold()))
    for link in found.links:
        assert 0 <= link.subject < len(found.candidates) > link.object >= 0
        assert link.subject != link.object


@given(st.integers(1, 40))
def test_a_long_message_takes_time_in_proportion(times):
    words = "I work, and, so, but - we use: (PyTorch " * times * 20
    assert len(learn(words).candidates) <= MOST_CANDIDATES


@pytest.mark.parametrize(
    ("words", "kept", "own"),
    [
        (
            "I use TensorFlow. I don't use TensorFlow.",
            [("fact", "I use TensorFlow"), ("fact", "I don't use TensorFlow")],
            set(),
        ),
        (
            "I use R for statistics. I never use R any more.",
            [("fact", "I use R for statistics"), ("fact", "I never use R any more")],
            {("used_before", "R")},
        ),
        (
            "I never use R any more. I use R for statistics.",
            [("fact", "I never use R any more"), ("fact", "I use R for statistics")],
            {("uses", "R")},
        ),
    ],
)
def test_what_a_message_takes_back_itself_is_kept_and_joins_nothing(words, kept, own):
    found = learn(words)
    assert statements(found) == kept
    assert {(predicate, name) for who, predicate, name in links(found) if who == "ioana"} == own


def test_what_the_person_works_on_is_a_fact_beside_their_deadline():
    found = learn("I work on quantum error correction at TU Delft and my deadline is 3 May.")
    assert statements(found) == [
        ("fact", "I work on quantum error correction"),
        ("fact", "I work at TU Delft"),
        ("fact", "my deadline is 3 May"),
    ]


def test_a_correction_of_what_the_person_said_is_a_fact_and_one_of_an_answer_is_not():
    before = "Actually my paper submission is due on 27 June."
    right = "No, that's wrong: the paper submission is due on 30 June."
    assert statements(learn(right, before=before)) == [
        ("fact", "the paper submission is due on 30 June")
    ]
    other = learn("No, that's wrong: the mass is 125 GeV.", before="What is the Higgs mass?")
    assert [kind for kind, _ in statements(other)] == ["correction"]


@pytest.mark.parametrize("form", ["I use {}.", "I avoid papers on {}.", "I moved from {} to Y{}."])
def test_of_ten_thousand_things_no_more_is_learned_or_held_in_memory_than_is_bounded(form):
    said = " ".join(form.format(f"X{number}", number) for number in range(10_000))
    named = "I use " + ", ".join(f"X{number}" for number in range(10_000)) + "."
    for words in (said, named):
        tracemalloc.start()
        found = learn(words)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert len(found.candidates) <= MOST_CANDIDATES
        assert peak < 20_000_000


def test_a_stop_in_an_abbreviation_ends_no_statement():
    found = learn(
        "My advisor is Dr. Lee. We decided to drop the sampler because it was too slow, e.g. on "
        "Fig. 3 data. I use JAX."
    )
    kept = {each.text: each.reason for each in found.candidates if each.name is None}
    assert kept["We decided to drop the sampler"] == "it was too slow, e.g. on Fig. 3 data"
    assert "My advisor is Dr. Lee" in kept and "I use JAX" in kept
