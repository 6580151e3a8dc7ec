"""Papers in the knowledge base (semantic), each once by its arXiv id; texts are in `document`.

Papers are shared by an installation and carry no user. They are written in bulk: COPY into a
temporary table, then one statement that merges it and decides, row by row, what replaces what.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from psycopg import Connection
from psycopg.rows import tuple_row

from arxivscout.memory import bulk
from arxivscout.memory.graph.node import name_key
from arxivscout.memory.paper_authors import LINK_INCOMING, author_keys
from arxivscout.memory.vector_memory import Vector
from arxivscout.memory.word_count import count_words, drifted
from arxivscout.papers import Paper, PaperId, one_line
from arxivscout.papers.search_form import search_form

if TYPE_CHECKING:
    from arxivscout.memory.postgres import Database

# A tsvector holds less than 1 MiB; what is longer than this is searched by its beginning.
MOST_TSV_BYTES = 250_000
# Those that are there: a large load of another process does without for a while.
_CLEAN_PENDING = """
SELECT gin_clean_pending_list(indexrelid::regclass)
FROM pg_index JOIN pg_class AS class ON class.oid = indexrelid
WHERE indrelid = 'semantic_memory'::regclass AND indisvalid
  AND relname IN ('kb_tsv_index', 'kb_category_keys', 'kb_authors')
"""

_KNOWN = """
SELECT arxiv_id, version, COALESCE((langchain_metadata ->> 'is_summary')::boolean, false),
       record_hash, content_hash, embedding IS NOT NULL
FROM semantic_memory WHERE arxiv_id = ANY(%(ids)s)
"""

# Rows of usual length stay as they are sent: compressing what is read once took a tenth of it.
_CREATE_INCOMING = """
CREATE TEMPORARY TABLE IF NOT EXISTS incoming_paper (
    arxiv_id TEXT, content TEXT, embedding vector, title TEXT, abstract TEXT, authors TEXT,
    subjects TEXT, submission_date TEXT, metadata JSON, record_hash UUID, version INTEGER,
    withdrawn BOOLEAN, category_keys TEXT[], is_summary BOOLEAN, author_keys TEXT[]
) WITH (toast_tuple_target = 8160) ON COMMIT DELETE ROWS
"""

_COPY_INCOMING = """
COPY pg_temp.incoming_paper (arxiv_id, content, embedding, title, abstract, authors, subjects,
    submission_date, metadata, record_hash, version, withdrawn, category_keys, is_summary,
    author_keys)
FROM STDIN (FORMAT BINARY)
"""

# Sorted by id, so that two processes that write the same papers lock them in the same order. A row
# without a vector keeps the stored one, which holds only if the content is still what it was.
# `replaces` below says the same as the WHERE, to spare the embedding; this one has the last word.
_MERGE = """
INSERT INTO semantic_memory AS held (
    arxiv_id, content, embedding, content_tsv, authors_tsv, subjects, submission_date,
    langchain_metadata, record_hash, version, withdrawn, category_keys)
SELECT arxiv_id, content, embedding,
       setweight(to_tsvector('english', title), 'A')
           || setweight(to_tsvector('english', abstract), 'B'),
       to_tsvector('simple', authors), subjects, submission_date,
       metadata, record_hash, version, withdrawn, category_keys
FROM pg_temp.incoming_paper AS incoming
WHERE embedding IS NOT NULL
   OR EXISTS (SELECT FROM semantic_memory AS kept WHERE kept.arxiv_id = incoming.arxiv_id)
ORDER BY arxiv_id
ON CONFLICT (arxiv_id) WHERE arxiv_id IS NOT NULL DO UPDATE SET
    content = excluded.content,
    embedding = COALESCE(excluded.embedding, held.embedding),
    content_tsv = excluded.content_tsv,
    authors_tsv = excluded.authors_tsv,
    subjects = excluded.subjects,
    submission_date = excluded.submission_date,
    langchain_metadata = excluded.langchain_metadata,
    record_hash = excluded.record_hash,
    version = excluded.version,
    withdrawn = excluded.withdrawn,
    category_keys = excluded.category_keys,
    updated_at = now()
