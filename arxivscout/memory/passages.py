"""Full texts of papers as sections and passages: stored whole or not at all, and read back.

The text of a passage's row begins with its headings in a line, for they say what it is about: the
vector and the words are made of both.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from psycopg import Connection
from psycopg.rows import tuple_row

from arxivscout.memory.knowledge import search_words
from arxivscout.memory.vector_memory import vector_text
from arxivscout.papers.fulltext import FullText
from arxivscout.papers.passages import Part, Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Raised when texts are cut in another way: what is stored is then cut anew where it is read again.
CUT = 1
MOST_NEAREST = 5  # passages of a paper that a text is compared with
LONGEST_COMPARED = 10_000  # characters of it

_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('full text ' || %(id)s, 0))"

_HELD = "SELECT arxiv_id, version, document_hash FROM full_text WHERE arxiv_id = ANY(%(ids)s)"

_DROP = "DELETE FROM full_text WHERE arxiv_id = %(id)s"

_PUT_TEXT = """
INSERT INTO full_text (arxiv_id, kind, version, licence, pages, cited, notes, source, document_hash)
VALUES (%(id)s, %(kind)s, %(version)s, %(licence)s, %(pages)s, %(cited)s, %(notes)s, %(source)s,
        %(hash)s)
"""

_PUT_SECTION = """
INSERT INTO section_memory (arxiv_id, position, path, embedding)
VALUES (%(id)s, %(position)s, %(path)s, %(vector)s::vector)
"""

_PUT_PASSAGE = """
INSERT INTO passage_memory (content, embedding, content_tsv, arxiv_id, section, position, path,
                            page, last_page, page_starts, kind, version, licence, submission_date)
VALUES (%(content)s, %(vector)s::vector,
        setweight(to_tsvector('english', %(heading_words)s), 'A')
            || setweight(to_tsvector('english', %(words)s), 'B'),
        %(id)s, %(section)s, %(position)s, %(path)s, %(page)s, %(last_page)s, %(page_starts)s,
        %(kind)s, %(version)s, %(licence)s,
        (SELECT submission_date FROM semantic_memory WHERE arxiv_id = %(id)s))
"""

# The mean of a section's passages, as `put_full_text` makes it, after all of them have new vectors.
MEAN_OF_SECTIONS = """
UPDATE arxivscout.section_memory AS part SET embedding = (
    SELECT l2_normalize(avg(embedding)) FROM arxivscout.passage_memory AS passage
    WHERE passage.arxiv_id = part.arxiv_id AND passage.section = part.position)
"""

_OUTLINE = """
SELECT part.position, part.path, min(passage.page), max(passage.last_page),
       sum(length(passage.content))::int
FROM section_memory AS part JOIN passage_memory AS passage
  ON passage.arxiv_id = part.arxiv_id AND passage.section = part.position
WHERE part.arxiv_id = %(id)s GROUP BY part.position, part.path ORDER BY part.position
"""

_OF_SECTION = """
SELECT content, path, page, last_page, page_starts FROM passage_memory
WHERE arxiv_id = %(id)s AND section = %(section)s ORDER BY position
"""

# Any of a text's words counts, and how many of them a passage has is told well enough by `ts_rank`.
_NEAREST_IN_WORDS = """
WITH asked AS MATERIALIZED (
    SELECT string_agg('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''',
                      ' | ')::tsquery AS words
    FROM unnest(tsvector_to_array(to_tsvector('english', %(words)s))) AS given (lexeme)
)
SELECT cited.arxiv_id, near.content, near.path, near.page, near.last_page, near.page_starts
FROM unnest(%(ids)s::text[]) AS cited (arxiv_id), LATERAL (
    SELECT content, path, page, last_page, page_starts FROM passage_memory AS passage
    WHERE passage.arxiv_id = cited.arxiv_id
    ORDER BY ts_rank(content_tsv, (SELECT words FROM asked)) DESC NULLS LAST, position
    LIMIT %(each)s
) AS near
"""

_CLEAN_PENDING = "SELECT gin_clean_pending_list('passage_tsv_index'::regclass)"
_ANALYZE = "ANALYZE passage_memory"


@dataclass(frozen=True, slots=True)
class HeldText:
    """What decides whether a document of the same paper is news."""

    version: int | None
    document_hash: UUID


@dataclass(frozen=True, slots=True)
class Heading:
    """A section of a stored full text; `characters` about its length."""

    position: int
    path: tuple[str, ...]
    page: int | None
    last_page: int | None
    characters: int


def content_of(passage: Passage) -> str:
    """The text of a passage's row: its headings in a line, then the passage."""
    return f"{' > '.join(passage.path)}\n{passage.text}"


