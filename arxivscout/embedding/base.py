"""What every embedder offers, whatever runs underneath."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from langchain_core.embeddings import Embeddings

from arxivscout.embedding.remembered import Remembered

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

REMEMBERED_QUERIES = 128
REMEMBERED_TEXTS = 4_096


@dataclass(frozen=True, slots=True)
class EmbeddingIdentity:
    """Two embedders with the same identity give interchangeable vectors.

    `fingerprint` covers all that changes a vector: weights, tokenizer, truncation, pooling.
    """

    name: str
    dimension: int
    fingerprint: str


class Embedder(Embeddings):
    """Text to vectors. Safe to share between threads.

    The texts of lately are remembered (some 2 KB each), as a question is looked at by several
    stores, and a paper's sentences by search, answer and check, in this turn and the next.
    """

    # Texts of one call, and calls at a time, that keep it busy; more do no harm.
    at_a_time: int = 1
    calls_at_a_time: int = 1

    def __init__(self) -> None:
        self._texts = Remembered(self.embed_array, REMEMBERED_TEXTS)
        self._queries = Remembered(self._embed_queries, REMEMBERED_QUERIES)

    @property
    @abstractmethod
    def identity(self) -> EmbeddingIdentity:
        """Name, dimension and fingerprint of the model behind it."""

    @abstractmethod
    def embed_array(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector per text, in order: float32 of shape (len(texts), dimension); none remembered.

        Raises:
            ConfigurationError: the model's files or packages are missing or not the pinned ones.
            ModelError: a model behind a network can't answer.
        """

    def text_array(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The same for texts that may come again, read-only."""
        return self._texts(texts)

    def query_array(self, text: str) -> NDArray[np.float32]:
        """The vector of one question, float32 of shape (dimension,), read-only."""
        vector: NDArray[np.float32] = self._queries([text])[0]
        return vector

    def embed_query(self, text: str) -> list[float]:
        """The vector of one question, as LangChain wants it."""
        vector: list[float] = self.query_array(text).tolist()
        return vector

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector per text, as LangChain wants them."""
        vectors: list[list[float]] = self.text_array(texts).tolist()
        return vectors

    def _embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The same as `embed_array`, where a model makes no difference."""
        return self.embed_array(texts)