WHERE (excluded.record_hash IS DISTINCT FROM held.record_hash OR held.embedding IS NULL)
  AND (excluded.embedding IS NOT NULL
       OR (excluded.content = held.content AND held.embedding IS NOT NULL))
  AND CASE
      WHEN COALESCE((held.langchain_metadata ->> 'is_summary')::boolean, false)
           = COALESCE((excluded.langchain_metadata ->> 'is_summary')::boolean, false)
          THEN COALESCE(excluded.version, 0) >= COALESCE(held.version, 0)
      WHEN COALESCE((excluded.langchain_metadata ->> 'is_summary')::boolean, false) THEN false
      ELSE COALESCE(excluded.version, held.version, 0) >= COALESCE(held.version, 0)
  END
RETURNING arxiv_id, xmax = 0
"""

_PAPERS = """
SELECT arxiv_id, langchain_metadata,
       CASE WHEN langchain_metadata ->> 'title' IS NULL THEN content END
FROM semantic_memory WHERE arxiv_id = ANY(%(ids)s)
"""

_ONLY_SUMMARIES = """
SELECT NOT EXISTS (
    SELECT FROM semantic_memory
    WHERE NOT COALESCE((langchain_metadata ->> 'is_summary')::boolean, false))
"""
_COUNT = "SELECT count(*) FROM semantic_memory WHERE arxiv_id IS NOT NULL"


@dataclass(frozen=True, slots=True)
class Held:
    """What decides whether an incoming record of the same arXiv id is news."""

    version: int | None
    is_summary: bool
    record_hash: UUID | None
    content_hash: UUID
    embedded: bool

    def replaced_by(self, paper: Paper) -> bool:
        """Whether `paper` goes in this one's place.

        A newer version replaces an older one, never the other way round; an unknown version counts
        as the oldest. At the same version a record that differs replaces. A summary of ours never
        replaces an abstract, and an abstract replaces a summary unless it is of an older version.
        """
        if paper.record_hash == self.record_hash and self.embedded:
            return False
        if paper.is_summary == self.is_summary:
            return (paper.version or 0) >= (self.version or 0)
        return not paper.is_summary and (paper.version or self.version or 0) >= (self.version or 0)


def held_records(conn: Connection[Any], arxiv_ids: Iterable[str]) -> dict[str, Held]:
    """What is held of these papers, by arXiv id."""
    with conn.cursor(row_factory=tuple_row) as cursor:
        cursor.execute(_KNOWN, {"ids": list(arxiv_ids)})
        return {row[0]: Held(*row[1:]) for row in cursor}


def merge_papers(
    conn: Connection[Any], papers: Sequence[tuple[Paper, Vector | None]]
) -> tuple[int, int]:
    """Store papers, each with its vector; what is held and newer, or the same, stays untouched.

    Args:
        papers: each arXiv id at most once, records cleaned. Without a vector the stored one is
            kept, which needs the content to be what is stored.

    Returns:
        How many are new, and how many were updated.
    """
    return merge_rows(conn, [incoming_row(paper, vector) for paper, vector in papers])


def merge_rows(conn: Connection[Any], rows: Sequence[bytes]) -> tuple[int, int]:
    """`merge_papers` of what `incoming_row` gave."""
    if not rows:
        return 0, 0
    with conn.cursor(row_factory=tuple_row) as cursor:
        cursor.execute(_CREATE_INCOMING)
        with cursor.copy(_COPY_INCOMING) as copy:
            copy.write(b"".join([bulk.BEGIN, *rows, bulk.END]))
        merged = cursor.execute(_MERGE).fetchall()
        if merged:
            cursor.execute(LINK_INCOMING, {"ids": [row[0] for row in merged]})
        # Another batch may follow in the same transaction.
        cursor.execute("TRUNCATE pg_temp.incoming_paper")
    new = sum(inserted for _, inserted in merged)
    return new, len(merged) - new


def incoming_row(paper: Paper, vector: Vector | None) -> bytes:
    """A paper and its vector as they are sent; the work that needs no connection."""
    return bulk.row(
        (
            bulk.text(paper.arxiv_id),
            bulk.text(paper.content),
            bulk.vector(vector),
            bulk.text(search_words(paper.title)),
            bulk.text(search_words(paper.abstract)),
            bulk.text(author_words(paper.authors)),
            bulk.text(paper.subjects),
            bulk.text(paper.submission_date),
            bulk.text(json.dumps(paper.to_metadata(), ensure_ascii=False)),
            paper.record_hash.bytes,
            bulk.integer(paper.version),
            bulk.boolean(paper.withdrawn),
            bulk.texts(paper.category_keys),
            bulk.boolean(paper.is_summary),
            bulk.texts(author_keys(paper.authors)),
        )
    )


def search_words(text: str) -> str:
    """`text` as it goes into a tsvector: in its search form, no longer than one can hold."""
    return search_form(text).encode()[:MOST_TSV_BYTES].decode(errors="ignore")


def author_words(authors: Sequence[str]) -> str:
    """The words of names as they go into a tsvector, which takes `An.A.Shi` for a host's name."""
    return search_words(" ".join(name_key(search_form(name)) for name in authors))


