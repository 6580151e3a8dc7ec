"""Who speaks in a person's conversations beside them and the assistant, as messages name them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arxivscout.memory.postgres import Database
from arxivscout.papers import clean_text

_WORD = re.compile(r"\w")

# Names skip through the index, from one to the next.
SPEAKERS = """
WITH RECURSIVE named AS (
    (SELECT speaker FROM message_index WHERE user_id = scout_user() ORDER BY speaker LIMIT 1)
    UNION ALL
    SELECT (SELECT following.speaker FROM message_index AS following
            WHERE following.user_id = scout_user() AND following.speaker > named.speaker
            ORDER BY following.speaker LIMIT 1)
    FROM named WHERE named.speaker IS NOT NULL
)
SELECT speaker FROM named WHERE speaker NOT IN ('user', 'assistant') LIMIT 100
"""


def known_speakers(database: Database, user: str) -> tuple[str, ...]:
    """The names, in small letters, under which somebody speaks in this person's conversations."""
    (rows,) = database.batch(user, [(SPEAKERS, {})])
    return tuple(row[0] for row in rows)


def without_names(question: str, speakers: Sequence[str]) -> str:
    """The question without the names of who speaks: in what they say they don't name themselves."""
    text = clean_text(question)
    for name in speakers:
        text = re.sub(rf"\b{re.escape(name)}(?:['’]s)?(?!\w) ?", "", text, flags=re.IGNORECASE)
    return text if _WORD.search(text) else question


def named_in(question: str, speakers: Sequence[str]) -> list[str]:
    """Those of the speakers whom the question names."""
    return [
        name
        for name in speakers
        if re.search(rf"\b{re.escape(name)}\b", question, re.IGNORECASE) is not None
    ]
