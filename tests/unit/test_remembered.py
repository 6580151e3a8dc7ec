"""Vectors of texts that come again."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from arxivscout.embedding.remembered import LONGEST, Remembered


class Counting:
    """Embeds a text as its length and its first letter; knows what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        return np.array([[len(t), ord(t[:1] or "0")] for t in texts], np.float32).reshape(-1, 2)


@given(st.lists(st.lists(st.text("abc", max_size=2)), max_size=8), st.integers(1, 20))
def test_the_rows_are_those_of_the_texts_whatever_is_remembered(
    asked: list[list[str]], most: int
) -> None:
    remembered = Remembered(Counting(), most)
    for texts in asked:
        assert remembered(texts).tolist() == Counting()(texts).tolist()


def test_no_text_is_embedded_twice_while_it_is_remembered() -> None:
    embed = Counting()
    remembered = Remembered(embed, 3)
    remembered(["a", "b", "a"])
    remembered(["b", "c"])
    assert embed.asked == ["a", "b", "c"]
    remembered(["d"])  # "a" is the one that was looked at longest ago
    remembered(["b", "c", "d", "a"])
    assert embed.asked == ["a", "b", "c", "d", "a"]


def test_a_text_of_any_length_is_embedded_and_a_huge_one_not_kept() -> None:
    embed = Counting()
    remembered = Remembered(embed, 3)
    huge = "x" * (LONGEST + 1)
    assert remembered([huge]).tolist() == remembered([huge]).tolist()
    assert embed.asked == [huge, huge]


def test_what_is_remembered_can_not_be_changed() -> None:
    remembered = Remembered(Counting(), 3)
    with pytest.raises(ValueError, match="read-only"):
        remembered(["a"])[0, 0] = 7


def test_threads_that_want_the_same_at_once_wait_for_one_of_them() -> None:
    entered, go_on = threading.Event(), threading.Event()
    counting = Counting()

    def slow(texts: Sequence[str]) -> NDArray[np.float32]:
        entered.set()
        assert go_on.wait(10)
        return counting(texts)

    remembered = Remembered(slow, 3)
    with ThreadPoolExecutor(4) as threads:
        first = threads.submit(remembered, ["a", "b"])
        assert entered.wait(10)
        others = [threads.submit(remembered, ["b"]) for _ in range(3)]
        go_on.set()
        assert first.result(10).tolist() == [[1, 97], [1, 98]]
        assert [each.result(10).tolist() for each in others] == [[[1, 98]]] * 3
    assert counting.asked == ["a", "b"]


def test_a_failure_reaches_all_who_wait_and_is_not_remembered() -> None:
    entered, go_on = threading.Event(), threading.Event()

    def fails(texts: Sequence[str]) -> NDArray[np.float32]:
        entered.set()
        assert go_on.wait(10)
        if len(texts) == 2:
            raise OSError("gone")
        return np.zeros((len(texts), 2), np.float32)

    remembered = Remembered(fails, 3)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(remembered, ["a", "b"])
        assert entered.wait(10)
        other = threads.submit(remembered, ["b"])
        go_on.set()
        for each in (first, other):
            with pytest.raises(OSError, match="gone"):
                each.result(10)
    assert remembered(["b"]).shape == (1, 2)
