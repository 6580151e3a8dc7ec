"""Papers from files: JSONL, JSON, CSV and Parquet, each also gzipped, in bounded memory."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from arxivscout.errors import UsageError
from arxivscout.papers import Paper, Skipped, one_line
from arxivscout.sources.byte_stream import (
    LONGEST_RECORD,
    BrokenStream,
    kind_named,
    read_chunks,
    read_json_objects,
    read_lines,
)
from arxivscout.sources.records import ABSTRACT_KEYS, key_name, paper_from_record
from arxivscout.sources.tables import looks_like_table, read_csv, read_parquet

# A place in the file (line or row, from 1) and what stands there: a record, or why it is none.
Found = tuple[int, dict[str, Any] | str]

_HEAD = 1 << 16
_KINDS = "JSONL, JSON, CSV or Parquet, each also gzipped"
_TOO_LONG = f"longer than {LONGEST_RECORD >> 20} MiB"


def read_papers(path: Path | str) -> Iterator[Paper | Skipped]:
    """The papers of a file in its order, and for each record that is none where and why.

    The format is judged by content first, then by name. Records are read as they are asked for.

    Raises:
        UsageError: at the call: no such file, no right to read it, or no format we know.
    """
    path = Path(path)
    return _papers(path, read_records(path))


def _papers(path: Path, found: Iterator[Found]) -> Iterator[Paper | Skipped]:
    place = 0
    try:
        for place, record in found:
            where = f"{path.name}:{place}"
            if isinstance(record, str):
                yield Skipped(where, record)
                continue
            try:
                yield paper_from_record(record, source=path.name)
            except ValueError as error:
                yield Skipped(where, one_line(str(error)))
    except BrokenStream as broken:
        yield Skipped(f"{path.name}:{place + 1}", str(broken))
    except OSError as error:
        yield Skipped(f"{path.name}:{place + 1}", error.strerror or type(error).__name__)


def read_records(path: Path) -> Iterator[Found]:
    """The records of a file, whatever they describe; raises as `read_papers` does."""
    chunks = read_chunks(path)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise UsageError(f"{path} is a folder.", "Name its files.")
        if not stat.S_ISREG(mode):
            # a pipe waits for its writer, a device may never end
            raise UsageError(f"{path} is no regular file.", "Save what it gives, and name that.")
        head = next(chunks, b"")
    except BrokenStream as broken:
        raise UsageError(f"{path} can't be read: {broken}.") from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(f"{path} can't be read: {reason}.") from None
    if not head:
        raise UsageError(f"{path} is empty.")
    chunks = chain([head.removeprefix(b"\xef\xbb\xbf")], chunks)
    kind = _kind(path, head)
    if kind == "parquet":
        return read_parquet(path)
    readers: dict[str, Callable[[], Iterator[Found]]] = {
        "jsonl": lambda: _jsonl(chunks),
        "array": lambda: _objects(chunks, depth=1),
        "object": lambda: _top_objects(chunks, path),
        "csv": lambda: read_csv(chunks),
    }
    return readers[kind]()


def _kind(path: Path, head: bytes) -> str:
    """One of parquet, jsonl, array, object (JSON at its top) and csv."""
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or head[:64].count(0) > 8:
        raise UsageError(f"{path} is no UTF-8 text and no Parquet file.", f"Give {_KINDS}.")
    suffix = next((s for s in reversed(path.suffixes) if s.lower() not in {".gz", ".gzip"}), "")
    suffix = suffix.lower()
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if suffix in {".parquet", ".pq"}:
        raise UsageError(f"{path} is no Parquet file.")
    if suffix in {".csv", ".tsv"} or (
        suffix not in {".json", ".jsonl"} and looks_like_table(start)
    ):
        return "csv"
    if start.startswith(b"["):
        return "array"
    if start.startswith(b"{"):
        one_a_line = start.partition(b"\n")[2].lstrip().startswith(b"{")
        return "jsonl" if one_a_line or suffix in {".jsonl", ".ndjson"} else "object"
    if suffix in {".jsonl", ".ndjson"}:
        return "jsonl"
    raise UsageError(f"{path} has a format that is not known.", f"Give {_KINDS}.")


def _jsonl(chunks: Iterator[bytes]) -> Iterator[Found]:
    for number, line in read_lines(chunks):
        if line is None:
            yield number, f"a line {_TOO_LONG}"
        elif line.strip():
            yield number, _decoded(line)


def _objects(chunks: Iterator[bytes], depth: int) -> Iterator[Found]:
    number = 0
    for number, text in read_json_objects(chunks, depth):
        if isinstance(text, str):
            yield number, f"no JSON object but {text}"
        else:
            yield number, f"an object {_TOO_LONG}" if text is None else _decoded(text)
    if not number:
        yield 1, "it holds no JSON objects"


def _top_objects(chunks: Iterator[bytes], path: Path) -> Iterator[Found]:
    """Objects one behind the other, each a paper, or one that holds papers in lists or by name."""
    for number, text in read_json_objects(chunks, 0):
        if not isinstance(text, bytes):  # too large for one record: then its lists hold them
            yield from _objects(read_chunks(path), depth=2)
            return
        record = _decoded(text)
        if isinstance(record, str) or not _holds_papers(record):
            yield number, record
            continue
        for value in record.values():
            if isinstance(value, dict):
                yield number, value
            elif isinstance(value, list):
                for item in value:
                    yield number, item if isinstance(item, dict) else _no_object(item)


def _no_object(item: object) -> str:
    first = "[" if isinstance(item, list) else json.dumps(item)[0]
    return f"no JSON object but {kind_named(first.encode())}"


def _holds_papers(record: dict[str, Any]) -> bool:
    keys = {key_name(key) for key in record}
    nested = any(isinstance(value, (dict, list)) for value in record.values())
    return nested and not keys & {"title", *ABSTRACT_KEYS}


def _decoded(text: bytes) -> dict[str, Any] | str:
    """The JSON object that `text` is, or in one line why it is none."""
    try:
        record = json.loads(text.decode("utf-8"))
    except UnicodeDecodeError as error:
        return f"not UTF-8 (byte {error.start + 1})"
    except json.JSONDecodeError as error:
        return f"broken JSON: {re.sub(r'[.:]$', '', error.msg)} (character {error.pos + 1})"
    except (ValueError, RecursionError) as error:  # numbers of 5,000 digits, a thousand brackets
        return f"JSON that can't be read: {type(error).__name__}"
    return record if isinstance(record, dict) else "no JSON object"
