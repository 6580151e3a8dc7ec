"""The graph at work in a thread of its own, so that Ctrl-C is heard at once."""

from __future__ import annotations

import contextvars
import queue
import threading
from collections.abc import Iterator
from typing import Any

from arxivscout.agent.context import ScoutContext
from arxivscout.agent.stopping import stoppable

STOPPING_S = 1.0  # how long a stopped turn may take to end by itself


class Work:
    """One run of the graph, from a start or from a person's choice.

    LangGraph runs nodes in threads and waits for them before it lets an interrupt through: a
    model that hangs would keep the person waiting. Here the person's thread only reads results.
    """

    def __init__(
        self,
        graph: Any,
        start: Any,
        config: dict[str, Any],
        context: ScoutContext,
    ) -> None:
        self._queue: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()

        def work() -> None:
            try:
                for result in graph.stream(
                    start,
                    config,
                    context=context,
                    stream_mode=["custom", "values"],
                    durability="sync",
                ):
                    self._queue.put(result)
                self._queue.put(("end", None))
            except BaseException as error:  # noqa: BLE001 - raised again by who reads the results
                self._queue.put(("error", error))

        own = contextvars.copy_context()
        self._stop = own.run(stoppable)
        self._thread = threading.Thread(target=own.run, args=(work,), daemon=True, name="turn")
        self._thread.start()

    def results(self) -> Iterator[tuple[str, Any]]:
        """What the graph streams: (mode, chunk)."""
        while True:
            mode, chunk = self._queue.get()
            if mode == "end":
                return
            if mode == "error":
                raise chunk
            yield mode, chunk

    def stop(self, state: dict[str, Any]) -> dict[str, Any]:
        """Stop the graph and give the newest state; a node that hangs is left behind."""
        self._stop.set()
        self._thread.join(STOPPING_S)
        while not self._queue.empty():
            mode, chunk = self._queue.get()
            state = chunk if mode == "values" else state
        return state
