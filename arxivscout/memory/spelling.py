"""Misspelled words: which words of a question no paper has, and how they may be meant.

Asked only when a search met a word that is counted in no paper, or found nothing by an author or a
title. Candidates come by trigrams from the words of titles and the names of authors; the nearest
one is taken if few letters are wrong in it and the first is right, as it is in nearly all slips.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from psycopg import Connection
from psycopg.rows import tuple_row

from arxivscout.papers.mentions import MOST_NAMES
from arxivscout.papers.search_form import search_form

Kind = Literal["word", "author", "title"]

MOST_WORDS = 24
SHORTEST = 5  # of fewer letters, every other word has a neighbour
LONG = 8  # from so many on, two letters may be wrong
_WORD = re.compile(r"[^\W\d_]{2,}")

_HAS_TRIGRAMS = "SELECT to_regprocedure('similarity(text, text)') IS NOT NULL"

# The server's pg_trgm may be missing, so this is no part of a migration.
_INDEX = """
CREATE INDEX IF NOT EXISTS known_spelling_trigrams
    ON arxivscout.known_spelling USING gin (word gin_trgm_ops)
"""

_UNKNOWN = """
SELECT asked.word
FROM unnest(%(words)s::text[], %(forms)s::text[]) AS asked (word, form)
WHERE to_regprocedure('similarity(text, text)') IS NOT NULL
  AND (%(kind)s = 'author' OR numnode(plainto_tsquery('english', form)) > 0 AND NOT EXISTS (
      SELECT FROM semantic_memory WHERE content_tsv @@ plainto_tsquery('english', form)))
  AND (%(kind)s = 'title' OR NOT EXISTS (
      SELECT FROM semantic_memory WHERE authors_tsv @@ plainto_tsquery('simple', form)))
"""

_LEAST_SIMILAR = "SELECT set_config('pg_trgm.similarity_threshold', '0.25', true)"

_NEAR = """
SELECT asked.word, near.word, near.papers
FROM unnest(%(words)s::text[], %(forms)s::text[], %(names)s::bool[]) AS asked (word, form, is_name),
     LATERAL (
         SELECT word, sum(papers) AS papers FROM known_spelling
         WHERE word %% asked.form
           AND CASE %(kind)s WHEN 'word' THEN is_name OR NOT of_author
                             ELSE of_author = (%(kind)s = 'author') END
         GROUP BY word ORDER BY similarity(word, asked.form) DESC, word LIMIT 40
     ) AS near
"""


def has_trigrams(conn: Connection[Any]) -> bool:
    """Whether the server has what misspelled words are mended by."""
    row = conn.execute(_HAS_TRIGRAMS).fetchone()
    return bool(row and row[0])


def index_spellings(admin: Connection[Any]) -> None:
    """Make the index of known spellings, if it is not there and the server can."""
    if has_trigrams(admin):
        admin.execute(_INDEX)


def meant(conn: Connection[Any], text: str, kind: Kind = "word") -> dict[str, str]:
    """What the misspelled words of a text are meant to be, in the order of the text.

    Args:
        kind: where a word is looked for: among authors' names, in titles, or anywhere.
    """
    words = list(dict.fromkeys(word for word in _WORD.findall(text) if len(word) >= SHORTEST))
    with conn.cursor(row_factory=tuple_row) as cursor:
        few = len(text.split()) <= MOST_NAMES
        bound: dict[str, Any] = _bound(words[:MOST_WORDS], kind, few)
        unknown = [row[0] for row in cursor.execute(_UNKNOWN, bound)]
        if not unknown:
            return {}
        cursor.execute(_LEAST_SIMILAR)
        rows = cursor.execute(_NEAR, _bound(unknown, kind, few)).fetchall()
    found = {}
    for word in unknown:
        near = [(known, papers) for asked, known, papers in rows if asked == word]
        if best := nearest(word, near):
            found[word] = best
    return found


def nearest(word: str, known: list[tuple[str, int]]) -> str | None:
    """The known word that `word` is most likely meant to be; None if none is near enough.

    Args:
        known: words with the number of papers that have them.
    """
    form = search_form(word).lower()
    most = 2 if len(form) >= LONG else 1
    near = []
    for other, papers in known:
        its_form = search_form(other).lower()
        if form[:1] == its_form[:1] and (wrong := distance(form, its_form, most)) <= most:
            near.append((wrong, -papers, other))
    return min(near)[2] if near else None


def mended(text: str, instead: dict[str, str]) -> str:
    """`text` with what is meant in place of what was typed."""
    return _WORD.sub(lambda match: instead.get(match[0], match[0]), text)


def distance(one: str, other: str, most: int) -> int:
    """How many letters are missing, too many, wrong or swapped with the next; `most` + 1 if more.

    The optimal string alignment distance (Damerau's with no letter changed twice).
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        row = [i]
        for j, b in enumerate(other, start=1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most and (not last or min(last) > most):
            return most + 1
        before, last = last, row
    return min(last[-1], most + 1)


def _bound(words: list[str], kind: Kind, few: bool) -> dict[str, Any]:
    return {
        "words": words,
        "forms": [search_form(word).lower() for word in words],
        # Within a question a small word is no name: lasagna is not by Lamagna.
        "names": [few or word[:1].isupper() for word in words],
        "kind": kind,
    }
