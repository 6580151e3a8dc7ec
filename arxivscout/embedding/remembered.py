"""Vectors of texts that come again: none is made twice, by whatever threads want it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LONGEST = 10_000  # characters of a text that is remembered


class Remembered:
    """`embed` over distinct texts, which remembers the last `most` of them. Safe to share.

    Args:
        embed: one row per text, float32 of shape (len(texts), dimension).
    """

    def __init__(self, embed: Callable[[Sequence[str]], NDArray[np.float32]], most: int) -> None:
        self._embed = embed
        self._most = most
        self._lock = threading.Lock()
        self._made: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._being_made: dict[str, Future[NDArray[np.float32]]] = {}

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One read-only row per text, in order: float32 of shape (len(texts), dimension)."""
        import numpy as np

        if not texts:
            return self._embed(texts)
        rows: dict[str, NDArray[np.float32]] = {}
        awaited: dict[str, Future[NDArray[np.float32]]] = {}
        mine: dict[str, Future[NDArray[np.float32]]] = {}
        with self._lock:
            for text in dict.fromkeys(texts):
                if text in self._made:
                    self._made.move_to_end(text)
                    rows[text] = self._made[text]
                elif text in self._being_made:
                    awaited[text] = self._being_made[text]
                else:
                    mine[text] = self._being_made[text] = Future()
        if mine:
            rows |= self._make(mine)
        rows |= {text: row.result() for text, row in awaited.items()}
        result = np.stack([rows[text] for text in texts])
        result.flags.writeable = False
        return result

    def _make(
        self, wanted: dict[str, Future[NDArray[np.float32]]]
    ) -> dict[str, NDArray[np.float32]]:
        try:
            made = dict(zip(wanted, self._embed(list(wanted)), strict=True))
        except BaseException as error:
            with self._lock:
                for text in wanted:
                    del self._being_made[text]
            for row in wanted.values():
                row.set_exception(error)
            raise
        with self._lock:
            for text, row in made.items():
                del self._being_made[text]
                if len(text) <= LONGEST:
                    self._made[text] = row
            while len(self._made) > self._most:
                self._made.popitem(last=False)
        for text, row in made.items():
            wanted[text].set_result(row)
        return made
