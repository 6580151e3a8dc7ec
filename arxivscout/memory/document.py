"""Single texts in the knowledge base (semantic), shared by everybody: the contract's way to write.

A text that names an arXiv paper is that paper's record, of which there is one; any other text is
there once. Ingestion has its own way for many papers at a time, to the same rows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, LiteralString
from uuid import UUID

from psycopg import Connection
from psycopg.types.json import Json

from arxivscout.memory import vector_memory
from arxivscout.memory.knowledge import author_words, search_words
from arxivscout.memory.metadata import clean_metadata, merged
from arxivscout.memory.paper_authors import put_authors
from arxivscout.memory.vector_memory import Vector, VectorTable, execute, statement, vector_text
from arxivscout.papers import Paper, PaperId, clean_text

COLUMNS = ("arxiv_id", "subjects", "submission_date")

_INSERT: LiteralString = """
INSERT INTO {table} (content, embedding, content_tsv, authors_tsv, langchain_metadata, arxiv_id,
                     subjects, submission_date, version, category_keys)
VALUES (%(text)s, %(vector)s::vector,
        setweight(to_tsvector('english', %(title_words)s), 'A')
            || setweight(to_tsvector('english', %(words)s), 'B'),
        to_tsvector('simple', %(author_words)s), %(metadata)s, %(arxiv_id)s, %(subjects)s,
        %(submission_date)s, %(version)s, %(category_keys)s)
RETURNING langchain_id
"""

# Without its hash a record is compared anew by the next ingestion.
_UPDATE: LiteralString = """
UPDATE {table}
SET content = %(text)s, embedding = COALESCE(%(vector)s::vector, embedding),
    content_tsv = setweight(to_tsvector('english', %(title_words)s), 'A')
        || setweight(to_tsvector('english', %(words)s), 'B'),
    authors_tsv = to_tsvector('simple', %(author_words)s),
    langchain_metadata = %(metadata)s, arxiv_id = COALESCE(%(arxiv_id)s, arxiv_id),
    subjects = COALESCE(%(subjects)s, subjects),
    submission_date = COALESCE(%(submission_date)s, submission_date),
    version = COALESCE(%(version)s, version),
    category_keys = COALESCE(%(category_keys)s, category_keys),
    record_hash = NULL, updated_at = now()
WHERE langchain_id = %(id)s
"""

_FIND: LiteralString = """
SELECT langchain_id, content, langchain_metadata, arxiv_id, subjects, submission_date, version,
       embedding IS NULL
FROM {table}
WHERE arxiv_id = %(arxiv_id)s
   OR content_hash = md5(%(text)s)::uuid AND (arxiv_id IS NULL OR %(arxiv_id)s::text IS NULL)
