"""The person's word to stop, heard by whatever a run of the graph is doing.

It belongs to the run, not to the turn: a run that hangs in a model and is left behind stays
stopped, while the same turn is asked again in another one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import Context, ContextVar

from arxivscout.errors import Stopped

# LangGraph's threads, and those of tools, run in copies of the context that began the run.
# A job's turns are stopped with the job, and by themselves.
_stops: ContextVar[tuple[threading.Event, ...]] = ContextVar("stops", default=())


def stoppable() -> threading.Event:
    """Make what is begun in this context stoppable: set the event to stop it."""
    event = threading.Event()
    _stops.set((*_stops.get(), event))
    return event


def apart(work: Callable[[], None]) -> None:
    """Do `work` in a context of its own, which LangGraph takes for no part of the run that this
    is, and which is stopped with it all the same."""
    stops, own = _stops.get(), Context()
    own.run(_stops.set, stops)
    own.run(work)


def is_stopped() -> bool:
    """Whether the person stopped the run that this is part of."""
    return any(event.is_set() for event in _stops.get())


def heed_stop() -> None:
    """Go no further if the person stopped the run.

    Raises:
        Stopped: they did.
    """
    if is_stopped():
        raise Stopped("The turn was stopped.")
