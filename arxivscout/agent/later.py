"""What is done when a turn is over: beside the next one, waited for when the process ends."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

_log = logging.getLogger(__name__)


class _Piece(NamedTuple):
    work: Callable[[], object]
    teaches: str | None  # the person whose next turn is to know of it


class Later:
    """Runs pieces of work in their order, in a thread that keeps nobody from leaving.

    What is lost with the process is found and done again by the next turn: each piece commits all
    of its work or nothing.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._left: deque[_Piece] = deque()  # the first of them is at work

    def run(self, work: Callable[[], object], *, teaches: str | None = None) -> None:
        """Begin `work` in the background; what goes wrong in it is logged.

        Args:
            teaches: the person whose next turn waits for it a little.
        """
        with self._changed:
            self._left.append(_Piece(work, teaches))
            if len(self._left) == 1:
                threading.Thread(target=self._all, name="later", daemon=True).start()

    def wait(self, seconds: float, *, teaches: str | None = None) -> bool:
        """Wait until all that was begun is done, so long at most; whether it is.

        Args:
            teaches: only for what the next turn of this person is to know of.
        """

        def is_done() -> bool:
            return not any(teaches in (None, each.teaches) for each in self._left)

        with self._changed:
            return self._changed.wait_for(is_done, seconds)

    def _all(self) -> None:
        while True:
            piece = self._left[0]
            try:
                piece.work()
            # Nobody waits for it, and the next turn tries again; what comes behind it goes on.
            except BaseException:  # noqa: BLE001
                _log.info("work after a turn failed", exc_info=True)
            with self._changed:
                self._left.popleft()
                self._changed.notify_all()
                if not self._left:
                    return
