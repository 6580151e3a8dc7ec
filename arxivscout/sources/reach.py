"""Whether arXiv could be reached a moment ago, known to all processes that share a folder."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

REMEMBERED = 60.0  # seconds


class Reach:
    """Remembers for a minute that there was no way to arXiv, so that not every question waits.

    The file holds the time until which that counts; a damaged one says nothing. Where the folder
    can't be written it is remembered within this process.
    """

    def __init__(self, folder: Path, *, clock: Callable[[], float]) -> None:
        self._file = folder / "arxiv.unreachable"
        self._clock = clock
        self._until = 0.0

    def lost(self) -> bool:
        """Whether it could not be reached within the last minute."""
        try:
            stored = float(self._file.read_text("ascii"))
        except (OSError, ValueError):
            stored = 0.0
        now = self._clock()
        # A time further ahead was written by a clock that has been set back since.
        return any(now < until <= now + REMEMBERED for until in (stored, self._until))

    def lose(self) -> None:
        """It can't be reached."""
        self._until = self._clock() + REMEMBERED
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text(f"{self._until:.6f}", "ascii")

    def regain(self) -> None:
        """It can be reached, or is to be tried in any case."""
        self._until = 0.0
        with contextlib.suppress(OSError):
            self._file.unlink(missing_ok=True)