def paper_by_id(conn: Connection[Any], arxiv_id: str) -> Paper | None:
    """The paper held under this id, written in any of its forms; None if there is none."""
    return next(iter(papers_by_ids(conn, [arxiv_id])), None)


def papers_by_ids(conn: Connection[Any], arxiv_ids: Iterable[str]) -> list[Paper]:
    """Those of the papers that are held, in the order of the ids; what is no id is left out."""
    wanted = [value for text in arxiv_ids if (value := _canonical(text))]
    with conn.cursor(row_factory=tuple_row) as cursor:
        cursor.execute(_PAPERS, {"ids": wanted})
        held = {row[0]: paper_from_row(*row) for row in cursor}
    return [held[value] for value in wanted if value in held]


def paper_from_row(
    arxiv_id: str, metadata: Mapping[str, Any] | None, content: str | None = None
) -> Paper:
    """The paper of a row; `content` stands in where it was written as a text, without a title."""
    metadata = dict(metadata or {})
    if content is not None:
        title, _, abstract = content.partition("\n")
        metadata.update(title=one_line(title), abstract=one_line(abstract))
    return Paper.from_metadata(arxiv_id, metadata)


def paper_count(conn: Connection[Any]) -> int:
    """How many papers are held."""
    with conn.cursor(row_factory=tuple_row) as cursor:
        row = cursor.execute(_COUNT).fetchone()
    assert row is not None
    return int(row[0])


def settle(database: Database, written: int) -> None:
    """Make searching as fast as it can be again, after `written` papers were stored.

    GIN keeps what is new in a list that every search reads whole, until a vacuum comes by some
    time: after 25,314 papers it took half of a search. When a good part of the papers is new, their
    words are counted anew, which the lexical score rests on, and the planner's statistics are made.
    """
    with database.admin() as conn, conn.cursor(row_factory=tuple_row) as cursor:
        cursor.execute(_CLEAN_PENDING)
        if drifted(conn, written):
            count_words(conn)
            cursor.execute("ANALYZE semantic_memory")


def only_starter(conn: Connection[Any]) -> bool:
    """Whether all papers held are of the starter collection, which has summaries of ours."""
    with conn.cursor(row_factory=tuple_row) as cursor:
        row = cursor.execute(_ONLY_SUMMARIES).fetchone()
    assert row is not None
    return bool(row[0])


def _canonical(text: str) -> str | None:
    try:
        return PaperId.parse(text).value
    except ValueError:
        return None
