"""Jobs from JSON (a line each, or one list) and from CSV with a header."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection
from typing import Any, NoReturn

from arxivscout.batch.entries import Entry, Given, Read, unknown

_DELIMITERS = ",;\t"
_BLANKS = frozenset(" \t\r\n")


class _Object(dict[str, Any]):
    """A JSON object, and which of its names stood in it more than once."""

    twice: tuple[str, ...] = ()


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    made = _Object(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        made.twice = tuple(dict.fromkeys(name for name in names if names.count(name) > 1))
    return made


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number)


def read_jsonl(text: str) -> Read:
    """What a text holds that has a JSON object (or a question in quotes) on each line."""
    read = Read()
    for line, each in enumerate(text.split("\n"), 1):
        if not each.strip():
            continue
        try:
            value = _DECODER.decode(each)
        except (ValueError, RecursionError) as error:
            read.wrong(line, f"broken JSON: {_why(error)}")
            continue
        if not _add(read, line, value):
            break
    return read


class _Place:
    """Where reading is in a text: past blanks, on which line."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.at, self.line = 0, 1
        self.go(0)

    @property
    def sign(self) -> str:
        """What stands here; empty at the end."""
        return self._text[self.at : self.at + 1]

    def go(self, place: int) -> None:
        """Go on to `place`, and to the first behind it that is not blank."""
        while self._text[place : place + 1] in _BLANKS:
            place += 1
        self.line += self._text.count("\n", self.at, place)
        self.at = place


def read_json(text: str) -> Read:
    """What a text holds that is one JSON list."""
    read, place = Read(), _Place(text)
    if place.sign not in ("", "["):
        read.wrong(place.line, "a list of jobs is expected: [ before the first, ] behind the last")
    elif place.sign:
        place.go(place.at + 1)
        try:
            _read_list(text, place, read)
        except (ValueError, RecursionError) as error:
            read.wrong(getattr(error, "lineno", place.line), f"broken JSON: {_why(error)}")
    return read


def _read_list(text: str, place: _Place, read: Read) -> None:
    while place.sign != "]" or read.entries:
        value, end = _DECODER.raw_decode(text, place.at)
        if not _add(read, place.line, value):
            return
        place.go(end)
        if place.sign != ",":
            break
        place.go(place.at + 1)
    if place.sign != "]":
        read.wrong(place.line, "broken JSON: a comma or ] is expected")
        return
    place.go(place.at + 1)
    if place.sign:
        read.wrong(place.line, "broken JSON: something follows the list")


def _add(read: Read, line: int, value: Any) -> bool:
    if isinstance(value, str):
        value = _Object(question=value)
    if not isinstance(value, _Object):
        read.wrong(line, f"a job must be an object or a question, not {repr(value)[:60]}")
        return True
    for name in value.twice:
        read.wrong(line, f"{name} is given twice")
    return read.add(Entry(line, {name: Given(line, each) for name, each in value.items()}))


def _why(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} (column {error.colno})"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def read_csv(text: str, columns: Collection[str]) -> Read:
    """What a table holds whose first row names its columns; , ; or a tab between them.

    Args:
        columns: the names there may be.
    """
    read = Read()
    delimiter = _delimiter(text, columns)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    header: list[str] | None = None
    while True:
        line = rows.line_num + 1
        try:
            cells = next(rows)
        except StopIteration:
            return read
        except csv.Error as error:
            read.wrong(line, f"broken CSV: {error}")
            continue
        if not any(cell.strip() for cell in cells):
            continue
        if header is None:
            header = [_name(cell) for cell in cells]
            if "question" not in header:
                read.wrong(line, "the first row must name the columns, one of them `question`")
                return read
            for name in dict.fromkeys(header):
                if name not in columns:
                    read.wrong(line, unknown(name, columns) if name else "a column has no name")
                elif header.count(name) > 1:
                    read.wrong(line, f"the column {name} is there twice")
        elif not _add_row(read, line, header, cells, columns):
            return read


def _add_row(
    read: Read, line: int, header: list[str], cells: list[str], columns: Collection[str]
) -> bool:
    if len(cells) > len(header):
        read.wrong(
            line,
            f"{len(cells)} cells, and the first row names {len(header)}; a text with the "
            'delimiter in it needs quotes (")',
        )
        return True
    entry = Entry(line)
    for name, cell in zip(header, cells, strict=False):
        if cell.strip() and name in columns:
            number = name == "depth" and cell.strip().isdecimal() and len(cell) < 20
            entry.fields[name] = Given(line, int(cell) if number else cell)
    return read.add(entry)


def _delimiter(text: str, columns: Collection[str]) -> str:
    """That by which the first row names most of the columns."""
    first = next((line for line in io.StringIO(text) if line.strip()), "")

    def named(delimiter: str) -> int:
        return sum(_name(cell) in columns for cell in first.split(delimiter))

    return max(_DELIMITERS, key=named)


def _name(cell: str) -> str:
    return cell.strip().strip('"').strip().lower()
