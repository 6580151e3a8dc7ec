"""Stored words of papers and passages in the spelling that is searched by, after a program came
that spells otherwise.

What changes is known to Python alone, so the migration only says that it is to be done. It is done
when the database is opened, a part of the rows in each transaction, and goes on from there if it
was stopped. Only rows that change are written: the others would cost their places in all indexes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from psycopg import Connection
from psycopg.rows import tuple_row

from arxivscout.memory.knowledge import author_words, search_words
from arxivscout.memory.word_count import count_words
from arxivscout.papers.search_form import SEARCH_FORM

BATCH = 500

_IS_CURRENT = "SELECT form >= %s FROM arxivscout.word_form"

# Two that do it at once take turns.
_STATE = "SELECT form, done_to FROM word_form FOR UPDATE"

# Of both tables in the order of their ids, so that one id tells how far it is.
_NEXT = """
(SELECT langchain_id, content, langchain_metadata -> 'title', langchain_metadata -> 'abstract',
        langchain_metadata -> 'authors', arxiv_id IS NOT NULL, NULL::text[]
 FROM semantic_memory WHERE %(after)s::uuid IS NULL OR langchain_id > %(after)s
 ORDER BY langchain_id LIMIT %(batch)s)
UNION ALL
(SELECT langchain_id, content, NULL, NULL, NULL, false, path
 FROM passage_memory WHERE %(after)s::uuid IS NULL OR langchain_id > %(after)s
 ORDER BY langchain_id LIMIT %(batch)s)
ORDER BY langchain_id LIMIT %(batch)s
"""

_WRITE = """
UPDATE semantic_memory AS held SET content_tsv = words.content, authors_tsv = words.authors
FROM (
    SELECT id, setweight(to_tsvector('english', title), 'A')
                   || setweight(to_tsvector('english', text), 'B') AS content,
           to_tsvector('simple', authors) AS authors
    FROM unnest(%(ids)s::uuid[], %(titles)s::text[], %(texts)s::text[], %(authors)s::text[])
        AS given (id, title, text, authors)
) AS words
WHERE held.langchain_id = words.id
  AND (held.content_tsv IS DISTINCT FROM words.content
       OR held.authors_tsv IS DISTINCT FROM words.authors)
"""

_WRITE_PASSAGES = """
UPDATE passage_memory AS held SET content_tsv = words.content
FROM (
    SELECT id, setweight(to_tsvector('english', headings), 'A')
                   || setweight(to_tsvector('english', text), 'B') AS content
    FROM unnest(%(ids)s::uuid[], %(headings)s::text[], %(texts)s::text[])
        AS given (id, headings, text)
) AS words
WHERE held.langchain_id = words.id AND held.content_tsv IS DISTINCT FROM words.content
"""

_GO_ON = "UPDATE word_form SET done_to = %(done_to)s"
_DONE = "UPDATE word_form SET form = %(form)s, done_to = NULL"


def words_are_current(conn: Connection[Any]) -> bool:
    """Whether all rows are in today's spelling."""
    row = conn.execute(_IS_CURRENT, [SEARCH_FORM]).fetchone()
    return bool(row and row[0])


def write_words_anew(admin: Connection[Any], notice: Callable[[str], None]) -> None:
    """Bring the words of all rows into today's spelling, if they are not.

    Args:
        admin: an autocommit connection of the owner, with our search path.
    """
    told = False
    while True:
        with admin.transaction(), admin.cursor(row_factory=tuple_row) as cursor:
            form, after = cursor.execute(_STATE).fetchone() or (SEARCH_FORM, None)
            if form >= SEARCH_FORM:
                return
            rows = cursor.execute(_NEXT, {"after": after, "batch": BATCH}).fetchall()
            if not rows:
                count_words(admin)
                cursor.execute(_DONE, {"form": SEARCH_FORM})
                return
            if not told:
                notice("Spelling the words of the papers held as they are searched, once ...")
                told = True
            passages = [row for row in rows if row[-1] is not None]
            cursor.execute(_WRITE, _words([row for row in rows if row[-1] is None]))
            cursor.execute(_WRITE_PASSAGES, _passage_words(passages))
            cursor.execute(_GO_ON, {"done_to": rows[-1][0]})


def _words(rows: list[tuple[Any, ...]]) -> dict[str, list[Any]]:
    """What ingestion writes for a paper, and `document.py` for another text."""
    titles, texts, names = [], [], []
    for _, content, title, abstract, authors, is_paper, _ in rows:
        title = title if isinstance(title, str) else ""
        if is_paper and title and isinstance(abstract, str):
            text = abstract
        else:
            text = content.removeprefix(title)
        titles.append(search_words(title))
        texts.append(search_words(text))
        listed = isinstance(authors, list)
        names.append(author_words(list(map(str, authors))) if listed else None)
    return {"ids": [row[0] for row in rows], "titles": titles, "texts": texts, "authors": names}


def _passage_words(rows: list[tuple[Any, ...]]) -> dict[str, list[Any]]:
    """What `passages.py` writes."""
    return {
        "ids": [row[0] for row in rows],
        "headings": [search_words(" ".join(row[-1])) for row in rows],
        "texts": [search_words(row[1].partition("\n")[2]) for row in rows],
    }
