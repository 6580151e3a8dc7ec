"""A graph at work in a thread of its own, so that whoever waits for it can leave at once."""

from __future__ import annotations

import contextvars
import queue
import threading
from collections.abc import Iterator
from typing import Any

from arxivscout.agent.context import ScoutContext
from arxivscout.agent.stopping import stoppable

STOPPING_S = 1.0  # how long a stopped run may take to end by itself


class Work:
    """One run of a graph, from a start or from a person's choice.

    LangGraph runs nodes in threads and waits for them before it lets an interrupt through: a
    model that hangs would keep the person waiting, or a worker for ever. Here the thread that
    waits only reads results, and leaves behind what does not end.
    """

    def __init__(
        self,
        graph: Any,
        start: Any,
        config: dict[str, Any],
        context: ScoutContext,
        *,
        before: Work | None = None,
        **streamed: Any,
    ) -> None:
        """Args:
        before: another run over the same turns, left behind; its end is waited for.
        streamed: what the graph streams and keeps, in LangGraph's words.
        """
        self._queue: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()

        def work() -> None:
            if before is not None:
                before._thread.join()
            try:
                for result in graph.stream(start, config, context=context, **streamed):
                    self._queue.put(result)
                self._queue.put(("end", None))
            except BaseException as error:  # noqa: BLE001 - raised again by who reads the results
                self._queue.put(("error", error))

        own = contextvars.copy_context()
        self._stop = own.run(stoppable)
        self._thread = threading.Thread(target=own.run, args=(work,), daemon=True, name="turn")
        self._thread.start()

    @property
    def ended(self) -> bool:
        """Whether the graph is no longer at work."""
        return not self._thread.is_alive()

    def next(self, timeout: float | None = None) -> tuple[str, Any]:
        """What the graph streams next: (mode, chunk); at last ("end", None) or ("error", why).

        Raises:
            queue.Empty: nothing came within `timeout`, in seconds.
        """
        return self._queue.get(timeout=timeout)

    def results(self) -> Iterator[tuple[str, Any]]:
        """All that the graph streams; raises what went wrong in it."""
        while True:
            mode, chunk = self.next()
            if mode == "end":
                return
            if mode == "error":
                raise chunk
            yield mode, chunk

    def tell_to_stop(self) -> None:
        """Let the graph begin nothing more."""
        self._stop.set()

    def stop(self, state: dict[str, Any]) -> dict[str, Any]:
        """Stop the graph and give the newest state; a node that hangs is left behind."""
        self.tell_to_stop()
        self._thread.join(STOPPING_S)
        while not self._queue.empty():
            mode, chunk = self._queue.get()
            state = chunk if mode == "values" else state
        return state
