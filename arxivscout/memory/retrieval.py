"""Hybrid search over papers: by meaning and by words, in one statement.

Two legs find candidates, the HNSW index by cosine and the GIN index by words, and each candidate of
either is scored by both. The scores are added, not the ranks: a rank says nothing of how good a
hit is, and ranks fused lost to scores by .02 in nDCG on SciFact.

The lexical score is BM25 over title and abstract, as a share of the most that a paper could get:
each word of the question counts by how rare it is among the papers (`word_count.py`), more in the
title, up to a limit for repeating it, and less in a long paper. Only the rarest words choose
candidates: the others occur in too many papers to look at them all.

How often a word stands in a paper is told by `ts_rank` with equal weights, which is the sum of
1, 1/4, 1/9, … over its places by pi²/6: what is missing of the whole is 1/(n + 1/2) of it. Undone
so, it gives n within a microsecond; taking the vector apart in SQL takes much longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from psycopg import Connection
from psycopg.rows import tuple_row

from arxivscout.memory.knowledge import paper_from_row, search_words
from arxivscout.memory.paper_filter import FILTER, NO_FILTER, PaperFilter, bounds, web_words
from arxivscout.memory.vector_memory import Vector, vector_text
from arxivscout.papers import PaperHit, clean_text, find_paper_ids, one_line
from arxivscout.papers.mentions import authors_and_year, dois_in

# A question is judged by its beginning; its rarest words say it all.
MOST_CHARACTERS = 4_000
MOST_WORDS = 16
# Papers whose words are looked at, and how many of them, and of the nearest, are scored by both.
LEXICAL_POOL = 300
CANDIDATES = 50
# Up to this many papers that pass a filter all distances are computed: the index looks among all
# papers first, and finds few that pass. Beyond it, it finds them all in a bounded scan.
EXACT_UP_TO = 4_000
# BM25's: what a word in the title counts, how soon repeating it is enough, what a long paper loses;
# and what the lexical score counts beside the cosine. Chosen on SciFact's training questions by
# nDCG@10 (recall@10): .742 to .744 (.851 to .859) with these and 1.1 to 1.8 as weight, .740 to .742
# with 4, 1.5 and .75, .743 (.856) with 3, .9 and .4, .732 (.850) with 4, 2.5 and .75.
TITLE, K1, B = 2.0, 1.2, 0.75
LEXICAL_WEIGHT = 1.4
# For a paper that has every word of the question.
ALL_WORDS_BONUS = 0.25
WITHDRAWN_FACTOR = 0.5

# Statements that stand in a pipeline before the search; both settings end with the transaction.
SETTINGS = """
SELECT set_config('hnsw.ef_search', '100', true),
       set_config('hnsw.iterative_scan', 'relaxed_order', true),
       set_config('hnsw.max_scan_tuples', '100000', true),
       set_config('hnsw.scan_mem_multiplier', '4', true)
"""

_BY_INDEX = """
    SELECT langchain_id, content_tsv FROM semantic_memory
    WHERE {filter}{gate}
    ORDER BY embedding <=> %(vector)s::vector LIMIT %(candidates)s
"""

_FILTERED = """
    (SELECT langchain_id, content_tsv FROM semantic_memory
     WHERE langchain_id IN (SELECT langchain_id FROM passing) AND (SELECT few FROM passing_count)
     ORDER BY embedding <=> %(vector)s::vector, langchain_id LIMIT %(candidates)s)
    UNION ALL
    ({by_index})
