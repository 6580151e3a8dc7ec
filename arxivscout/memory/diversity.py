"""Hits that differ from each other: maximal marginal relevance (Carbonell and Goldstein, 1998)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# What likeness to a hit above counts beside the score, 0 to 1, if nothing else is said.
WEIGHT = 0.5


def spread(
    scores: Sequence[float],
    vectors: NDArray[np.float32],
    k: int,
    weight: float = WEIGHT,
    named: int = 0,
) -> list[int]:
    """The places of `k` hits, each the best by score less likeness to those before it.

    Args:
        scores: of the hits, best first.
        vectors: theirs, float32 of shape (len(scores), dimension), of length one or zero.
        weight: of likeness, 0 to 1; with 0 the order stays.
        named: how many at the beginning stay where they are.
    """
    import numpy as np

    k = min(k, len(scores))
    worth = np.asarray(scores, dtype=np.float64)
    worth = (1 - weight) * worth / max(worth[named:].max(initial=0.0), 1e-9)
    likeness = np.zeros(len(scores))
    chosen: list[int] = []
    while len(chosen) < k:
        marginal = worth - weight * likeness
        marginal[chosen] = -np.inf
        place = len(chosen) if len(chosen) < named else int(np.argmax(marginal))
        chosen.append(place)
        likeness = np.maximum(likeness, vectors @ vectors[place])
    return chosen
