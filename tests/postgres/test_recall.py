"""What recall finds does not depend on the shape of an index."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

from psycopg import Connection

from arxivscout.memory.paper_filter import NO_FILTER
from arxivscout.memory.postgres import Database
from arxivscout.memory.recall import recall
from arxivscout.memory.recall_stores import (
    PLANNED_ONCE,
    Asked,
    other_stores,
    paper_stores,
    said_stores,
)
from arxivscout.memory.vector_memory import vector_text

ISLAND = [1.0, 0.2] + [0.0] * 382
_FINDINGS = """
INSERT INTO entity_memory (category, content, embedding, langchain_metadata)
SELECT 'finding', 'finding ' || i,
       (SELECT array_agg(CASE j WHEN 1 THEN 1.0 ELSE sin(i * j) * 0.03 END ORDER BY j)
        FROM generate_series(1, 384) AS j WHERE i > 0)::vector, '{}'
FROM generate_series(1, 600) AS i
"""
_BY_INDEX = "SELECT 1 FROM entity_memory ORDER BY embedding <=> %s::vector LIMIT 6"


def by_index(conn: Connection, vector: str) -> int:
    conn.execute("SET LOCAL enable_seqscan = off")
    conn.execute("SET LOCAL enable_sort = off")
    conn.execute("SET LOCAL hnsw.iterative_scan = strict_order")
    return len(conn.execute(_BY_INDEX, [vector]).fetchall())  # type: ignore[arg-type]


def test_findings_are_recalled_where_versions_of_one_row_fill_the_index(
    database: Database,
) -> None:
    vector = vector_text(ISLAND)
    with database.admin() as conn:  # which would take the versions out of the index
        conn.execute("ALTER TABLE entity_memory SET (autovacuum_enabled = off)")
    with database.transaction("ann") as conn:
        conn.execute(
            "INSERT INTO entity_memory (category, name, content, embedding, langchain_metadata) "
            "VALUES ('paper', 'p', 'p', %s::vector, '{}')",
            [vector],
        )
    with database.transaction("ann") as conn:
        for _ in range(1_000):  # each a version with an entry of its own in the index
            conn.execute("UPDATE entity_memory SET updated_at = clock_timestamp()")
    with database.transaction("ann") as conn:
        conn.execute(_FINDINGS)
    with database.transaction("ann") as conn:
        assert by_index(conn, vector) < 6  # else this test shows nothing
    found = recall(
        database, user="ann", thread_id="t", turn_id=uuid4(), question="?", vector=vector
    )
    assert len(found.memory["findings"]) == 10


def test_the_index_of_vectors_serves_a_plan_that_is_made_while_there_is_little(
    database: Database,
) -> None:
    vector = vector_text(ISLAND) or ""
    asked = Asked("t", uuid4(), "?", vector, vector, (), NO_FILTER, datetime.now(UTC))
    searched = {
        "tools", "knowledge", "looked_at", "lessons", "workflows", "summaries", "earlier",
    }  # fmt: skip
    plans = {}
    with database.transaction("ann") as conn:
        conn.execute(PLANNED_ONCE)  # type: ignore[arg-type]
        for store in (*paper_stores(asked), *said_stores(asked), *other_stores(asked)):
            query, bound = store.statement
            rows = conn.execute(f"EXPLAIN {query}", bound).fetchall()  # type: ignore[arg-type]
            plans[store.name] = "\n".join(line for (line,) in rows)
    assert {name for name, plan in plans.items() if "_hnsw on" in plan} == searched
