"""A memory's value falls with age and disuse, use refreshes it, and the database says the same."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arxivscout.memory.fading import (
    IMPORTANCE,
    LASTING,
    HalfLives,
    importance_of,
    importance_sql,
    value,
    value_parameters,
    value_sql,
)
from arxivscout.memory.postgres import Database

# The database's clock tells microseconds; smaller parts of a day underflow in it.
DAYS = st.floats(-1, 1e6).map(lambda days: round(days, 9))
USES = st.integers(0, 10**6)
KINDS = st.sampled_from([*IMPORTANCE, "paper", "method", None])
FILED = st.sampled_from(["small talk", "findings", None])
HALVES = st.builds(HalfLives, st.floats(1, 1e4), st.floats(1, 1e4))

_TWIN = "SELECT {value}, {importance}".format(
    value=value_sql(
        age_days="%(age)s::float8",
        days_since_use="%(unused)s::float8",
        uses="%(uses)s::int",
        kind="%(kind)s::text",
        importance="%(importance)s::float8",
    ),
    importance=importance_sql(kind="%(kind)s::text", filed_under="%(filed)s::text"),
)


@pytest.fixture
def begun(database: Database) -> Database:
    with database.transaction("ann") as conn:
        conn.execute("SELECT begin_categories()")
    return database


@settings(max_examples=150, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
@given(age=DAYS, unused=DAYS, uses=USES, kind=KINDS, filed=FILED, half=HALVES)
def test_the_database_says_the_same(begun: Database, age, unused, uses, kind, filed, half) -> None:
    importance = importance_of(kind, filed)
    bound = {"age": age, "unused": unused, "uses": uses, "kind": kind, "filed": filed,
             "importance": importance, **value_parameters(half)}  # fmt: skip
    ((told, weight),) = begun.batch("ann", [(_TWIN, bound)])[0]
    assert float(weight) == importance
    assert told == pytest.approx(value(age, unused, uses, kind, importance, half), abs=1e-12)


@given(age=DAYS, unused=DAYS, more=st.floats(0, 1e5), uses=USES, kind=KINDS, filed=FILED)
def test_it_falls_with_age_and_disuse_and_rises_with_use(
    age, unused, more, uses, kind, filed
) -> None:
    importance = importance_of(kind, filed)
    now = value(age, unused, uses, kind, importance)
    assert 0 <= now <= importance <= 1
    assert value(age + more, unused, uses, kind, importance) <= now + 1e-12
    assert value(age, unused + more, uses, kind, importance) <= now + 1e-12
    assert value(age, unused, uses + 1, kind, importance) >= now - 1e-12
    assert value(age, 0, uses + 1, kind, importance) >= now - 1e-12
    if kind in LASTING:
        assert now == importance


def test_half_of_each_half_goes_in_a_half_life() -> None:
    half = HalfLives(age=180, use=60)
    assert value(0, 0, 0, "finding", 0.8, half) == 0.8
    assert value(180, 0, 0, "finding", 0.8, half) == pytest.approx(0.6)
    assert value(180, 60, 0, "finding", 0.8, half) == pytest.approx(0.4)
    assert value(10_000, 10_000, 0, "preference", 1.0, half) == 1.0
