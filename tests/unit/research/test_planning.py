"""A question becomes searches: itself, its own parts, facets of its subject."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.research.planning import MOST, sub_questions


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Compare surface codes with color codes for quantum error correction",
            [
                "surface codes for quantum error correction",
                "color codes for quantum error correction",
            ],
        ),
        (
            "Are vision transformers better than convolutional networks for image segmentation?",
            [
                "vision transformers for image segmentation",
                "convolutional networks for image segmentation",
            ],
        ),
        (
            "Effects of magnetic fields on superconductivity and topological insulators",
            [
                "Effects of magnetic fields on superconductivity",
                "Effects of magnetic fields on topological insulators",
            ],
        ),
        ("tilting modules and cluster categories", ["tilting modules", "cluster categories"]),
        (
            "What is known about star formation in spiral galaxies and elliptical galaxies?",
            ["star formation in spiral galaxies", "star formation in elliptical galaxies"],
        ),
        (
            "How do language models hallucinate and how can it be measured?",
            ["How do language models hallucinate"],
        ),
        ("What is dark energy? How is it measured?", ["What is dark energy?"]),
    ],
)
def test_a_question_that_joins_things_is_parted(question: str, parts: list[str]) -> None:
    found = sub_questions(question, 3)
    assert found[0] == question
    assert [part for part in found if part in parts] == parts


@pytest.mark.parametrize(
    "question", ["supervised and unsupervised learning", "the relation between halos and galaxies"]
)
def test_what_only_looks_joined_stays_whole(question: str) -> None:
    found = sub_questions(question, 3)
    assert found[0] == question
    assert all(":" in facet for facet in found[1:])


def test_facets_are_about_the_questions_own_words() -> None:
    found = sub_questions("What determines the star formation efficiency of clouds?", 3)
    assert len(found) == 6
    assert all("star formation efficiency clouds: " in facet for facet in found[1:])


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("What is known about dark matter?", "dark matter"),
        ("What is known about dark energy?", "dark energy"),
        ("Does dark matter interact with light?", "dark matter interact light"),
        ("The quantum Hall effect in graphene", "quantum Hall effect graphene"),
        ("solid state batteries", "solid state batteries"),
        ("mean field games", "mean field games"),
        ("Are there limit cycles in the restricted problem?", "limit cycles restricted problem"),
        ("What is quantum information?", "quantum information"),
        ("question answering with language models", "question answering language models"),
        ("What is the effect of magnetic fields on stars?", "magnetic fields stars"),
        ("What is the state of the art in segmentation?", "segmentation"),
        ("How does noise limit quantum sensors?", "noise quantum sensors"),
        ("What causes gamma-ray bursts?", "gamma-ray bursts"),
        ("How do language models affect learning?", "language models learning"),
        ("What evidence exists for inflation?", "inflation"),
    ],
)
def test_a_subject_keeps_all_the_words_of_its_name(question: str, topic: str) -> None:
    assert f"{topic}: methods and measurements" in sub_questions(question, 2)


def test_a_question_in_another_language_gets_no_english_facets() -> None:
    question = "Come si misura la costante di Hubble e che cosa si sa della tensione?"
    assert sub_questions(question, 3) == [question]


@given(st.text(max_size=300), st.sampled_from([1, 2, 3]))
def test_any_text_gives_few_different_searches(text: str, depth: Literal[1, 2, 3]) -> None:
    found = sub_questions(text, depth)
    assert found[0] == text.strip()
    assert len(found) == len(set(found)) <= MOST[depth]
