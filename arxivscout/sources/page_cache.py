"""Answers kept on disk for a day. Whatever is wrong with the folder, it only means asking again."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

LIFETIME = 24 * 3600.0  # seconds; arXiv's data change once a day
LARGEST = 64 << 20  # bytes of all files


class PageCache:
    """Bodies by address: a file each, with a first line that says what it is and of when."""

    def __init__(self, folder: Path, *, clock: Callable[[], float]) -> None:
        self._folder = folder
        self._clock = clock

    def get(self, address: str) -> bytes | None:
        """The body kept for `address`; None where there is none, or an old or damaged one."""
        try:
            head, _, body = self._path(address).read_bytes().partition(b"\n")
            said = json.loads(head)
            age = self._clock() - said["at"]
            whole = said["address"] == address and said["size"] == len(body)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return body if whole and 0 <= age < LIFETIME else None

    def put(self, address: str, body: bytes) -> None:
        """Keep `body`, whole or not at all; make room by dropping the oldest."""
        head = json.dumps({"address": address, "at": self._clock(), "size": len(body)})
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            self._make_room(len(body))
            handle, temporary = tempfile.mkstemp(dir=self._folder, prefix="new-")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(head.encode() + b"\n" + body)
                Path(temporary).replace(self._path(address))
            except OSError:
                Path(temporary).unlink(missing_ok=True)
                raise

    def drop(self, address: str) -> None:
        """Forget what is kept for `address`."""
        with contextlib.suppress(OSError):
            self._path(address).unlink(missing_ok=True)

    def _make_room(self, needed: int) -> None:
        files = []
        for path in self._folder.iterdir():
            with contextlib.suppress(OSError):  # another process dropped it
                files.append((path.stat().st_mtime, path.stat().st_size, path))
        total = needed + sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= LARGEST:
                break
            path.unlink(missing_ok=True)
            total -= size

    def _path(self, address: str) -> Path:
        return self._folder / f"{hashlib.sha256(address.encode()).hexdigest()[:32]}.page"
