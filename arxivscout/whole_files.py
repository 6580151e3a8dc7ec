"""Files that are there whole or not at all, whatever is killed when."""

from __future__ import annotations

import os
import threading
from pathlib import Path


def write_whole(path: Path, text: str, *, mode: int = 0o666) -> None:
    """Put `text` at `path`, all of it or nothing.

    Args:
        mode: of the file, less what the process's mask takes.

    Raises:
        OSError: it can't be written; what stood there before still does.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        beside.touch(mode=mode)
        with beside.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
