"""Hits that differ from each other."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.memory.diversity import spread

AXES = np.eye(3, dtype=np.float32)
# two nearly the same, then two others
VECTORS = np.stack([AXES[0], AXES[0], AXES[1], AXES[2]])
SCORES = [0.9, 0.89, 0.6, 0.5]


def test_what_is_like_a_better_hit_comes_later() -> None:
    assert spread(SCORES, VECTORS, 4) == [0, 2, 3, 1]
    assert spread(SCORES, VECTORS, 2) == [0, 2]


def test_without_weight_the_order_stays() -> None:
    assert spread(SCORES, VECTORS, 4, 0.0) == [0, 1, 2, 3]


def test_what_is_named_stays_first() -> None:
    assert spread([1.0, 1.0, 0.6, 0.5], VECTORS, 4, 0.5, named=2) == [0, 1, 2, 3]


@given(st.integers(0, 12), st.integers(0, 15), st.floats(0, 1), st.integers(0, 3))
def test_each_hit_is_taken_once(count: int, k: int, weight: float, named: int) -> None:
    chance = np.random.default_rng(count)
    vectors = chance.normal(size=(count, 4)).astype(np.float32)
    scores = sorted(chance.random(count).tolist(), reverse=True)
    chosen = spread(scores, vectors, k, weight, min(named, count))
    assert len(chosen) == len(set(chosen)) == min(k, count)
    assert set(chosen) <= set(range(count))
