"""What is said of a thread that is not there: the same wherever one is named."""

from __future__ import annotations

from arxivscout.errors import NotFound


def unknown_thread(thread_id: str) -> NotFound:
    """No thread has this name."""
    return NotFound(f"No thread is called {thread_id!r}.", "`arxivscout threads list` has yours.")
