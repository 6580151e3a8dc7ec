"""The recall of a person's own memories, one statement of a batch.

Narrowed by meaning, in the categories that the question belongs to and wider when they give too
little, and by words; enriched from the graph; then all that was found is ranked by what it is
worth. A group's summary comes in place of its details but the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arxivscout.memory import fading
from arxivscout.memory.graph import enrich
from arxivscout.memory.hybrid import weights
from arxivscout.memory.remembering import Consent

COLUMNS = "segment id text at thread_id reason score kind name source via archived"


@dataclass(frozen=True, slots=True)
class Depth:
    """How wide a recall is.

    Attributes:
        all_categories: not only those that the question belongs to.
        archived: what rests as well.
        details: also those that a summary stands for.
        more: how many times as many memories, and neighbours.
    """

    all_categories: bool = False
    archived: bool = False
    details: bool = False
    more: int = 1


_DAYS_SINCE = "extract(epoch FROM now() - {}) / 86400"
_VALUE = fading.value_sql(
    age_days=_DAYS_SINCE.format("memory.created_at"),
    days_since_use=_DAYS_SINCE.format("COALESCE(used.last_used_at, memory.created_at)"),
    uses="COALESCE(used.uses, 0)",
    kind="memory.category",
    importance=fading.importance_sql(kind="memory.category", filed_under="memory.filed_under"),
)

UNASKED = Depth()
DEEP = Depth(all_categories=True, archived=True, details=True, more=3)

# What was learned in a thread before it was made private is no way to anything elsewhere.
_OPEN = """
    NOT EXISTS (SELECT FROM thread
                WHERE thread.user_id = scout_user() AND thread.thread_id = memory.thread_id
                  AND private AND thread.thread_id IS DISTINCT FROM %(thread)s::text)"""

# The person's own words are the better source of a category than what it is like.
_ASKED = f"""
asked AS MATERIALIZED (
    SELECT name FROM (
        SELECT name, place, (%(question)s::text ~* cues) IS TRUE
               OR position(lower(name) IN lower(%(question)s::text)) > 0 AS named,
               COALESCE(1 - (embedding <=> %(vector)s::vector), 0) AS likeness
        FROM memory_category WHERE user_id = scout_user()) AS category
    WHERE named OR likeness > 0
    ORDER BY named DESC, likeness DESC, place LIMIT {weights.CATEGORIES}
)"""  # noqa: S608

# A word that nothing holds counts as the rarest of many.
_WORDS = f"""
asked_words AS MATERIALIZED (
    SELECT word.ids, word.weights,
           ln(1 + COALESCE((greatest(size - used, 0) + .5) / (used + .5), 2000)) AS idf
    FROM unnest(tsvector_to_array(message_words(%(question)s::text))) AS asked (lexeme)
    CROSS JOIN LATERAL (
        SELECT array_agg(memory_id) AS ids, array_agg(weight) AS weights,
               NULLIF(count(*), 0) AS used
        FROM (SELECT memory_id, weight FROM memory_word
              WHERE user_id = scout_user() AND lexeme = asked.lexeme
              ORDER BY kept_at DESC LIMIT {weights.USES_OF_A_WORD}) AS each) AS word
    CROSS JOIN (
        SELECT count(*)::float8 AS size FROM (
            SELECT FROM entity_memory
            WHERE user_id = scout_user() AND valid_to IS NULL AND is_said(category)
            LIMIT 2000) AS mine) AS sized
), worded AS MATERIALIZED (
    SELECT langchain_id, sum(idf * weight) / (SELECT sum(idf) FROM asked_words) AS words
    FROM asked_words CROSS JOIN LATERAL unnest(ids, weights) AS held (langchain_id, weight)
    GROUP BY langchain_id ORDER BY words DESC, langchain_id LIMIT {weights.BY_WORDS}
)"""  # noqa: S608


def own_statement(depth: Depth = UNASKED) -> str:
    """The statement; it is bound to `own_parameters`.

    Its rows have `COLUMNS`: those of the segments findings, preferences and related, the best of
    each first.
    """
    standing = "" if depth.archived else "AND memory.archived_at IS NULL"
    archived = str(depth.archived).lower()
    everywhere = str(depth.all_categories).lower()
    grouped = "false" if depth.details else f"place > {weights.STANDING_ALONE}"
    return f"""
