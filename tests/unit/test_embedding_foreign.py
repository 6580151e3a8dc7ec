"""Embedders of other libraries as ours: how they are named, what identifies them, how they fail."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings

from arxivscout.embedding import load_embedder
from arxivscout.embedding.foreign import Foreign, _fingerprint
from arxivscout.errors import ConfigurationError, ModelError
from arxivscout.settings import Settings


def _load(tmp_path: Path, name: str) -> object:
    return load_embedder(Settings(home=tmp_path, user="tester", embedding=name))


@pytest.mark.parametrize("name", ["word2vec", "openai:", ":model"])
def test_a_name_that_names_nothing(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigurationError, match="ARXIVSCOUT_EMBEDDING"):
        _load(tmp_path, name)


def test_a_provider_that_nobody_knows(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="nobody:model can't be set up"):
        _load(tmp_path, "nobody:model")


def test_a_provider_whose_package_is_missing(tmp_path: Path) -> None:
    assert importlib.util.find_spec("langchain_cohere") is None
    with pytest.raises(ConfigurationError, match=r"needs a package.*langchain-cohere"):
        _load(tmp_path, "cohere:embed-english-v3.0")


def test_a_hugging_face_model_without_its_extra_or_its_files(tmp_path: Path) -> None:
    installed = importlib.util.find_spec("langchain_huggingface") is not None
    expected = (
        "can't be loaded"
        if installed
        else "pip install langchain-huggingface sentence-transformers"
    )
    with pytest.raises(ConfigurationError, match=expected):
        _load(tmp_path, f"huggingface:{tmp_path / 'no-model'}")


def test_dimension_is_probed_and_vectors_come_as_an_array() -> None:
    ours = Foreign("fake:12", DeterministicFakeEmbedding(size=12), "finger")
    assert (ours.identity.name, ours.identity.dimension) == ("fake:12", 12)
    vectors = ours.embed_array([f"text {i}" for i in range(150)])
    assert vectors.shape == (150, 12) and vectors.dtype == np.float32
    assert np.allclose(vectors[149], ours.embed_query("text 149"), atol=1e-6)
    assert ours.embed_array([]).shape == (0, 12)
    assert len(ours.embed_query("")) == len(ours.embed_query("\ud800")) == 12


class Unreachable(Embeddings):
    def embed_query(self, text: str) -> list[float]:
        raise ConnectionError("refused\nand more lines")

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        raise ConnectionError("refused")


def test_a_provider_that_fails_is_one_line() -> None:
    ours = Foreign("far:away", Unreachable(), "finger")
    for ask in (lambda: ours.embed_query("a"), lambda: ours.embed_array(["a"])):
        with pytest.raises(ModelError, match=r"far:away can't answer \(ConnectionError: refused\)"):
            ask()


def test_the_fingerprint_of_a_folder_is_that_of_its_weights(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    first = _fingerprint(str(tmp_path), "huggingface:x")
    (tmp_path / "README.md").write_text("a card")
    assert _fingerprint(str(tmp_path), "huggingface:y") == first
    (tmp_path / "model.safetensors").write_bytes(b"others")
    assert _fingerprint(str(tmp_path), "huggingface:x") != first
    assert _fingerprint("org/model", "huggingface:org/model") == _fingerprint(
        "org/model", "huggingface:org/model"
    )
