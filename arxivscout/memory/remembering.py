"""What a person lets be remembered of them beyond a conversation: asked once, obeyed everywhere.

The conversation itself is always kept, as long as the person does not delete it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Literal, cast

from arxivscout.memory.postgres import Database
from arxivscout.memory.turn_record import TurnRecord

Remembering = Literal["everything", "asked", "nothing"]
CHOICES: dict[Remembering, str] = {
    "everything": "What I prefer, look at and find out, and what worked",
    "asked": "Only what I ask to be remembered",
    "nothing": "Nothing; each conversation stands alone",
}

READ = "SELECT value FROM person_setting WHERE name = 'remembering'"
_WRITE = """
INSERT INTO person_setting (name, value) VALUES ('remembering', %(value)s)
ON CONFLICT (user_id, name) DO UPDATE SET value = excluded.value, updated_at = now()
"""


def remembering(database: Database, user: str) -> Remembering | None:
    """What the person decided; None when they have not been asked: then everything is."""
    rows = database.batch(user, [(READ, {})])[0]
    return cast(Remembering, rows[0][0]) if rows else None


def decide_remembering(database: Database, user: str, choice: Remembering) -> None:
    """Store what the person decided. What is remembered already stays."""
    database.batch(user, [(_WRITE, {"value": choice})])


def permitted(record: TurnRecord, choice: Remembering | None) -> TurnRecord:
    """The turn without what it would teach, unless everything may be learned from it.

    What the person asked to be remembered is stored by the tool they asked it of.
    """
    if choice in (None, "everything"):
        return record
    return dataclasses.replace(record, preferences=[], workflow="", looked_at=False)


def recalled(
    rows: Sequence[dict[str, Any]], thread_id: str, choice: str | None
) -> list[dict[str, Any]]:
    """The memories that may be read for a question of this thread."""
    if choice != "nothing":
        return list(rows)
    return [row for row in rows if row.get("thread_id") == thread_id]
