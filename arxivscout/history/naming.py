"""Threads and turns as a person names them, and what is said of those that are not there."""

from __future__ import annotations

import re
from uuid import UUID

from arxivscout.errors import NotFound, UsageError
from arxivscout.memory import overview, threads
from arxivscout.memory.postgres import Connection
from arxivscout.memory.threads import written_thread
from arxivscout.papers import one_line

MOST_TITLE = 200
_BEGUN_ID = re.compile(r"[0-9a-f-]{4,35}")


def checked_name(name: str) -> str:
    """A new thread's name, on one line.

    Raises:
        UsageError: it can't name one.
    """
    return written_thread(one_line(name) if isinstance(name, str) else name)


def checked_title(text: str) -> str:
    """A thread's title, on one line.

    Raises:
        UsageError: it is empty or over 200 characters.
    """
    title = one_line(text)
    if not 1 <= len(title) <= MOST_TITLE:
        raise UsageError(f"A title has 1 to {MOST_TITLE} characters.")
    return title


def whole_id(conn: Connection, given: str) -> str:
    """The id of the memory whose id begins so; itself where it is none's."""
    if not _BEGUN_ID.fullmatch(given):
        return given
    try:
        return overview.named(conn, given).id
    except NotFound:
        return given


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


def check_there(conn: Connection, thread_id: str) -> None:
    """See that there is such a thread.

    Raises:
        NotFound: there is none.
    """
    if not threads.is_there(conn, thread_id):
        raise unknown_thread(thread_id)


def check_free(conn: Connection, thread_id: str, new: str) -> None:
    """See that the thread's name, or its copy's, can be `new`.

    Raises:
        NotFound: there is no such thread.
        UsageError: one is called so already.
    """
    check_there(conn, thread_id)
    if threads.is_there(conn, new):
        raise UsageError(f"A thread is called {new!r} already.", "Take another name.")
