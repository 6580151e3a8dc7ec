"""Vectors of texts that are longer than a model reads."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from arxivscout.papers.units import count_pieces

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from arxivscout.embedding.base import Embedder

READ = 230  # tokens, estimated: the default model reads 254, and others twice as many
_WORD = re.compile(r"\S+\s*")


def embed_whole(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32]:
    """One unit vector per text, float32 of shape (len(texts), dimension), of all that it says.

    A text that is longer than a model reads is embedded in equal parts, and their mean is its
    vector.

    Raises:
        ConfigurationError, ModelError: as `Embedder.embed_array`.
    """
    import numpy as np

    parts = [_parts(text) for text in texts]
    vectors = embedder.embed_array([part for of_text in parts for part in of_text])
    whole = np.empty((len(texts), vectors.shape[1]), np.float32)
    at = 0
    for row, of_text in enumerate(parts):
        whole[row] = mean_vector(vectors[at : at + len(of_text)])
        at += len(of_text)
    return whole


def mean_vector(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean of some vectors (at least one), unit length, shape (dimension,)."""
    import numpy as np

    mean: NDArray[np.float32] = vectors.mean(axis=0)
    length = float(np.linalg.norm(mean))
    return mean / length if length else mean


def _parts(text: str) -> list[str]:
    """`text` in as few parts as can be read, of about the same size; cut between words."""
    tokens = count_pieces(text)
    if tokens <= READ:
        return [text]
    size = tokens / math.ceil(tokens / READ)
    parts, seen = [""], 0
    for word in _WORD.findall(text):
        if seen >= size * len(parts):
            parts.append("")
        parts[-1] += word
        seen += count_pieces(word)
    return parts
