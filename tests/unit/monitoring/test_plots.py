"""Bars and lines of characters."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statistics_of_a_month import month

from arxivscout.monitoring.figures import Counts
from arxivscout.monitoring.plots import bar, every_day, line, together
from arxivscout.monitoring.wording import milliseconds, size

days = st.dictionaries(
    st.dates(date(2026, 1, 1), date(2026, 12, 31)),
    st.integers(0, 50).map(lambda n: Counts(turns=n, answered=n)),
    min_size=1,
    max_size=30,
).map(lambda found: sorted(found.items()))


@pytest.mark.parametrize("plain", [False, True])
def test_a_bar_is_as_long_as_its_share_and_seen_if_it_is_any(plain: bool):
    assert bar(0, 10, plain=plain) == ""
    assert len(bar(1, 10, plain=plain)) == 10
    assert len(bar(0.5, 10, plain=plain)) == 5
    assert len(bar(0.000_1, 10, plain=plain)) == 1
    assert len(bar(7, 10, plain=plain)) == 10
    assert bar(0.5, 10, plain=plain).isascii() is plain


@given(st.lists(st.floats(0, 1e9), max_size=80), st.booleans())
def test_a_line_has_a_character_for_each_value_and_a_blank_for_nothing(
    values: list[float], plain: bool
):
    drawn = line(values, plain=plain)
    assert len(drawn) == len(values)
    for character, value in zip(drawn, values, strict=True):
        assert (character == " ") == (value == 0)


@given(days, st.integers(1, 90))
def test_days_put_together_lose_no_turn_and_fit(found: list[tuple[date, Counts]], most: int):
    whole = every_day(found)
    assert len(whole) == (found[-1][0] - found[0][0]).days + 1
    each, grouped = together(whole, most)
    assert len(grouped) <= most
    assert sum(c.turns for _, c in grouped) == sum(c.turns for _, c in found)
    starts = [day for day, _ in grouped]
    assert all(b - a == timedelta(days=each) for a, b in pairwise(starts))


def test_rates_are_of_what_there_is_and_none_of_nothing():
    total = month().total
    assert total.hit_rate == pytest.approx(total.recalled_cited / total.recalled)
    assert (Counts().hit_rate, Counts().abstained_rate, Counts().reused_rate) == (None, None, None)


def test_times_and_sizes_have_the_unit_that_suits_them():
    assert [milliseconds(n) for n in (None, 0.42, 12.4, 999.6, 61_000)] == [
        "", "0.4 ms", "12 ms", "1.0 s", "1 min 01 s"
    ]  # fmt: skip
    assert [size(n) for n in (0, 999, 1_000, 12_345, 7_000_000, 3 * 10**12)] == [
        "0 B", "999 B", "1.0 kB", "12 kB", "7.0 MB", "3.0 TB"
    ]  # fmt: skip
