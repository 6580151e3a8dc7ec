"""What dear searches found, kept for a person's next question that asks the same.

Dear are searches of arXiv, which asks for three seconds between two, and re-ranked ones, which ask
a model. A plain search of 25,000 papers held takes 14 ms; to look each question up and to keep what
it found takes 2, which would pay only if more than one question in seven came again.

Who looks a question up brings the key of its form; that both ask the same is told by the key and by
the vectors together. What was re-ranked is checked against what the first stage finds today.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arxivscout.memory.postgres import Database
from arxivscout.memory.turn_record import STAY_ERASED
from arxivscout.memory.vector_memory import Vector, vector_text
from arxivscout.redaction import holds_secret

SAME = 0.95  # cosine of two questions that may ask the same; the form has to agree as well
MOST_KEPT = 500  # of a person; some 2 KB each
OLDEST_S = 30 * 24 * 3600.0  # what was not used for a month is not coming back

_FIND = """
SELECT question, phrases, papers, candidates, 1 - (embedding <=> %(vector)s::vector)
FROM search_cache
WHERE user_id = scout_user() AND scope = %(scope)s AND question_key = %(key)s
  AND made_at > clock_timestamp() - make_interval(secs => %(age)s)
"""

_COUNT = """
UPDATE search_cache SET hits = hits + 1, used_at = now()
WHERE user_id = scout_user() AND scope = %(scope)s AND question_key = %(key)s
"""

# It may be lost in a crash: then one search is made again.
_HURRY = "SELECT set_config('synchronous_commit', 'off', true)"

# Only of who lets be remembered what they look at, not while a private thread of theirs is at work,
# and not right after they were erased: a turn that was under way may go on for an hour.
_KEEP = """
INSERT INTO search_cache AS kept (scope, question_key, question, phrases, embedding, papers,
                                  candidates)
SELECT %(scope)s, %(key)s, %(question)s, %(phrases)s::text[], %(vector)s::vector,
       %(papers)s::text[], %(candidates)s
WHERE NOT EXISTS (SELECT FROM person_setting
                  WHERE name = 'remembering' AND value <> 'everything')
  AND NOT EXISTS (SELECT FROM thread_lease JOIN thread USING (user_id, thread_id)
                  WHERE thread_lease.user_id = scout_user() AND private)
  AND NOT EXISTS (SELECT FROM erasure WHERE person = hashed_person(scout_user())
                    AND erased_at > now() - interval '1 hour')
ON CONFLICT (user_id, scope, question_key) DO UPDATE
SET question = EXCLUDED.question, phrases = EXCLUDED.phrases, embedding = EXCLUDED.embedding,
    papers = EXCLUDED.papers, candidates = EXCLUDED.candidates, made_at = now(), used_at = now()
"""

_MAKE_ROOM = """
DELETE FROM search_cache WHERE user_id = scout_user() AND used_at <= GREATEST(
    now() - make_interval(secs => %(age)s),
    (SELECT used_at FROM search_cache WHERE user_id = scout_user()
     ORDER BY used_at DESC OFFSET %(most)s LIMIT 1))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question as it is looked up: `scope` names what else decides, `key` what it asks.

    `vector` is of what it asks, without how.
    """

    scope: str
    key: str
    text: str
    vector: Vector
    phrases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What an earlier question found; `candidates` tells what of, where it was put in order."""

    question: str
    phrases: tuple[str, ...]
    papers: tuple[str, ...]
    candidates: str | None


def kept_search(
    database: Database, user: str, asked: Asked, *, age_s: float = OLDEST_S
) -> Kept | None:
    """What was found for a question of this person that asks the same; None if nothing is kept."""
    bound = {
        "vector": vector_text(asked.vector),
        "scope": asked.scope,
        "key": asked.key,
        "age": age_s,
    }
    for question, phrases, papers, candidates, cosine in database.batch(user, [(_FIND, bound)])[0]:
        if cosine >= SAME:
            return Kept(
                question=question,
                phrases=tuple(phrases),
                papers=tuple(papers),
                candidates=candidates,
            )
    return None


def count_use(database: Database, user: str, asked: Asked) -> None:
    """Say that it was used: it stays longer, and the share of hits can be told."""
    bound = {"scope": asked.scope, "key": asked.key}
    database.batch(user, [(_HURRY, {}), (_COUNT, bound)])


def keep_search(
    database: Database,
    user: str,
    asked: Asked,
    papers: Sequence[str],
    candidates: str | None = None,
) -> None:
    """Keep what the question found, in the place of what an earlier one did; make room for it.

    A question with a secret in it is not kept.
    """
    if holds_secret(asked.text):
        return
    bound = {
        "scope": asked.scope,
        "key": asked.key,
        "question": asked.text,
        "phrases": list(asked.phrases),
        "vector": vector_text(asked.vector),
        "papers": list(papers),
        "candidates": candidates,
    }
    room = {"most": MOST_KEPT, "age": OLDEST_S}
    erased = (STAY_ERASED, {"begun": None})
    database.batch(user, [erased, (_HURRY, {}), (_KEEP, bound), (_MAKE_ROOM, room)])
