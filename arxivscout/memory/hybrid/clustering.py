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
    likeness, alike = _compared(points, points)
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


def joining(points: Sequence[Point], held: Sequence[Sequence[Point]]) -> list[list[int]]:
    """For each group that there is, the positions in `points` of what belongs to it, too.

    Whatever is like the middle of a group, and likest to that one, joins it while there is room.
    """
    joins: list[list[int]] = [[] for _ in held]
    if not points or not held:
        return joins
    middles = [group[int(_compared(group, group)[1].sum(axis=1).argmax())] for group in held]
    likeness, alike = _compared(points, middles)
    for place, near in enumerate(np.where(alike, likeness, -1.0)):
        best = int(near.argmax())
        if near[best] >= 0 and len(held[best]) + len(joins[best]) < MOST:
            joins[best].append(place)
    return joins


def _compared(
    some: Sequence[Point], others: Sequence[Point]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """How alike each of `some` and each of `others` are, and whether that is enough for a group."""
    likeness = np.stack([each.vector for each in some]) @ np.stack([o.vector for o in others]).T
    shared = np.array([[bool(a.things & b.things) for b in others] for a in some])
    return likeness, (likeness >= ALIKE) | (shared & (likeness >= ALIKE_ABOUT_THE_SAME))
