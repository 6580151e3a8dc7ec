"""Documents → full texts. Each is parsed in a process of its own, within limits."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from arxivscout.errors import SourceError, UsageError
from arxivscout.papers.fulltext import FullText
from arxivscout.papers.text import one_line
from arxivscout.sources.fulltext.wire import from_json

_HEAD = 1024
_WANTED = "Give the paper's PDF, or its HTML from arxiv.org."
_KINDS = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"PK\x03\x04", "a ZIP archive (or an Office document)"),
    (b"\x1f\x8b", "a gzip file"),
    (b"%!PS", "PostScript"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
    (b"{\\rtf", "an RTF document"),
)
_REFUSED = {
    "encrypted": ("is encrypted.", "Save it without its password, and give that."),
    "broken": ("is a broken PDF, or one cut short.", "Get it again."),
    "empty": ("has no pages.", "Get it again."),
    "scanned": (
        "has no text: its pages are pictures.",
        "Put it through OCR (such as ocrmypdf), and give what that makes.",
    ),
    "no paper": ("is no HTML of a paper as arXiv makes it.", _WANTED),
    "long": ("holds more text than is read of one document.", "Give it in parts."),
}
_TIMED = {"SIGXCPU", "SIGALRM"}
_CRASHED = {"SIGSEGV", "SIGABRT", "SIGTRAP", "SIGILL", "SIGBUS", "SIGFPE", "SIGKILL"}


@dataclass(frozen=True, slots=True)
class Limits:
    """What one document may take. Bytes and seconds; `cpu_seconds` of computing."""

    file: int = 200 << 20
    memory: int = 1 << 30
    output: int = 64 << 20
    pages: int = 2000
    cpu_seconds: int = 120
    seconds: int = 300


def read_document(
    path: Path | str, *, limits: Limits | None = None, name: str | None = None
) -> FullText:
    """The full text of a PDF or of arXiv's HTML; which it is, is judged by content.

    Args:
        name: what messages call the document; its path without.

    Raises:
        UsageError: there is no such file, or none that can be read.
        SourceError: it can't be understood within the limits; the line says why.
    """
    path, limits = Path(path), limits or Limits()
    name = name or str(path)
    head = _head(path, name, limits)
    if b"%PDF-" in head:
        return _parsed("pdf", name, path, limits)
    if not _is_html(head):
        raise SourceError(f"{name} is no PDF and no HTML, but {_kind(head)}.", _WANTED)
    with path.open("rb") as file:
        return _parsed("html", name, Path("-"), limits, file)


def read_pdf(path: Path | str, *, limits: Limits | None = None) -> FullText:
    """The full text of the PDF at `path`.

    Raises:
        UsageError: there is no such file, or none that can be read.
        SourceError: it is no PDF, or can't be understood within the limits.
    """
    path, limits = Path(path), limits or Limits()
    head = _head(path, str(path), limits)
    if b"%PDF-" not in head:
        kind = "HTML" if _is_html(head) else _kind(head)
        raise SourceError(f"{path} is no PDF, but {kind}.", "Give the paper's PDF.")
    return _parsed("pdf", str(path), path, limits)


def read_html(data: bytes, *, limits: Limits | None = None) -> FullText:
    """The full text of a paper's HTML, as arxiv.org/html gives it.

    Raises:
        SourceError: it is no such HTML, or can't be understood within the limits.
    """
    limits = limits or Limits()
    if len(data) > limits.file:
        raise _too_large("The HTML", len(data), limits)
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        return _parsed("html", "The HTML", Path("-"), limits, file)


def _head(path: Path, name: str, limits: Limits) -> bytes:
    """How the file begins, if it is one that may be read."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise UsageError(f"{path} is a folder.", "Name its files.")
        if not stat.S_ISREG(status.st_mode):
            # a pipe waits for its writer, a device may never end
            raise UsageError(f"{path} is no regular file.", "Save what it gives, and name that.")
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(f"{path} can't be read: {reason}.") from None
    if not head:
        raise SourceError(f"{name} is empty.", "Get it again.")
    if status.st_size > limits.file:
        raise _too_large(name, status.st_size, limits)
    return head


def _too_large(name: str, size: int, limits: Limits) -> SourceError:
    return SourceError(
        f"{name} has {size >> 20} MiB; more than {limits.file >> 20} MiB is not read.",
        "Give a smaller PDF of it, or its HTML from arxiv.org.",
    )


def _is_html(head: bytes) -> bool:
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:64].lower()
    return start.startswith((b"<!doctype html", b"<html", b"<?xml", b"<!--", b"<head", b"<body"))


def _kind(head: bytes) -> str:
    for magic, name in _KINDS:
        if head.startswith(magic):
            return name
    if head.count(0) or sum(byte < 9 for byte in head):
        return "data of a kind that is not known"
    return "text"


def _parsed(
    kind: str, name: str, path: Path, limits: Limits, data: IO[bytes] | None = None
) -> FullText:
    """What the worker makes of the document, which messages call `name`."""
    with tempfile.TemporaryFile() as answer, tempfile.TemporaryFile() as said:
        status = _run(kind, name, path, limits, data, answer, said)
        if status != 0:
            said.seek(0)
            raise _failed(name, status, said.read(1 << 20), limits)
        answer.seek(0)
        found: dict[str, Any] = json.loads(answer.read())
    if reason := found.get("refused"):
        cause, mend = _REFUSED[reason]
        raise SourceError(f"{name} {cause}", mend)
    return from_json(found["text"])


def _run(
    kind: str, name: str, path: Path, limits: Limits,
    data: IO[bytes] | None, answer: IO[bytes], said: IO[bytes],
) -> int:  # fmt: skip
    """Run the worker to its end, however that comes; its exit status."""
    # -P: a file in the current folder must not stand in for a module
    command = [sys.executable, "-P", "-m", "arxivscout.sources.fulltext.worker"]
    given = [kind, str(path.absolute()), json.dumps(asdict(limits))]
    worker = subprocess.Popen(
        [*command, *given],
        stdin=data or subprocess.DEVNULL,
        stdout=answer,
        stderr=said,
        start_new_session=True,  # Ctrl-C comes to us, and we end it with all it started
    )
    try:
        return worker.wait(limits.seconds)
    except subprocess.TimeoutExpired:
        raise _too_slow(name, limits.seconds) from None
    finally:
        if worker.poll() is None:
            _kill(worker)


def _kill(worker: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        worker.kill()
    else:
        os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()


def _failed(name: str, status: int, said: bytes, limits: Limits) -> SourceError:
    lines = said.decode("utf-8", "replace").strip().splitlines()
    last = one_line(lines[-1])[:200] if lines else ""
    ended = signal.Signals(-status).name if -status in set(signal.Signals) else ""
    if ended in _TIMED:
        return _too_slow(name, limits.cpu_seconds)
    if ended in _CRASHED or b"MemoryError" in said:
        return SourceError(
            f"{name} is broken, or needs more than {limits.memory >> 20} MiB of memory.",
            "Get it again, or give its HTML from arxiv.org.",
        )
    return SourceError(f"{name} can't be read: {last or f'the reader ended with {status}'}.")


def _too_slow(name: str, seconds: int) -> SourceError:
    return SourceError(
        f"{name} takes longer than {seconds} s to read.",
        "Give a smaller PDF of it, or its HTML from arxiv.org.",
    )
