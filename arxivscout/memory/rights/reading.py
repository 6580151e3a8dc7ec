"""An export read back and checked: every line is what was written, or is named."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from arxivscout.errors import UsageError
from arxivscout.memory.migrate import shipped
from arxivscout.memory.rights.exporting import FORMAT, VERSION, columns, written
from arxivscout.memory.rights.tables import Table

LONGEST_LINE = 64 * 1024 * 1024  # bytes
_NOTHING = "Nothing was stored."

_ROW = re.compile(r'\{"type": "(\w+)", "crc": (\d+), "row": (\{.*\})\}', re.S)


@dataclass(frozen=True, slots=True)
class Header:
    """What an export says of itself: whose it is, and which embedder its vectors are of, if any.

    `is_older`: it was written before the tables became what they are.
    """

    user: str
    vectors: str | None
    is_older: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A row of an export: as JSON text, to the letter, and what it says."""

    number: int
    table: Table
    text: str
    row: dict[str, Any]


def header_of(file: Path) -> Header:
    """Whose export it is.

    Raises:
        UsageError: it is none, or one of a newer ArxivScout.
    """
    with _opened(file) as lines:
        return _header(file, lines.readline(LONGEST_LINE))


def check(file: Path, known: Mapping[str, Table]) -> int:
    """Read the export to its end; how many rows it has.

    Raises:
        UsageError: it is none, or damaged: the line is named.
    """
    hashed, count, end = hashlib.sha256(), 0, None
    with _opened(file) as lines:
        first = lines.readline(LONGEST_LINE)
        header = _header(file, first)
        hashed.update(first)
        for number, raw in enumerate(iter(lambda: lines.readline(LONGEST_LINE), b""), 2):
            if end is not None:
                raise damaged_line(file, number, "it stands behind the end")
            end = _end(raw)
            if end is None:
                line = _line(file, number, raw, known)
                if not header.is_older:
                    _check_columns(file, line)
                hashed.update(raw)
                count += 1
    if end is None:
        raise damaged_line(file, count + 2, "the file ends before it")
    if end != {"rows": count, "sha256": hashed.hexdigest()}:
        raise UsageError(f"{file} is damaged: lines are missing, or in another order.", _NOTHING)
    return count


def rows(file: Path, known: Mapping[str, Table], names: Collection[str]) -> Iterator[Line]:
    """The rows of these tables, in the order of the file, which was checked before."""
    with _opened(file) as lines:
        for number, raw in enumerate(iter(lambda: lines.readline(LONGEST_LINE), b""), 1):
            if number > 1 and _end(raw) is None:
                line = _line(file, number, raw, known)
                if line.table.name in names:
                    yield line


def damaged_line(file: Path, number: int, why: str) -> UsageError:
    """The error that names a line, and says that nothing was stored."""
    return UsageError(f"{file} is damaged at line {number:,}: {why}.", _NOTHING)


def _opened(file: Path) -> BinaryIO:
    try:
        return file.open("rb")
    except OSError as error:
        raise UsageError(f"{file} can't be read: {error.strerror}.") from None


def _header(file: Path, raw: bytes) -> Header:
    given = _json(raw)
    if not isinstance(given, dict) or given.get("format") != FORMAT:
        raise UsageError(f"{file} is no export of ArxivScout's memory.", _NOTHING)
    version, schema = given.get("version"), given.get("schema")
    if not (isinstance(version, int) and isinstance(schema, int)):
        raise damaged_line(file, 1, "it tells no version")
    newest = shipped()[-1].version
    if version > VERSION or schema > newest:
        raise UsageError(f"A newer ArxivScout wrote {file}.", "Upgrade this ArxivScout.")
    user, vectors = given.get("user"), given.get("vectors")
    if not isinstance(user, str) or not isinstance(vectors, str | None):
        raise damaged_line(file, 1, "it does not tell whose it is")
    return Header(user, vectors, is_older=schema < newest)


def _end(raw: bytes) -> Any:
    """What the last line says; None for any other."""
    given = _json(raw) if raw.startswith(b'{"end": ') else None
    return given.get("end") if isinstance(given, dict) else None


def _line(file: Path, number: int, raw: bytes, known: Mapping[str, Table]) -> Line:
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        raise damaged_line(file, number, "it is no UTF-8") from None
    found = _ROW.fullmatch(text.removesuffix("\n"))
    if found is None or not text.endswith("\n"):
        raise damaged_line(file, number, "it is no row of an export")
    name, _, row_text = found.groups()
    if written(name, row_text) + "\n" != text:
        raise damaged_line(file, number, "it is not as it was written")
    row = _json(row_text.encode())
    if not isinstance(row, dict):
        raise damaged_line(file, number, "it is no JSON")
    if not row:
        raise damaged_line(file, number, "its row is empty")
    table = known.get(name)
    if table is None:
        raise damaged_line(file, number, f"no table of memory is called {name[:60]!r}")
    strange = row.keys() - columns(table, vectors=True)
    if strange:
        raise damaged_line(file, number, f"{name} has no {min(strange)[:60]!r}")
    return Line(number, table, row_text, row)


def _check_columns(file: Path, line: Line) -> None:
    """A row has all columns that an export writes: the database would make up what one lacks."""
    missing = [name for name in columns(line.table) if name not in line.row]
    if missing:
        raise damaged_line(file, line.number, f"its row of {line.table.name} lacks {missing[0]!r}")


def _json(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return None
