"""The statement of a hybrid search over papers: by meaning and by words, in one.

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

from arxivscout.memory.author_names import by_any, by_words
from arxivscout.memory.fit import AUTHOR_NAMED
from arxivscout.memory.paper_filter import FILTER, NO_FILTER, PaperFilter, bounds, web_words
from arxivscout.memory.question_words import ASKED, MOST_WORDS, question_texts, rarest_first
from arxivscout.memory.vector_memory import Vector, vector_text
from arxivscout.papers import clean_text, find_paper_ids, one_line
from arxivscout.papers.mentions import authors_and_year, dois_in, names_in

MOST_CHARACTERS = 4_000  # of a question
# Papers whose words are looked at, and how many of them, and of the nearest, are scored by both.
LEXICAL_POOL = 300
CANDIDATES = 50
# Papers found beyond those asked for, to stand in for near-identical ones.
SPARE = 6
# Up to this many papers that pass a filter all distances are computed: the index looks among all
# papers first, and finds few that pass. Beyond it, it finds them all in a bounded scan.
EXACT_UP_TO = 4_000
# BM25's: what a word in the title counts, how soon repeating it is enough, what a long paper loses;
# and what the lexical score counts beside the cosine. Chosen on SciFact's training questions by
# nDCG@10 (recall@10): .742 to .744 (.851 to .859) with these and 1.1 to 1.8 as weight, .740 to .742
# with 4, 1.5 and .75, .743 (.856) with 3, .9 and .4, .732 (.850) with 4, 2.5 and .75.
# A vector for each sentence too was measured and left out: with the best sentence counting as much
# as the whole, .751 instead of .743 on those questions and .745 instead of .736 on the others, for
# ten vectors a paper instead of one.
TITLE, K1, B = 2.0, 1.2, 0.75
LEXICAL_WEIGHT = 1.4
# For a paper that has every word of the question.
ALL_WORDS_BONUS = 0.25
WITHDRAWN_FACTOR = 0.5
# Kinds of exact hits: the tens are their class, of which a higher one comes first; papers of one
# class are sorted by how well they fit.
EXACT = {
    32: "id",
    31: "DOI",
    23: "title",
    22: "phrase",
    21: "author and year",
    12: "part of the title",
    11: "author",
    10: AUTHOR_NAMED,
}

# Stands in a pipeline before the search; what it sets ends with the transaction. Among more papers
# the index is looked through longer: among 25,314 its recall@10 is .988, .995 and .996 with 100,
# 150 and 200, in 2.1 to 2.8 ms; among a million .975 with 400, in 7 ms.
_SETTINGS = """
SELECT set_config('hnsw.ef_search',
                  CASE WHEN papers > 500000 THEN '500' WHEN papers > 100000 THEN '300'
                       ELSE '150' END, true),
       set_config('hnsw.iterative_scan', 'relaxed_order', true),
       set_config('hnsw.max_scan_tuples', '100000', true),
       set_config('hnsw.scan_mem_multiplier', '4', true){more}
FROM paper_word_total
"""
SETTINGS = _SETTINGS.format(more="")
# For the search without bounds, which is the same statement whoever asks: planning takes one of its
# eight milliseconds. A plan for any question knows no limits, and would rather read the whole table
# than look a hundred papers up.
PLANNED_ONCE = _SETTINGS.format(
    more=""",
       set_config('enable_seqscan', 'off', true),
       set_config('plan_cache_mode', 'force_generic_plan', true)"""
)

_BY_INDEX = """
    SELECT langchain_id, content_tsv FROM semantic_memory
    WHERE {filter}{gate}
    ORDER BY embedding <=> (SELECT vector FROM meant) LIMIT %(candidates)s
