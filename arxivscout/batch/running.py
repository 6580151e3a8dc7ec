"""One job at work: the batch machine in a thread of its own, watched, stopped when told.

LangGraph waits for its nodes before it lets go; a model that hangs would hold a worker for ever.
Here the worker reads what the machine streams, and leaves behind what does not end.
"""

from __future__ import annotations

import contextvars
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from arxivscout.agent.context import ScoutContext
from arxivscout.agent.stopping import stoppable

LOOK_S = 0.2  # how often a worker looks whether it should stop


class JobStopped(Exception):
    """The worker was told to stop; the job is anybody's."""


class JobTimeout(Exception):
    """The job took longer than it may."""


class RunningJob:
    """The batch machine over one job; its parts as they are done, then its state."""

    def __init__(
        self,
        graph: Any,
        given: Mapping[str, Any],
        context: ScoutContext,
        before: RunningJob | None = None,
    ) -> None:
        """Args:
        before: the same job at work once more, left behind; its end is waited for, as both have
            the same turns.
        """
        self.usage: dict[str, Any] = {}  # of the parts that are done
        self.parts_ms: dict[str, float] = {}  # and what they took
        self._queue: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()

        def work() -> None:
            if before is not None:
                before._thread.join()
            try:
                config = {"configurable": {"thread_id": given["job_id"]}}
                for mode, chunk in graph.stream(
                    dict(given), config, context=context, stream_mode=["updates", "values"]
                ):
                    self._queue.put((mode, chunk))
                self._queue.put(("end", None))
            except BaseException as error:  # noqa: BLE001 - raised again by who reads the results
                self._queue.put(("error", error))

        own = contextvars.copy_context()
        self._stop = own.run(stoppable)
        self._thread = threading.Thread(target=own.run, args=(work,), daemon=True, name="turn")
        self._thread.start()

    def parts(self, stopped: Callable[[], bool], timeout_s: float) -> Iterator[tuple[str, Any]]:
        """(node, what it gave) of each part that is done; ("end", state) at last.

        Raises:
            JobStopped, JobTimeout: the machine is told, and left behind.
            Exception: what went wrong in it.
        """
        deadline = time.monotonic() + timeout_s
        state: dict[str, Any] = {}
        while True:
            try:
                mode, chunk = self._queue.get(timeout=LOOK_S)
            except queue.Empty:
                mode, chunk = "", None
            if stopped():
                self._stop.set()
                raise JobStopped
            if time.monotonic() > deadline:
                self._stop.set()
                raise JobTimeout
            if mode == "error":
                raise chunk
            if mode == "end":
                yield "end", state
                return
            if mode == "values":
                state = chunk
                self.usage = state.get("usage") or {}
                self.parts_ms = state.get("timings_ms") or {}
            elif mode == "updates":
                yield from chunk.items()

    @property
    def left_behind(self) -> bool:
        """Whether the machine is still at work."""
        return self._thread.is_alive()