ORDER BY arxiv_id = %(arxiv_id)s DESC NULLS LAST, created_at, langchain_id LIMIT 1
"""

_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('knowledge base ' || %(key)s, 0))"

_CATEGORY = re.compile(r"[a-z]+(?:-[a-z]+)?(?:\.[A-Za-z]+(?:-[A-Za-z]+)?)?")

KNOWLEDGE_BASE = VectorTable(
    "knowledge_base",
    "semantic_memory",
    _INSERT,
    _UPDATE,
    live="true",
    own="true",
    columns=COLUMNS,
)


@dataclass(frozen=True, slots=True)
class _Row:
    id: UUID
    content: str
    metadata: dict[str, Any] | None
    arxiv_id: str | None
    subjects: str | None
    submission_date: str | None
    version: int | None
    lacks_vector: bool


def is_known(
    conn: Connection[Any],
    text: str,
    metadata: Mapping[str, Any] | None = None,
    *,
    store: VectorTable = KNOWLEDGE_BASE,
) -> bool:
    """Whether writing this needs no vector."""
    fields = _fields(clean_metadata(metadata))
    row = _find(conn, store, clean_text(text), fields)
    return row is not None and not row.lacks_vector and _stays(row, clean_text(text), fields)


def write(
    conn: Connection[Any],
    text: str,
    vector: Vector | None,
    metadata: Mapping[str, Any] | None = None,
    *,
    store: VectorTable = KNOWLEDGE_BASE,
) -> UUID:
    """Store a text once. A paper's record is replaced by a newer or equal version's, not by an
    older one's; metadata is merged.

    Args:
        metadata: `arxiv_id`, `subjects` and `submission_date` go to their own columns.
    """
    text, fields = clean_text(text), _fields(clean_metadata(metadata))
    conn.execute(_LOCK, {"key": fields["arxiv_id"] or text})
    row = _find(conn, store, text, fields)
    if row is None:
        bound = _bound(fields, text, vector, fields["metadata"])
        (inserted,) = execute(conn, statement(store.insert, store.name), bound)
        _link(conn, store, bound)
        return UUID(str(inserted[0]))
    if not _is_older(row, fields):
        _change(conn, store, row, text, vector, fields)
    return row.id


def update(
    conn: Connection[Any],
    document_id: UUID | str,
    text: str | None,
    vector: Vector | None,
    metadata: Mapping[str, Any] | None = None,
    *,
    store: VectorTable = KNOWLEDGE_BASE,
) -> UUID:
    """Give a text of the knowledge base another wording, or merge metadata into it.

    Raises:
        NotFound: there is no such text.
    """
    kept_text, kept_metadata = vector_memory.read(conn, store, document_id)
    fields = _fields(clean_metadata(metadata))
    new_text = kept_text if text is None else clean_text(text)
    bound = _bound(fields, new_text, vector, merged(kept_metadata, fields["metadata"]))
    execute(conn, statement(store.update, store.name), {**bound, "id": document_id})
    _link(conn, store, bound)
    return UUID(str(document_id))


def _find(
    conn: Connection[Any], store: VectorTable, text: str, fields: Mapping[str, Any]
) -> _Row | None:
    bound = {"text": text, "arxiv_id": fields["arxiv_id"]}
    rows = execute(conn, statement(_FIND, store.name), bound)
    return _Row(*rows[0]) if rows else None


def _is_older(row: _Row, fields: Mapping[str, Any]) -> bool:
    return (row.version or 0) > (fields["version"] or row.version or 0)


def _stays(row: _Row, text: str, fields: Mapping[str, Any]) -> bool:
    return row.content == text or _is_older(row, fields)


def _change(
    conn: Connection[Any],
    store: VectorTable,
    row: _Row,
    text: str,
    vector: Vector | None,
    fields: Mapping[str, Any],
) -> None:
    both = merged(row.metadata, fields["metadata"])
    columns = ("arxiv_id", "subjects", "submission_date", "version")
    same = all(fields[name] in (None, getattr(row, name)) for name in columns)
    if row.content == text and both == (row.metadata or {}) and same and not row.lacks_vector:
        return
    bound = _bound(fields, text, vector, both)
    execute(conn, statement(store.update, store.name), {**bound, "id": row.id})
    _link(conn, store, bound)


def _link(conn: Connection[Any], store: VectorTable, bound: Mapping[str, Any]) -> None:
    """Keep who wrote the paper, where the text is one's record."""
    if store.name == KNOWLEDGE_BASE.name and bound["arxiv_id"] and bound["authors"]:
        put_authors(conn, bound["arxiv_id"], bound["authors"])


def _bound(
    fields: Mapping[str, Any], text: str, vector: Vector | None, metadata: Mapping[str, Any]
) -> dict[str, Any]:
    """What the statements are bound to; words as ingestion has them, folded and not too many."""
    title, authors = metadata.get("title"), metadata.get("authors")
    title = title if isinstance(title, str) else ""
    return {
        **fields,
        "text": text,
        "vector": vector_text(vector),
        "metadata": Json(metadata),
        "title_words": search_words(title),
        "words": search_words(text.removeprefix(title)),
        "author_words": author_words(list(map(str, authors)))
        if isinstance(authors, list)
        else None,
        "authors": [str(each) for each in authors] if isinstance(authors, list) else [],
    }


def _fields(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Clean metadata by column: what has its own, and `metadata`, the rest."""
    rest = {name: value for name, value in metadata.items() if name not in COLUMNS}
    arxiv_id, version = _paper(metadata.get("arxiv_id"))
    given = metadata.get("version")
    subjects = _text(metadata.get("subjects"))
    listed = metadata.get("categories")
    categories = listed if isinstance(listed, list) else _CATEGORY.findall(subjects or "")
    paper = Paper(arxiv_id="", title="", abstract="", categories=tuple(map(str, categories)))
    return {
        "metadata": rest,
        "arxiv_id": arxiv_id,
        "subjects": subjects,
        "submission_date": _text(metadata.get("submission_date")),
        "version": version or (given if isinstance(given, int) and 0 < given < 10**6 else None),
        "category_keys": list(paper.category_keys) or None,
    }


def _paper(given: Any) -> tuple[str | None, int | None]:
    """The canonical id and the version in it; what is no arXiv id stays as it is."""
    text = (_text(given) or "").strip()
    try:
        paper_id = PaperId.parse(text)
    except ValueError:
        return text or None, None
    return paper_id.value, paper_id.version


def _text(value: Any) -> str | None:
    """A typed column's text."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return None if value is None else str(value)
