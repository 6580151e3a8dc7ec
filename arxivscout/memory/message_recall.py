"""What was said before, in any thread, that bears on a question: one statement among recall's.

A message counts by its words (BM25 over the rows that migration 0014 keeps), by its vector, and by
the same of its neighbours, since what is said often answers what stands before it; more if its
speaker is named, if it was said when the question says, or tells a time where one is asked for.

What is asked for may stand in several places. So the first hits lead on, in a second step: what is
like them counts more, and so does what was said in the threads that the best of them come from.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, time, timedelta, tzinfo
from typing import Any

from arxivscout.memory.names_asked import names_in
from arxivscout.memory.speakers import named_in, without_names
from arxivscout.memory.time_words import TimeAsked

MESSAGES_K = 20
# Of each word only so many uses, the newest, and of all words and vectors so many messages count:
# what it costs ends there, however much was said.
_USES = 1_000
_BY_WORDS = 80
_NAME_USES = 300  # of a name; what is named as often tells little
_BY_NAMES = 40
BY_MEANING = 60
# Chosen on LoCoMo's first five conversations (`arxivscout bench context`).
_WORDS_WEIGHT = 1.25  # of the share of a question's words, beside the cosine
_NAMES_WEIGHT = 0.2
_SPEAKER_WEIGHT = 0.5
_DAYS_WEIGHT = 0.4
_TELLS_TIME_WEIGHT = 0.2
_ASKS_WEIGHT = 0.15  # against what is a question itself: it seldom holds an answer
_ORDER_WEIGHT = 1.0  # for the first thing ever said, or the latest; less for the next ones
_BEFORE_WORDS, _BEFORE_MEANING = 0.5, 0.3  # of the message before, of the one behind
_BEHIND_WORDS, _BEHIND_MEANING = 0.2, 0.2
_FIRST_HITS = 40  # are ranked anew; more change nothing
_LEADING, _LIKE_THEM_WEIGHT = 8, 0.25  # of the cosine with the mean of so many
_THREADS_OF, _THREAD_WEIGHT = 20, 0.3  # of the best of a thread, as a share of the best of all
# Where the best does not bear on the question better than this, nothing does; else what bears on it
# a share as well.
LEAST_BEST = 0.35
LEAST_SHARE_OF_BEST = 0.2

_TELLS_TIME = (
    r"\m(yesterday|today|tonight|tomorrow|last|next|ago|week|weekend|month|year|recently|day"
    r"|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|\d{4}"
    r"|ieri|oggi|domani|fa|scors[oa]|prossim[oa]|settimana|mese|anno|giorno)\M"
)
_SELF = re.compile(r"\b(?:I|my|me|mine|io|mio|mia|miei|mie|ho)\b")
_OTHER = re.compile(r"\b(?:you|your|tu|tuo|tua|hai)\b", re.IGNORECASE)


def message_statement(nearest: str) -> str:
    """The statement, behind the CTEs that give the rows of `message_index` nearest to the question.

    Args:
        nearest: ends in a CTE `nearest` (langchain_id, distance).
    """
    # How many rows a lexeme or a person has can't be told beforehand: the planner takes them for
    # few, and joins row by row. So no CTE is joined with another that may have hundreds.
    return f"""
{nearest}, here AS MATERIALIZED (
    SELECT newest.thread, COALESCE(
        (SELECT min(place) FROM conversational_memory AS said
         JOIN message_index ON langchain_id = said.id WHERE said.turn_id = %(turn)s),
        newest.place + 1) AS place
    FROM conversational_memory AS said JOIN message_index AS newest ON langchain_id = said.id
    WHERE said.user_id = scout_user() AND said.thread_id = %(thread)s::text
    ORDER BY said.seq DESC LIMIT 1
), size AS MATERIALIZED (
    SELECT count(*)::float8 AS messages
    FROM (SELECT FROM message_index WHERE user_id = scout_user() LIMIT 2000) AS mine
), uses AS MATERIALIZED (
    SELECT asked.lexeme, word.thread, word.place, word.weight
    FROM unnest(tsvector_to_array(message_words(%(said)s::text))) AS asked (lexeme)
    CROSS JOIN LATERAL (
        SELECT thread, place, weight FROM message_word
        WHERE user_id = scout_user() AND lexeme = asked.lexeme
        ORDER BY thread DESC, place DESC LIMIT {_USES}) AS word
    WHERE NOT EXISTS (  -- the question itself
        SELECT FROM here WHERE here.thread = word.thread AND word.place >= here.place)
), rarity AS MATERIALIZED (
    SELECT lexeme, ln(1 + (greatest(messages - count(*), 0) + .5) / (count(*) + .5)) AS idf
    FROM uses CROSS JOIN size GROUP BY lexeme, messages
), worded AS MATERIALIZED (
    SELECT thread, place, sum(idf * weight) / (SELECT sum(idf) FROM rarity) AS score
    FROM uses JOIN rarity USING (lexeme) GROUP BY thread, place
), called AS MATERIALIZED (
    SELECT number, lexeme, count(*) OVER (PARTITION BY number) AS lexemes
    FROM unnest(%(names)s::text[]) WITH ORDINALITY AS asked (name, number)
    CROSS JOIN LATERAL unnest(tsvector_to_array(message_words(name))) AS lexeme
), named AS MATERIALIZED (
    SELECT thread, place, sum(rarity) / (SELECT count(DISTINCT number) FROM called) AS rarity
    FROM (SELECT number, thread, place, max(rarity) AS rarity
          FROM called CROSS JOIN LATERAL (
              SELECT thread, place,
                     1 - ln(count(*) OVER ()) / ln(1 + {_NAME_USES}) AS rarity
              FROM (SELECT thread, place FROM message_word
                    WHERE user_id = scout_user() AND lexeme = called.lexeme
                    ORDER BY thread DESC, place DESC LIMIT {_NAME_USES}) AS newest) AS word
          GROUP BY number, thread, place HAVING count(*) = max(lexemes)) AS whole
    WHERE NOT EXISTS (
        SELECT FROM here WHERE here.thread = whole.thread AND whole.place >= here.place)
    GROUP BY thread, place ORDER BY 3 DESC, thread DESC, place DESC LIMIT {_BY_NAMES}
), dated AS MATERIALIZED (
    SELECT DISTINCT said.thread, said.place
    FROM unnest(%(since)s::timestamptz[], %(until)s::timestamptz[]) AS asked (since, until)
    CROSS JOIN LATERAL (
        SELECT thread, place FROM message_index
        WHERE user_id = scout_user() AND said_at >= since AND said_at < until
        ORDER BY said_at DESC LIMIT 40) AS said
), ordered AS MATERIALIZED (
    SELECT thread, place, 1.25 - row_number() OVER (ORDER BY at, number) / 4.0 AS order_share
    FROM ((SELECT thread, place, extract(epoch FROM said_at) AS at, place AS number
           FROM message_index WHERE user_id = scout_user() AND %(order)s::text = 'first'
           ORDER BY said_at, place LIMIT 4)
          UNION ALL
          (SELECT thread, place, -extract(epoch FROM said_at), -place FROM message_index
           WHERE user_id = scout_user() AND %(order)s::text = 'latest'
             AND thread IS DISTINCT FROM (SELECT thread FROM here)
           ORDER BY said_at DESC, place DESC LIMIT 4)) AS ends
), found AS MATERIALIZED (
    (SELECT thread, place FROM worded ORDER BY score DESC LIMIT {_BY_WORDS})
    UNION SELECT said.thread, said.place FROM nearest CROSS JOIN LATERAL (
        SELECT thread, place FROM message_index AS said
        WHERE said.langchain_id = nearest.langchain_id LIMIT 1) AS said
    UNION SELECT thread, place FROM named
    UNION SELECT thread, place FROM dated
    UNION SELECT thread, place FROM ordered
), spread AS MATERIALIZED (
    SELECT thread, place, max(words) AS words, max(rarity) AS rarity
    FROM (SELECT thread, place + step AS place, 0 AS words, 0 AS rarity, true AS is_near
          FROM found CROSS JOIN generate_series(-1, 1) AS step
          UNION ALL
          SELECT thread, place, score, 0, false FROM worded
          UNION ALL
          SELECT thread, place, 0, rarity, false FROM named) AS either
    GROUP BY thread, place HAVING bool_or(is_near)
), around AS MATERIALIZED (
    SELECT said.langchain_id, said.thread, said.place, said.speaker, said.said_at, said.content,
           said.embedding, {_WORDS_WEIGHT} * spread.words AS words,
           {_NAMES_WEIGHT} * spread.rarity AS named,
           COALESCE(greatest(1 - (said.embedding <=> %(said_vector)s::vector), 0), 0) AS meaning
    FROM spread CROSS JOIN LATERAL (
        SELECT * FROM message_index AS said
        WHERE said.user_id = scout_user() AND said.thread = spread.thread
          AND said.place = spread.place LIMIT 1) AS said
), scored AS MATERIALIZED (
    SELECT *, words + meaning + named
           + CASE WHEN lag(place) OVER thread_order = place - 1
                  THEN {_BEFORE_WORDS} * lag(words) OVER thread_order
                       + {_BEFORE_MEANING} * lag(meaning) OVER thread_order ELSE 0 END
           + CASE WHEN lead(place) OVER thread_order = place + 1
                  THEN {_BEHIND_WORDS} * lead(words) OVER thread_order
                       + {_BEHIND_MEANING} * lead(meaning) OVER thread_order ELSE 0 END AS bears
    FROM around WINDOW thread_order AS (PARTITION BY thread ORDER BY place)
), timed AS MATERIALIZED (
    SELECT said.*, ({_ORDER_WEIGHT} * COALESCE(order_share, 0) + {_DAYS_WEIGHT} * COALESCE((
               SELECT max(CASE WHEN said_at < until THEN 1 ELSE .5 END)
               FROM unnest(%(since)s::timestamptz[], %(until)s::timestamptz[])
                    AS asked (since, until)
               WHERE said_at >= since AND said_at < until + interval '7 days'), 0))::float8 AS due
    FROM scored AS said
    LEFT JOIN ordered ON ordered.thread = said.thread AND ordered.place = said.place
    WHERE NOT EXISTS (SELECT FROM here WHERE here.thread = said.thread
                      AND said.place >= here.place - %(newest)s)
), hits AS MATERIALIZED (
    SELECT said.*, bears + due
           + {_SPEAKER_WEIGHT} * (said.speaker = ANY (%(speakers)s::text[]))::int
           + {_TELLS_TIME_WEIGHT}
             * (CASE WHEN %(when)s THEN said.content ~* %(tells_time)s ELSE false END)::int
           - {_ASKS_WEIGHT} * (said.content ~ '[?]\\s*$')::int AS first_score
    FROM timed AS said ORDER BY first_score DESC LIMIT {_FIRST_HITS}
), first AS MATERIALIZED (
    SELECT avg(embedding) AS mean
    FROM (SELECT embedding FROM hits ORDER BY first_score DESC LIMIT {_LEADING}) AS best
), threads AS MATERIALIZED (
    SELECT thread, max(first_score) / greatest(max(max(first_score)) OVER (), .01) AS share
    FROM (SELECT thread, first_score FROM hits
          ORDER BY first_score DESC LIMIT {_THREADS_OF}) AS best
    GROUP BY thread
), ranked AS MATERIALIZED (
    SELECT hits.*, first_score + {_THREAD_WEIGHT} * COALESCE(share, 0)
           + {_LIKE_THEM_WEIGHT} * COALESCE(1 - (embedding <=> mean), 0) AS score
    FROM hits CROSS JOIN first LEFT JOIN threads ON threads.thread = hits.thread
    ORDER BY score DESC LIMIT %(messages)s
), shown AS MATERIALIZED (
    SELECT ranked.*, said.role, said.turn_id, said.thread_id, left(said.content, 2000) AS text,
           ranked.place + CASE said.role WHEN 'user' THEN 1 ELSE -1 END AS other_place
    FROM ranked JOIN conversational_memory AS said ON said.id = ranked.langchain_id
)
SELECT shown.langchain_id, role, shown.speaker, shown.text, shown.said_at, shown.thread_id,
       shown.thread, shown.place, bears, due, score, other.langchain_id, other.speaker,
       left(other.content, 400), turn.question, (
           SELECT string_agg(cited ->> 'arxiv_id', ' ')
           FROM jsonb_array_elements(CASE jsonb_typeof(turn.citations) WHEN 'array'
                                     THEN turn.citations ELSE '[]' END) AS cited)
