"""Rows of numbers that stand for texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
Embed = Callable[[list[str]], Vectors]


def unit(vectors: NDArray[Any]) -> Vectors:
    """The rows with length 1, shape (n, dim); what is no number counts as 0, a zero row stays."""
    clean = np.nan_to_num(np.asarray(vectors, dtype=np.float64), posinf=0.0, neginf=0.0)
    if clean.ndim != 2:
        clean = clean.reshape(len(clean), -1) if len(clean) else clean.reshape(0, 0)
    # The largest value first: squares of very large or small ones leave the range of floats.
    largest = np.abs(clean).max(axis=1, keepdims=True, initial=0.0)
    clean = clean / np.where(largest > 0, largest, 1.0)
    lengths = np.linalg.norm(clean, axis=1, keepdims=True)
    return np.asarray(clean / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)
