"""The person's word to stop, heard by whatever a run of the graph is doing.

It belongs to the run, not to the turn: a run that hangs in a model and is left behind stays
stopped, while the same turn is asked again in another one.
"""

from __future__ import annotations

import threading
from contextvars import ContextVar

from arxivscout.errors import Stopped

# LangGraph's threads, and those of tools, run in copies of the context that began the run.
_stop: ContextVar[threading.Event | None] = ContextVar("stop", default=None)


def stoppable() -> threading.Event:
    """Make what is begun in this context stoppable: set the event to stop it."""
    event = threading.Event()
    _stop.set(event)
    return event


def is_stopped() -> bool:
    """Whether the person stopped the run that this is part of."""
    event = _stop.get()
    return event is not None and event.is_set()


def heed_stop() -> None:
    """Go no further if the person stopped the run.

    Raises:
        Stopped: they did.
    """
    if is_stopped():
        raise Stopped("The turn was stopped.")
