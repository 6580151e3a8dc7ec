"""One job at work: the batch machine in a thread of its own, watched, stopped when told.

LangGraph waits for its nodes before it lets go; a model that hangs would hold a worker for ever.
Here the worker reads what the machine streams, and leaves behind what does not end.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from arxivscout.agent.context import ScoutContext
from arxivscout.agent.work import Work

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
        self._work: Work = Work(
            graph,
            dict(given),
            {"configurable": {"thread_id": given["job_id"]}},
            context,
            before=before._work if before is not None else None,
            stream_mode=["updates", "values"],
        )

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
                mode, chunk = self._work.next(LOOK_S)
            except queue.Empty:
                mode, chunk = "", None
            if stopped():
                self._work.tell_to_stop()
                raise JobStopped
            if time.monotonic() > deadline:
                self._work.tell_to_stop()
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
        return not self._work.ended
