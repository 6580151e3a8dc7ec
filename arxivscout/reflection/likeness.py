"""Which requests are alike: by the cosine of their vectors, in the order they were made in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arxivscout.reflection.episode import Episode

# Of all-MiniLM-L6-v2: one question in other words has .7 and more, another one on the same subject
# .45 to .65.
LIKE = 0.66


def groups(episodes: Sequence[Episode]) -> list[list[Episode]]:
    """Episodes with like requests together, each group in time order; the oldest one leads it.

    Whoever comes joins the leader that is nearest, or leads a group of their own. Without a vector
    only the same words are alike.
    """
    found: list[list[Episode]] = []
    leaders: list[NDArray[np.float64] | None] = []
    words: dict[str, int] = {}
    for episode in sorted(episodes, key=lambda each: (each.at, str(each.id))):
        vector, key = _unit(episode.vector), " ".join(episode.content.lower().split())
        place = words.get(key)
        if place is None and vector is not None:
            place = _nearest(vector, leaders)
        if place is None:
            words[key] = len(found)
            found.append([episode])
            leaders.append(vector)
        else:
            found[place].append(episode)
    return found


def _nearest(
    vector: NDArray[np.float64], leaders: Sequence[NDArray[np.float64] | None]
) -> int | None:
    near = [
        float(vector @ each) if each is not None and each.shape == vector.shape else -1.0
        for each in leaders
    ]
    best = max(range(len(near)), key=near.__getitem__, default=None)
    return best if best is not None and near[best] >= LIKE else None


def _unit(vector: Sequence[float]) -> NDArray[np.float64] | None:
    row = np.nan_to_num(np.asarray(vector, dtype=np.float64))
    length = float(np.linalg.norm(row)) if row.size else 0.0
    return row / length if length else None
