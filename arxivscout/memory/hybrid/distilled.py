"""The recall of lessons and of summaries: by meaning, by words, and by what the question names.

What bears on the question in any of these ways counts, and is ranked by all together, as the
person's other memories are (`weights.py`).
"""

from __future__ import annotations

from arxivscout.memory.hybrid import weights
from arxivscout.memory.nearest import nearest


def bearing(
    table: str,
    condition: str,
    k: int,
    *,
    least_meaning: float = weights.LEAST_MEANING,
    counted: str | None = None,
    by_words: bool = True,
) -> str:
    """CTEs: the person's `k` rows of a table that bear best on the question, with their score.

    The last of them is `bearing` (langchain_id, score). They are bound to `vector` and `question`.

    Args:
        table: lesson_memory or summary_memory, whose words are kept.
        condition: which of its rows count.
        least_meaning: cosine from which a row bears on the question by meaning alone.
        counted: as `nearest` has it.
        by_words: not by meaning alone, for where words or names can't be read.
    """
    told = f"distilled_by_words('{table}', %(question)s::text)"
    nothing = "(VALUES (NULL::uuid, 0::float8, 0::float8)) AS nothing (langchain_id, words, names)"
    return f"""
{nearest(table, condition, k, counted=counted)}, found AS MATERIALIZED (
    SELECT langchain_id, max(words) AS words, max(names) AS names FROM (
        SELECT langchain_id, 0::float8 AS words, 0::float8 AS names FROM nearest
        UNION ALL SELECT langchain_id, words, names FROM {told if by_words else nothing}) AS either
    GROUP BY langchain_id
), bearing AS MATERIALIZED (
    SELECT langchain_id, meaning + {weights.WORDS} * words + {weights.GRAPH} * least(names, 1)
                         AS score
    FROM (SELECT langchain_id, words, names,
                 COALESCE(1 - (embedding <=> %(vector)s::vector), 0) AS meaning
          FROM found JOIN {table} USING (langchain_id)
          WHERE user_id = scout_user() AND {condition}) AS each
    WHERE meaning > {least_meaning} OR words >= {weights.LEAST_WORDS}
       OR names >= {weights.LEAST_GRAPH}
    ORDER BY score DESC, langchain_id LIMIT {k}
)"""  # noqa: S608
