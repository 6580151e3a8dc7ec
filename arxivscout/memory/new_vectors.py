"""The knowledge base's vectors of another model, in a column of their own until they take over.

All that takes long, filling the column and building its index, happens beside searches and writers.
Then the columns change places, which takes a moment whatever the number of papers.
"""

from __future__ import annotations

from typing import Any

from psycopg import Connection
from psycopg.sql import SQL, Literal

from arxivscout.memory.deferred_indexes import use_means

BATCH = 1_000

# A stop leaves the column, perhaps of yet another model.
_BEGIN = """
ALTER TABLE arxivscout.semantic_memory DROP COLUMN IF EXISTS new_embedding;
ALTER TABLE arxivscout.semantic_memory ADD COLUMN new_embedding vector({dimension});
ALTER TABLE arxivscout.semantic_memory ALTER COLUMN new_embedding SET STORAGE MAIN;
UPDATE arxivscout.reembedding SET placed = false WHERE placed;
"""

_FILL = """
WITH next AS (
    UPDATE arxivscout.reembedding AS done SET placed = true
    FROM (SELECT row_id FROM arxivscout.reembedding
          WHERE table_name = 'semantic_memory' AND NOT placed LIMIT %s) AS chosen
    WHERE done.table_name = 'semantic_memory' AND done.row_id = chosen.row_id
    RETURNING done.row_id, done.content_hash, done.embedding
), filled AS (
    UPDATE arxivscout.semantic_memory AS held SET new_embedding = next.embedding
    FROM next WHERE held.langchain_id = next.row_id AND held.content_hash = next.content_hash
)
SELECT count(*) FROM next
"""

_INDEX = """
CREATE INDEX CONCURRENTLY new_knowledge_base_hnsw ON arxivscout.semantic_memory
    USING hnsw (new_embedding vector_cosine_ops) WITH (m = 16, ef_construction = 64)
"""

_TAKE_OVER = """
DROP INDEX IF EXISTS arxivscout.knowledge_base_hnsw;
DELETE FROM arxivscout.deferred_index WHERE name = 'knowledge_base_hnsw';
ALTER TABLE arxivscout.semantic_memory DROP COLUMN embedding;
ALTER TABLE arxivscout.semantic_memory RENAME COLUMN new_embedding TO embedding;
ALTER INDEX arxivscout.new_knowledge_base_hnsw RENAME TO knowledge_base_hnsw;
"""


def prepare(admin: Connection[Any], dimension: int, *, embedded: bool) -> None:
    """Fill the column with the vectors that are gathered, and index it.

    Args:
        admin: an autocommit connection of the owner.
        embedded: whether the server is the embedded one.
    """
    with admin.transaction():
        admin.execute(SQL(_BEGIN).format(dimension=Literal(dimension)))
    fill(admin)
    if embedded:
        use_means(admin)
    admin.execute(_INDEX)


def fill(admin: Connection[Any]) -> None:
    """Bring into the column what was gathered since it was last filled."""
    while (row := admin.execute(_FILL, [BATCH]).fetchone()) and row[0]:
        pass


def take_over(admin: Connection[Any]) -> None:
    """Put the column in the old one's place; in a transaction, with the table locked."""
    fill(admin)
    admin.execute(_TAKE_OVER)
