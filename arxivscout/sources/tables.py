"""Records from CSV and Parquet."""

from __future__ import annotations

import csv
import tempfile
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from arxivscout.errors import ConfigurationError, UsageError
from arxivscout.sources.byte_stream import (
    GZIP_MAGIC,
    LONGEST_RECORD,
    BrokenStream,
    read_chunks,
    read_lines,
)
from arxivscout.sources.records import ABSTRACT_KEYS, ID_KEYS, KNOWN_KEYS, key_name

_DELIMITERS = ",\t;"
# A quote that never closes would take the rest of the file into one record.
_MOST_LINES = 2_000
_BATCH = 256


def looks_like_table(start: bytes) -> bool:
    """Whether a file that begins so has a header line with names we know."""
    return bool(_columns(start.partition(b"\n")[0].decode("utf-8", "replace"))[1])


def read_csv(chunks: Iterator[bytes]) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """Rows as records, with the line each begins on; delimiter comma, tab or semicolon.

    Raises:
        UsageError: at the call: the header does not name an id, a title and an abstract.
    """
    if csv.field_size_limit() < LONGEST_RECORD:  # one for the process: a list of 5,000 authors
        csv.field_size_limit(LONGEST_RECORD)
    source = read_lines(chunks)
    _, header = next(source, (1, b""))
    delimiter, names = _columns((header or b"").decode("utf-8", "replace"))
    if not names:
        raise UsageError(
            "The first line of a CSV file must name the columns.",
            f"Needed are an id ({', '.join(ID_KEYS[:4])}), title and abstract.",
        )
    return _csv_rows(source, delimiter, names)


def _csv_rows(
    source: Iterator[tuple[int, bytes | None]], delimiter: str, names: list[str]
) -> Iterator[tuple[int, dict[str, Any] | str]]:
    lines = deque[tuple[int, bytes | None]]()  # looked at and given back
    while line := lines.popleft() if lines else next(source, None):
        number, first = line
        if first is None:
            yield number, f"a line longer than {LONGEST_RECORD >> 20} MiB"
            continue
        if not first.strip():
            continue
        record, more = [first], list[tuple[int, bytes | None]]()
        quotes, size = first.count(b'"'), len(first)
        while quotes % 2 and len(more) < _MOST_LINES and size < LONGEST_RECORD:
            following = lines.popleft() if lines else next(source, None)
            if following is None:
                break
            more.append(following)
            if following[1] is None:
                break
            record.append(following[1])
            quotes, size = quotes + following[1].count(b'"'), size + len(following[1])
        row = _row(b"\n".join(record), delimiter, len(names))
        if isinstance(row, str):
            lines.extendleft(reversed(more))  # only the line at fault is lost
            yield number, row
        else:
            yield number, dict(zip(names, row, strict=True))


def read_parquet(path: Path) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """Rows as records, with their number from 1.

    Raises:
        ConfigurationError: pyarrow is not installed.
        UsageError: the file is no Parquet file, or has no column that we know.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ConfigurationError(
            "Reading Parquet needs pyarrow.", "Install it: pip install pyarrow"
        ) from None
    try:
        table = pyarrow.parquet.ParquetFile(_plain(path), pre_buffer=False)
        columns = [name for name in table.schema_arrow.names if key_name(name) in KNOWN_KEYS]
    except (pyarrow.ArrowException, BrokenStream, OSError) as error:
        reason = str(error).splitlines()[0]
        raise UsageError(f"{path} can't be read as Parquet: {reason}.") from None
    if not {key_name(name) for name in columns} & set(ABSTRACT_KEYS):
        raise UsageError(f"{path} has no column of abstracts.")
    return _rows(table, columns)


def _rows(table: Any, columns: list[str]) -> Iterator[tuple[int, dict[str, Any] | str]]:
    import pyarrow

    number = 0
    try:
        for batch in table.iter_batches(_BATCH, columns=columns, use_threads=False):
            for record in batch.to_pylist():
                number += 1
                yield number, record
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0]
        yield number + 1, f"the Parquet data are broken ({reason})"
    finally:
        table.close(force=True)


def _plain(path: Path) -> Path | IO[bytes]:
    """The file itself, or its decompressed copy: Parquet is read from its end."""
    with path.open("rb") as file:
        if file.read(2) != GZIP_MAGIC:
            return path
    copy = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the table that reads it)
    for chunk in read_chunks(path):
        copy.write(chunk)
    copy.seek(0)
    return copy


def _columns(header: str) -> tuple[str, list[str]]:
    """The delimiter and the names of a header line; no names where it is none that we know."""
    delimiter = max(_DELIMITERS, key=header.count)
    try:
        names = [key_name(name) for name in next(csv.reader([header], delimiter=delimiter), [])]
    except csv.Error:
        return delimiter, []
    known = set(names)
    complete = known & set(ID_KEYS) and "title" in known and known & set(ABSTRACT_KEYS)
    return delimiter, names if complete else []


def _row(text: bytes, delimiter: str, columns: int) -> list[str] | str:
    try:
        decoded = text.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"not UTF-8 (byte {error.start + 1})"
    try:
        rows = list(csv.reader([decoded], delimiter=delimiter, strict=True))
    except csv.Error as error:
        return f"broken CSV: {error}"
    if len(rows) != 1 or len(rows[0]) != columns:
        found = len(rows[0]) if rows else 0
        return f"broken CSV: {found} columns where the header has {columns}"
    return rows[0]
