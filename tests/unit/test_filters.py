"""Filters that PGVectorStore refuses are refused, and no value or name gets into the SQL."""

from __future__ import annotations

import datetime
import uuid
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_postgres.v2.async_vectorstore import AsyncPGVectorStore

from arxivscout.memory.filters import compile_filter

COLUMNS = ("arxiv_id", "subjects", "submission_date")


def library_refuses(filter: Any) -> bool:
    """Whether the library's own compiler raises; it needs no database, only these fields."""
    store = object.__new__(AsyncPGVectorStore)
    store.metadata_json_column = "langchain_metadata"
    store.metadata_columns = list(COLUMNS)
    store.id_column = "langchain_id"
    store.content_column = "content"
    store.embedding_column = "embedding"
    try:
        store._create_filter_clause(filter)
    except (ValueError, NotImplementedError, IndexError, AttributeError, TypeError, KeyError):
        return True
    return False


names = st.one_of(
    st.sampled_from(
        [*COLUMNS, "topic", "a.b", "content", "embedding", "langchain_id", "arxiv_id.x"]
    ),
    st.sampled_from(["$eq", "$and", "$or", "$not", "$regex", "", "a b", "a;b", "a.", "x'y", 'x"y']),
    st.text(max_size=5),
    st.integers(0, 3),
)
operators = st.sampled_from(
    "$eq $ne $lt $lte $gt $gte $in $nin $between $like $ilike $exists $regex $and eq".split()
)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=6),
    st.dates(),
    st.binary(max_size=2),
    st.uuids(),
)
values = st.one_of(
    scalars,
    st.lists(scalars, max_size=3),
    st.tuples(scalars, scalars),
    st.dictionaries(operators, st.one_of(scalars, st.lists(scalars, max_size=3)), max_size=2),
)
filters = st.recursive(
    st.one_of(st.dictionaries(names, values, max_size=3), scalars),
    lambda inner: st.dictionaries(
        st.sampled_from(["$and", "$or", "$not", "$AND", "$nor"]),
        st.one_of(inner, st.lists(inner, max_size=3)),
        max_size=2,
    ),
    max_leaves=8,
)


@given(filters)
def test_what_the_library_refuses_is_refused_with_a_value_error(filter: Any) -> None:
    if filter is None:
        return  # no filter at all
    try:
        compile_filter(filter, COLUMNS)
    except ValueError as error:
        assert str(error)
    else:
        assert not library_refuses(filter)


@given(st.text(min_size=1), st.sampled_from(["$eq", "$like", "$in", "$between"]))
def test_values_are_bound_and_never_written_into_the_statement(text: str, operator: str) -> None:
    secret = f"secret{text}"
    value: Any = {"$in": [secret], "$between": [secret, secret]}.get(operator, secret)
    for name in ("topic", "subjects", "a.b"):
        try:
            clause, bound = compile_filter({name: {operator: value}}, COLUMNS)
        except ValueError:
            assert "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text)
            continue
        assert "secret" not in clause.as_string(None)
        assert secret in [item for value in bound.values() for item in [value, *list(value)]]


@given(st.text(min_size=1))
def test_names_are_bound_too(name: str) -> None:
    try:
        clause, bound = compile_filter({name: "x"})
    except ValueError:
        return
    assert all(part.isidentifier() for part in name.split("."))
    if name not in ("langchain_id", "content", "embedding"):
        assert clause.as_string(None) == compile_filter({"other": "x"})[0].as_string(None)
        assert name.split(".") in bound.values()


@pytest.mark.parametrize(
    "filter",
    [
        "subjects = 'x'",
        ["a"],
        {"a; DROP TABLE x": 1},
        {"a": {"$regex": "x"}},
        {"a": {"$gt": 1, "$lt": 2}},
        {"a": {}},
        {"a": None},
        {"a": [1]},
        {"a": datetime.timedelta(1)},
        {"a": {"$in": "text"}},
        {"a": {"$in": []}},
        {"a": {"$in": [1, "x"]}},
        {"a": {"$in": [True]}},
        {"a": {"$between": [1]}},
        {"a": {"$between": [1, "x"]}},
        {"a": {"$exists": "yes"}},
        {"a": {"$like": 1}},
        {"subjects": 5},
        {"subjects.x": "y"},
        {"langchain_id": "no uuid"},
        {"embedding": "x"},
        {"$and": []},
        {"$and": {"a": 1}},
        {"$or": [{}, {"a": 1}]},
        {"$not": "x"},
        {"$not": {}},
        {"$nor": [{"a": 1}]},
        {"a": 1, "$or": [{"b": 1}]},
        {"a": "nul\0"},
        {"a": "half\ud800"},
    ],
)
def test_a_filter_that_cannot_be_is_refused(filter: Any) -> None:
    with pytest.raises(ValueError):
        compile_filter(filter, COLUMNS)


def test_a_filter_nested_without_end_is_refused() -> None:
    filter: dict[str, Any] = {"a": 1}
    for _ in range(5_000):
        filter = {"$not": filter}
    with pytest.raises(ValueError, match="levels deep"):
        compile_filter(filter)


def test_no_filter_is_always_true() -> None:
    for nothing in (None, {}, {"$and": [{}]}):
        clause, bound = compile_filter(nothing)
        assert (clause.as_string(None), bound) == ("true", {})


def test_an_id_may_be_text() -> None:
    wanted = uuid.uuid4()
    _, bound = compile_filter({"langchain_id": str(wanted)})
    assert list(bound.values()) == [wanted]
