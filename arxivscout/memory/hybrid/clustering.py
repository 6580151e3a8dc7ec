"""Which memories belong together: alike in meaning, or less alike and about the same things."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

# On 30 sentences of five topics, two of one topic had a cosine of .43 in the middle (.27 to .54),
# two of different ones .1, and one pair in a hundred over .37. A thing in common makes up for some.
ALIKE = 0.45
ALIKE_ABOUT_THE_SAME = 0.35
LEAST, MOST = 5, 20  # memories in a group


@dataclass(frozen=True, slots=True)
class Point:
    """A memory's unit vector, and the things it is joined to."""

    vector: npt.NDArray[np.float32]
    things: Set[object]


def groups(points: Sequence[Point]) -> list[list[int]]:
    """Groups of positions in `points`, none in two of them; what has no group is in none.

    The memory with most of its like is the middle of the first group, and so on with the rest: all
    of a group are like its middle. The order of equals is that of `points`.
    """
    if len(points) < LEAST:
        return []
    vectors = np.stack([point.vector for point in points])
    likeness = vectors @ vectors.T
    shared = np.array([[bool(a.things & b.things) for b in points] for a in points])
    alike = (likeness >= ALIKE) | (shared & (likeness >= ALIKE_ABOUT_THE_SAME))
    free = np.ones(len(points), dtype=bool)
    found: list[list[int]] = []
    while True:
        many = (alike & free & free[:, None]).sum(axis=1)
        middle = int(many.argmax())
        if many[middle] < LEAST:
            return found
        near = np.flatnonzero(alike[middle] & free)
        chosen = near[np.argsort(-likeness[middle][near], kind="stable")][:MOST]
        free[chosen] = False
        found.append(sorted(int(each) for each in chosen))
