"""What the person wanted forgotten is not read again where it was said or told back.

A statement is forgotten by its end; the messages of its turn stay as they were said. So its words
are taken out of what is read from them, summaries that hold it are dissolved, and other statements
of its turn quote it no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from psycopg import Connection

from arxivscout.memory.condensing import dissolve, dissolve_all
from arxivscout.preferences.reasons import parted

INSTEAD = "[forgotten]"
LEAST_LETTERS = 8  # of words that are looked for: "I use R" may stand in anything

# Statements that ended with nothing in their place, unless the same was said again.
FORGOTTEN = """
SELECT content, quote FROM entity_memory AS gone
WHERE user_id = scout_user() AND valid_to IS NOT NULL AND superseded_by IS NULL AND name IS NULL
  AND source IS NULL
  AND NOT EXISTS (SELECT FROM entity_memory AS again
                  WHERE again.user_id = scout_user() AND again.valid_to IS NULL
                    AND again.content_hash = gone.content_hash)
ORDER BY valid_to DESC LIMIT 300
"""

_GONE = """
SELECT content, quote, turn_id FROM entity_memory
WHERE langchain_id = %(id)s AND name IS NULL AND source IS NULL
"""
_TELLING = """
SELECT langchain_id FROM summary_memory
WHERE user_id = scout_user() AND EXISTS (
    SELECT FROM unnest(%(said)s::text[]) AS said WHERE position(lower(said) IN lower(content)) > 0)
"""
_UNQUOTE = (
    """
    UPDATE entity_memory SET quote = NULL
    WHERE user_id = scout_user() AND turn_id = %(turn)s AND valid_to IS NULL
      AND position(lower(%(said)s::text) IN lower(quote)) > 0
    """,
    """
    UPDATE relation_memory SET quote = NULL
    WHERE user_id = scout_user() AND turn_id = %(turn)s AND valid_to IS NULL
      AND position(lower(%(said)s::text) IN lower(quote)) > 0
    """,
)


class Forgotten:
    """Statements of one person that are to be read nowhere."""

    def __init__(self, statements: Iterable[Sequence[str | None]]) -> None:
        """`statements`: rows of FORGOTTEN."""
        said = {
            words
            for row in statements
            for each in row
            if each
            for part in (each, parted(each)[0])  # with its reason, and without
            if len(words := part.strip(" .!,")) >= LEAST_LETTERS
        }
        longest_first = sorted(said, key=lambda words: (-len(words), words))
        self._said = [
            re.compile(r"(?<!\w)" + r"\s+".join(map(re.escape, words.split())) + r"(?!\w)", re.I)
            for words in longest_first
        ]

    def without(self, text: str) -> str:
        """The text without their words."""
        for said in self._said:
            text = said.sub(INSTEAD, text)
        return text

    def row_without(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """A row as it was read, without their words."""
        if not self._said:
            return dict(row)
        return {
            name: self.without(value) if isinstance(value, str) else value
            for name, value in row.items()
        }


def forgotten(conn: Connection[Any]) -> Forgotten:
    """What the person wanted forgotten."""
    return Forgotten(conn.execute(FORGOTTEN).fetchall())


def leave_nowhere(conn: Connection[Any], statement_id: UUID | str) -> None:
    """Dissolve the summaries that hold a statement which is forgotten, and let nothing quote it."""
    row = conn.execute(_GONE, {"id": statement_id}).fetchone()
    if row is None:
        return
    content, quote, turn_id = row
    said = [words for each in (content, quote) if (words := (each or "").strip(" .!"))]
    said = [words for words in said if len(words) >= LEAST_LETTERS]
    dissolve_all(conn, [each for (each,) in conn.execute(_TELLING, {"said": said}).fetchall()])
    if turn_id is not None:
        dissolve(conn, turn_id)
        for words in said:
            for statement in _UNQUOTE:
                conn.execute(statement, {"turn": turn_id, "said": words})
