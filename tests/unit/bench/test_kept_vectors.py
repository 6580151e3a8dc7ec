"""Vectors kept beside a folder: made once, the same to the last bit, for each embedder its own."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from arxivscout.bench.kept_vectors import KeptVectors, keeping
from arxivscout.embedding import Embedder, EmbeddingIdentity


class Lengths(Embedder):
    """A text's vector is made of its length."""

    def __init__(self, name: str = "lengths") -> None:
        super().__init__()
        self.name = name
        self.embedded: list[str] = []

    @property
    def identity(self) -> EmbeddingIdentity:
        return EmbeddingIdentity(self.name, 3, self.name * 4)

    def embed_array(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.embedded += texts
        return np.array([[len(text), 0.1, 1 / 3] for text in texts], np.float32).reshape(-1, 3)


def test_a_text_is_embedded_once_by_however_many_processes(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    first, second = Lengths(), Lengths()

    one = KeptVectors(first, data).embed_array(["dark matter", "a", "dark matter"])
    two = KeptVectors(second, data).embed_array(["a", "dark matter", "new"])

    assert first.embedded == ["dark matter", "a"]
    assert second.embedded == ["new"]
    assert np.array_equal(one[[1, 0]], two[:2])
    assert [path.name for path in tmp_path.iterdir() if path != data] == ["data-vectors"]
    assert list(data.iterdir()) == []


def test_another_embedder_has_vectors_of_its_own(tmp_path: Path) -> None:
    KeptVectors(Lengths(), tmp_path).embed_array(["a"])
    other = Lengths("others")
    KeptVectors(other, tmp_path).embed_array(["a"])

    assert other.embedded == ["a"]


@given(texts=st.lists(st.text(max_size=8), max_size=150))
def test_kept_vectors_are_the_embedder_s_own(
    texts: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("kept")
    kept = KeptVectors(Lengths(), folder)
    kept.embed_array(texts[::2])

    assert np.array_equal(kept.embed_array(texts), Lengths().embed_array(texts))


def test_where_nothing_can_be_kept_every_text_is_embedded(tmp_path: Path) -> None:
    (tmp_path / "data-vectors").write_text("a file is in the way")
    told: list[str] = []

    embedder = keeping(Lengths(), tmp_path / "data", told.append)

    assert isinstance(embedder, Lengths)
    assert "data-vectors" in told[0]
