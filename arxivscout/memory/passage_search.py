"""Search in full texts, from papers to their sections and from those to passages, in one statement.

The papers nearest by their abstracts are looked into: their sections are compared, each by the mean
of its passages, and the passages of the nearest sections. Beside them come the passages that have
the rarest words of the question, wherever they stand, for those say by themselves that going down
is worth it. Each candidate is scored by cosine and words, as papers are (`retrieval.py`).

A word is as rare as it is among papers or among passages, whichever tells of more of it: of a word
that every fifth passage has and no abstract (8, figure), any 200 would fill the pool.

On 49 full texts of 2,878 passages, 600 questions made by rule (`bench/fulltext.py`), the right one
is among the first five for .99, .985 and 1 of three kinds of question, as where all passages are
compared, with 484 distances instead of 2,878. By meaning alone it is .48, .44, .98 against .54,
.49, .98: a section's mean does not tell all that is in it, and the words make up for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from psycopg import Connection
from psycopg.rows import tuple_row

from arxivscout.memory.knowledge import paper_from_row
from arxivscout.memory.paper_filter import FILTER, NO_FILTER, PaperFilter, bounds
from arxivscout.memory.passages import passage_from_row
from arxivscout.memory.question_words import MOST_WORDS, asked, question_texts, rarest_first
from arxivscout.memory.vector_memory import Vector, vector_text
from arxivscout.papers import Paper, clean_text, one_line
from arxivscout.papers.passages import Passage

MOST_CHARACTERS = 4_000  # of a question
# Passages whose words are looked at, and how many of them are scored by meaning too.
LEXICAL_POOL = 200
LEXICAL_CANDIDATES = 30
# Up to this many papers that pass a filter all distances are computed, as in `retrieval.py`.
EXACT_UP_TO = 4_000
K1, B = 1.2, 0.75
# Different words of a passage. All are cut to one size: prose has about as many, text that is full
# of formulas 67. A mean of those compared would make one passage's score depend on the others.
MEAN_WORDS = 100
LEXICAL_WEIGHT = 1.4
LONGEST_QUOTED = 40  # passages around a hit, at most

SETTINGS = """
SELECT set_config('hnsw.ef_search', '100', true),
       set_config('hnsw.iterative_scan', 'relaxed_order', true),
       set_config('hnsw.max_scan_tuples', '100000', true),
       set_config('hnsw.scan_mem_multiplier', '4', true)
