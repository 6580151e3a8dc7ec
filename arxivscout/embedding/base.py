"""What every embedder offers, whatever runs underneath."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from langchain_core.embeddings import Embeddings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

REMEMBERED_QUERIES = 128


@dataclass(frozen=True, slots=True)
class EmbeddingIdentity:
    """Two embedders with the same identity give interchangeable vectors.

    `fingerprint` covers all that changes a vector: weights, tokenizer, truncation, pooling.
    """

    name: str
    dimension: int
    fingerprint: str


class Embedder(Embeddings):
    """Text to vectors. Safe to share between threads."""

    def __init__(self) -> None:
        self._recent: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._recent_lock = threading.Lock()

    @property
    @abstractmethod
    def identity(self) -> EmbeddingIdentity:
        """Name, dimension and fingerprint of the model behind it."""

    @abstractmethod
    def embed_array(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector per text, in order: float32 of shape (len(texts), dimension).

        Raises:
            ConfigurationError: the model's files or packages are missing or not the pinned ones.
            ModelError: a model behind a network can't answer.
        """

    def query_array(self, text: str) -> NDArray[np.float32]:
        """The vector of one question, float32 of shape (dimension,), read-only.

        The last few are remembered, so that one process doesn't embed the same question twice.
        """
        with self._recent_lock:
            known = self._recent.get(text)
            if known is not None:
                self._recent.move_to_end(text)
                return known
        vector = self._embed_query(text)
        vector.flags.writeable = False
        if len(text) <= 10_000:
            with self._recent_lock:
                self._recent[text] = vector
                while len(self._recent) > REMEMBERED_QUERIES:
                    self._recent.popitem(last=False)
        return vector

    def embed_query(self, text: str) -> list[float]:
        """The vector of one question, as LangChain wants it."""
        vector: list[float] = self.query_array(text).tolist()
        return vector

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector per text, as LangChain wants them."""
        vectors: list[list[float]] = self.embed_array(texts).tolist()
        return vectors

    def _embed_query(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self.embed_array([text])[0]
        return vector