"""

_PASSING = """passing AS MATERIALIZED (
    SELECT langchain_id FROM semantic_memory WHERE {filter} LIMIT %(exact_up_to)s + 1
), passing_count AS MATERIALIZED (
    SELECT count(*) <= %(exact_up_to)s AS few FROM passing
), """

_TIMES = """round(1 / (1.64493406685 * (1 - ts_rank('{weights}', unpacked, word))) - 0.5)"""
_EVERYWHERE = _TIMES.format(weights="{1, 1, 1, 1}")
_IN_TITLE = _TIMES.format(weights="{0, 0, 0, 1}")

_SEARCH = """
WITH total AS MATERIALIZED (
    SELECT GREATEST(papers, 1)::float8 AS papers, GREATEST(mean_words, 1)::float8 AS mean_words
    FROM paper_word_total
), asked AS MATERIALIZED (
    SELECT quoted::tsquery AS word, quoted, papers_with / papers AS frequency,
           ln(1 + (papers - papers_with + 0.5) / (papers_with + 0.5)) AS weight
    FROM (
        SELECT '''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''' AS quoted,
               LEAST(COALESCE(paper_word.papers, 0), total.papers) AS papers_with, total.papers
        FROM unnest(tsvector_to_array(to_tsvector('english', %(words)s))) AS given (lexeme)
        CROSS JOIN total LEFT JOIN paper_word USING (lexeme)
    ) AS known
    ORDER BY frequency, length(quoted) DESC, quoted LIMIT %(most_words)s
), question AS MATERIALIZED (
    SELECT string_agg(quoted, ' & ')::tsquery AS all_words,
           (string_agg(quoted, ' | ') FILTER (WHERE covered <= %(pool)s / papers OR place = 1))
               ::tsquery AS rare_words,
           NULLIF(sum(weight), 0) AS weight
    FROM (SELECT quoted, weight, sum(frequency) OVER rarest AS covered, row_number() OVER rarest
              AS place
          FROM asked WINDOW rarest AS (ORDER BY frequency, length(quoted) DESC, quoted)) AS ordered,
         total
), {passing}named AS MATERIALIZED (
    (SELECT langchain_id, content_tsv, 3 AS exact FROM semantic_memory
     WHERE arxiv_id = ANY(%(ids)s::text[]) AND {filter})
    UNION ALL
    (SELECT langchain_id, content_tsv, 3 FROM semantic_memory
     WHERE lower(langchain_metadata ->> 'doi') = ANY(%(dois)s::text[]) AND {filter})
    UNION ALL
    (SELECT langchain_id, content_tsv, 2 FROM semantic_memory
     WHERE content_tsv @@ websearch_to_tsquery('english', %(phrases)s) AND {filter}
     LIMIT %(pool)s)
    UNION ALL
    (SELECT langchain_id, content_tsv,
            CASE WHEN submission_date LIKE %(year)s || '%%' THEN 2 ELSE 1 END FROM semantic_memory
     WHERE authors_tsv @@ plainto_tsquery('simple', %(names)s) AND {filter}
     ORDER BY submission_date LIKE %(year)s || '%%' DESC LIMIT %(candidates)s)
), nearest AS MATERIALIZED ({nearest}), words AS MATERIALIZED (
    SELECT DISTINCT ON (langchain_id) langchain_id, content_tsv FROM (
        (SELECT langchain_id, content_tsv FROM semantic_memory
         WHERE content_tsv @@ (SELECT all_words FROM question) AND {filter}
         LIMIT %(pool)s / 2)
        UNION ALL
        (SELECT langchain_id, content_tsv FROM semantic_memory
         WHERE content_tsv @@ (SELECT rare_words FROM question) AND {filter} LIMIT %(pool)s)
        UNION ALL
        SELECT langchain_id, content_tsv FROM nearest
        UNION ALL
        SELECT langchain_id, content_tsv FROM named
    ) AS found
), lexical AS MATERIALIZED (
    SELECT langchain_id, (
        SELECT sum(weight * times / (times + half_at))
        FROM (
            SELECT weight, {everywhere} + (%(title)s - 1) * {in_title} AS times
            FROM asked
        ) AS counted
    ) / (SELECT weight FROM question) AS score,
    unpacked @@ (SELECT all_words FROM question) AS has_all
    FROM (
        SELECT langchain_id, unpacked,
               %(k1)s * (1 - %(b)s + %(b)s * length(unpacked) / mean_words) AS half_at
        FROM (SELECT langchain_id, content_tsv || '' AS unpacked FROM words OFFSET 0) AS once, total
        OFFSET 0
    ) AS measured
), candidate AS (
    SELECT langchain_id FROM nearest
    UNION
    (SELECT langchain_id FROM lexical ORDER BY score DESC, langchain_id LIMIT %(candidates)s)
    UNION
    SELECT langchain_id FROM named
), scored AS (
    SELECT langchain_id, withdrawn,
           COALESCE(1 - (embedding <=> %(vector)s::vector), 0) AS cosine,
           COALESCE(lexical.score, 0) AS lexical,
           CASE WHEN lexical.has_all THEN %(all)s ELSE 0 END AS bonus,
           GREATEST(
               (SELECT max(exact) FROM named WHERE named.langchain_id = candidate.langchain_id
                AND (exact = 3 OR NOT withdrawn)),
               CASE WHEN title = %(question)s
                         OR length(title) >= 20 AND position(title IN %(question)s) > 0 THEN 2
                    WHEN length(%(question)s) >= 20 AND position(%(question)s IN title) > 0
                         AND NOT withdrawn THEN 1
                    ELSE 0 END) AS exact
    FROM candidate JOIN semantic_memory USING (langchain_id) LEFT JOIN lexical USING (langchain_id),
         lower(split_part(content, E'\\n', 1)) AS title
), best AS (
    SELECT langchain_id, cosine, lexical, exact,
           LEAST(1, GREATEST(0, cosine + %(weight)s * lexical + bonus) / (1 + %(weight)s))
               * CASE WHEN withdrawn THEN %(demoted)s ELSE 1 END AS fused
    FROM scored ORDER BY exact DESC, fused DESC, cosine DESC, langchain_id LIMIT %(k)s
)
SELECT arxiv_id, langchain_metadata,
       CASE WHEN langchain_metadata ->> 'title' IS NULL THEN content END,
       CASE WHEN exact > 0 THEN 1 ELSE fused END, cosine, lexical, exact
