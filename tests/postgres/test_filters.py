"""`filter=` returns the rows that PGVectorStore returns for it on the same table."""

from __future__ import annotations

import asyncio
import datetime
import uuid
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_postgres import PGEngine
from langchain_postgres.v2.indexes import DistanceStrategy

from arxivscout import StoreManager
from arxivscout.memory import document, vector_search
from arxivscout.memory.postgres import Database
from arxivscout.memory.vector_store import ScoutVectorStore

NAMES = {
    "knowledge_base": "semantic_memory",
    "workflow": "workflow_memory",
    "toolbox": "toolbox_memory",
    "entity": "entity_memory",
    "summary": "summary_memory",
}
WORDS = ["memory", "quantum", "space", "50%", "a_b", "it's", "", "Ünïcode", "2015", "true"]
EVERYTHING = 1_000


def make_rows() -> list[dict[str, Any]]:
    """Metadata of 60 rows: keys of every JSON type, some missing, some null, some nested."""
    random = np.random.default_rng(7)
    rows: list[dict[str, Any]] = []
    for i in range(60):
        row: dict[str, Any] = {"number": i % 7, "ratio": (i % 9) / 4, "done": i % 3 == 0}
        if i % 4:
            row["topic"] = WORDS[i % len(WORDS)]
        if i % 5 == 0:
            row["topic"] = None
        if i % 2:
            row["source"] = {"name": WORDS[(i * 3) % len(WORDS)], "year": 2000 + i % 20}
        if i % 6 == 0:
            row["source"] = "no object"
        row["seen"] = f"2020-01-{i % 28 + 1:02d}"
        row["seen_at"] = f"2020-01-{i % 28 + 1:02d}T10:00:00"
        if i % 3:
            row["arxiv_id"] = f"{1500 + i % 12:04d}.{int(random.integers(10_000)) + i:05d}"
            row["subjects"] = ["cs.CL, cs", "quant-ph", "math.ST; stat", "50% off"][i % 4]
        if i % 2:
            row["submission_date"] = f"20{i % 20:02d}-0{i % 9 + 1}-01"
        rows.append(row)
    return rows


@pytest.fixture
def store(database: Database) -> Iterator[ScoutVectorStore]:
    """The knowledge base as a PGVectorStore, with 60 rows in it."""
    engine = PGEngine.from_connection_string(database.user_url("ann", driver=True))
    manager = StoreManager(
        engine,
        DeterministicFakeEmbedding(size=384),
        NAMES,
        DistanceStrategy.COSINE_DISTANCE,
        "conversational_memory",
        384,
    )
    store = manager.get_knowledge_base_store()
    rows = make_rows()
    store.add_texts([f"text {i}" for i in range(len(rows))], metadatas=rows)
    yield store
    asyncio.run(engine.close())


texts = st.sampled_from([*WORDS, "cs.CL, cs", "quant-ph", "2010", "2007-05-01", "no object"])
patterns = st.sampled_from(["%", "%a%", "50\\%", "_emory", "%CL%", "20__-%", "", "Q%", "%ü%"])
integers = st.integers(-2, 2025)
decimals = st.sampled_from([0.0, 0.25, 0.5, 1.0, 1.75, -3.5, 1e3])
ORDER = ["$eq", "$ne", "$lt", "$lte", "$gt", "$gte"]
dates = st.dates(datetime.date(2019, 12, 25), datetime.date(2020, 2, 5))
times = st.datetimes(datetime.datetime(2019, 12, 25), datetime.datetime(2020, 2, 5))


def conditions(field: str, values: st.SearchStrategy[Any], *, lists: bool = True) -> Any:
    ways = [
        values,
        st.tuples(st.sampled_from(ORDER), values).map(lambda pair: {pair[0]: pair[1]}),
        st.booleans().map(lambda there: {"$exists": there}),
        st.lists(values, min_size=2, max_size=2).map(lambda pair: {"$between": pair}),
    ]
    if lists:
        some = st.lists(values, min_size=1, max_size=4)
        ways.append(st.tuples(st.sampled_from(["$in", "$nin"]), some).map(lambda p: {p[0]: p[1]}))
    return st.one_of(ways).map(lambda condition: {field: condition})


def like(field: str) -> Any:
    operators = st.sampled_from(["$like", "$ilike"])
    return st.tuples(operators, patterns).map(lambda pair: {field: {pair[0]: pair[1]}})


leaves = st.one_of(
    *(conditions(name, texts) for name in document.COLUMNS),
    *(conditions(name, texts) for name in ("topic", "source.name", "missing", "content")),
    *(like(name) for name in ("arxiv_id", "subjects", "topic", "source.name", "content")),
    conditions("number", integers),
    conditions("source.year", integers),
    conditions("ratio", decimals),
    conditions("done", st.booleans(), lists=False),
    conditions("seen", dates, lists=False),
    conditions("seen_at", times, lists=False),
)
both = st.lists(leaves, min_size=2, max_size=3).map(
    lambda parts: {name: value for part in parts for name, value in part.items()}
)
filters = st.recursive(
    st.one_of(leaves, both),
    lambda inner: st.one_of(
        st.tuples(
            st.sampled_from(["$and", "$or", "$AND", "$Or"]),
            st.lists(inner, min_size=1, max_size=3),
        ).map(lambda pair: {pair[0]: pair[1]}),
        st.one_of(inner, st.lists(inner, min_size=1, max_size=2)).map(lambda part: {"$not": part}),
    ),
    max_leaves=6,
)


def test_the_rows_are_those_of_the_library(store: ScoutVectorStore, database: Database) -> None:
    vector = [1.0] * 384
    matched = []

    @settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
    @given(filters)
    def compare(filter: dict[str, Any]) -> None:
        theirs = store.similarity_search_by_vector(vector, k=EVERYTHING, filter=filter)
        with database.transaction("ann") as conn:
            ours = vector_search.search(conn, document.KNOWLEDGE_BASE, vector, EVERYTHING, filter)
        assert {str(memory.id) for memory in ours} == {doc.id for doc in theirs}
        by_id = {doc.id: doc for doc in theirs}
        for memory in ours:
            assert list(memory.metadata.items()) == list(by_id[str(memory.id)].metadata.items())
        matched.append(0 < len(ours) < 60)

    compare()
    assert sum(matched) > 50, "the filters tell rows apart"


def test_ids_can_be_filtered(store: ScoutVectorStore, database: Database) -> None:
    wanted = uuid.UUID(store.similarity_search_by_vector([1.0] * 384, k=1)[0].id)
    for filter in ({"langchain_id": wanted}, {"langchain_id": str(wanted)}):
        with database.transaction("ann") as conn:
            found = vector_search.search(conn, document.KNOWLEDGE_BASE, [1.0] * 384, 9, filter)
        assert [memory.id for memory in found] == [wanted]


def test_values_that_are_of_another_type_do_not_match(
    store: ScoutVectorStore, database: Database
) -> None:
    """Where the library fails on the whole query."""
    store.add_texts(["odd"], metadatas=[{"number": "many", "done": "perhaps", "ratio": {}}])
    for filter in ({"number": 3}, {"done": True}, {"ratio": {"$lt": 100.0}}):
        with database.transaction("ann") as conn:
            found = vector_search.search(conn, document.KNOWLEDGE_BASE, [1.0] * 384, 99, filter)
        assert found
        assert "odd" not in {memory.content for memory in found}
