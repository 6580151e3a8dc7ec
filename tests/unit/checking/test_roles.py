"""Who does what to whom: the same words with the roles exchanged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.checking.polarity import turned_round
from arxivscout.checking.roles import exchanged

WORDS = "A survey of nets. "


@pytest.mark.parametrize(
    ("source", "claim", "how"),
    [
        ("Sparse nets outperform dense ones.", "Dense nets outperform sparse ones.", "done"),
        ("Noise causes errors in qubits.", "In qubits errors cause noise.", "done"),
        ("Noise causes errors in qubits.", "Noise is caused by errors in qubits.", "done"),
        ("A map turns planes into spheres.", "A map turns spheres into planes.", "done"),
        ("The phase moves from solid to liquid.", "It moves from liquid to solid.", "done"),
        ("The net, which beats trees, is new.", "Trees beat the net.", "done"),
        ("Planets are found, and they orbit dwarfs.", "Dwarfs orbit planets.", "done"),
        ("Giants are rarer than dwarfs.", "Dwarfs are rarer than giants.", "compared"),
        ("Stars formed before planets.", "Planets formed before stars.", "compared"),
    ],
)
def test_exchanged_roles_are_told(source: str, claim: str, how: str) -> None:
    assert exchanged(claim, source, WORDS + source) == how


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("Sparse nets outperform dense ones.", "Dense nets are outperformed by sparse ones."),
        ("Noise causes errors in qubits.", "In qubits, errors are mostly caused by noise."),
        ("The phase moves from solid to liquid.", "It moves to liquid from solid."),
        ("Giants are rarer than dwarfs.", "Giants are, among the stars, rarer than dwarfs."),
        ("Cats hunt mice. Mice hunt cats.", "Mice hunt cats."),
        ("Noise reduces accuracy.", "Less noise means more accuracy."),
        ("Stars formed before planets.", "Stars are older than planets."),
    ],
)
def test_the_same_said_otherwise_is_no_exchange(source: str, claim: str) -> None:
    assert exchanged(claim, source, WORDS + source) == ""


@pytest.mark.parametrize(
    ("claim", "turned"),
    [
        ("Giants are more frequent than dwarfs.", True),
        ("Dwarfs are less frequent than giants.", True),
        ("Giants are less frequent than dwarfs.", False),
    ],
)
def test_a_comparison_may_be_said_from_either_side(claim: str, turned: bool) -> None:
    source = "Dwarfs are more frequent than giants."
    assert turned_round(claim, [source], source) == turned


@given(
    st.text(max_size=300),
    st.text(max_size=300),
    st.text(alphabet="than by from to it ", max_size=300),
)
def test_no_text_breaks_it_and_none_is_turned_against_itself(one: str, two: str, text: str) -> None:
    exchanged(one, two, text)
    assert exchanged(text, text, text) == ""