FROM shown
LEFT JOIN message_index AS other
  ON other.user_id = scout_user() AND other.thread = shown.thread
 AND other.place = shown.other_place
LEFT JOIN turn ON turn.turn_id = shown.turn_id
ORDER BY score DESC
"""  # noqa: S608 (all that is put in is a constant)


MESSAGE_COLUMNS = (
    "id role speaker text at thread_id thread place bears due score other_id other_speaker "
    "other_text question cited"
)


def message_parameters(
    question: str,
    vector: str,
    times: TimeAsked,
    zone: tzinfo,
    speakers: Sequence[str] = (),
    newest: int = 0,
) -> dict[str, Any]:
    """What the statement is bound to, beside the thread and the turn.

    Args:
        question: as it is understood.
        vector: of the question without the speakers' names, in the database's text form.
        times: what the question says of time.
        zone: where the person's days begin.
        speakers: names of those who speak in this person's conversations, in small letters.
        newest: how many of the thread's newest messages are read anyway.
    """
    named = named_in(question, speakers)
    if not named:
        named = ["user"] * bool(_SELF.search(question)) + ["assistant"] * bool(
            _OTHER.search(question)
        )
    days = [
        (datetime.combine(first, time(), zone), datetime.combine(last, time(), zone))
        for first, last in times.periods
    ]
    return {
        "said": without_names(question, speakers)[:2000],
        "said_vector": vector,
        "names": names_in(question, speakers),
        "speakers": named,
        "since": [first for first, _ in days],
        "until": [last + timedelta(days=1) for _, last in days],
        "order": times.order,
        "when": times.when,
        "tells_time": _TELLS_TIME,
        "messages": MESSAGES_K,
        "newest": newest,
    }


def worth_recalling(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those that bear on the question, or were said when it says, and no text twice."""
    best = max((each["bears"] for each in messages), default=0.0)
    least = LEAST_SHARE_OF_BEST * best if best >= LEAST_BEST else best + 1
    kept: dict[str, dict[str, Any]] = {}
    for each in messages:
        if each["bears"] >= least or each["due"] >= _DAYS_WEIGHT:
            kept.setdefault(each["text"], each)  # a fork has the same again
    return list(kept.values())
