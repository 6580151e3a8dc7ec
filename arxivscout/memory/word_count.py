"""In how many papers each word stands, which says what it is worth in a question; and how the words
of titles and the names of authors are spelled, which misspelled ones are compared with.

A count of all papers takes a second for 25,000 and is needed rarely: what a word is worth changes
with the logarithm of its papers. So they are counted anew when a twentieth of them has changed.
"""

from __future__ import annotations

from typing import Any

from psycopg import Connection

DRIFT = 0.05  # of the papers

_PAPERS = "SELECT content_tsv FROM arxivscout.semantic_memory WHERE arxiv_id IS NOT NULL"

_DRIFTED = """
SELECT GREATEST(abs(held.papers - counted.papers), %(written)s)
       >= GREATEST(held.papers * %(drift)s, 1)
FROM paper_word_total AS counted,
     (SELECT count(*) AS papers FROM semantic_memory WHERE arxiv_id IS NOT NULL) AS held
"""

# Two that count at once would wait for each other's rows in no order.
_ONE_AT_A_TIME = "LOCK TABLE paper_word IN SHARE ROW EXCLUSIVE MODE"

# Only what differs is written, so that the table stays small under counting.
_COUNT = """
WITH found AS MATERIALIZED (SELECT word AS lexeme, ndoc AS papers FROM ts_stat(%(papers)s)),
gone AS (
    DELETE FROM paper_word AS counted
    WHERE NOT EXISTS (SELECT FROM found WHERE found.lexeme = counted.lexeme)
)
INSERT INTO paper_word AS counted (lexeme, papers) SELECT lexeme, papers FROM found
ON CONFLICT (lexeme) DO UPDATE SET papers = excluded.papers WHERE counted.papers <> excluded.papers
"""

_SPELLINGS = """
WITH found AS MATERIALIZED (
    SELECT word, of_author, ndoc AS papers
    FROM (SELECT *, false AS of_author FROM ts_stat(%(titles)s)
          UNION ALL SELECT *, true FROM ts_stat(%(authors)s)) AS counted
    WHERE length(word) BETWEEN 4 AND 40 AND word !~ '[0-9/.@:_-]'
), gone AS (
    DELETE FROM known_spelling AS known
    WHERE NOT EXISTS (SELECT FROM found
                      WHERE (found.word, found.of_author) = (known.word, known.of_author))
)
INSERT INTO known_spelling AS known (word, of_author, papers)
SELECT word, of_author, papers FROM found
ON CONFLICT (word, of_author) DO UPDATE SET papers = excluded.papers
    WHERE known.papers <> excluded.papers
"""

_TITLES = """
SELECT to_tsvector('simple', split_part(content, E'\\n', 1))
FROM arxivscout.semantic_memory WHERE arxiv_id IS NOT NULL
"""

_AUTHORS = "SELECT authors_tsv FROM arxivscout.semantic_memory WHERE arxiv_id IS NOT NULL"

_TOTAL = """
UPDATE paper_word_total SET counted_at = now(), (papers, mean_words) = (
    SELECT count(*), COALESCE(avg(length(content_tsv)), 0)
    FROM semantic_memory WHERE arxiv_id IS NOT NULL)
"""


def drifted(conn: Connection[Any], written: int) -> bool:
    """Whether `written` papers, or what came and went since the last count, ask for a new one."""
    row = conn.execute(_DRIFTED, {"written": written, "drift": DRIFT}).fetchone()
    return bool(row and row[0])


def count_words(conn: Connection[Any]) -> None:
    """Count the words of all papers; searches go on with the last count until the commit."""
    with conn.transaction():
        conn.execute(_ONE_AT_A_TIME)
        conn.execute(_COUNT, {"papers": _PAPERS})
        conn.execute(_SPELLINGS, {"titles": _TITLES, "authors": _AUTHORS})
        conn.execute(_TOTAL)
        conn.execute("ANALYZE paper_word, known_spelling")
