"""Waiting for those who are storing something of a person, out loud and not without end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
from psycopg import Connection

from arxivscout.errors import DatabaseError

SOON = 3  # seconds that are waited without a word
# A command that is stopped in the middle of storing would be waited for without end.
LONGEST_WAIT = 30  # seconds

_WAIT = "SELECT set_config('lock_timeout', %s, true)"


def in_silence(text: str) -> None:
    """Tell nobody."""


def shut_out(
    conn: Connection[Any],
    lock: Callable[[], object],
    *,
    otherwise: str,
    notice: Callable[[str], None] = in_silence,
    longest_wait: float = LONGEST_WAIT,
) -> None:
    """Take the locks of a transaction that has begun, and that others may hold.

    Args:
        lock: takes them.
        otherwise: what was not done, if they can't be had.
        notice: is told what is waited for, unless it is had soon.
        longest_wait: seconds, for each lock.

    Raises:
        DatabaseError: they can't be had.
    """
    if not _had(conn, lock, min(SOON, longest_wait)):
        notice(
            "Another command is storing something: "
            f"waiting until it has, {longest_wait:g} seconds at most."
        )
        if not _had(conn, lock, longest_wait):
            raise DatabaseError(
                f"Another command is storing something and does not end: {otherwise}.",
                "End it, then try again.",
            )
    conn.execute(_WAIT, [_milliseconds(longest_wait)])  # for what is locked later


def _had(conn: Connection[Any], lock: Callable[[], object], seconds: float) -> bool:
    try:
        with conn.transaction():
            conn.execute(_WAIT, [_milliseconds(seconds)])
            lock()
    except psycopg.errors.LockNotAvailable:
        return False
    return True


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.0f}ms"
