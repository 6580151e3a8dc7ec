"""Embedders that come through LangChain: Hugging Face models run here, and models of a provider."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from arxivscout.embedding.base import Embedder, EmbeddingIdentity
from arxivscout.errors import ConfigurationError, ModelError

if TYPE_CHECKING:
    import numpy as np
    from langchain_core.embeddings import Embeddings
    from numpy.typing import NDArray

T = TypeVar("T")

BATCH = 64
# What decides a vector of a model in a folder; a model card may change without changing one.
WEIGHT_FILES = (".json", ".txt", ".safetensors", ".bin", ".model", ".onnx")


def load_foreign(name: str, *, folder: Path | None = None) -> Embedder:
    """The embedder called `huggingface:MODEL` or `provider:model`.

    MODEL is a name on the hub or a local folder; `folder` in its place serves an installation
    that keeps its models aside.

    Raises:
        ConfigurationError: no such provider, or its package or key is missing.
    """
    provider, colon, model = name.partition(":")
    if not colon or not model:
        raise ConfigurationError(
            f"No embedder is called {name!r}.",
            "Use minilm, static, huggingface:MODEL or provider:model for ARXIVSCOUT_EMBEDDING.",
        )
    if provider == "huggingface":
        place = str(folder) if folder is not None else model
        return Foreign(name, _huggingface(place), _fingerprint(place, name))
    return Foreign(name, _provider(name), _digest(name.encode()))


class Foreign(Embedder):
    """Any LangChain embedder as one of ours; its dimension is found by a probe."""

    def __init__(self, name: str, model: Embeddings, fingerprint: str) -> None:
        super().__init__()
        self._name = name
        self._model = model
        self._fingerprint = fingerprint
        self._identity: EmbeddingIdentity | None = None
        self._lock = threading.Lock()

    @property
    def identity(self) -> EmbeddingIdentity:
        """Asks the model for one vector, once, to learn the dimension."""
        with self._lock:
            if self._identity is None:
                dimension = len(self._ask(lambda: self._model.embed_query("dimension")))
                self._identity = EmbeddingIdentity(self._name, dimension, self._fingerprint)
            return self._identity

    def embed_array(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector per text, in order: float32 of shape (len(texts), dimension).

        Raises:
            ModelError: the provider can't answer.
        """
        import numpy as np

        if not texts:
            return np.empty((0, self.identity.dimension), np.float32)
        vectors: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            batch = [_plain(text) for text in texts[start : start + BATCH]]
            vectors += self._ask(partial(self._model.embed_documents, batch))
        return np.asarray(vectors, np.float32)

    def _embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        vectors = [self._ask(partial(self._model.embed_query, _plain(text))) for text in texts]
        return np.asarray(vectors, np.float32)

    def _ask(self, call: Callable[[], T]) -> T:
        try:
            return call()
        except Exception as error:  # a boundary: each provider has errors of its own
            reason = f"{type(error).__name__}: {error}".splitlines()[0][:300]
            raise ModelError(
                f"The embedder {self._name} can't answer ({reason}).",
                "See that it is reachable and its key is right.",
            ) from error


def _huggingface(model: str) -> Embeddings:
    try:
        from langchain_huggingface import HuggingFaceEmbeddings

        embeddings: Embeddings = HuggingFaceEmbeddings(model_name=model)
    except ImportError:
        raise ConfigurationError(
            "Hugging Face models need langchain-huggingface and sentence-transformers.",
            "Install them: pip install langchain-huggingface sentence-transformers",
        ) from None
    except Exception as error:  # a boundary: hub, files and torch each have their own
        reason = f"{type(error).__name__}: {error}".splitlines()[0][:300]
        raise ConfigurationError(
            f"The Hugging Face model {model} can't be loaded ({reason}).",
            "Correct ARXIVSCOUT_EMBEDDING, or give the path of a local folder.",
        ) from error
    return embeddings


def _provider(name: str) -> Embeddings:
    from langchain.embeddings import init_embeddings

    try:
        embeddings = init_embeddings(name)
    except ImportError as error:
        raise ConfigurationError(
            f"The embedder {name} needs a package that is not installed.", str(error)
        ) from None
    except Exception as error:  # noqa: BLE001  a boundary: a missing key has a type per provider
        reason = f"{type(error).__name__}: {error}".splitlines()[0][:300]
        raise ConfigurationError(
            f"The embedder {name} can't be set up ({reason}).",
            "Use minilm, static, huggingface:MODEL or provider:model for ARXIVSCOUT_EMBEDDING.",
        ) from None
    return embeddings


def _fingerprint(place: str, name: str) -> str:
    """Of a local folder: its configuration and weights; of a model on the hub: its name."""
    folder = Path(place)
    if not folder.is_dir():
        return _digest(name.encode())
    whole = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.suffix in WEIGHT_FILES):
        whole.update(path.relative_to(folder).as_posix().encode())
        with path.open("rb") as file:
            whole.update(hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()[:32]


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]


def _plain(text: str) -> str:
    # Lone surrogates can't be sent; and some providers refuse an empty text.
    return text.encode("utf-8", "replace").decode("utf-8") or " "
