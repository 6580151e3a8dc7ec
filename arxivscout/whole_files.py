"""Files that are there whole or not at all, whatever is killed when."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


def write_whole(path: Path, text: str, *, mode: int = 0o666) -> None:
    """Put `text` at `path`, all of it or nothing.

    Args:
        mode: of the file, less what the process's mask takes.

    Raises:
        OSError: it can't be written; what stood there before still does.
    """
    with writing_whole(path, mode=mode) as file:
        file.write(text)


@contextmanager
def writing_whole(path: Path, *, mode: int = 0o666) -> Iterator[TextIO]:
    """A file that takes the place of `path` at the end of the block, unless that raises.

    Args:
        mode: of the file, less what the process's mask takes.

    Raises:
        OSError: it can't be written; what stood there before still does.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        beside.touch(mode=mode)
        with beside.open("w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
