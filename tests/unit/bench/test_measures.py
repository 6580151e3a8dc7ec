"""The measures of retrieval, against values worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.bench.retrieval import auroc, half, ndcg, recall


def test_ndcg_counts_by_place_and_grade() -> None:
    assert ndcg(["a", "b"], {"a": 1}) == 1
    assert ndcg(["b", "a"], {"a": 1}) == pytest.approx(1 / math.log2(3))
    best = 3 + 1 / math.log2(3)
    assert ndcg(["b", "a"], {"a": 3, "b": 1}) == pytest.approx((1 + 3 / math.log2(3)) / best)
    assert ndcg([*"bcdefghijk", "a"], {"a": 1}) == 0  # the eleventh


def test_recall_is_of_what_has_a_grade() -> None:
    assert recall(["a", "x"], {"a": 1, "b": 2, "c": 0}) == 0.5
    assert recall([], {"c": 0}) == 0


def test_auroc_is_how_often_one_is_above_the_other() -> None:
    assert auroc([2, 3], [0, 1]) == 1
    assert auroc([1, 1], [1, 1]) == 0.5
    assert auroc([0, 2], [1]) == 0.5


@given(st.permutations("abcdefgh"), st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0, 3)))
def test_no_order_is_better_than_that_of_the_grades(
    ids: list[str], gains: dict[str, float]
) -> None:
    ideal = sorted(ids, key=lambda each: -gains.get(each, 0))
    assert 0 <= ndcg(ids, gains) <= ndcg(ideal, gains) + 1e-9 <= 1 + 2e-9


def test_half_a_title_has_two_words_at_least() -> None:
    assert half("On the decay of neutral mesons") == "On the decay"
    assert half("Dark matter") == "Dark matter"
