"""Embedders: text to vectors, with an identity that the database remembers.

`minilm` (the default) runs offline from installed packages, and so does the fast `static`;
`huggingface:MODEL` and any string that LangChain's `init_embeddings` knows come through LangChain.
"""

from __future__ import annotations

from arxivscout.embedding.base import Embedder, EmbeddingIdentity
from arxivscout.settings import Settings

DEFAULT = "minilm"
FAST = "static"

__all__ = ["DEFAULT", "FAST", "Embedder", "EmbeddingIdentity", "load_embedder"]


def load_embedder(settings: Settings, *, threads: int | None = None) -> Embedder:
    """The embedder that the settings name; its weights load at first use.

    Args:
        threads: for the default one, where not all cores are its own.

    Raises:
        ConfigurationError: a name that can't be used, or a package or key that it needs is missing.
    """
    if settings.embedding == DEFAULT:
        from arxivscout.embedding.minilm import MiniLM

        return MiniLM(folder=settings.embedding_dir, threads=threads)
    if settings.embedding == FAST:
        from arxivscout.embedding.static import Static

        return Static(folder=settings.embedding_dir)
    from arxivscout.embedding.foreign import load_foreign

    return load_foreign(settings.embedding, folder=settings.embedding_dir)
