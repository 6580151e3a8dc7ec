"""Embedding on a Ray cluster: texts go out in pieces, vectors come back in order.

Every node has this very ArxivScout installed; each of its cores embeds a piece at a time. Nothing
but texts, the embedder's name and vectors travels. Ray itself is an extra, imported when used.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arxivscout.embedding.base import Embedder, EmbeddingIdentity
from arxivscout.errors import ConfigurationError, ModelError, UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from arxivscout.settings import Settings

# Texts of a piece: seconds of the default embedder's work, so that sending it costs nothing beside.
PIECE = 64
# Pieces a core in one call, so that none waits for the slowest at its end.
PIECES_A_CORE = 2


@contextmanager
def at_work(
    workers: str | None, embedder: Embedder, settings: Settings
) -> Iterator[Embedder | None]:
    """What embeds for `embedder`: `ray`, a cluster on this machine; `ray:ADDRESS`; None, nothing.

    Raises:
        UsageError: there are no such workers.
        ConfigurationError: Ray is not installed, the cluster is out of reach or embeds otherwise.
    """
    if workers is None:
        yield None
        return
    kind, _, address = workers.partition(":")
    if kind != "ray":
        raise UsageError(f"There are no workers {workers!r}.", "Give ray, or ray:ADDRESS.")
    ray = _connected(address or None)
    try:
        yield OnRay(ray, embedder, settings)
    finally:
        ray.shutdown()


class OnRay(Embedder):
    """An embedder with the identity of `embedder`, whose batches are embedded by the cluster.

    Args:
        ray: the module, connected.
    """

    calls_at_a_time = 2

    def __init__(self, ray: Any, embedder: Embedder, settings: Settings) -> None:
        super().__init__()
        self._ray = ray
        self._embedder = embedder
        self._named = (settings.embedding, settings.embedding_dir)
        self._embed = ray.remote(_embed)
        cores = int(ray.cluster_resources().get("CPU", 1))
        self.at_a_time = PIECE * PIECES_A_CORE * cores
        self._check()

    @property
    def identity(self) -> EmbeddingIdentity:
        return self._embedder.identity

    def embed_array(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector per text, in order: float32 of shape (len(texts), dimension).

        Raises:
            ModelError: the cluster can't answer.
        """
        import numpy as np

        if not texts:
            return np.empty((0, self.identity.dimension), np.float32)
        pieces = [list(texts[start : start + PIECE]) for start in range(0, len(texts), PIECE)]
        return np.concatenate(self._got([self._embed.remote(*self._named, p) for p in pieces]))

    def _embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._embedder.embed_array(texts)

    def _check(self) -> None:
        theirs = self._got(self._ray.remote(_fingerprint).remote(*self._named))
        if theirs != self.identity.fingerprint:
            raise ConfigurationError(
                "The cluster's ArxivScout embeds with other weights than this one.",
                "Install the same versions on every node.",
            )

    def _got(self, references: Any) -> Any:
        try:
            return self._ray.get(references)
        except self._ray.exceptions.RayError as error:
            reason = f"{type(error).__name__}: {error}".strip().splitlines()[-1][:300]
            raise ModelError(
                f"The Ray cluster can't embed ({reason}).",
                "See that its nodes have the same ArxivScout and Python as this machine.",
            ) from error


def _connected(address: str | None) -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError:
        raise ConfigurationError(
            "The package ray is not installed.", "Install it: pip install ray"
        ) from None
    try:
        ray.init(
            address=address,
            include_dashboard=None if address else False,
            log_to_driver=False,
            logging_level="ERROR",
        )
    except Exception as error:  # a boundary: addresses, versions and sockets each have their own
        reason = f"{type(error).__name__}: {error}".splitlines()[0][:300]
        raise ConfigurationError(
            f"The Ray cluster {address or 'on this machine'} can't be used ({reason}).",
            "Give the address of its head: --workers ray:HOST:PORT.",
        ) from error
    return ray


@cache
def _loaded(name: str, folder: Path | None) -> Embedder:
    """In a worker: its embedder, loaded once. Ray runs one piece a core, so it has one thread."""
    from arxivscout.embedding import load_embedder
    from arxivscout.settings import Settings

    settings = Settings(home=Path("/nonexistent"), user="ray", embedding=name, embedding_dir=folder)
    return load_embedder(settings, threads=1)


def _embed(name: str, folder: Path | None, texts: list[str]) -> NDArray[np.float32]:
    return _loaded(name, folder).embed_array(texts)


def _fingerprint(name: str, folder: Path | None) -> str:
    return _loaded(name, folder).identity.fingerprint
