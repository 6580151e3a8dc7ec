"""Embedders for tests of what is embedded how often, and of what costs nothing to embed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from arxivscout.embedding import Embedder, EmbeddingIdentity

Vectors = NDArray[np.float32]


class Counting(Embedder):
    """Another embedder, with memory of what it was asked."""

    def __init__(self, real: Embedder) -> None:
        super().__init__()
        self.real = real
        self.texts: list[str] = []

    @property
    def identity(self) -> EmbeddingIdentity:
        return self.real.identity

    def embed_array(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return self.real.embed_array(texts)


class Instant(Embedder):
    """Vectors at no cost, under another embedder's name."""

    def __init__(
        self, identity: EmbeddingIdentity, vectors: Callable[[Sequence[str]], Vectors]
    ) -> None:
        super().__init__()
        self._identity = identity
        self._vectors = vectors

    @property
    def identity(self) -> EmbeddingIdentity:
        return self._identity

    def embed_array(self, texts: Sequence[str]) -> Vectors:
        return self._vectors(texts)


def constant(texts: Sequence[str]) -> Vectors:
    """The same vector for every text."""
    return np.full((len(texts), 384), 0.05, np.float32)


def drawn(texts: Sequence[str]) -> Vectors:
    """A vector drawn by lot for each text; the same for the same texts."""
    seeds = [np.random.default_rng(crc32(text.encode())) for text in texts]
    return np.array([seed.normal(size=384) for seed in seeds], np.float32).reshape(-1, 384)
