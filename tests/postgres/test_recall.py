"""What recall finds does not depend on the shape of an index."""

from __future__ import annotations

from uuid import uuid4

from psycopg import Connection

from arxivscout.memory.postgres import Database
from arxivscout.memory.recall import recall
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
