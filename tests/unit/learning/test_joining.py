"""What a person says of two things becomes an edge between them; nothing else does."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.learning import Turn, learned, relations_of
from arxivscout.statements.relating import denied, joined, same

AT = datetime(2026, 3, 5, 12, tzinfo=UTC)


def edges(words: str) -> set[tuple[str, str, str]]:
    found = learned(Turn(person="ada", words=words, at=AT))
    names = [each.name or each.text for each in found.candidates]
    return {(names[link.subject], link.predicate, names[link.object]) for link in found.links}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("QLoRA extends LoRA.", {("QLoRA", "extends", "LoRA")}),
        ("QLoRA builds on LoRA, which is small.", {("QLoRA", "extends", "LoRA")}),
        ("Remember that LoRA depends on PyTorch.", {("LoRA", "depends_on", "PyTorch")}),
        ("DoRA and QLoRA extend LoRA.",
         {("DoRA", "extends", "LoRA"), ("QLoRA", "extends", "LoRA")}),
        ("QLoRA extends LoRA and LoRA extends fine-tuning.",
         {("QLoRA", "extends", "LoRA"), ("LoRA", "extends", "fine-tuning")}),
        ("The trigger is part of ATLAS.", {("trigger", "part_of", "ATLAS")}),
        ("ATLAS contains the trigger.", {("trigger", "part_of", "ATLAS")}),
        ("Whisper was trained on LibriSpeech because it is large.",
         {("Whisper", "trained_on", "LibriSpeech")}),
        ("0704.0001 contradicts arXiv:0704.0002v2.", {("0704.0001", "contradicts", "0704.0002")}),
        ("GPT-3 is a larger version of GPT-2.", {("GPT-3", "variant_of", "GPT-2")}),
        ("ViT was proposed by Alexey Dosovitskiy.",
         {("ViT", "introduced_by", "Alexey Dosovitskiy")}),
        ("QLoRA estende LoRA.", {("QLoRA", "extends", "LoRA")}),
        ("Ricorda che LoRA dipende da PyTorch.", {("LoRA", "depends_on", "PyTorch")}),
        ("Flax basiert auf JAX.", {("Flax", "based_on", "JAX")}),
        ("QLoRA étend LoRA.", {("QLoRA", "extends", "LoRA")}),
        ("QLoRA extiende LoRA.", {("QLoRA", "extends", "LoRA")}),
        ("注意力机制 extends 卷积神经网络.", {("注意力机制", "extends", "卷积神经网络")}),
    ],
)  # fmt: skip
def test_two_things_are_joined_as_it_is_said(
    said: str, expected: set[tuple[str, str, str]]
) -> None:
    assert edges(said) == expected


@pytest.mark.parametrize(
    "said",
    [
        "QLoRA does not extend LoRA.",
        "LoRA no longer depends on PyTorch.",
        "LoRA never used PyTorch.",
        "Does QLoRA extend LoRA?",
        "What extends LoRA?",
        "If QLoRA extends LoRA, we are fine.",
        "Maybe QLoRA extends LoRA.",
        "She says that QLoRA extends LoRA.",
        "“QLoRA extends LoRA and everything that was known before it” is what they wrote.",
        "It depends on the data.",
        "The answer depends on the question.",
        "This extends that.",
        "My colleague uses TensorFlow.",
        "Her students depend on MATLAB.",
        "Everything depends on everything.",
        "papers that use diffusion models",
        "Which papers cite 0704.0001?",
        "graph neural networks for jets",
        "Attention is all you need.",
        "LoRA extends",
        "extends LoRA",
    ],
)
def test_what_is_denied_asked_or_said_of_nothing_joins_nothing(said: str) -> None:
    assert edges(said) == set()


def test_what_says_more_of_the_person_draws_both_edges() -> None:
    assert edges("I work at CERN and my pipeline depends on ROOT.") == {
        ("ada", "works_at", "CERN"),
        ("ada", "uses", "ROOT"),
        ("pipeline", "depends_on", "ROOT"),
    }


@pytest.mark.parametrize(
    ("said", "name", "alias"),
    [
        ("LoRA stands for low-rank adaptation.", "low-rank adaptation", "LoRA"),
        ("PINN is short for physics-informed neural network.",
         "physics-informed neural network", "PINN"),
        ("Low-rank adaptation is also known as LoRA.", "Low-rank adaptation", "LoRA"),
        ("Remember that LoRA sta per low-rank adaptation.", "low-rank adaptation", "LoRA"),
    ],
)  # fmt: skip
def test_names_of_one_thing_are_its_names(said: str, name: str, alias: str) -> None:
    found = learned(Turn(person="ada", words=said, at=AT))
    (thing,) = [each for each in found.candidates if each.name]
    assert (thing.name, thing.aliases) == (name, (alias,))


def test_what_is_remembered_is_without_the_order_to_do_so() -> None:
    found = learned(Turn(person="ada", words="Please remember that QLoRA extends LoRA.", at=AT))
    (fact,) = [each for each in found.candidates if each.kind == "fact"]
    assert fact.text == "QLoRA extends LoRA"
    assert all(link.quote == fact.quote for link in found.links)


def test_a_statement_written_by_hand_draws_the_same() -> None:
    found = relations_of("ada", "QLoRA extends LoRA", AT)
    (link,) = found.links
    assert (link.predicate, link.quote) == ("extends", "QLoRA extends LoRA")


@given(st.text(max_size=300))
def test_any_words_are_read(words: str) -> None:
    for each in joined(words):
        assert each.subject and each.object and each.predicate.replace("_", "").isalpha()
    same(words)


@pytest.mark.parametrize(
    "said",
    [
        "LoRA no longer uses Triton.",
        "LoRA does not use Triton any more.",
        "My pipeline doesn't depend on ROOT.",
        "QLoRA is not part of PEFT.",
        "LoRA non usa Triton.",
        "LoRA verwendet Triton nicht mehr.",
    ],
)
def test_a_denial_is_remembered_and_joins_nothing(said: str) -> None:
    found = learned(Turn(person="ada", words=said, at=AT))
    assert denied(said) and not found.links
    assert [each.kind for each in found.candidates] == ["fact"]


@pytest.mark.parametrize("said", ["LoRA uses Triton.", "It no longer works.", "I no longer use R."])
def test_other_statements_are_no_denial_of_what_joins_things(said: str) -> None:
    assert not denied(said)
