"""Hybrid search over papers: by meaning and by words, in one statement.

Two legs find candidates, the HNSW index by cosine and the GIN index by words, and each candidate of
either is scored by both. The scores are added, not the ranks: a rank says nothing of how good a
hit is, and ranks fused lost to scores by .02 in nDCG on SciFact.

The lexical score weighs each word of the question by how rare it is among the papers, which
PostgreSQL's own statistics tell (they hold the most common lexemes of `content_tsv`), and gives
more for a word in the title and, up to a limit, for repeating it. Only the rarest words choose
candidates: the others occur in too many papers to look at them all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import Connection
from psycopg.rows import tuple_row

from arxivscout.memory.knowledge import paper_from_row, search_words
from arxivscout.memory.vector_memory import Vector, vector_text
from arxivscout.papers import Paper, PaperHit, clean_text, find_paper_ids, one_line

# A question is judged by its beginning; its rarest words say it all.
MOST_CHARACTERS = 4_000
MOST_WORDS = 16
# Papers whose words are looked at, and how many of them, and of the nearest, are scored by both.
LEXICAL_POOL = 300
CANDIDATES = 50
# Up to this many papers that pass a filter all distances are computed: the index looks among all
# papers first, and finds few that pass. Beyond it, it finds them all in a bounded scan.
EXACT_UP_TO = 4_000
LEXICAL_WEIGHT = 1.0
WITHDRAWN_FACTOR = 0.5

# Statements that stand in a pipeline before the search; both settings end with the transaction.
SETTINGS = """
SELECT set_config('hnsw.ef_search', '100', true),
       set_config('hnsw.iterative_scan', 'relaxed_order', true),
       set_config('hnsw.max_scan_tuples', '100000', true),
       set_config('hnsw.scan_mem_multiplier', '4', true)
