"""A person's memories searched by hand: by meaning, by words, by what the graph joins to either.

As a turn recalls them (`hybrid/statement.py`), but of any kind, of any time, archived or not, and
with a higher bar: what a turn is shown besides does no harm, what a person is shown they must read.
"""

from __future__ import annotations

import re
from typing import Any

from psycopg import Connection

from arxivscout.memory import fading
from arxivscout.memory.graph import enrich
from arxivscout.memory.hybrid import weights
from arxivscout.memory.overview import COLUMNS, HELD_NOW, MEANT, REMEMBERED, MemoryItem, Seen, bound
from arxivscout.memory.overview import items as read_items
from arxivscout.memory.vector_memory import Vector, vector_text
from arxivscout.papers import clean_text, one_line

# On 160 statements and things, of 20 questions about nothing in them the nearest statement had a
# cosine of .25 in the middle and .37 at most; what answers another 14 had .33 to .73. A bare name
# is near to much ("music" and LSTM: .37).
LEAST_MEANING = 0.33
LEAST_MEANING_OF_A_NAME = 0.5
LEAST_WORDS = 0.2  # of the question's words, by rarity; all of them in a short text give .55
_BY_MEANING, _BY_WORDS = 100, 200  # looked at closely
_MOST_WORDS = 50

_DAYS_SINCE = "extract(epoch FROM now() - {}) / 86400"
_VALUE = fading.value_sql(
    age_days=_DAYS_SINCE.format("created_at"),
    days_since_use=_DAYS_SINCE.format("COALESCE(used.last_used_at, created_at)"),
    uses="COALESCE(used.uses, 0)",
    kind="kind",
    importance=fading.importance_sql(kind="kind", filed_under="filed_under"),
)

# Where a word stands is first looked for by its letters, which is cheap and finds too much; in what
# that gives it is then looked for as a word, the kind's and the category's among them. Where the
# whole question stands (in a script without blanks, part of an id) that counts as all its words.
_SEARCH = f"""
WITH {REMEMBERED}, mine AS MATERIALIZED (
    SELECT held.id, held.name, kind, text, filed_under, held.created_at, confidence, at,
           COALESCE(1 - (embedding <=> %(vector)s::vector), 0) AS meaning,
           (SELECT count(*) FROM unnest(%(words)s::text[]) AS word
            WHERE position(word IN lower(concat_ws(' ', text, kind, filed_under))) > 0) AS letters
    {MEANT}
), near AS MATERIALIZED (
    (SELECT * FROM mine ORDER BY meaning DESC, id LIMIT {_BY_MEANING})
    UNION
    (SELECT * FROM mine WHERE letters > 0 ORDER BY letters DESC, at DESC LIMIT {_BY_WORDS})
), asked AS MATERIALIZED (
    SELECT lexeme, ln(1 + (greatest(size - used, 0) + .5) / (used + .5)) AS idf
    FROM unnest(tsvector_to_array(message_words(%(question)s::text))) AS asked (lexeme)
    CROSS JOIN LATERAL (
        SELECT count(*) AS used FROM (
            SELECT FROM memory_word WHERE user_id = scout_user() AND lexeme = asked.lexeme
            LIMIT {weights.USES_OF_A_WORD}) AS each) AS held
    CROSS JOIN (SELECT count(*)::float8 + 1 AS size FROM mine) AS sized
), read AS MATERIALIZED (
    SELECT near.*, CASE WHEN position(%(whole)s::text IN lower(text)) > 0 THEN 1
           ELSE COALESCE((
               SELECT sum(idf * word_weight(cardinality(positions), length(words)))
               FROM unnest(words) JOIN asked USING (lexeme)
           ) / NULLIF((SELECT sum(idf) FROM asked), 0), 0) END AS words
    FROM near CROSS JOIN LATERAL (
        SELECT message_words(concat_ws(E'\\n', text, kind, filed_under)) AS words) AS told
), hits AS MATERIALIZED (
    SELECT id AS langchain_id, least(1, (meaning + {weights.WORDS} * words) / 1.5)::real AS score
    FROM read WHERE meaning >= {LEAST_MEANING} OR words >= {LEAST_WORDS}
    ORDER BY score DESC, id LIMIT {weights.LEADING}
), {enrich.related_ctes("hits")}, pool AS MATERIALIZED (
    SELECT id, max(meaning) AS meaning, max(words) AS words, max(graph) AS graph
    FROM (SELECT id, meaning, words, 0 AS graph FROM read
          UNION ALL SELECT mine.id, meaning, 0, related.score
          FROM related JOIN mine ON mine.id = related.langchain_id) AS either
    GROUP BY id
), ranked AS MATERIALIZED (
    SELECT pool.id, (pool.meaning + {weights.WORDS} * pool.words
                     + {weights.GRAPH} * least(pool.graph, 1))
           * (1 - {weights.DOUBT} * (1 - confidence)) * (1 - {weights.FADED} * (1 - {_VALUE}))
           AS score
    FROM pool JOIN mine ON mine.id = pool.id
    LEFT JOIN memory_use AS used ON used.user_id = scout_user() AND used.memory_id = pool.id
    WHERE pool.words >= {LEAST_WORDS} OR pool.graph >= {weights.LEAST_GRAPH}
       OR pool.meaning >= CASE WHEN name IS NULL OR kind = 'paper' THEN {LEAST_MEANING}
                               ELSE {LEAST_MEANING_OF_A_NAME} END
    ORDER BY score DESC, pool.id LIMIT %(limit)s
)
SELECT {COLUMNS} {MEANT.replace("FROM held", "FROM ranked JOIN held ON held.id = ranked.id", 1)}
ORDER BY score DESC, held.id
"""  # noqa: S608 (all that is put in is a constant)


def search(
    conn: Connection[Any],
    text: str,
    vector: Vector,
    kind: str | None,
    limit: int,
    seen: Seen = HELD_NOW,
    half: fading.HalfLives = fading.DEFAULT,
) -> list[MemoryItem]:
    """The memories that fit `text`, the likest first; none where none does.

    Args:
        vector: of `text`.
        half: in which a memory's value fades.
    """
    asked = one_line(clean_text(text))
    given = {
        "vector": vector_text(vector),
        "words": _letters(asked),
        "whole": asked.lower() if len(asked) > 3 or not asked.isascii() else None,
        "question": asked[: enrich.MOST_READ],
        "limit": limit,
        **enrich.parameters(asked),
        **fading.value_parameters(half),
    }
    return read_items(conn, _SEARCH, {**bound(kind, seen), **given})


def _letters(asked: str) -> list[str]:
    """How the words begin that mean something: without the end that inflection changes."""
    words = [asked.lower(), *re.findall(r"\w[\w.+#-]*\w|\w", asked.lower())]
    begun = (word[: max(4, len(word) - 3)] if word.isalpha() else word for word in words)
    return list(dict.fromkeys(begun))[:_MOST_WORDS]