"""

_TEXT_FILTER = """(%(kind)s::text IS NULL OR full_text.kind = %(kind)s)
      AND (%(licence)s::text IS NULL OR position(lower(%(licence)s) IN lower(licence)) > 0)"""

_TIMES = "round(1 / (1.64493406685 * (1 - ts_rank('{1, 1, 1, 1}', unpacked, word))) - 0.5)"

_PASSES = f"""CASE WHEN (SELECT few FROM size)
              THEN passage.arxiv_id IN (SELECT arxiv_id FROM held)
              ELSE EXISTS (SELECT FROM full_text JOIN semantic_memory AS paper USING (arxiv_id)
                           WHERE paper.arxiv_id = passage.arxiv_id AND {FILTER}
                             AND {_TEXT_FILTER}) END"""  # noqa: S608

SEARCH = f"""
WITH total AS MATERIALIZED (
    SELECT GREATEST(papers, 1)::float8 AS papers,
           (SELECT GREATEST(reltuples, 1) FROM pg_class
            WHERE oid = 'passage_memory'::regclass)::float8 AS passages
    FROM paper_word_total
), common AS MATERIALIZED (
    SELECT lexeme, frequency::float8
    FROM pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs)
        AS known (lexeme, frequency)
    WHERE schemaname = 'arxivscout' AND tablename = 'passage_memory' AND attname = 'content_tsv'
      AND lexeme IS NOT NULL
), {asked("common")}, {rarest_first("passages")}, held AS MATERIALIZED (
    SELECT arxiv_id FROM full_text JOIN semantic_memory USING (arxiv_id)
    WHERE {FILTER} AND {_TEXT_FILTER} LIMIT %(exact_up_to)s + 1
), size AS MATERIALIZED (
    SELECT count(*) AS held, count(*) <= %(exact_up_to)s AS few FROM held
), near_paper AS MATERIALIZED (
    (SELECT arxiv_id FROM semantic_memory
     WHERE arxiv_id IN (SELECT arxiv_id FROM held) AND (SELECT few FROM size)
     ORDER BY (embedding <=> %(vector)s::vector) + 0, arxiv_id LIMIT %(papers)s)
    UNION ALL
    (SELECT arxiv_id FROM semantic_memory AS paper
     WHERE NOT (SELECT few FROM size) AND {FILTER}
       AND EXISTS (SELECT FROM full_text
                   WHERE full_text.arxiv_id = paper.arxiv_id AND {_TEXT_FILTER})
     ORDER BY embedding <=> %(vector)s::vector LIMIT %(papers)s)
), of_papers AS MATERIALIZED (
    SELECT arxiv_id, position, embedding <=> %(vector)s::vector AS distance
    FROM section_memory JOIN near_paper USING (arxiv_id)
), near_section AS MATERIALIZED (
    SELECT arxiv_id, position FROM of_papers ORDER BY distance, arxiv_id, position
    LIMIT %(sections)s
), near AS MATERIALIZED (
    SELECT langchain_id, content_tsv
    FROM passage_memory AS passage JOIN near_section
      ON near_section.arxiv_id = passage.arxiv_id AND near_section.position = passage.section
), with_words AS MATERIALIZED (
    SELECT DISTINCT ON (langchain_id) langchain_id, content_tsv FROM (
        (SELECT langchain_id, content_tsv FROM passage_memory AS passage
         WHERE content_tsv @@ (SELECT together FROM question) AND {_PASSES}
         LIMIT %(pool)s / 2)
        UNION ALL
        (SELECT langchain_id, content_tsv FROM passage_memory AS passage
         WHERE content_tsv @@ (SELECT rare_words FROM question) AND {_PASSES} LIMIT %(pool)s)
    ) AS found
), lexical AS MATERIALIZED (
    SELECT langchain_id, (
        SELECT COALESCE(sum(weight * times / (times + half_at)), 0)
        FROM (SELECT weight, {_TIMES} AS times FROM asked WHERE unpacked @@ word) AS counted
    ) / (SELECT weight FROM question) AS score
    FROM (
        SELECT langchain_id, unpacked,
               %(k1)s * (1 - %(b)s + %(b)s * length(unpacked) / %(mean_words)s) AS half_at
        FROM (SELECT langchain_id, content_tsv || '' AS unpacked
              FROM (TABLE near UNION TABLE with_words) AS either OFFSET 0) AS once
        OFFSET 0
    ) AS measured
), candidate AS MATERIALIZED (
    SELECT langchain_id FROM near
    UNION
    (SELECT langchain_id FROM lexical JOIN with_words USING (langchain_id)
     ORDER BY score DESC, langchain_id LIMIT %(by_words)s)
), best AS MATERIALIZED (
    SELECT langchain_id, cosine, words,
           LEAST(1, GREATEST(0, cosine + %(weight)s * words) / (1 + %(weight)s)) AS fused
    FROM (
        SELECT langchain_id, COALESCE(1 - (embedding <=> %(vector)s::vector), 0) AS cosine,
               COALESCE(lexical.score, 0) AS words
        FROM candidate JOIN passage_memory USING (langchain_id)
        LEFT JOIN lexical USING (langchain_id)
    ) AS scored
    ORDER BY fused DESC, cosine DESC, langchain_id LIMIT %(k)s
)
SELECT best.fused, best.cosine, best.words, passage.content, passage.path, passage.page,
       passage.last_page, passage.kind, passage.licence, passage.version, passage.section,
       passage.position,
       paper.arxiv_id, paper.langchain_metadata,
       CASE WHEN paper.langchain_metadata ->> 'title' IS NULL THEN paper.content END,
       (SELECT array_agg(jsonb_build_array(beside.position, content, path, page, last_page)
                         ORDER BY beside.position)
        FROM passage_memory AS beside
        WHERE beside.arxiv_id = passage.arxiv_id AND beside.position <> passage.position
          AND beside.position BETWEEN passage.position - %(around)s
                                  AND passage.position + %(around)s),
       (SELECT CASE WHEN few THEN held ELSE %(papers)s END FROM size),
       (SELECT count(*) FROM of_papers), (SELECT count(*) FROM candidate)
