"""Related memories form groups, each memory in one at most, whatever the vectors."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.memory.hybrid.clustering import ALIKE, LEAST, MOST, Point, groups


def points(seed: int, count: int, topics: int, spread: float) -> list[Point]:
    random = np.random.default_rng(seed)
    middles = random.normal(size=(topics, 16))
    vectors = middles[random.integers(topics, size=count)] + spread * random.normal(
        size=(count, 16)
    )
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    things = [frozenset(random.integers(3, size=random.integers(3)).tolist()) for _ in range(count)]
    return [Point(v.astype(np.float32), t) for v, t in zip(vectors, things, strict=True)]


@given(st.integers(0, 10_000), st.integers(0, 60), st.integers(1, 5), st.floats(0, 2))
def test_groups_are_apart_large_enough_and_the_same_again(
    seed: int, count: int, topics: int, spread: float
) -> None:
    given_points = points(seed, count, topics, spread)
    found = groups(given_points)
    members = [each for group in found for each in group]
    assert len(members) == len(set(members))
    assert all(0 <= each < count for each in members)
    assert all(LEAST <= len(group) <= MOST and group == sorted(group) for group in found)
    assert groups(given_points) == found


@given(st.integers(0, 1000))
def test_a_tight_topic_is_a_group_and_strangers_are_in_none(seed: int) -> None:
    tight = points(seed, 8, 1, 0.05)
    strangers = [
        Point(np.eye(16, dtype=np.float32)[at], frozenset())
        for at in range(16)
        if abs(float(tight[0].vector[at])) < ALIKE / 2
    ]
    found = groups([*tight, *strangers[:4]])
    assert found[:1] == [list(range(8))]


def test_what_is_about_the_same_thing_need_be_less_alike() -> None:
    middle = np.zeros(16, dtype=np.float32)
    middle[0] = 1
    others = []
    for at in range(1, 6):
        vector = np.zeros(16, dtype=np.float32)
        vector[0], vector[at] = 0.42, np.sqrt(1 - 0.42**2)
        others.append(vector)
    alone = [Point(vector, frozenset()) for vector in (middle, *others)]
    joined = [Point(vector, frozenset({"JAX"})) for vector in (middle, *others)]
    assert groups(alone) == []
    assert groups(joined) == [list(range(6))]
