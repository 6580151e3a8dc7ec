"""All vectors anew, after the embedder changed: in the background of use, and safe to stop.

New vectors gather in a table of their own, with the hash of the text they were made from, while the
stores keep the old ones and go on working with the old embedder. At the end one transaction puts
them in place, in another dimension if need be, embeds what was written in the meantime, builds the
indexes and records the new model. Whatever stops it before leaves the old vectors as they were, and
running again goes on with what is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from psycopg import Connection
from psycopg.sql import SQL, Identifier, Literal

from arxivscout.memory import migrate
from arxivscout.memory.vector_memory import vector_text

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder, EmbeddingIdentity
    from arxivscout.memory.postgres import Database

BATCH = 48
UNFINISHED = " (re-embedding is unfinished: run `arxivscout db reembed` again)"

# Only its owner may look: what is in it was made from everybody's texts.
_CREATE = """
CREATE TABLE IF NOT EXISTS arxivscout.reembedding (
    fingerprint TEXT NOT NULL,
    table_name TEXT NOT NULL,
    row_id UUID NOT NULL,
    content_hash UUID NOT NULL,
    embedding vector NOT NULL,
    PRIMARY KEY (table_name, row_id)
);
ALTER TABLE arxivscout.reembedding ENABLE ROW LEVEL SECURITY;
DELETE FROM arxivscout.reembedding WHERE fingerprint <> {fingerprint};
"""

# Whoever opens the database with the new embedder reads the model's name in the refusal.
_MARK = """
UPDATE arxivscout.embedding_model SET name = split_part(name, ' (re-embedding', 1) || %(mark)s
"""

_COUNT = """
SELECT count(*), count(*) FILTER (WHERE done.row_id IS NOT NULL)
FROM arxivscout.{table} AS held LEFT JOIN arxivscout.reembedding AS done
    ON done.table_name = %(table)s AND done.row_id = held.langchain_id
   AND done.content_hash = held.content_hash
"""

_TODO = """
SELECT langchain_id, content_hash, content FROM arxivscout.{table} AS held
WHERE NOT EXISTS (
    SELECT FROM arxivscout.reembedding AS done
    WHERE done.table_name = %(table)s AND done.row_id = held.langchain_id
      AND done.content_hash = held.content_hash)
  AND langchain_id > %(after)s
ORDER BY langchain_id LIMIT %(limit)s
"""

_DONE = """
INSERT INTO arxivscout.reembedding (fingerprint, table_name, row_id, content_hash, embedding)
VALUES (%s, %s, %s, %s, %s::vector)
ON CONFLICT (table_name, row_id) DO UPDATE SET
    content_hash = excluded.content_hash, embedding = excluded.embedding
"""

_CLEAR = "UPDATE arxivscout.{table} SET embedding = NULL WHERE embedding IS NOT NULL"

_PUT_IN_PLACE = """
UPDATE arxivscout.{table} AS held SET embedding = done.embedding
FROM arxivscout.reembedding AS done
WHERE done.table_name = %(table)s AND done.row_id = held.langchain_id
  AND done.content_hash = held.content_hash
"""

_LOCK_TABLES = """
LOCK TABLE arxivscout.semantic_memory, arxivscout.workflow_memory, arxivscout.toolbox_memory,
    arxivscout.entity_memory, arxivscout.summary_memory IN ACCESS EXCLUSIVE MODE
"""

_FIRST = "00000000-0000-0000-0000-000000000000"


def reembed(
    database: Database,
    embedder: Embedder,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> int:
    """Give every row of the five vector stores, everybody's, a vector of `embedder`.

    Goes on where it was stopped. Two at a time wait for each other.

    Args:
        database: opened without an identity, for its vectors are another model's.
        progress: is told how many rows are done, and of how many.

    Returns:
        How many texts this run embedded; 0 when the vectors are the embedder's already.

    Raises:
        DatabaseError: the database can't be reached or written.
        ConfigurationError, ModelError: the embedder can't work.
    """
    identity = embedder.identity
    with database.admin() as admin:
        admin.autocommit = True
        admin.execute("SET statement_timeout = 0; SET lock_timeout = 0")
        _search_extensions(admin)
        admin.execute(migrate.LOCK, [migrate.LOCK_KEY])
        bound = migrate.read_model(admin)
        if bound is not None and bound[1:] == (identity.dimension, identity.fingerprint):
            return 0
        admin.execute(SQL(_CREATE).format(fingerprint=Literal(identity.fingerprint)))
        admin.execute(_MARK, {"mark": UNFINISHED})
        embedded = _gather(admin, embedder, progress)
        with admin.transaction():
            admin.execute(_LOCK_TABLES)
            embedded += _gather(admin, embedder, progress)
            _put_in_place(admin, identity)
    return embedded


def _search_extensions(admin: Connection[Any]) -> None:
    row = admin.execute(
        "SELECT nspname FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace "
        "WHERE extname = 'vector'"
    ).fetchone()
    assert row is not None
    admin.execute(SQL("SET search_path = arxivscout, {}").format(Identifier(row[0])))


def _gather(
    admin: Connection[Any], embedder: Embedder, progress: Callable[[int, int], None]
) -> int:
    """Embed what has no new vector yet; how many that were."""
    counts = {}
    for table in migrate.VECTOR_INDEXES:
        statement = SQL(_COUNT).format(table=Identifier(table))
        counts[table] = admin.execute(statement, {"table": table}).fetchone() or (0, 0)
    total = sum(rows for rows, _ in counts.values())
    done = already = sum(ready for _, ready in counts.values())
    progress(done, total)
    for table in migrate.VECTOR_INDEXES:
        after: Any = _FIRST
        todo = SQL(_TODO).format(table=Identifier(table))
        while True:
            bound = {"table": table, "after": after, "limit": BATCH}
            rows = admin.execute(todo, bound).fetchall()
            if not rows:
                break
            vectors = embedder.embed_array([content for _, _, content in rows])
            fingerprint = embedder.identity.fingerprint
            with admin.cursor() as cursor:
                cursor.executemany(
                    _DONE,
                    [
                        (fingerprint, table, row_id, content_hash, vector_text(vector.tolist()))
                        for (row_id, content_hash, _), vector in zip(rows, vectors, strict=True)
                    ],
                )
            after = rows[-1][0]
            done += len(rows)
            progress(done, total)
    return done - already


def _put_in_place(admin: Connection[Any], identity: EmbeddingIdentity) -> None:
    # Emptied first: a column with old vectors in it can't take on another dimension.
    migrate.drop_vector_indexes(admin)
    for table in migrate.VECTOR_INDEXES:
        admin.execute(SQL(_CLEAR).format(table=Identifier(table)))
    migrate.fix_dimension(admin, identity.dimension)
    for table in migrate.VECTOR_INDEXES:
        statement = SQL(_PUT_IN_PLACE).format(table=Identifier(table))
        admin.execute(statement, {"table": table})
    migrate.build_vector_indexes(admin)
    migrate.record_model(admin, identity)
    admin.execute("DROP TABLE arxivscout.reembedding")