"""

_FILTER = """arxiv_id IS NOT NULL
      AND (%(category)s::text IS NULL OR category_keys @> ARRAY[%(category)s::text])
      AND (%(since)s::text IS NULL OR submission_date >= %(since)s
           OR submission_date = left(%(since)s, 7))
      AND (%(until)s::text IS NULL OR submission_date <= %(until)s)
      AND (%(author)s::text IS NULL OR authors_tsv @@ plainto_tsquery('simple', %(author)s))
      AND (%(withdrawn)s OR NOT withdrawn)
      AND arxiv_id <> ALL(%(exclude)s::text[])"""

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

_SEARCH = """
WITH statistic AS MATERIALIZED (
    SELECT lexeme, frequency
    FROM pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs)
        AS common (lexeme, frequency)
    WHERE schemaname = 'arxivscout' AND tablename = 'semantic_memory'
      AND attname = 'content_tsv' AND lexeme IS NOT NULL
), asked AS MATERIALIZED (
    SELECT quoted::tsquery AS word, quoted, frequency,
           ln(1 + (1.0001 - frequency) / (frequency + 0.0001)) AS weight
    FROM (
        SELECT '''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''' AS quoted,
               COALESCE(statistic.frequency, rare.frequency) AS frequency
        FROM unnest(tsvector_to_array(to_tsvector('english', %(words)s))) AS given (lexeme)
        LEFT JOIN statistic USING (lexeme)
        CROSS JOIN (SELECT COALESCE(min(frequency) / 2, 0.01) AS frequency FROM statistic) AS rare
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
         (SELECT GREATEST(reltuples, 1) AS papers FROM pg_class
          WHERE oid = 'semantic_memory'::regclass) AS size
), {passing}nearest AS MATERIALIZED ({nearest}), words AS MATERIALIZED (
    SELECT DISTINCT ON (langchain_id) langchain_id, content_tsv FROM (
        (SELECT langchain_id, content_tsv FROM semantic_memory
         WHERE content_tsv @@ (SELECT all_words FROM question) AND {filter} LIMIT %(candidates)s)
        UNION ALL
        (SELECT langchain_id, content_tsv FROM semantic_memory
         WHERE content_tsv @@ (SELECT rare_words FROM question) AND {filter} LIMIT %(pool)s)
        UNION ALL
        SELECT langchain_id, content_tsv FROM nearest
    ) AS found
), lexical AS MATERIALIZED (
    SELECT langchain_id, LEAST(1, (
        SELECT sum(weight * ts_rank('{{0, 0, .6, 1}}', unpacked, word)) FROM asked
    ) / (SELECT weight * 0.7 FROM question)) AS score
    FROM (SELECT langchain_id, content_tsv || '' AS unpacked FROM words OFFSET 0) AS once
), candidate AS (
    SELECT langchain_id FROM nearest
    UNION
    (SELECT langchain_id FROM lexical ORDER BY score DESC, langchain_id LIMIT %(candidates)s)
    UNION
    SELECT langchain_id FROM semantic_memory WHERE arxiv_id = ANY(%(ids)s::text[]) AND {filter}
), scored AS (
    SELECT langchain_id, withdrawn,
           COALESCE(1 - (embedding <=> %(vector)s::vector), 0) AS cosine,
           COALESCE(lexical.score, 0) AS lexical,
           CASE WHEN arxiv_id = ANY(%(ids)s::text[]) THEN 2
                WHEN title = %(question)s
                     OR length(title) >= 20 AND position(title IN %(question)s) > 0 THEN 1
                ELSE 0 END AS exact
    FROM candidate JOIN semantic_memory USING (langchain_id) LEFT JOIN lexical USING (langchain_id),
         lower(split_part(content, E'\\n', 1)) AS title
), best AS (
    SELECT langchain_id, cosine, lexical, exact,
           CASE WHEN exact > 0 THEN 1
                ELSE GREATEST(0, cosine + %(weight)s * lexical) / (1 + %(weight)s)
                     * CASE WHEN withdrawn THEN %(demoted)s ELSE 1 END END AS score
    FROM scored ORDER BY exact DESC, score DESC, cosine DESC, langchain_id LIMIT %(k)s
)
SELECT arxiv_id, langchain_metadata,
       CASE WHEN langchain_metadata ->> 'title' IS NULL THEN content END,
       score, cosine, lexical, exact
FROM best JOIN semantic_memory USING (langchain_id)
ORDER BY exact DESC, score DESC, cosine DESC, langchain_id
"""

_WITHIN = f"""
SELECT arxiv_id FROM semantic_memory WHERE arxiv_id = ANY(%(ids)s::text[]) AND {_FILTER}
"""  # noqa: S608 (_FILTER is a constant)

_FREE = "arxiv_id IS NOT NULL"
SEARCH_ALL = _SEARCH.format(
    filter=_FREE, passing="", nearest=_BY_INDEX.format(filter=_FREE, gate="")
)
SEARCH_FILTERED = _SEARCH.format(
    filter=_FILTER,
    passing=_PASSING.format(filter=_FILTER),
    nearest=_FILTERED.format(
        by_index=_BY_INDEX.format(
            filter=_FILTER, gate="\n      AND NOT (SELECT few FROM passing_count)"
        )
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperFilter:
    """Which papers may be found. All that is given must hold.

    `category`: an archive or a category (`cs`, `cs.*`, `cs.CL`). `since`, `until`: `YYYY`,
    `YYYY-MM` or `YYYY-MM-DD`, both inclusive. `author`: words that all stand among the authors'
    names, with or without accents.
    """

    category: str | None = None
    since: str | None = None
    until: str | None = None
    author: str | None = None
    exclude_withdrawn: bool = False
    exclude_ids: tuple[str, ...] = ()


NO_FILTER = PaperFilter()


def search_papers(
    conn: Connection[Any],
    *,
    text: str,
    vector: Vector | str,
    filters: PaperFilter = NO_FILTER,
    k: int = 10,
) -> list[PaperHit]:
    """The `k` papers that answer best to a question, best first; fewer only if fewer pass.

    An arXiv id or a whole title in the text comes first, with score 1. Withdrawn papers sink.

    Args:
        conn: in a transaction.
        text: any text at all.
        vector: the text's embedding.
    """
    query, parameters = search_statement(text=text, vector=vector, filters=filters, k=k)
    with conn.pipeline(), conn.cursor(row_factory=tuple_row) as cursor:
        conn.execute(SETTINGS)
        cursor.execute(query, parameters)
        return hits_from_rows(cursor.fetchall())


def papers_within(conn: Connection[Any], ids: Sequence[str], filters: PaperFilter) -> set[str]:
    """Those of the papers that are held and pass."""
    rows = conn.execute(_WITHIN, {"ids": list(ids), **_bounds(filters)}).fetchall()
    return {row[0] for row in rows}


def search_statement(
    *, text: str, vector: Vector | str, filters: PaperFilter = NO_FILTER, k: int = 10
) -> tuple[str, dict[str, Any]]:
    """The statement and its parameters, for who sends it together with others (and `SETTINGS`)."""
    text = clean_text(text[:MOST_CHARACTERS])
    k = max(k, 0)
    parameters = {
        "words": search_words(text),
        "question": one_line(text).lower(),
        "ids": [found.value for found in find_paper_ids(text)],
        "vector": vector if isinstance(vector, str) else vector_text(vector),
        "k": k,
        "candidates": max(CANDIDATES, 2 * k),
        "pool": max(LEXICAL_POOL, 2 * k),
        "most_words": MOST_WORDS,
        "weight": LEXICAL_WEIGHT,
        "demoted": WITHDRAWN_FACTOR,
    }
    if filters == NO_FILTER:
        return SEARCH_ALL, parameters
    return SEARCH_FILTERED, {**parameters, **_bounds(filters), "exact_up_to": EXACT_UP_TO}


def hits_from_rows(rows: Sequence[tuple[Any, ...]]) -> list[PaperHit]:
    """The hits that the statement's rows are."""
    return [
        PaperHit(
            paper=_paper(arxiv_id, metadata, content),
            score=float(score),
            legs={"vector": float(cosine), "lexical": float(lexical), "exact": float(exact > 0)},
        )
        for arxiv_id, metadata, content, score, cosine, lexical, exact in rows
    ]


def _paper(arxiv_id: str, metadata: Mapping[str, Any] | None, content: str | None) -> Paper:
    return paper_from_row(arxiv_id, metadata, content)


def _bounds(filters: PaperFilter) -> dict[str, Any]:
    category = one_line(filters.category or "").removesuffix(".*")
    author = search_words(one_line(filters.author or ""))
    return {
        "category": category or None,
        "since": one_line(filters.since or "") or None,
        # All of the year or month named last is within; so is, above, a month with no day known.
        "until": f"{until}-99" if (until := one_line(filters.until or "")) else None,
        "author": author or None,
        "withdrawn": not filters.exclude_withdrawn,
        "exclude": list(filters.exclude_ids),
    }
