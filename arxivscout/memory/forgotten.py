"""What the person wanted forgotten is not read again where it was said or told back.

A statement is forgotten by its end; the messages of its turn stay as they were said. So its words
are taken out of what is read from them, summaries and lessons that hold it go, and nothing else
that is remembered quotes it or gives it as a reason.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any
from uuid import UUID

from psycopg import Connection

from arxivscout.memory.condensing import dissolve, dissolve_all
from arxivscout.preferences.reasons import parted

INSTEAD = "[forgotten]"
# Letters of words that are looked for: "I use R" may stand in anything.
LEAST_LETTERS, LEAST_SIGNS = 8, 3
LONGEST = 400  # letters of a statement by which it is found

# Written without blanks between words.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MARK = re.compile(r"['’ʼ]")

# Statements that ended with nothing in their place, unless the same was said again.
FORGOTTEN = """
SELECT content, quote FROM entity_memory AS gone
WHERE user_id = scout_user() AND valid_to IS NOT NULL AND superseded_by IS NULL AND name IS NULL
  AND source IS NULL
  AND NOT EXISTS (SELECT FROM entity_memory AS again
                  WHERE again.user_id = scout_user() AND again.valid_to IS NULL
                    AND again.content_hash = gone.content_hash)
ORDER BY valid_to DESC LIMIT 5000
"""

_GONE = """
SELECT content, quote, turn_id FROM entity_memory
WHERE langchain_id = %(id)s AND name IS NULL AND source IS NULL
"""
_HOLDS = "EXISTS (SELECT FROM unnest(%(said)s::text[]) AS t (t) WHERE strpos(lower({}), t) > 0)"
_TELLING = f"""
SELECT langchain_id FROM summary_memory
WHERE user_id = scout_user() AND {_HOLDS.format("content")}
"""  # noqa: S608 (a constant)
_LET_GO = (
    f"""
    UPDATE entity_memory SET quote = NULL
    WHERE user_id = scout_user() AND valid_to IS NULL AND {_HOLDS.format("quote")}
    """,  # noqa: S608
    f"""
    UPDATE entity_memory
    SET reason = NULL, langchain_metadata = COALESCE(
        (SELECT json_object_agg(key, value) FROM json_each(langchain_metadata)
         WHERE key <> 'reason'), '{{}}')
    WHERE user_id = scout_user() AND valid_to IS NULL AND {_HOLDS.format("reason")}
    """,  # noqa: S608
    f"""
    UPDATE relation_memory SET quote = NULL
    WHERE user_id = scout_user() AND valid_to IS NULL AND {_HOLDS.format("quote")}
    """,  # noqa: S608
    f"""
    UPDATE relation_memory SET reason = NULL
    WHERE user_id = scout_user() AND valid_to IS NULL AND {_HOLDS.format("reason")}
    """,  # noqa: S608
    f"""
    UPDATE lesson_memory SET valid_to = clock_timestamp()
    WHERE user_id = scout_user() AND valid_to IS NULL AND {_HOLDS.format("content")}
    """,  # noqa: S608
)


class Forgotten:
    """Statements of one person that are to be read nowhere."""

    def __init__(self, statements: Iterable[Sequence[str | None]]) -> None:
        """`statements`: rows of FORGOTTEN."""
        self._said = sorted(_ways_to_say(statements), key=lambda words: (-len(words), words))

    def without(self, text: str) -> str:
        """The text without their words."""
        if not self._said:
            return text
        bare = _bare(text)
        found = [words for words in self._said if words in bare]  # few are, and are looked for
        if found:
            text = unicodedata.normalize("NFC", text)
        for words in found:
            text = _pattern(words).sub(INSTEAD, text)
        return text

    def told_without(self, text: str) -> str:
        """An answer without the paragraphs that told of them: what stands before a quotation is
        what it says, too.
        """
        parts = text.split("\n\n")
        left = [self.without(part) for part in parts]
        return "\n\n".join(
            INSTEAD if new != old else old for new, old in zip(left, parts, strict=True)
        )

    def said_by(self, role: str, text: str) -> str:
        """A message without their words, by who said it."""
        return self.without(text) if role == "user" else self.told_without(text)

    def row_without(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """A row as it was read, without their words; an answer's in `text` beside its `role`."""
        if not self._said:
            return dict(row)
        role = str(row.get("role") or "user")
        other = "assistant" if role == "user" else "user"
        by = {"text": role, "other_text": other if "role" in row else "user"}
        return {
            name: self.said_by(by.get(name, "user"), value) if isinstance(value, str) else value
            for name, value in row.items()
        }


def forgotten(conn: Connection[Any]) -> Forgotten:
    """What the person wanted forgotten."""
    return Forgotten(conn.execute(FORGOTTEN).fetchall())


def leave_nowhere(conn: Connection[Any], statement_id: UUID | str) -> None:
    """Let go of a statement that is forgotten whatever holds its words: see above."""
    row = conn.execute(_GONE, {"id": statement_id}).fetchone()
    if row is None:
        return
    content, quote, turn_id = row
    said = {"said": sorted(_ways_to_say([(content, quote)]))}
    dissolve_all(conn, [each for (each,) in conn.execute(_TELLING, said).fetchall()])
    if turn_id is not None:
        dissolve(conn, turn_id)
    for statement in _LET_GO if said["said"] else ():
        conn.execute(statement, said)


def _ways_to_say(statements: Iterable[Sequence[str | None]]) -> set[str]:
    """The words of the statements in small letters, with their reasons and without."""
    return {words for row in statements for each in row if each for words in _ways(each)}


@lru_cache(maxsize=10_000)  # the same statements are read at every turn
def _ways(statement: str) -> tuple[str, ...]:
    said = []
    for part in (statement, parted(statement)[0]):
        words = _bare(part).strip(" .!,;:。！、")[:LONGEST].strip()
        if len(words) >= (LEAST_SIGNS if _UNSPACED.search(words) else LEAST_LETTERS):
            said.append(words)
    return tuple(said)


def _bare(text: str) -> str:
    text = unicodedata.normalize("NFC", text)
    return _MARK.sub("'", " ".join(text.split())).lower()


def _pattern(words: str) -> re.Pattern[str]:
    marked = (re.escape(word).replace("'", "['’ʼ]") for word in words.split())
    begins = "" if _UNSPACED.match(words[0]) else r"(?<!\w)"
    ends = "" if _UNSPACED.match(words[-1]) else r"(?!\w)"
    return re.compile(begins + r"\s+".join(marked) + ends, re.IGNORECASE)