def passage_from_row(
    content: str,
    path: Sequence[str],
    page: int | None,
    last_page: int | None,
    page_starts: Sequence[int] = (),
) -> Passage:
    """The passage of a row."""
    text = content.partition("\n")[2]
    return Passage(text, tuple(path), page, last_page, tuple(page_starts))


def document_hash(text: FullText) -> UUID:
    """Equal for documents that give the same passages and references."""
    told = json.dumps([CUT, asdict(text)], sort_keys=True)
    return UUID(hashlib.md5(told.encode(), usedforsecurity=False).hexdigest())


def held_texts(conn: Connection[Any], arxiv_ids: Iterable[str]) -> dict[str, HeldText]:
    """Which of these papers' full texts are held, by arXiv id."""
    with conn.cursor(row_factory=tuple_row) as cursor:
        cursor.execute(_HELD, {"ids": list(arxiv_ids)})
        return {row[0]: HeldText(*row[1:]) for row in cursor}


def put_full_text(
    conn: Connection[Any],
    arxiv_id: str,
    text: FullText,
    parts: Sequence[Part],
    vectors: NDArray[np.float32],
    *,
    version: int | None,
    source: str | None,
) -> None:
    """Store a paper's full text in the place of what is held of it.

    Args:
        conn: in a transaction, which makes it whole or nothing.
        parts: what `text` was cut into.
        vectors: of `content_of` each passage in order, shape (passages, dimension).
        version: of the paper, where it is known.
        source: the file or address that it was read from.
    """
    from arxivscout.embedding.whole import mean_vector

    of_all = {"id": arxiv_id, "kind": text.kind, "version": version, "licence": text.licence}
    sections: list[dict[str, Any]] = []
    passages: list[dict[str, Any]] = []
    for number, part in enumerate(parts):
        first = len(passages)
        for passage in part.passages:
            at = {"section": number, "position": len(passages)}
            passages.append(of_all | at | _row(passage, vectors[len(passages)]))
        mean = mean_vector(vectors[first : len(passages)])
        path, vector = list(part.path), vector_text(mean.tolist())
        sections.append({"id": arxiv_id, "position": number, "path": path, "vector": vector})
    with conn.cursor() as cursor:
        cursor.execute(_LOCK, {"id": arxiv_id})
        cursor.execute(_DROP, {"id": arxiv_id})
        cursor.execute(
            _PUT_TEXT,
            {
                **of_all,
                "pages": text.pages,
                "cited": json.dumps([asdict(each) for each in text.references]),
                "notes": list(text.notes),
                "source": source,
                "hash": document_hash(text),
            },
        )
        cursor.executemany(_PUT_SECTION, sections)
        cursor.executemany(_PUT_PASSAGE, passages)


def _row(passage: Passage, vector: NDArray[np.float32]) -> dict[str, Any]:
    return {
        "content": content_of(passage),
        "vector": vector_text(vector.tolist()),
        "heading_words": search_words(" ".join(passage.path)),
        "words": search_words(passage.text),
        "path": list(passage.path),
        "page": passage.page,
        "last_page": passage.last_page,
        "page_starts": list(passage.page_starts),
    }


def outline(conn: Connection[Any], arxiv_id: str) -> list[Heading]:
    """The sections of a paper's full text in reading order; none where it is not held."""
    with conn.cursor(row_factory=tuple_row) as cursor:
        cursor.execute(_OUTLINE, {"id": arxiv_id})
        return [Heading(row[0], tuple(row[1]), *row[2:]) for row in cursor]


def passages_of_section(conn: Connection[Any], arxiv_id: str, section: int) -> list[Passage]:
    """The passages of one section in reading order."""
    with conn.cursor(row_factory=tuple_row) as cursor:
        cursor.execute(_OF_SECTION, {"id": arxiv_id, "section": section})
        return [passage_from_row(*row) for row in cursor]


def nearest_in_words(
    conn: Connection[Any], arxiv_ids: Sequence[str], text: str
) -> list[tuple[str, Passage]]:
    """The passages of these papers' full texts that share most words with a text, a few of each."""
    bound = {
        "ids": list(arxiv_ids),
        "words": search_words(text[:LONGEST_COMPARED]),
        "each": MOST_NEAREST,
    }
    with conn.cursor(row_factory=tuple_row) as cursor:
        cursor.execute(_NEAREST_IN_WORDS, bound)
        return [(row[0], passage_from_row(*row[1:])) for row in cursor]


def settle_passages(conn: Connection[Any]) -> None:
    """Make searching fast again after passages were stored; `conn` is the owner's."""
    conn.execute(_CLEAN_PENDING)
    conn.execute(_ANALYZE)
