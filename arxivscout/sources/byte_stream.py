"""Files as bounded streams of bytes: compressed or not, by lines, and by JSON objects."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

CHUNK = 1 << 18
# Bytes of one record. arXiv's largest, with 5,000 authors, have about one million.
LONGEST_RECORD = 8 << 20
GZIP_MAGIC = b"\x1f\x8b"


class BrokenStream(Exception):
    """The file ends or breaks in the middle; what came before it is good."""


def read_chunks(path: Path) -> Iterator[bytes]:
    """The content in pieces of at most 256 KiB, decompressed where it is gzip (by its first bytes).

    Raises:
        BrokenStream: at the place where the compressed data end too early or make no sense.
        OSError: the file can't be read.
    """
    with path.open("rb") as file:
        compressed = file.read(2) == GZIP_MAGIC
        file.seek(0)
        if compressed:
            yield from _gunzip(iter(lambda: file.read(CHUNK), b""))
        else:
            yield from iter(lambda: file.read(CHUNK), b"")


def _gunzip(chunks: Iterable[bytes]) -> Iterator[bytes]:
    decoder = zlib.decompressobj(wbits=31)
    for chunk in chunks:
        pending = chunk
        while pending:
            if decoder.eof:  # gzip files may stand one behind the other, or have zeros behind them
                pending = pending.lstrip(b"\0")
                if not pending:
                    break
                decoder = zlib.decompressobj(wbits=31)
            try:
                # bounded, so that a small file can't unfold to more than memory holds
                if piece := decoder.decompress(pending, CHUNK):
                    yield piece
            except zlib.error as error:
                raise BrokenStream(f"the gzip data are broken ({error})") from None
            pending = decoder.unused_data if decoder.eof else decoder.unconsumed_tail
    if not decoder.eof:
        raise BrokenStream("the gzip file is truncated")


def read_lines(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes | None]]:
    """Lines without their ends, with their number from 1; None for one longer than a record may be.

    The last, unfinished line of a broken stream is not given.
    """
    number, parts, size = 1, list[bytes](), 0
    for chunk in chunks:
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            size += len(piece)
            yield number, b"".join([*parts, piece]) if size <= LONGEST_RECORD else None
            number, parts, size = number + 1, [], 0
        size += len(rest)
        parts = [*parts, rest] if size <= LONGEST_RECORD else []
    if size:
        yield number, b"".join(parts) if size <= LONGEST_RECORD else None


_IN_STRING = re.compile(rb'["\\]')
_OUTSIDE = re.compile(rb'["{}\[\]]')
# Between the elements of the list whose objects are read: its marks, or a number or name as a whole
_IN_LIST = re.compile(rb'["{}\[\],]|[^\s"{}\[\],]+')
_KINDS = {b'"': "a text", b"[": "a list", b"n": "null", b"t": "true", b"f": "false"}


def kind_named(first: bytes) -> str:
    """What the JSON value that begins with the byte `first`, and is no object, is called."""
    return _KINDS.get(first, "a number")


def read_json_objects(
    chunks: Iterable[bytes], depth: int
) -> Iterator[tuple[int, bytes | str | None]]:
    """The texts of the JSON objects that `depth` brackets enclose, with the line each begins on.

    Finds where objects begin and end without decoding them, so a broken one costs itself only, and
    any number of them is read in the memory of one. None for one longer than a record may be; a
    str for an element of their list that is no object, and says what it is.

    Raises:
        BrokenStream: the text ends inside an object.
    """
    level, in_string, escaped, in_list = 0, False, False, False
    line, first_line = 1, 1
    parts: list[bytes] | None = None  # of the object at hand
    size = 0
    other: tuple[int, str] | None = None  # the element at hand, if it is no object
    for chunk in chunks:
        position = start = counted = 0
        while True:
            if escaped:
                if position >= len(chunk):
                    break
                position, escaped = position + 1, False
            between = in_list and level == depth and not in_string
            rule = _IN_STRING if in_string else _IN_LIST if between else _OUTSIDE
            match = rule.search(chunk, position)
            if match is None:
                break
            position, mark = match.end(), match[0]
            if between:
                if mark in b",]" and other is not None:
                    yield other
                    other = None
                elif mark not in b"{},]" and other is None:
                    line += chunk.count(b"\n", counted, position)
                    counted, other = position, (line, kind_named(mark[:1]))
            if in_string and mark == b"\\":
                escaped = True
            elif mark == b'"':
                in_string = not in_string
            elif mark in (b"{", b"["):
                if level == depth and mark == b"{" and parts is None:
                    line += chunk.count(b"\n", counted, position)
                    counted = start = position - 1
                    parts, size, first_line = [], 0, line
                level += 1
                if level == depth:
                    in_list = mark == b"["
            elif mark in (b"}", b"]"):
                level = max(level - 1, 0)
                if level == depth and parts is not None:
                    size += position - start
                    parts.append(chunk[start:position])
                    yield first_line, b"".join(parts) if size <= LONGEST_RECORD else None
                    parts = None
        line += chunk.count(b"\n", counted)
        if parts is not None:
            size += len(chunk) - start
            parts = [*parts, chunk[start:]] if size <= LONGEST_RECORD else []
    if parts is not None or level > 0:
        raise BrokenStream("the text ends in the middle")
