"""Searching by meaning under row security and filters: as many as there are, and the right ones."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg import Connection

from arxivscout.memory import vector_columns, workflow
from arxivscout.memory.postgres import Database
from arxivscout.memory.vector_memory import vector_text
from arxivscout.memory.vector_search import search as search_table

# (person, rows, clusters that they lie in): the small one's rows lie where the large one's do, and
# the far one's where nobody's are, which an index scan comes to last.
PEOPLE = [("large", 6_000, 0), ("middle", 1_500, 0), ("small", 30, 0), ("far", 40, 100)]

_FILL = """
INSERT INTO workflow_memory (user_id, content, embedding, langchain_metadata)
SELECT %(person)s, %(person)s || ' ' || i,
       (SELECT array_agg(sin((%(cluster)s + i %% 20) * 1.7 * (j + 1)) + random_normal(0, 0.6)
                         ORDER BY j)
        FROM generate_series(1, 384) AS j WHERE i > 0)::vector,
       json_build_object('n', i, 'even', i %% 2 = 0, 'rare', i %% 500 = 0)
FROM generate_series(1, %(rows)s) AS i
"""

_EXACT = """
SELECT langchain_id FROM workflow_memory
WHERE {} ORDER BY (embedding <=> %(vector)s::vector) + 0 LIMIT %(k)s
"""


@pytest.fixture
def filled(database: Database) -> Database:
    """People with many and few workflows; filled first, indexed afterwards, which is quicker."""
    with database.admin() as admin:
        admin.execute("SELECT setseed(0.5)")
        vector_columns.drop_vector_indexes(admin)
        for person, rows, cluster in PEOPLE:
            admin.execute(_FILL, {"person": person, "rows": rows, "cluster": cluster})
        vector_columns.build_vector_indexes(admin)
    with database.admin() as admin:
        admin.autocommit = True
        admin.execute("ANALYZE workflow_memory")
    return database


def questions(database: Database) -> list[str]:
    """Vectors to search by: rows of the large person's, from many clusters."""
    with database.transaction("large") as conn:
        query = "SELECT embedding::text FROM workflow_memory ORDER BY content LIMIT 20"
        return [row[0] for row in conn.execute(query)]


def parsed(vector: str) -> list[float]:
    return [float(number) for number in vector.strip("[]").split(",")]


def exact(conn: Connection[Any], vector: str, k: int, condition: str = "true") -> set[Any]:
    query = _EXACT.format(condition)
    rows = conn.execute(query, {"vector": vector, "k": k})  # type: ignore[arg-type]
    return {row[0] for row in rows}


def check_recall(filled: Database, vectors: list[str], person: str, held: int, k: int) -> None:
    """As many as there are, in order, of this person, and the right ones."""
    recalled = wanted = 0
    for vector in vectors:
        with filled.transaction(person) as conn:
            found = search_table(conn, workflow.WORKFLOW, parsed(vector), k)
            best = exact(conn, vector, k)
        assert len(found) == min(k, held)
        assert [memory.distance for memory in found] == sorted(m.distance for m in found)
        assert all(memory.content.startswith(person) for memory in found)
        recalled += len(best & {memory.id for memory in found})
        wanted += len(best)
    assert recalled / wanted >= (0.97 if held > 1_000 else 1.0), (person, k, recalled / wanted)


FILTERS: list[tuple[dict[str, Any], str]] = [
    ({"even": True}, "langchain_metadata ->> 'even' = 'true'"),
    ({"rare": True}, "langchain_metadata ->> 'rare' = 'true'"),
    ({"n": {"$lt": 5}}, "(langchain_metadata ->> 'n')::int < 5"),
    ({"n": {"$lt": 0}}, "false"),
]


