"""Moments as people write them."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.papers.dates import moment_named


@pytest.fixture
def in_delhi(monkeypatch: pytest.MonkeyPatch):
    """Half an hour beside the others' zones, so that none is met by chance."""
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-11-30T14:00", datetime(2026, 11, 30, 8, 30, tzinfo=UTC)),
        ("2026-11-30 14", datetime(2026, 11, 30, 8, 30, tzinfo=UTC)),
        ("2026-11-30T14:00Z", datetime(2026, 11, 30, 14, tzinfo=UTC)),
        ("2026-11-30t14:00:30+02:00", datetime(2026, 11, 30, 12, 0, 30, tzinfo=UTC)),
        ("2026-11-30", datetime(2026, 11, 30, 18, 29, 59, 999999, tzinfo=UTC)),
        ("2026-02", datetime(2026, 2, 28, 18, 29, 59, 999999, tzinfo=UTC)),
    ],
)
def test_a_moment_is_read_in_the_zone_of_the_person_where_it_names_none(in_delhi, text, moment):
    assert moment_named(text) == moment


@pytest.mark.parametrize(
    "text",
    [
        *("", "soon", "14:00", "0999-01-01", "2026-11-31T10:00", "2026-11-30T25:00"),
        *("2026-11-30T", "2026-11-30T10:0", "2026-11-30T10:00+99:00"),
    ],
)
def test_what_names_no_moment_is_none(text):
    assert moment_named(text) is None


@given(st.datetimes(datetime(1901, 1, 1), datetime(2200, 1, 1)), st.integers(-720, 720))
def test_any_moment_written_is_read_back(moment, minutes):
    zone = timedelta(minutes=minutes)
    sign, size = "+-"[zone < timedelta(0)], abs(zone)
    written = (
        f"{moment:%Y-%m-%dT%H:%M:%S}{sign}{size.seconds // 3600:02}:{size.seconds // 60 % 60:02}"
    )
    assert moment_named(written) == (moment.replace(microsecond=0) - zone).replace(tzinfo=UTC)


@given(st.text(max_size=40))
def test_any_text_is_read_or_is_none(text):
    moment = moment_named(text)
    assert moment is None or moment.tzinfo is not None
