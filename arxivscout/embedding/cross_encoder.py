"""A model that reads question and text together, and says how well they fit; needs `local`."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from arxivscout.errors import ConfigurationError, NotReranked

DEFAULT = "cross-encoder/ms-marco-MiniLM-L6-v2"


class CrossEncoder:
    """A cross-encoder of sentence-transformers by its name on the hub, or a local folder.

    Args:
        load: gives an object with `predict(pairs)`; it takes seconds, and is called once.
    """

    def __init__(self, name: str, load: Callable[[str], Any] | None = None) -> None:
        self.name = name
        self._load = load or _sentence_transformers
        self._lock = threading.Lock()
        self._model: Any = None

    @property
    def loaded(self) -> bool:
        """Whether the model is in memory."""
        return self._model is not None

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the question; only their order means something.

        Raises:
            ConfigurationError: the packages or the model are not there.
            NotReranked: it gave no score for a text.
        """
        with self._lock:
            if self._model is None:
                self._model = self._load(self.name)
            given = self._model.predict([(question, text) for text in texts])
        scores = [float(score) for score in given]
        if len(scores) != len(texts) or not all(map(math.isfinite, scores)):
            raise NotReranked(f"{self.name} gave no score for some of the papers")
        return scores


@cache
def load_cross_encoder(name: str) -> CrossEncoder:
    """The process's one cross-encoder of this name; nothing is loaded yet."""
    return CrossEncoder(name or DEFAULT)


def _sentence_transformers(name: str) -> Any:
    try:
        from sentence_transformers import CrossEncoder as Model
    except ImportError:
        raise ConfigurationError(
            "Re-ranking by a cross-encoder needs sentence-transformers.",
            "Install it: pip install sentence-transformers; or set ARXIVSCOUT_RERANK=model or off.",
        ) from None
    try:
        return Model(name)
    except Exception as error:  # a boundary: hub, files and torch each have their own
        reason = f"{type(error).__name__}: {error}".splitlines()[0][:300]
        raise ConfigurationError(
            f"The cross-encoder {name} can't be loaded ({reason}).",
            "Correct ARXIVSCOUT_RERANK, or give the path of a local folder.",
        ) from error
