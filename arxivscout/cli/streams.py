"""Standard streams that may be closed, full or cut off, made such that nobody has to mind.

A stream that is closed is as good as /dev/null. What stdout can't take any more ends the command
(`OutputLost`); what stderr can't take is dropped, for there is nobody to tell.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import Any, NoReturn


class OutputLost(SystemExit):
    """Standard output takes no more. Being told to end, a turn under way is kept."""

    def __init__(self, cause: OSError) -> None:
        super().__init__(1)
        self.reader_left = cause.errno == errno.EPIPE  # `| head`: no fault of anybody
        self.cause = cause.strerror or type(cause).__name__


def stand_in() -> None:
    """Put streams that can be relied on in the place of `sys.stdin`, `stdout` and `stderr`."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The lowest free number is this one. Free, it would be the next socket's or file's,
            # and what a child process prints would go there.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stdout = _guarded(sys.stdout, 1, _StandardOutput)
    sys.stderr = _guarded(sys.stderr, 2, _StandardError)


def _guarded(stream: Any, number: int, kind: type[io.FileIO]) -> Any:
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123
    if type(stream) is not io.TextIOWrapper or stream.fileno() != number:
        return stream  # somebody's own, such as a test's
    stream.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(kind(number, "wb", closefd=False)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


class _StandardOutput(io.FileIO):
    def write(self, data: Any, /) -> Any:
        try:
            return super().write(data)
        except OSError as error:
            _lose(self, error)


class _StandardError(io.FileIO):
    def write(self, data: Any, /) -> Any:
        try:
            return super().write(data)
        except OSError:
            _let_go(self)
            return len(data)


def _lose(file: io.FileIO, error: OSError) -> NoReturn:
    _let_go(file)
    raise OutputLost(error) from None


def _let_go(file: io.FileIO) -> None:
    """Send what is still to come nowhere: Python flushes once more when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, file.fileno())
    os.close(nowhere)
