"""The words of a question and what each counts: the first CTEs of a search's statement.

A word counts by how rare it is among the papers (`word_count.py`), as a share of what all words of
its text count. A question may be several texts, such as words and a paper that is to be like: each
text counts as much as the others, however long it is.

All words of a question are scored by, up to `MOST_WORDS`. The rarest of a long one say little of
what it is about: by its meaning and its 16 rarest words, some sentences of an abstract found papers
like it worse than by their meaning alone (CSFCube's nDCG@10 .505 and .519; with all words .533).
"""

from __future__ import annotations

from arxivscout.memory.knowledge import search_words

# Of a question's words, the rarest. On abstracts as questions (of SciFact's training split, found
# are those that answer the same claim) nDCG@10 is .579 with 16, .592 with 32, .600 with 64 and with
# 300. No claim has more than 23.
MOST_WORDS = 64


def asked(beside: str = "") -> str:
    """The CTEs `given` and `asked`: the words of a question, each with its weight.

    Args:
        beside: a CTE of (lexeme, frequency) that knows words by their share of other texts, which
            may be more frequent there than among the papers.
    """
    join = f"LEFT JOIN {beside} USING (lexeme)" if beside else ""
    found = f"GREATEST(COALESCE(paper_word.papers, 0), {beside}.frequency * total.papers)"
    papers_with = found if beside else "COALESCE(paper_word.papers, 0)"
    return f"""given AS MATERIALIZED (
    SELECT to_tsvector('english', text) AS words, place
    FROM unnest(%(texts)s::text[]) WITH ORDINALITY AS told (text, place)
), asked AS MATERIALIZED (
    SELECT lexeme, quoted, quoted::tsquery AS word, papers_with, frequency, sum(share) AS weight
    FROM (
        SELECT lexeme, quoted, papers_with, frequency,
               rarity / sum(rarity) OVER (PARTITION BY place) AS share
        FROM (
            SELECT place, lexeme, quoted, papers_with, papers_with / total.papers AS frequency,
                   ln(1 + (total.papers - papers_with + 0.5) / (papers_with + 0.5)) AS rarity,
                   row_number() OVER (PARTITION BY place
                                      ORDER BY papers_with, length(quoted) DESC, quoted) AS nth
            FROM given CROSS JOIN unnest(tsvector_to_array(words)) AS one (lexeme)
            CROSS JOIN total LEFT JOIN paper_word USING (lexeme) {join},
                 LEAST({papers_with}, total.papers) AS papers_with,
                 concat('''', replace(replace(lexeme, '\\', '\\\\'), '''', ''''''), '''') AS quoted
        ) AS known
        WHERE nth <= %(most_words)s
    ) AS shared
    GROUP BY lexeme, quoted, papers_with, frequency
)"""  # noqa: S608 (a CTE's name)


# So many of the rarest words stand for all of them where papers that have all are looked for: who
# has these has the others too or is scored by what it has. The index reads where each word stands,
# the common ones too: 18 words took 14 ms among a million papers.
MOST_TOGETHER = 8


ASKED = asked()  # `total` has the number of papers


def rarest_first(texts: str) -> str:
    """The CTE `question`: as queries all its words, and those that choose candidates: the rarest
    together, and the rarest each.

    Args:
        texts: the column of the CTE `total` that has the number of texts searched.
    """
    return f"""question AS MATERIALIZED (
    SELECT string_agg(quoted, ' & ')::tsquery AS all_words,
           (string_agg(quoted, ' & ') FILTER (WHERE place <= {MOST_TOGETHER}))::tsquery
               AS together,
           (string_agg(quoted, ' | ') FILTER (WHERE covered <= %(pool)s / {texts} OR place = 1))
               ::tsquery AS rare_words,
           NULLIF(sum(weight), 0) AS weight, NULLIF(count(*), 0) AS words
    FROM (SELECT quoted, weight, sum(frequency) OVER rarest AS covered, row_number() OVER rarest
              AS place
          FROM asked WINDOW rarest AS (ORDER BY frequency, length(quoted) DESC, quoted)) AS ordered,
         total
)"""  # noqa: S608 (a column's name)


def question_texts(*texts: str) -> list[str]:
    """The parameter `texts`: in the spelling that is searched by, without those that are empty."""
    return [search_words(text) for text in texts if text]
