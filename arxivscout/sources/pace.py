"""One request in so many seconds, counted across all processes that share a folder."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from arxivscout.errors import SourceError


class Pace:
    """Gives out times at which a request may start, at least `interval` seconds apart.

    A time is reserved under a file lock that is held for an instant, then waited for without it, so
    processes queue up and one that is killed while it waits blocks nobody. Where the folder can't
    be written the pace holds within this process.
    """

    def __init__(
        self,
        folder: Path,
        interval: float,
        *,
        clock: Callable[[], float],
        sleep: Callable[[float], None],
    ) -> None:
        self._file = folder / "arxiv.pace"
        self._interval = interval
        self._clock = clock
        self._sleep = sleep
        self._next = 0.0
        self._thread_lock = threading.Lock()

    def wait(self, patience: float) -> None:
        """Return when a request may start.

        Raises:
            SourceError: that is more than `patience` seconds away.
        """
        with self._thread_lock, self._locked():
            now = self._clock()
            start = max(now, self._next_free(now))
            if start - now > patience:
                raise SourceError(
                    f"arXiv is to be asked again in {start - now:.0f} s at the earliest.",
                    "Try again then.",
                )
            self._keep(start + self._interval)
        if start > now:
            self._sleep(start - now)

    def hold(self, seconds: float) -> None:
        """Let no process start a request before so many seconds have passed (Retry-After)."""
        with self._thread_lock, self._locked():
            now = self._clock()
            self._keep(max(now + seconds, self._next_free(now)))

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        lock = FileLock(f"{self._file}.lock", timeout=10)
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            lock.acquire()
        except (OSError, Timeout):
            yield
            return
        try:
            yield
        finally:
            lock.release()

    def _next_free(self, now: float) -> float:
        try:
            stored = float(self._file.read_text("ascii"))
        except (OSError, ValueError):  # nobody asked yet, or the file is damaged
            stored = 0.0
        # A time an hour ahead was written by a clock that has been set back since.
        return max((time for time in (stored, self._next) if time - now < 3600), default=0.0)

    def _keep(self, time: float) -> None:
        self._next = time
        with contextlib.suppress(OSError):
            self._file.write_text(f"{time:.6f}", "ascii")
