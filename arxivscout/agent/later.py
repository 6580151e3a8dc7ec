"""What is done when a turn is over: beside the next one, waited for when the process ends."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

_log = logging.getLogger(__name__)


class Later:
    """Runs pieces of work one after the other in a thread that keeps nobody from leaving.

    What is lost with the process is found and done again by the next turn: each piece commits all
    of its work or nothing.
    """

    def __init__(self) -> None:
        self._one_at_a_time = threading.Lock()
        self._begun: list[threading.Thread] = []

    def run(self, work: Callable[[], object]) -> None:
        """Begin `work` in the background; what goes wrong in it is logged."""

        def done() -> None:
            with self._one_at_a_time:
                try:
                    work()
                except Exception:  # noqa: BLE001 - nobody waits for it; the next turn tries again
                    _log.info("work after a turn failed", exc_info=True)

        self._begun = [each for each in self._begun if each.is_alive()]
        thread = threading.Thread(target=done, name="later", daemon=True)
        self._begun.append(thread)
        thread.start()

    def wait(self, seconds: float) -> None:
        """Wait until all that was begun is done, so long at most."""
        until = time.monotonic() + seconds
        for thread in list(self._begun):
            thread.join(max(until - time.monotonic(), 0))
