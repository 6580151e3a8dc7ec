"""Statements: said again they are the same, denied or counted otherwise they contradict."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.bench.dedup import read_pairs, run
from arxivscout.embedding import load_embedder
from arxivscout.memory.gate.numerals import read_numbers
from arxivscout.memory.gate.verdict import compare, statement_keys
from arxivscout.settings import load_settings

PAIRS = Path(__file__).parents[2] / "benchmarks" / "dedup" / "pairs.jsonl"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I prefer short answers.", "Please keep your answers brief."),
        ("I prefer short answers.", "Preferisco risposte brevi."),
        ("The deadline is 3 May.", "La scadenza è il 3 maggio."),
        ("Dropout reduces overfitting.", "Overfitting is reduced by dropout."),
        ("BERT outperforms ELMo on GLUE.", "On GLUE, ELMo is outperformed by BERT."),
        ("I don't use Matlab any more.", "I stopped using Matlab."),
        ("I sample with MCMC.", "I sample with Markov chain Monte Carlo."),
        ("I avoid RL papers, because the last project went badly.", "I avoid RL papers."),
    ],
)
def test_said_again(older: str, newer: str) -> None:
    assert compare(newer, older, 0.7).relation == "same"


def test_what_is_said_in_another_language_is_found_by_its_words() -> None:
    here, there = (
        statement_keys(said) for said in ("I prefer short answers.", "Preferisco risposte brevi.")
    )
    assert set(here) == set(there) == {"~short", "~answer"}


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I like survey papers.", "I don't like survey papers."),
        ("The deadline is 3 May.", "The deadline is 10 May."),
        ("I use PyTorch.", "I moved from PyTorch to JAX."),
        ("I work at MIT.", "I now work at Stanford."),
        ("BERT outperforms ELMo.", "ELMo outperforms BERT."),
        ("I prefer theory to experiments.", "I prefer experiments to theory."),
        ("We meet on Fridays.", "We meet on Mondays instead of Fridays."),
        ("The deadline is 3 May.", "No, the deadline is 10 May."),
        ("I use NumPy.", "I use JAX, not NumPy."),
        ("I use R for statistics.", "I never use R any more."),
        ("I work at CERN on muons.", "I don't work at CERN."),
        ("I use MATLAB for plots.", "I used to use MATLAB."),
        ("I program in Julia.", "I stopped using Julia because it compiles slowly."),
        ("I work at CERN.", "I left CERN."),
        ("I work on dark matter.", "I stopped working on dark matter."),
        ("I'm interested in axions.", "I lost interest in axions."),
        ("Uso JAX.", "I no longer use JAX."),
        ("J'utilise MATLAB.", "J'utilisais MATLAB."),
        ("Ich benutze Julia.", "Ich habe Julia aufgegeben."),
        ("Uso Julia.", "Dejé de usar Julia."),
        ("I no longer use JAX.", "I use JAX again."),
        ("I prefer short answers.", "I prefer long, detailed answers."),
        ("I prefer long and thorough answers.", "I prefer short answers."),
        ("My paper submission is due on 27 June.", "the paper submission is due on 30 June"),
    ],
)
def test_no_longer_so(older: str, newer: str) -> None:
    assert compare(newer, older, 0.9).relation == "contradicts"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I use PyTorch for vision.", "I use PyTorch for speech."),
        ("Reviewer 1 wants more data.", "Reviewer 2 wants more data."),
        ("In 2019 we had 3 students.", "In 2021 we had 5 students."),
        ("Some models memorise data.", "All models memorise data."),
        ("Not all models memorise data.", "No models memorise data."),
        ("Paul advised me.", "I advised Paul."),
        ("I use Octave.", "I used to use MATLAB."),
        ("I work on dark energy.", "I stopped working on dark matter."),
        ("I work at the LHC and use ROOT.", "I no longer use ROOT."),
        ("I use Julia for plots.", "I stopped using Julia for simulations."),
        ("GPT-2 was trained on text.", "GPT-3 was trained on text."),
        ("I read 1706.03762.", "I read 1810.04805."),
        ("We decided to fund student 1.", "We decided to fund student 2."),
        ("We keep method number 15.", "We keep method number 16."),
        ("I start with run 12.", "I start with run 13."),
        ("I wrote chapter 3.", "I wrote chapter 4."),
        ("I use Python.", "I don't use Python on Windows."),
        ("I use PyTorch for speech.", "I don't use PyTorch for vision."),
        ("I use NumPy.", "I use JAX, not for plots."),
        ("", "…"),
    ],
)
def test_something_else(older: str, newer: str) -> None:
    assert compare(newer, older, 0.95).relation == "different"


OBJECTS = st.sampled_from(["graph networks", "dark matter", "PyTorch", "long proofs", "axions"])


@given(
    OBJECTS,
    st.sampled_from(
        [
            ("I use {}.", "I do not use {}."),
            ("I like {}.", "I dislike {}."),
            ("I work on {}.", "I no longer work on {}."),
            ("Show me papers on {}.", "Never show me papers on {}."),
            ("Include {}.", "Leave out {}."),
            ("We study {}.", "We don't study {}."),
            ("Our method needs {}.", "Our method works without {}."),
            ("Mi interessa {}.", "Non mi interessa {}."),
            ("Ich benutze {}.", "Ich benutze {} nicht."),
        ]
    ),
    st.floats(0.2, 1),
)
def test_a_statement_is_never_its_denial(thing: str, said: tuple[str, str], like: float) -> None:
    one, other = (each.format(thing) for each in said)
    assert compare(one, other, like).relation != "same"
    assert compare(other, one, like).relation != "same"


@given(st.integers(2, 9_999), st.integers(2, 9_999))
def test_other_numbers_are_never_the_same(one: int, other: int) -> None:
    relation = compare(f"We have {one} samples.", f"We have {other} samples.", 1.0).relation
    assert relation == ("same" if one == other else "contradicts")


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_are_judged(one: str, other: str) -> None:
    assert compare(one, other, 0.5).relation in ("same", "different", "contradicts")
    assert compare(one, one, 1.0).relation == "same"
    assert len(statement_keys(one)) <= 24


def test_what_is_long_is_judged_in_time() -> None:
    assert compare("no " * 50_000, "not " * 50_000, 0.9).relation in ("same", "different")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("may 3rd", "3 may"),
        ("2026-05-03", "3 may 2026"),
        ("50k images", "50,000 images"),
        ("1.2 million", "1,200,000"),
        ("1e-3", "0.001"),
        ("il 3 maggio", "am 3. mai"),
        ("two", "2"),
    ],
)
def test_numbers_have_one_value(one: str, other: str) -> None:
    assert read_numbers(one).values == read_numbers(other).values != ()


def test_the_labelled_pairs_are_told_apart() -> None:
    tallies = run(read_pairs(PAIRS), load_embedder(load_settings({})))
    rates = tallies["all"]["all"].to_json()
    assert rates["pairs"] >= 400
    assert rates["false_merge"] <= 0.01
    assert rates["missed_duplicate"] <= 0.15
    assert tallies["test"]["all"].to_json()["missed_duplicate"] <= 0.15
