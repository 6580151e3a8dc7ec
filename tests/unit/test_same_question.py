"""Which questions ask the same, by form alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.context.same_question import question_form, question_key, same_question

PAIRS = Path(__file__).parents[1] / "benchmarks" / "cache" / "pairs.jsonl"
WORDS = st.lists(
    st.sampled_from("dark matter halos spin stars heat gas quark graph network noise".split()),
    min_size=2,
    max_size=6,
).map(" ".join)


def test_no_near_miss_is_taken_for_the_same_question() -> None:
    pairs = [json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()]
    near = [pair for pair in pairs if not pair["same"]]
    assert len(near) >= 120 and len(pairs) >= 240
    assert [pair for pair in near if same_question(pair["a"], pair["b"]) is None] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("What is known about dark matter?", "Could you tell me what is known about dark matter?"),
        ("papers on graph neural networks", "Show me articles about graph neural networks, please"),
        ("detection of dark matter", "dark matter detection"),
        ("attention and convolution for vision", "convolution and attention for vision"),
        ("Does dropout help in small networks?", "In small networks, does dropout help?"),
        ("Do black holes heat gas?", "Is gas heated by black holes?"),
        ("modelling of behaviour", "modeling of behavior"),
        ("masers of H$_2$O", "masers of H2O"),
        ("summarise arXiv:1706.03762", "summarise https://arxiv.org/abs/1706.03762"),
        ("three-body problem", "3 body problem"),
        ("recent work on spin", "the recent papers about spin"),
        ("images from GANs", "images from a GAN"),
        ("Can't stars die?", "Cannot stars die?"),
        ("Does it hold? WHO says so", "Does it hold? WHO says so!"),
    ],
)
def test_what_carries_no_meaning_may_differ(one: str, other: str) -> None:
    assert same_question(one, other) is None
    assert question_key(one) == question_key(other)


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("Does it hold?", "Does it not hold?", "negation"),
        ("spin in 2 dimensions", "spin in 3 dimensions", "numbers"),
        ("What is in 1706.03762?", "What is in 1706.03763?", "ids"),
        ("What is in 1706.03762v1?", "What is in 1706.03762v2?", "ids"),
        ("What is known about dark matter?", "Che cosa si sa della materia oscura?", "language"),
        ("Do stars heat gas?", "Does gas heat stars?", "order"),
        ("Do stars heat gas and dust?", "Do dust and stars heat gas?", "order"),
        ("Does the mass of neutrinos affect galaxies?",
         "Do neutrinos affect the mass of galaxies?", "order"),
        ("Is gas only heated by stars?", "Do stars heat gas only?", "words"),
        ("work by John Adams", "work by John Adam", "words"),
        ("search for dark photons", "dark photons", "words"),
        ("list decoding of codes", "decoding of codes", "words"),
        ("noise at 10 meV", "noise at 10 MeV", "words"),
        ("emission of CO in discs", "emission of Co in discs", "words"),
        ("guidelines of the WHO", "who has guidelines", "words"),
        (r"the $\Lambda$ baryon", r"the $\lambda$ baryon", "words"),
        ("jets above ≥ 5 TeV", "jets above ≤ 5 TeV", "words"),
        ("10⁵ stars", "105 stars", "numbers"),
        ("C++ libraries", "C libraries", "words"),
        ("vitamin A trials", "vitamin trials", "words"),
        ("early papers on galaxies", "papers on early galaxies", "words"),
        ("the Be abundance", "the abundance", "words"),
        ("a beam of 5' width", 'a beam of 5" width', "words"),
        (
            "the mass of neutrinos affects galaxies",
            "neutrinos affect the mass of galaxies",
            "order",
        ),
        ("poling of crystals", "polling of crystals", "words"),
        ("early formation of galaxies", "formation of early galaxies", "words"),
        ("strong lensing of quasars", "lensing of strong quasars", "words"),
    ],
)  # fmt: skip
def test_what_carries_meaning_may_not(one: str, other: str, why: str) -> None:
    assert same_question(one, other) == why
    assert same_question(other, one) == why
    assert question_key(one) != question_key(other)


@given(WORDS)
def test_how_it_is_asked_changes_nothing(topic: str) -> None:
    for asked in (
        f"Could you please find papers on {topic}?",
        f"papers about the {topic}",
        f"Hello, is there any research on {topic}? Thanks!",
    ):
        assert same_question(topic, asked) is None, asked


@given(
    WORDS, st.sampled_from(["not", "no", "only", "without", "3", "above", "MeV", "all", "first"])
)
def test_any_other_word_makes_another_question(topic: str, word: str) -> None:
    assert same_question(topic, f"{word} {topic}") is not None
    assert same_question(topic, f"{topic} {word}") is not None


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_can_be_compared_either_way_round(one: str, other: str) -> None:
    assert same_question(one, one) is None
    same = same_question(one, other)
    assert same == same_question(other, one)
    assert (same is None) == (question_key(one) == question_key(other))
    assert (same is None) <= (question_form(one) == question_form(other))
