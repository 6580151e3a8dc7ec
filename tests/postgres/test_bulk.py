"""Rows in COPY's binary form come back as they were sent."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arxivscout.memory import bulk
from arxivscout.memory.postgres import Database

TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40)
ROW = st.tuples(
    st.none() | TEXT,
    st.none() | st.integers(-(2**31), 2**31 - 1),
    st.booleans(),
    st.lists(TEXT, max_size=5),
    st.none() | st.lists(st.floats(-1e6, 1e6, width=32), min_size=1, max_size=20),
)


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(ROW, max_size=8))
def test_what_is_sent_is_what_is_stored(database: Database, rows: list[Any]) -> None:
    with database.shared() as conn, conn.cursor() as cursor:
        cursor.execute(
            "CREATE TEMPORARY TABLE sent"
            " (place INTEGER, a TEXT, b INTEGER, c BOOLEAN, d TEXT[], e vector) ON COMMIT DROP"
        )
        with cursor.copy("COPY sent FROM STDIN (FORMAT BINARY)") as copy:
            copy.write(bulk.BEGIN)
            for place, (a, b, c, d, e) in enumerate(rows):
                values = (
                    bulk.integer(place), bulk.text(a), bulk.integer(b), bulk.boolean(c),
                    bulk.texts(d), bulk.vector(e),
                )  # fmt: skip
                copy.write(bulk.row(values))
            copy.write(bulk.END)
        stored = cursor.execute("SELECT a, b, c, d, e::text FROM sent ORDER BY place").fetchall()
    assert [row[:4] for row in stored] == [row[:4] for row in rows]
    for (*_, text), (*_, vector) in zip(stored, rows, strict=True):
        if vector is None:
            assert text is None
        else:
            numbers = np.array(text.strip("[]").split(","), np.float32)
            assert np.array_equal(numbers, np.array(vector, np.float32))


def test_a_vector_may_be_an_array_of_any_precision() -> None:
    for kind in (np.float16, np.float32, np.float64):
        assert bulk.vector(np.array([1, 0.5], kind)) == bulk.vector([1.0, 0.5])
