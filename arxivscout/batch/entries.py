"""What stands in a job file, before it is judged: fields as they are given, each with its line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

MOST_JOBS = 10_000


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong on a line (from 1) of the file."""

    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}"


@dataclass(frozen=True, slots=True)
class Given:
    """A field's value as plain JSON, and its line."""

    line: int
    value: Any


@dataclass(slots=True)
class Entry:
    """One job, or the defaults of all; the line it begins on."""

    line: int
    fields: dict[str, Given] = field(default_factory=dict)


@dataclass(slots=True)
class Read:
    """All that could be read of a file; with a mistake in it, it may end early."""

    entries: list[Entry] = field(default_factory=list)
    defaults: Entry = field(default_factory=lambda: Entry(1))
    mistakes: list[Mistake] = field(default_factory=list)

    def wrong(self, line: int, text: str) -> None:
        """Note a mistake."""
        self.mistakes.append(Mistake(line, text))

    def add(self, entry: Entry) -> bool:
        """Take in a job; False if it is one too many: then reading ends."""
        if len(self.entries) == MOST_JOBS:
            self.wrong(entry.line, f"more than {MOST_JOBS:,} jobs; use several files")
            return False
        self.entries.append(entry)
        return True


def unknown(name: str, known: Iterable[str]) -> str:
    """What is told of a field that there is not, with what was meant, perhaps."""
    names = list(known)
    near = difflib.get_close_matches(name.lower(), names, 1)
    meant = f"; is {near[0]} meant?" if near else f": there are {', '.join(names)}"
    return f"unknown field {name[:60]!r}{meant}"
