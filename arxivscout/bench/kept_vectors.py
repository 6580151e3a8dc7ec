"""Vectors of collections that do not change, kept beside their folder from one measurement to the
next: embedding them takes far longer than all that is measured with them."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from arxivscout.embedding import Embedder, EmbeddingIdentity

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CREATE = "CREATE TABLE IF NOT EXISTS vector (text BLOB PRIMARY KEY, numbers BLOB)"
_FIND = "SELECT numbers FROM vector WHERE text = ?"
_KEEP = "INSERT OR IGNORE INTO vector VALUES (?, ?)"

_AT_A_TIME = 64  # texts embedded before their vectors are kept: what a kill can cost


def keeping(embedder: Embedder, data: Path, notice: Callable[[str], None]) -> Embedder:
    """The embedder with its vectors kept beside `data`; itself where nothing can be written."""
    try:
        return KeptVectors(embedder, data)
    except (OSError, sqlite3.Error) as error:
        notice(f"vectors are not kept for the next time: {error}")
        return embedder


class KeptVectors(Embedder):
    """An embedder that looks a text up before it embeds it.

    Args:
        embedder: makes the vectors that are not kept yet.
        data: the folder of the collections. The vectors lie beside it, in a folder of its name and
            `-vectors`, in one file for each embedder.
    """

    def __init__(self, embedder: Embedder, data: Path) -> None:
        super().__init__()
        self._embedder = embedder
        self.at_a_time = embedder.at_a_time
        self.calls_at_a_time = embedder.calls_at_a_time
        folder = data.absolute().with_name(f"{data.absolute().name}-vectors")
        folder.mkdir(exist_ok=True)
        self._path = folder / f"{embedder.identity.fingerprint[:16]}.sqlite"
        self._lock = threading.Lock()
        with self._lock, closing(self._open()) as kept, kept:
            kept.execute(_CREATE)

    @property
    def identity(self) -> EmbeddingIdentity:
        return self._embedder.identity

    def embed_array(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        keys = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        rows = self._look_up(keys)
        wanted = dict(zip(keys, texts, strict=True))
        missing = [key for key in wanted if key not in rows]
        for start in range(0, len(missing), _AT_A_TIME):
            part = missing[start : start + _AT_A_TIME]
            made = self._embedder.embed_array([wanted[key] for key in part])
            new = {key: row.tobytes() for key, row in zip(part, made, strict=True)}
            self._keep(new)
            rows |= new
        found = [np.frombuffer(rows[key], np.float32) for key in keys]
        shape = (len(texts), self.identity.dimension)
        return np.concatenate(found).reshape(shape) if found else np.empty(shape, np.float32)

    def _look_up(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        with self._lock, closing(self._open()) as kept:
            for key in dict.fromkeys(keys):  # the file is local: a statement takes microseconds
                if row := kept.execute(_FIND, [key]).fetchone():
                    found[key] = row[0]
        return found

    def _keep(self, rows: dict[bytes, bytes]) -> None:
        with self._lock, closing(self._open()) as kept, kept:
            kept.executemany(_KEEP, rows.items())

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=30)
