"""What goes into JSON columns: clean, complete, or refused with its place."""

from __future__ import annotations

import datetime
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.memory.metadata import clean_arguments, clean_metadata, merged

anything_written = st.text(st.characters(), max_size=8)  # surrogates and NUL included
values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        anything_written,
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(anything_written, inner, max_size=3)
    ),
    max_leaves=10,
)
metadata = st.dictionaries(anything_written, values, max_size=4)


@given(metadata)
def test_cleaned_metadata_can_be_stored_and_is_clean_for_good(given_metadata: Any) -> None:
    cleaned = clean_metadata(given_metadata)
    text = json.dumps(cleaned, ensure_ascii=False, allow_nan=False)
    assert "\\u0000" not in text
    text.encode()
    assert clean_metadata(cleaned) == cleaned
    assert json.loads(text) == cleaned


@given(st.dictionaries(st.text("abc\n", max_size=3), st.text("abc \n\t", max_size=5)))
def test_what_is_clean_stays_as_it_is(given_metadata: dict[str, str]) -> None:
    assert list(clean_metadata(given_metadata).items()) == list(given_metadata.items())


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({"when": datetime.date(2020, 1, 1)}, r"metadata\['when'\].*date"),
        ({"a": [{"b": {1, 2}}]}, r"metadata\['a'\]\[0\]\['b'\].*set"),
        ({"a": float("nan")}, "nan is no JSON number"),
        ({"a": float("inf")}, "inf is no JSON number"),
        ({"a": b"x"}, "bytes"),
        ({("a",): 1}, "key"),
        (["a"], "must be a dict"),
        ("a", "must be a dict"),
    ],
)
def test_what_json_cannot_hold_is_refused_with_its_place(value: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        clean_metadata(value)


def test_what_holds_itself_is_refused() -> None:
    circle: dict[str, Any] = {}
    circle["self"] = circle
    with pytest.raises(ValueError, match="nested deeper"):
        clean_metadata(circle)


@given(st.recursive(st.one_of(values, st.binary(), st.floats(), st.dates()), st.lists))
def test_nothing_is_refused_in_an_audit_row(value: Any) -> None:
    json.dumps(clean_arguments(value), allow_nan=False).encode()


@given(metadata, metadata, metadata)
def test_merging(first: Any, second: Any, third: Any) -> None:
    both = merged(first, second)
    assert all(both[key] == value for key, value in second.items())
    assert all(both[key] == first[key] for key in first.keys() - second.keys())
    assert list(both)[: len(first)] == list(first)
    assert merged(both, second) == both
    assert merged(both, third) == merged(first, merged(second, third))
    assert merged(None, first) == first
