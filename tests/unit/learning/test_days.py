"""Days named from where a statement stands are kept as dates, by the clock of its turn."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.learning.days import with_dates
from arxivscout.learning.things import related
from arxivscout.statements.stating import told

MONDAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I started using JAX yesterday", "I started using JAX yesterday (2026-11-29)"),
        ("We use Julia since last week", "We use Julia since last week (week of 2026-11-23)"),
        ("The talk is next Friday", "The talk is next Friday (2026-12-04)"),
        ("I met him last Monday", "I met him last Monday (2026-11-23)"),
        ("I moved two months ago", "I moved two months ago (2026-09)"),
        ("I left last year", "I left last year (2025)"),
        ("Uso JAX da ieri", "Uso JAX da ieri (2026-11-29)"),
        ("Ho finito la settimana scorsa", "Ho finito la settimana scorsa (week of 2026-11-23)"),
        ("Ich kam vor zwei Wochen an", "Ich kam vor zwei Wochen (week of 2026-11-16) an"),
        ("J'ai changé hier", "J'ai changé hier (2026-11-29)"),
        ("Empecé hace 3 días", "Empecé hace 3 días (2026-11-27)"),
        ("I use JAX", "I use JAX"),
        ("the last weeks were hard", "the last weeks were hard"),
    ],
)
def test_a_day_is_kept_as_a_date(said, kept) -> None:
    assert with_dates(said, MONDAY) == kept
    assert with_dates(kept, MONDAY + timedelta(days=40)) == kept


def test_a_thing_is_called_without_the_date() -> None:
    (one,) = told(with_dates("I started using JAX yesterday", MONDAY))
    assert [thing.name for thing in related(one)] == ["JAX"]


@given(
    st.lists(st.sampled_from("last next 99 999 years weeks ago fa hace vor Monday (".split())),
    st.dates(date(1, 1, 1), date(9999, 12, 31)),
)
def test_any_order_of_such_words_is_read_on_any_day(words, today) -> None:
    text = " ".join(words)
    assert len(with_dates(text, today)) >= len(text)
