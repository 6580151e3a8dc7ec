"""The vector columns: whose model made what they hold, of which dimension, and their indexes.

They get their dimension and their HNSW indexes when an embedder is bound, which the table
`embedding_model` records.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql

from arxivscout.errors import EmbeddingMismatch
from arxivscout.memory.migrate import LOCK_KEY

if TYPE_CHECKING:
    from arxivscout.embedding import EmbeddingIdentity

# pgvector's HNSW, and the build parameters that the contract names
VECTOR_INDEXES = {
    "semantic_memory": "knowledge_base_hnsw",
    "workflow_memory": "workflow_hnsw",
    "toolbox_memory": "toolbox_hnsw",
    "entity_memory": "entity_hnsw",
    "summary_memory": "summary_hnsw",
    "message_index": "message_hnsw",
    "episode_memory": "episode_hnsw",
    "lesson_memory": "lesson_hnsw",
}
# Parts of full texts are never looked for among all others, and need no index; nor do categories.
VECTOR_TABLES = (*VECTOR_INDEXES, "section_memory", "passage_memory", "memory_category")

TRANSACTION_LOCK = "SELECT pg_advisory_xact_lock(%s)"
READ_MODEL = "SELECT name, dimension, fingerprint FROM arxivscout.embedding_model"
WRITE_MODEL = """
INSERT INTO arxivscout.embedding_model (name, dimension, fingerprint) VALUES (%s, %s, %s)
ON CONFLICT (singleton) DO UPDATE SET name = excluded.name, dimension = excluded.dimension,
    fingerprint = excluded.fingerprint, recorded_at = now()
"""


def check_model(bound: tuple[str, int, str] | None, identity: EmbeddingIdentity) -> bool:
    """Whether `bound` (name, dimension, fingerprint) is the embedder's; False if none is bound.

    Raises:
        EmbeddingMismatch: another model made the vectors.
    """
    if bound is None:
        return False
    name, dimension, fingerprint = bound
    if (dimension, fingerprint) != (identity.dimension, identity.fingerprint):
        raise EmbeddingMismatch(
            f"The database's vectors were made by {name} ({dimension} dimensions), "
            f"the settings name {identity.name} ({identity.dimension}).",
            "Set ARXIVSCOUT_EMBEDDING back, or run `arxivscout db reembed`.",
        )
    return True


def bind_model(admin: psycopg.Connection[Any], identity: EmbeddingIdentity) -> None:
    """Fix the vector columns' dimension for the first embedder, and build their indexes.

    Args:
        admin: a connection of the owner, in a transaction.

    Raises:
        EmbeddingMismatch: another model is bound already.
    """
    admin.execute(TRANSACTION_LOCK, [LOCK_KEY])
    if not check_model(read_model(admin), identity):
        fix_dimension(admin, identity.dimension)
        build_vector_indexes(admin)
        record_model(admin, identity)


def read_model(conn: psycopg.Connection[Any]) -> tuple[str, int, str] | None:
    """The bound embedder's name, dimension and fingerprint."""
    return conn.execute(READ_MODEL).fetchone()


def record_model(admin: psycopg.Connection[Any], identity: EmbeddingIdentity) -> None:
    """Say which model made the vectors."""
    admin.execute(WRITE_MODEL, [identity.name, identity.dimension, identity.fingerprint])


def drop_vector_indexes(admin: psycopg.Connection[Any], *, but: Sequence[str] = ()) -> None:
    """Drop the HNSW indexes, so that the columns may change; `but` those of some tables."""
    for index in (index for table, index in VECTOR_INDEXES.items() if table not in but):
        admin.execute(sql.SQL("DROP INDEX IF EXISTS arxivscout.{}").format(sql.Identifier(index)))
    if "entity_memory" not in but:
        admin.execute("SELECT arxivscout.drop_filed_indexes()")


def fix_dimension(
    admin: psycopg.Connection[Any], dimension: int | None, *, but: Sequence[str] = ()
) -> None:
    """Make the columns vector(dimension), or vectors of any dimension; they hold no others.

    They stand in their rows (`STORAGE MAIN`): 3,500 papers that pass a filter are compared in 11.5
    ms, and in 17.8 where each vector is looked up beside its row.
    """
    size = sql.SQL("({})").format(sql.Literal(dimension)) if dimension else sql.SQL("")
    for table in (table for table in VECTOR_TABLES if table not in but):
        admin.execute(
            sql.SQL(
                "ALTER TABLE arxivscout.{} ALTER COLUMN embedding TYPE vector{}, "
                "ALTER COLUMN embedding SET STORAGE MAIN"
            ).format(sql.Identifier(table), size)
        )


def build_vector_indexes(admin: psycopg.Connection[Any]) -> None:
    """Build the HNSW indexes (m=16, ef_construction=64, cosine) that aren't there.

    In full precision. Of a million papers' vectors half precision took 1.2 GB instead of 2.0 and
    half of the time to build (183 s of 356), and found .957 of the ten nearest where full
    precision finds .979 (`ef_search` 500, 5.2 ms and 4.1), the 50 nearest sorted anew by the full
    vectors or not. Only a statement that casts the column to `halfvec` uses it, too: LangChain's
    stores, which these tables are open to, would read them whole.
    """
    for table, index in VECTOR_INDEXES.items():
        admin.execute(
            sql.SQL(
                "CREATE INDEX IF NOT EXISTS {} ON arxivscout.{} USING hnsw "
                "(embedding vector_cosine_ops) WITH (m = 16, ef_construction = 64)"
            ).format(sql.Identifier(index), sql.Identifier(table))
        )
    admin.execute("SELECT arxivscout.build_filed_indexes()")
