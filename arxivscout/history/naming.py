"""Threads and turns as a person names them, and what is said of those that are not there."""

from __future__ import annotations

from uuid import UUID

from arxivscout.errors import NotFound, UsageError
from arxivscout.memory.threads import check_thread
from arxivscout.papers import one_line


def checked_name(name: str) -> str:
    """A new thread's name, on one line.

    Raises:
        UsageError: it can't name one.
    """
    return check_thread(one_line(name) if isinstance(name, str) else name)


def turn_id_of(given: UUID | str) -> UUID:
    """The id of a turn.

    Raises:
        UsageError: it is none.
    """
    try:
        return UUID(str(given))
    except ValueError:
        raise UsageError(f"{str(given)[:60]!a} is no id of a turn.") from None


def unknown_thread(thread_id: str) -> NotFound:
    """No thread has this name."""
    return NotFound(f"No thread is called {thread_id!r}.", "`arxivscout threads list` has yours.")
