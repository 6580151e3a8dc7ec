"""All vectors anew, after the embedder changed: in the background of use, and safe to stop.

New vectors gather in a table of their own, with the hash of the text they were made from, while the
stores keep the old ones and go on working with the old embedder. The papers' go into a column with
its index beside the old ones (`new_vectors.py`). At the end one short transaction puts them all in
place, in another dimension if need be, embeds what was written in the meantime and records the new
model. Whatever stops it before leaves the old vectors as they were, and running again goes on with
what is missing. Papers that somebody cited or marked come first: were it never to end, those that
matter would be done.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from psycopg import Connection
from psycopg.sql import SQL, Identifier, Literal

from arxivscout.embedding.whole import embed_whole
from arxivscout.memory import migrate, new_vectors, vector_columns
from arxivscout.memory.passages import MEAN_OF_SECTIONS
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
    placed BOOLEAN NOT NULL DEFAULT false,  -- in the new column
    PRIMARY KEY (table_name, row_id)
);
CREATE INDEX IF NOT EXISTS reembedding_unplaced ON arxivscout.reembedding (table_name, row_id)
    WHERE NOT placed;
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

_USED = """
SELECT langchain_id, content_hash, content FROM arxivscout.semantic_memory AS held
JOIN (
    SELECT arxiv_id, count(*) AS uses FROM (
        SELECT arxiv_id FROM arxivscout.paper_mark
        UNION ALL
        SELECT cited ->> 'arxiv_id' FROM arxivscout.turn, LATERAL jsonb_array_elements(
            CASE WHEN jsonb_typeof(citations) = 'array' THEN citations ELSE '[]' END) AS cited
    ) AS every GROUP BY arxiv_id
) AS used USING (arxiv_id)
WHERE NOT EXISTS (
    SELECT FROM arxivscout.reembedding AS done
    WHERE done.table_name = 'semantic_memory' AND done.row_id = held.langchain_id
      AND done.content_hash = held.content_hash)
ORDER BY uses DESC, arxiv_id LIMIT %(limit)s
"""

_DONE = """
INSERT INTO arxivscout.reembedding (fingerprint, table_name, row_id, content_hash, embedding)
VALUES (%s, %s, %s, %s, %s::vector)
ON CONFLICT (table_name, row_id) DO UPDATE SET
    content_hash = excluded.content_hash, embedding = excluded.embedding, placed = false
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
    arxivscout.entity_memory, arxivscout.summary_memory, arxivscout.passage_memory,
    arxivscout.section_memory, arxivscout.message_index, arxivscout.episode_memory,
    arxivscout.lesson_memory, arxivscout.memory_category IN ACCESS EXCLUSIVE MODE
"""

_PAPERS = "semantic_memory"
# What is embedded; sections follow from their passages.
_TEXTS = (*vector_columns.VECTOR_INDEXES, "passage_memory")

_FIRST = "00000000-0000-0000-0000-000000000000"


def reembed(
    database: Database,
    embedder: Embedder,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> int:
    """Give every row of the vector stores, everybody's, a vector of `embedder`.

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
        bound = vector_columns.read_model(admin)
        if bound is not None and bound[1:] == (identity.dimension, identity.fingerprint):
            return 0
        admin.execute(SQL(_CREATE).format(fingerprint=Literal(identity.fingerprint)))
        admin.execute(_MARK, {"mark": UNFINISHED})
        embedded = _gather(admin, embedder, progress)
        new_vectors.prepare(admin, identity.dimension, embedded=database.is_embedded)
        with admin.transaction():
            admin.execute(_LOCK_TABLES)
            embedded += _gather(admin, embedder, progress)
            _put_in_place(admin, identity)
        admin.execute("ANALYZE arxivscout.semantic_memory")
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
    for table in _TEXTS:
        statement = SQL(_COUNT).format(table=Identifier(table))
        counts[table] = admin.execute(statement, {"table": table}).fetchone() or (0, 0)
    total = sum(rows for rows, _ in counts.values())
    done = already = sum(ready for _, ready in counts.values())
    progress(done, total)

    def embed(rows: list[tuple[Any, ...]], table: str) -> None:
        nonlocal done
        _embed(admin, embedder, table, rows)
        done += len(rows)
        progress(done, total)

    limit = max(BATCH, embedder.at_a_time)
    while rows := admin.execute(_USED, {"limit": limit}).fetchall():
        embed(rows, _PAPERS)
    for table in _TEXTS:
        after: Any = _FIRST
        todo = SQL(_TODO).format(table=Identifier(table))
        bound = {"table": table, "limit": limit}
        while rows := admin.execute(todo, {**bound, "after": after}).fetchall():
            embed(rows, table)
            after = rows[-1][0]
    return done - already


def _embed(
    admin: Connection[Any], embedder: Embedder, table: str, rows: list[tuple[Any, ...]]
) -> None:
    """Gather the vectors of rows (id, hash of the content, content)."""
    texts = [content for _, _, content in rows]
    whole = table == "passage_memory"  # one may be longer than a model reads
    vectors = embed_whole(embedder, texts) if whole else embedder.embed_array(texts)
    fingerprint = embedder.identity.fingerprint
    with admin.cursor() as cursor:
        cursor.executemany(
            _DONE,
            [
                (fingerprint, table, row_id, content_hash, vector_text(vector.tolist()))
                for (row_id, content_hash, _), vector in zip(rows, vectors, strict=True)
            ],
        )


def _put_in_place(admin: Connection[Any], identity: EmbeddingIdentity) -> None:
    new_vectors.take_over(admin)
    vector_columns.drop_vector_indexes(admin, but=[_PAPERS])
    # Emptied first: a column with old vectors in it can't take on another dimension.
    for table in set(vector_columns.VECTOR_TABLES) - {_PAPERS}:
        admin.execute(SQL(_CLEAR).format(table=Identifier(table)))
    vector_columns.fix_dimension(admin, identity.dimension, but=[_PAPERS])
    for table in set(_TEXTS) - {_PAPERS}:
        statement = SQL(_PUT_IN_PLACE).format(table=Identifier(table))
        admin.execute(statement, {"table": table})
    admin.execute(MEAN_OF_SECTIONS)
    vector_columns.build_vector_indexes(admin)
    vector_columns.record_model(admin, identity)
    admin.execute("DROP TABLE arxivscout.reembedding")
