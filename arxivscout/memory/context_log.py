"""What went into the contexts of a person's turns: of one turn, and the turns of one memory."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import Connection

from arxivscout.errors import NotFound, UsageError

LEAST_PREFIX = 4  # hexadecimal digits of a turn's id

_COLUMNS = "turn_id, thread_id, question, status, model, started_at, report, usage"

_LAST = f"""
SELECT {_COLUMNS} FROM turn
WHERE user_id = scout_user() AND (%(thread)s::text IS NULL OR thread_id = %(thread)s::text)
  AND report IS NOT NULL AND report <> '[]'
ORDER BY started_at DESC LIMIT 1
"""  # noqa: S608 (a constant)

_NAMED = f"""
SELECT {_COLUMNS} FROM turn
WHERE user_id = scout_user() AND turn_id BETWEEN %(first)s AND %(last)s
ORDER BY started_at DESC LIMIT 2
"""  # noqa: S608 (a constant)

_THAT_READ = f"SELECT {_COLUMNS} FROM turns_that_read(%(memory)s::text, %(limit)s::integer)"  # noqa: S608


@dataclass(frozen=True, slots=True)
class TurnContext:
    """A turn and what the model was given in it, segment by segment."""

    turn_id: UUID
    thread_id: str
    question: str
    status: str
    model: str
    at: datetime
    segments: list[dict[str, Any]] = field(default_factory=list)
    usage: dict[str, Any] = field(default_factory=dict)

    @property
    def window(self) -> int:
        """The model's window in its tokens: what the segments were given together."""
        return sum(each.get("budget") or 0 for each in self.segments)


@dataclass(frozen=True, slots=True)
class Use:
    """One memory in one turn: in which segment, how well it fitted, or why it was left out."""

    turn_id: UUID
    thread_id: str
    at: datetime
    question: str
    segment: str
    used: bool
    score: float | None
    tokens: int
    reason: str  # how it was cut; "" where it went in whole


def turn_context(conn: Connection[Any], turn: str | None, thread_id: str | None) -> TurnContext:
    """The context of the turn whose id begins with `turn`; of the last one if that is None.

    Raises:
        UsageError: no id, or one that more than one turn has.
        NotFound: there is no such turn, or none at all.
    """
    if turn is None:
        row = conn.execute(_LAST, {"thread": thread_id}).fetchone()
        if row is None:
            where = f" in the thread {thread_id!r}" if thread_id else ""
            raise NotFound(f"No question has been asked{where} yet.", "Ask something.")
        return _context(row)
    digits = turn.replace("-", "").lower()
    if not re.fullmatch(rf"[0-9a-f]{{{LEAST_PREFIX},32}}", digits):
        raise UsageError(
            f"{turn[:40]!a} is no turn's id.",
            "`ask --json` gives it as turn_id; its first four characters do.",
        )
    bounds = {"first": UUID(digits.ljust(32, "0")), "last": UUID(digits.ljust(32, "f"))}
    rows = conn.execute(_NAMED, bounds).fetchall()
    if not rows:
        raise NotFound(f"There is no turn {turn}.", "`ask --json` gives it as turn_id.")
    if len(rows) > 1:
        raise UsageError(f"More than one turn's id begins with {turn}.", "Give more of it.")
    return _context(rows[0])


def uses(conn: Connection[Any], memory: str, limit: int) -> list[Use]:
    """When a memory, a message or a paper was in a turn's context or cut from it, newest first.

    Args:
        memory: its id; a paper's arXiv id.
    """
    rows = conn.execute(_THAT_READ, {"memory": memory, "limit": limit}).fetchall()
    return [use for row in rows for use in _uses(_context(row), memory)]


def _uses(turn: TurnContext, memory: str) -> list[Use]:
    found = []
    for segment in turn.segments:
        reason = next((e["reason"] for e in segment.get("cut") or () if e["source"] == memory), "")
        item = next((e for e in segment.get("items") or () if e["source"] == memory), None)
        if item is None and not reason:
            continue
        score, tokens = (item.get("score"), item.get("tokens") or 0) if item else (None, 0)
        found.append(
            Use(
                turn.turn_id, turn.thread_id, turn.at, turn.question, segment["segment"],
                item is not None, score, tokens, reason,
            )
        )  # fmt: skip
    return found


def _context(row: tuple[Any, ...]) -> TurnContext:
    turn_id, thread_id, question, status, model, at, report, usage = row
    return TurnContext(
        turn_id, thread_id, question, status, model or "", at, report or [], usage or {}
    )