"""

_FILTERED = """
    (SELECT langchain_id, content_tsv FROM semantic_memory
     WHERE langchain_id IN (SELECT langchain_id FROM passing) AND (SELECT few FROM passing_count)
     ORDER BY embedding <=> (SELECT vector FROM meant), langchain_id LIMIT %(candidates)s)
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
WITH meant AS MATERIALIZED (SELECT %(vector)s::vector AS vector), total AS MATERIALIZED (
    SELECT GREATEST(papers, 1)::float8 AS papers, GREATEST(mean_words, 1)::float8 AS mean_words
    FROM paper_word_total LIMIT 1
), {asked}, {question}, {passing}named AS MATERIALIZED (
    (SELECT langchain_id, content_tsv, 32 AS exact FROM semantic_memory
     WHERE arxiv_id = ANY(%(ids)s::text[]) AND {filter})
    UNION ALL
    (SELECT langchain_id, content_tsv, 31 FROM semantic_memory
     WHERE lower(langchain_metadata ->> 'doi') = ANY(%(dois)s::text[]) AND {filter})
    UNION ALL
    (SELECT langchain_id, content_tsv, 22 FROM semantic_memory
     WHERE content_tsv @@ websearch_to_tsquery('english', %(phrases)s) AND {filter}
     LIMIT %(pool)s)
    UNION ALL
    (SELECT langchain_id, content_tsv,
            CASE WHEN %(within_text)s THEN 10
                 WHEN submission_date LIKE %(year)s || '%%' THEN 21 ELSE 11 END FROM semantic_memory
     WHERE authors_tsv @@ %(names)s::tsquery AND {filter}
       AND (%(whole_names)s::text[] IS NULL
            OR (SELECT array_to_string(keys, E'\\n') ~ ANY (%(whole_names)s::text[])
                FROM paper_author AS written (written_id, keys) WHERE written_id = arxiv_id))
     ORDER BY submission_date LIKE %(year)s || '%%' DESC, embedding <=> (SELECT vector FROM meant)
     LIMIT %(candidates)s)
), nearest AS MATERIALIZED ({nearest}), words AS MATERIALIZED (
    SELECT DISTINCT ON (langchain_id) langchain_id, content_tsv FROM (
        (SELECT langchain_id, content_tsv FROM semantic_memory
         WHERE content_tsv @@ (SELECT together FROM question) AND {filter}
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
    SELECT langchain_id, score / question.weight AS score, had = question.words AS has_all,
           CASE WHEN had = question.words AND question_words > 1
                THEN ts_filter(unpacked, '{{a}}') @@ all_words
                     AND length(ts_filter(unpacked, '{{a}}')) = question_words END AS is_title
    FROM (
        SELECT langchain_id, unpacked,
               (SELECT length(words) FROM given WHERE place = 1) AS question_words,
               %(k1)s * (1 - %(b)s + %(b)s * length(unpacked) / mean_words) AS half_at
        FROM (SELECT langchain_id, content_tsv || '' AS unpacked FROM words OFFSET 0) AS once, total
        OFFSET 0
    ) AS measured, question, LATERAL (
        SELECT COALESCE(sum(weight * times / (times + half_at)), 0) AS score, count(*) AS had
        FROM (
            SELECT weight, {everywhere} + (%(title)s - 1) * {in_title} AS times
            FROM asked WHERE unpacked @@ word
        ) AS counted
    ) AS found
), candidate AS (
    SELECT langchain_id FROM nearest
    UNION
    (SELECT langchain_id FROM lexical ORDER BY score DESC, langchain_id LIMIT %(candidates)s)
    UNION
    SELECT langchain_id FROM named
), compared AS (
    SELECT langchain_id, withdrawn, title, has_all, is_title,
           COALESCE(1 - (embedding <=> (SELECT vector FROM meant)), 0) AS cosine,
           COALESCE(score, 0) AS lexical
    FROM candidate JOIN semantic_memory USING (langchain_id) LEFT JOIN lexical USING (langchain_id),
         lower(split_part(content, E'\\n', 1)) AS title
), scored AS (
    SELECT langchain_id, cosine, lexical,
           rank() OVER (ORDER BY cosine DESC) AS vector_rank,
           rank() OVER (ORDER BY lexical DESC) AS lexical_rank,
           GREATEST(
               (SELECT max(exact) FROM named WHERE named.langchain_id = compared.langchain_id
                AND (exact > 30 OR NOT withdrawn)),
               CASE WHEN title = %(question)s OR is_title
                         OR length(title) >= 20 AND position(title IN %(question)s) > 0 THEN 23
                    WHEN length(%(question)s) >= 20 AND position(%(question)s IN title) > 0
                         AND NOT withdrawn THEN 12
                    ELSE 0 END) AS exact,
           LEAST(1, GREATEST(0, cosine + %(weight)s * lexical
                                + CASE WHEN has_all THEN %(all)s ELSE 0 END) / (1 + %(weight)s))
               * CASE WHEN withdrawn THEN %(demoted)s ELSE 1 END AS fused
    FROM compared
), best AS (
    SELECT * FROM scored
    ORDER BY exact / 10 DESC, fused DESC, cosine DESC, langchain_id LIMIT %(fetched)s
)
SELECT arxiv_id, langchain_metadata,
       CASE WHEN langchain_metadata ->> 'title' IS NULL THEN content END,
       CASE WHEN exact > 0 THEN 1 ELSE fused END, cosine, lexical, exact, vector_rank, lexical_rank,
       (SELECT array_agg(lexeme ORDER BY frequency, lexeme) FROM asked WHERE unpacked @@ word),
       (SELECT count(*) FROM asked WHERE papers_with = 0),
       CASE WHEN %(vectors)s THEN embedding::text END
FROM best JOIN semantic_memory USING (langchain_id),
     LATERAL (SELECT content_tsv || '' AS unpacked OFFSET 0) AS once
ORDER BY exact / 10 DESC, fused DESC, cosine DESC, langchain_id
"""

_NEWEST = f"""
SELECT arxiv_id, langchain_metadata,
       CASE WHEN langchain_metadata ->> 'title' IS NULL THEN content END,
       0, 0, 0, 0, NULL, NULL, NULL, 0, CASE WHEN %(vectors)s THEN embedding::text END
FROM semantic_memory WHERE {FILTER}
ORDER BY submission_date DESC NULLS LAST, arxiv_id DESC LIMIT %(fetched)s
"""  # noqa: S608 (FILTER is a constant)

_FREE = "arxiv_id IS NOT NULL"
_LEXICAL = {
    "everywhere": _EVERYWHERE,
    "in_title": _IN_TITLE,
    "asked": ASKED,
    "question": rarest_first("papers"),
}
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


def search_statement(
    *,
    text: str,
    vector: Vector | str | None,
    filters: PaperFilter = NO_FILTER,
    phrases: tuple[str, ...] = (),
    like: Sequence[str] = (),
    k: int = 10,
    vectors: bool = False,
) -> tuple[str, dict[str, Any]]:
    """The statement and its parameters, for who sends it together with others (and `SETTINGS`).

    It finds more than `k`, as near-identical papers are one hit (`hits_from_rows`).

    Args:
        like: texts whose words count as the question's do; the vector is of all of them.
        vectors: whether the rows bring the papers' vectors along, and all candidates come back.
    """
    text = one_line(clean_text(text[:MOST_CHARACTERS]))
    fetched = max(CANDIDATES if vectors else 0, k + SPARE) if k > 0 else 0
    common = {"fetched": fetched, "vectors": vectors}
    if not text and vector is None:
        return _NEWEST, {**common, **bounds(filters)}
    names, year = authors_and_year(text)
    authors = by_words(names) if names else by_any(names_in(text), exactly=True)
    parameters = {
        **common,
        "texts": question_texts(text, *(each[:MOST_CHARACTERS] for each in like)),
        # Words beside a paper that others are to be like say in what, and name no title.
        "question": "" if like else text.lower(),
        "ids": [found.value for found in find_paper_ids(text)],
        "dois": dois_in(text),
        "phrases": web_words(phrases, between=" or "),
        "names": authors.words or None,
        "whole_names": authors.names or None,
        "within_text": not names,
        "year": year,
        "vector": vector if isinstance(vector, str) else vector_text(vector),
        "candidates": max(CANDIDATES, 2 * fetched),
        "pool": max(LEXICAL_POOL, 2 * fetched),
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