FROM best JOIN passage_memory AS passage ON passage.langchain_id = best.langchain_id
JOIN semantic_memory AS paper ON paper.arxiv_id = passage.arxiv_id
ORDER BY best.fused DESC, best.cosine DESC, best.langchain_id
"""  # noqa: S608 (constants)


@dataclass(frozen=True, slots=True)
class Breadth:
    """How many papers are looked into, and how many of their sections."""

    papers: int
    sections: int


# By meaning alone, on 35 full texts: .50, .34, .98 with 10 and 12; .52, .36, .98 with 10 and 40;
# .54, .40, .98 with 16 and 32; .56, .46, .96 with all. With words there is no difference.
DOWN = Breadth(papers=16, sections=32)
FLAT = Breadth(papers=10**9, sections=10**9)  # every passage is compared: what DOWN is measured by


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFilter:
    """Which full texts may be looked into: those of `papers`, and of this kind and licence.

    `kind` is pdf, html or records; `licence` a part of the document's, such as `by/4.0`.
    """

    papers: PaperFilter = NO_FILTER
    kind: str | None = None
    licence: str | None = None


NO_TEXT_FILTER = TextFilter()


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageHit:
    """A passage that a search found, and those before and behind it that were asked for.

    `score` from 0 to 1, `legs` what it was made of; `position` counts the paper's passages, and
    `section` its sections, from 0.
    """

    paper: Paper
    passage: Passage
    score: float
    legs: dict[str, float] = field(default_factory=dict)
    section: int = 0
    position: int = 0
    kind: str = ""
    licence: str | None = None
    version: int | None = None
    before: tuple[Passage, ...] = ()
    behind: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True)
class Compared:
    """How many vectors a search computed distances to; of an index scan, those it gave."""

    papers: int = 0
    sections: int = 0
    passages: int = 0

    @property
    def total(self) -> int:
        return self.papers + self.sections + self.passages


def search_passages(
    conn: Connection[Any],
    *,
    text: str,
    vector: Vector | str,
    filters: TextFilter = NO_TEXT_FILTER,
    k: int = 8,
    around: int = 0,
    breadth: Breadth = DOWN,
) -> tuple[list[PassageHit], Compared]:
    """The `k` passages of full texts held that answer best, best first, and what that took.

    Args:
        conn: in a transaction.
        text: any text at all.
        vector: the text's embedding.
        around: how many passages before and behind each come along.
        breadth: how far the search goes down.
    """
    question = one_line(clean_text(text[:MOST_CHARACTERS]))
    parameters = {
        **bounds(filters.papers),
        "texts": question_texts(question),
        "vector": vector if isinstance(vector, str) else vector_text(vector),
        "kind": filters.kind,
        "licence": one_line(filters.licence or "") or None,
        "k": max(k, 0),
        "around": min(max(around, 0), LONGEST_QUOTED),
        "papers": breadth.papers,
        "sections": breadth.sections,
        "pool": LEXICAL_POOL,
        "by_words": LEXICAL_CANDIDATES,
        "exact_up_to": EXACT_UP_TO,
        "most_words": MOST_WORDS,
        "weight": LEXICAL_WEIGHT,
        "k1": K1,
        "b": B,
        "mean_words": float(MEAN_WORDS),
    }
    with conn.pipeline(), conn.cursor(row_factory=tuple_row) as cursor:
        conn.execute(SETTINGS)
        cursor.execute(SEARCH, parameters)
        rows = cursor.fetchall()
    return [_hit(row) for row in rows], Compared(*rows[0][-3:]) if rows else Compared()


def _hit(row: Sequence[Any]) -> PassageHit:
    score, cosine, words, content, path, page, last_page, kind, licence, version = row[:10]
    section, position, arxiv_id, metadata, text, beside = row[10:16]
    neighbours = [(at, passage_from_row(*found)) for at, *found in beside or ()]
    return PassageHit(
        paper=paper_from_row(arxiv_id, metadata, text),
        passage=passage_from_row(content, path, page, last_page),
        score=float(score),
        legs={"vector": float(cosine), "lexical": float(words)},
        section=section,
        position=position,
        kind=kind,
        licence=licence,
        version=version,
        before=tuple(passage for at, passage in neighbours if at < position),
        behind=tuple(passage for at, passage in neighbours if at > position),
    )