WITH {_ASKED}, near AS MATERIALIZED (
    SELECT langchain_id, distance FROM nearest_said(
        %(vector)s::vector, ARRAY(SELECT name FROM asked WHERE NOT {everywhere}),
        {weights.FROM_CATEGORY}, {weights.FROM_ALL * depth.more},
        {weights.NEAR}, {weights.ENOUGH}, {archived})
), {_WORDS}, narrowed AS MATERIALIZED (
    SELECT langchain_id, max(words) AS words, min(distance) AS distance FROM (
        SELECT langchain_id, 0::float8 AS words, distance FROM near
        UNION ALL SELECT langchain_id, words, NULL FROM worded) AS either
    GROUP BY langchain_id
), known AS MATERIALIZED (
    SELECT langchain_id, narrowed.words,
           COALESCE(1 - COALESCE(distance, memory.embedding <=> %(vector)s::vector), 0) AS meaning
    FROM narrowed JOIN entity_memory AS memory USING (langchain_id)
    WHERE memory.valid_to IS NULL {standing} AND {_OPEN}
), hits AS MATERIALIZED (
    SELECT langchain_id, least(1, (meaning + {weights.WORDS} * words) / 1.5)::real AS score
    FROM known WHERE meaning >= {weights.LEAST_MEANING} OR words >= {weights.LEAST_WORDS}
    ORDER BY score DESC, langchain_id LIMIT {weights.LEADING}
), {enrich.related_ctes("hits")}, pool AS MATERIALIZED (
    SELECT langchain_id, max(words) AS words, max(meaning) AS meaning, max(graph) AS graph,
           (array_agg(via) FILTER (WHERE via IS NOT NULL))[1] AS via
    FROM (SELECT langchain_id, words, meaning, 0 AS graph, NULL::jsonb AS via FROM known
          UNION ALL SELECT langchain_id, 0, 0, score, via FROM related) AS either
    GROUP BY langchain_id
), fused AS MATERIALIZED (
    SELECT memory.langchain_id, memory.content, memory.updated_at, memory.thread_id, memory.reason,
           memory.category, memory.name, memory.source, memory.summary_id, pool.via,
           memory.archived_at IS NOT NULL AS archived,
           CASE WHEN memory.category = 'preference' THEN 'preferences'
                WHEN is_said(memory.category) THEN 'findings' ELSE 'related' END AS segment,
           (pool.meaning + {weights.WORDS} * pool.words + {weights.GRAPH} * least(pool.graph, 1))
           * (1 - {weights.DOUBT} * (1 - memory.confidence))
           * (1 - {weights.FADED} * (1 - {_VALUE})) AS score
    FROM pool JOIN entity_memory AS memory USING (langchain_id)
    LEFT JOIN memory_use AS used
           ON used.user_id = scout_user() AND used.memory_id = memory.langchain_id
    WHERE memory.valid_to IS NULL {standing} AND {_OPEN}
      AND (pool.meaning >= {weights.LEAST_MEANING} OR pool.words >= {weights.LEAST_WORDS}
           OR pool.graph >= {weights.LEAST_GRAPH})
), placed AS MATERIALIZED (
    SELECT *, row_number() OVER (PARTITION BY segment ORDER BY score DESC, langchain_id) AS place
    FROM fused
    WHERE segment <> 'related' OR jsonb_array_length(via) > 0
), standing AS MATERIALIZED (
    SELECT placed.*, summary.langchain_id AS held_by, summary.content AS held_as,
           summary.updated_at AS held_at
    FROM placed LEFT JOIN summary_memory AS summary
      ON {grouped} AND segment = 'findings' AND summary.langchain_id = placed.summary_id
     AND summary.archived_at IS NULL
), shown AS MATERIALIZED (
    SELECT DISTINCT ON (COALESCE(held_by, langchain_id)) * FROM standing
    ORDER BY COALESCE(held_by, langchain_id), place
), numbered AS (
    SELECT *, row_number() OVER (PARTITION BY segment ORDER BY place) AS number FROM shown
)
SELECT segment, COALESCE(held_by, langchain_id), COALESCE(held_as, content),
       COALESCE(held_at, updated_at), thread_id, CASE WHEN held_by IS NULL THEN reason END, score,
       CASE WHEN held_by IS NULL THEN category ELSE 'summary' END, name, source, via,
       archived
FROM numbered
WHERE number <= CASE segment WHEN 'findings' THEN {weights.FINDINGS * depth.more}
                             WHEN 'preferences' THEN {weights.PREFERENCES}
                             ELSE {weights.RELATED * depth.more} END
ORDER BY segment, number
"""  # noqa: S608 (all that is put in is a constant)


def own_parameters(
    question: str,
    vector: str,
    depth: Depth = UNASKED,
    half: fading.HalfLives = fading.DEFAULT,
    thread: str | None = None,
) -> dict[str, Any]:
    """What the statement is bound to.

    Args:
        question: as it is understood.
        vector: its embedding in the database's text form.
        thread: where it is asked: other threads that are private stay closed.
    """
    return {
        "thread": thread,
        "question": question[: enrich.MOST_READ],
        "vector": vector,
        **enrich.parameters(question, enrich.LIMIT * depth.more),
        **fading.value_parameters(half),
    }


def open_ways(rows: Sequence[dict[str, Any]], consent: Consent) -> list[dict[str, Any]]:
    """What is related without a way through a memory that may be private: those of one step."""
    if not consent.hidden:
        return list(rows)
    return [row for row in rows if row["segment"] != "related" or len(row["via"]) < 2]