def check_filter(
    filled: Database, vectors: list[str], filter: dict[str, Any], condition: str
) -> None:
    """A filter, however much it keeps out, starves nobody."""
    recalled = wanted = 0
    for vector in vectors:
        with filled.transaction("large") as conn:
            found = search_table(conn, workflow.WORKFLOW, parsed(vector), 10, filter)
            best = exact(conn, vector, 10, condition)
        assert len(found) == len(best)
        recalled += len(best & {memory.id for memory in found})
        wanted += len(best)
    assert recalled >= 0.97 * wanted, (filter, recalled, wanted)


def scans_of_the_index(filled: Database, person: str) -> int:
    """How often one search of this person's scans the HNSW index, by the server's own count."""

    def scans() -> int:
        with filled.admin() as admin:
            admin.execute("SELECT pg_stat_force_next_flush()")
            admin.commit()
            row = admin.execute(
                "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'workflow_hnsw'"
            ).fetchone()
        assert row
        return int(row[0])

    before = scans()
    with filled.transaction(person) as conn:
        # For tables of this size computing is the planner's choice.
        conn.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        search_table(conn, workflow.WORKFLOW, [0.1] * 384, 10)
        conn.execute("SELECT pg_stat_force_next_flush()")
    return scans() - before


def test_everybody_finds_as_many_as_there_are_and_the_right_ones(filled: Database) -> None:
    """One test, for filling takes its time."""
    vectors = questions(filled)
    for person, held, _ in PEOPLE:
        for k in (10, 50):
            check_recall(filled, vectors, person, held, k)
    for filter, condition in FILTERS:
        check_filter(filled, vectors[:8], filter, condition)
    for person in ("small", "middle"):
        assert scans_of_the_index(filled, person) == 0, "distances to few rows are computed"
    assert scans_of_the_index(filled, "large") == 1, "many rows are found by the index"


def test_what_succeeded_comes_before_its_like(database: Database) -> None:
    vectors = {"failure": [1.0, 0.0], "unknown": [1.0, 0.02], "success": [1.0, 0.04]}
    with database.transaction("ann") as conn:
        for outcome, start in vectors.items():
            vector = [*start, *[0.01] * 382]
            workflow.write(conn, f"ended in {outcome}", vector, {"outcome": outcome})
        far = [0.0, 1.0, *[0.0] * 382]
        workflow.write(conn, "another thing", far, {"outcome": "success"})
        nearest = [1.0, *[0.0] * 383]

        def order(k: int) -> list[str]:
            return [memory.content for memory in workflow.search(conn, nearest, k)]

        expected = ["ended in success", "ended in unknown", "ended in failure", "another thing"]
        assert order(9) == expected
        assert order(1) == expected[:1]


def test_a_workflow_is_judged_later(database: Database) -> None:
    with database.transaction("ann") as conn:
        memory_id = workflow.write(conn, "x", [1.0] * 384, {"workflow_type": "research"})
        workflow.judged(conn, memory_id, "success", "the person said so")
        row = conn.execute("SELECT outcome, workflow_type FROM workflow_memory").fetchone()
        assert row == ("success", "research")
        with pytest.raises(ValueError, match="one of success"):
            workflow.judged(conn, memory_id, "splendid")


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1))
def test_the_text_form_of_a_vector_tells_every_float(vector: list[float]) -> None:
    import numpy as np

    text = vector_text(np.array(vector, dtype=np.float32))
    assert text is not None
    read = np.array(text.strip("[]").split(","), dtype=np.float32)
    assert read.tobytes() == np.array(vector, dtype=np.float32).tobytes()


def test_no_vector_has_no_text_form() -> None:
    assert vector_text([1, 2.5]) == "[1,2.5]"
    assert vector_text(None) is None


def test_vectors_stand_in_their_rows(database: Database) -> None:
    with database.admin() as conn:
        kept = conn.execute(
            "SELECT attrelid::regclass::text FROM pg_attribute WHERE attname = 'embedding' "
            "AND attstorage = 'm' AND attrelid = ANY (%s::regclass[])",
            [list(vector_columns.VECTOR_TABLES)],
        ).fetchall()
    assert {name for (name,) in kept} == set(vector_columns.VECTOR_TABLES)
