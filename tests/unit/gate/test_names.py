"""Names that call the same thing are one; those that only look alike are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.memory.gate.names import name_keys, names_in, plain, same_person, same_thing


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("method", "GPT-2", "gpt 2"),
        ("method", "LSTM", "Long Short-Term Memory"),
        ("method", "VAE", "variational autoencoder (VAE)"),
        ("concept", "Schrödinger equation", 'Schr\\"odinger equation'),
        ("concept", "$\\Lambda$CDM", "ΛCDM"),
        ("dataset", "the ImageNet dataset", "ImageNet"),
        ("author", "LeCun, Yann", "Y. LeCun"),
        ("author", "Schölkopf, B.", "Bernhard Schoelkopf"),
        ("paper", "arXiv:1706.03762v5", "https://arxiv.org/abs/1706.03762"),
        ("organisation", "C.E.R.N.", "CERN"),
        ("concept", "量子テレポーテーション", "量子テレポーテーション"),
        ("author", "Владимир Арнольд", "ВЛАДИМИР АРНОЛЬД"),
    ],
)
def test_one_thing_by_two_names(kind: str, one: str, other: str) -> None:
    assert same_thing(kind, [one], [other])
    assert same_thing(kind, [other], [one])
    assert set(name_keys(kind, one)) & set(name_keys(kind, other)), "found by a shared key"


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("method", "GPT-2", "GPT-3"),
        ("method", "Llama 3", "Llama 3.1"),
        ("dataset", "CIFAR-10", "CIFAR-100"),
        ("tool", "C", "C++"),
        ("author", "Wei Wang", "Wen Wang"),
        ("author", "J. Smith", "John Smith"),
        ("author", "Robert Brown Jr.", "Robert Brown Sr."),
        ("method", "CNN (Cable News Network)", "CNN (convolutional neural network)"),
        ("concept", "DFT (density functional theory)", "DFT (discrete Fourier transform)"),
        ("paper", "1706.03762", "1706.03763"),
        ("concept", "weak lensing", "strong lensing"),
    ],
)
def test_two_things_by_like_names(kind: str, one: str, other: str) -> None:
    assert not same_thing(kind, [one], [other])
    assert not same_thing(kind, [other], [one])


def test_an_alias_is_a_name() -> None:
    assert same_thing("method", ["AdaBoost", "adaptive boosting"], ["Adaptive Boosting"])
    assert names_in("principal component analysis (PCA)") == ("principal component analysis", "PCA")
    assert names_in("ResNet (residual network)") == ("residual network", "ResNet")
    assert names_in("Mercury (planet)") == ("Mercury (planet)",)


@given(st.text(max_size=80), st.sampled_from(["method", "author", "paper", "dataset"]))
def test_any_name_is_its_own(name: str, kind: str) -> None:
    keys = name_keys(kind, name)
    assert keys == name_keys(kind, name)
    assert all(len(key) < 600 for key in keys)
    if plain(name):
        assert same_thing(kind, [name], [name]) or not name.strip()


@given(st.text(max_size=40), st.text(max_size=40))
def test_who_is_whom_does_not_depend_on_who_asks(one: str, other: str) -> None:
    assert same_person(one, other) == same_person(other, one)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_versions_are_never_one(one: int, other: int) -> None:
    assert same_thing("method", [f"Model-{one}"], [f"model {other}"]) == (one == other)