FROM best JOIN semantic_memory USING (langchain_id)
ORDER BY exact DESC, fused DESC, cosine DESC, langchain_id
"""

_NEWEST = f"""
SELECT arxiv_id, langchain_metadata,
       CASE WHEN langchain_metadata ->> 'title' IS NULL THEN content END, 0, 0, 0, 0
FROM semantic_memory WHERE {FILTER}
ORDER BY submission_date DESC NULLS LAST, arxiv_id DESC LIMIT %(k)s
"""  # noqa: S608 (FILTER is a constant)

_WITHIN = f"""
SELECT arxiv_id FROM semantic_memory WHERE arxiv_id = ANY(%(ids)s::text[]) AND {FILTER}
"""  # noqa: S608 (FILTER is a constant)

_FREE = "arxiv_id IS NOT NULL"
_LEXICAL = {"everywhere": _EVERYWHERE, "in_title": _IN_TITLE}
SEARCH_ALL = _SEARCH.format(
    **_LEXICAL, filter=_FREE, passing="", nearest=_BY_INDEX.format(filter=_FREE, gate="")
)
SEARCH_FILTERED = _SEARCH.format(
    **_LEXICAL,
    filter=FILTER,
    passing=_PASSING.format(filter=FILTER),
    nearest=_FILTERED.format(
        by_index=_BY_INDEX.format(
            filter=FILTER, gate="\n      AND NOT (SELECT few FROM passing_count)"
        )
    ),
)


def search_papers(
    conn: Connection[Any],
    *,
    text: str,
    vector: Vector | str | None,
    filters: PaperFilter = NO_FILTER,
    phrases: tuple[str, ...] = (),
    k: int = 10,
) -> list[PaperHit]:
    """The `k` papers that answer best to a question, best first; fewer only if fewer pass.

    First, with score 1, come those whose id, DOI or whole title the text holds, those that hold one
    of the phrases, those of whose title the text is a part, and those by the authors that a text of
    names alone names. Withdrawn ones sink.

    Args:
        conn: in a transaction.
        text: any text at all; if it is empty, the newest papers that pass are found.
        vector: the text's embedding; None searches by words only.
    """
    query, parameters = search_statement(
        text=text, vector=vector, filters=filters, phrases=phrases, k=k
    )
    with conn.pipeline(), conn.cursor(row_factory=tuple_row) as cursor:
        conn.execute(SETTINGS)
        cursor.execute(query, parameters)
        return hits_from_rows(cursor.fetchall())


def papers_within(conn: Connection[Any], ids: Sequence[str], filters: PaperFilter) -> set[str]:
    """Those of the papers that are held and pass."""
    rows = conn.execute(_WITHIN, {"ids": list(ids), **bounds(filters)}).fetchall()
    return {row[0] for row in rows}


def search_statement(
    *,
    text: str,
    vector: Vector | str | None,
    filters: PaperFilter = NO_FILTER,
    phrases: tuple[str, ...] = (),
    k: int = 10,
) -> tuple[str, dict[str, Any]]:
    """The statement and its parameters, for who sends it together with others (and `SETTINGS`)."""
    text = one_line(clean_text(text[:MOST_CHARACTERS]))
    k = max(k, 0)
    if not text and vector is None:
        return _NEWEST, {"k": k, **bounds(filters)}
    names, year = authors_and_year(text)
    parameters = {
        "words": search_words(text),
        "question": text.lower(),
        "ids": [found.value for found in find_paper_ids(text)],
        "dois": dois_in(text),
        "phrases": web_words(phrases, between=" or "),
        "names": search_words(names) or None,
        "year": year,
        "vector": vector if isinstance(vector, str) else vector_text(vector),
        "k": k,
        "candidates": max(CANDIDATES, 2 * k),
        "pool": max(LEXICAL_POOL, 2 * k),
        "most_words": MOST_WORDS,
        "weight": LEXICAL_WEIGHT,
        "all": ALL_WORDS_BONUS,
        "title": TITLE,
        "k1": K1,
        "b": B,
        "demoted": WITHDRAWN_FACTOR,
    }
    if filters == NO_FILTER:
        return SEARCH_ALL, parameters
    return SEARCH_FILTERED, {**parameters, **bounds(filters), "exact_up_to": EXACT_UP_TO}


def hits_from_rows(rows: Sequence[tuple[Any, ...]]) -> list[PaperHit]:
    """The hits that the statement's rows are."""
    return [
        PaperHit(
            paper=paper_from_row(arxiv_id, metadata, content),
            score=float(score),
            legs={"vector": float(cosine), "lexical": float(lexical), "exact": float(exact > 0)},
        )
        for arxiv_id, metadata, content, score, cosine, lexical, exact in rows
    ]
