"""Whether memory knows what is true now, and what was then, after a sequence of updates."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from psycopg import Connection

from arxivscout.embedding import Embedder
from arxivscout.errors import UsageError
from arxivscout.memory import gate
from arxivscout.memory.candidate import Candidate
from arxivscout.memory.postgres import Database
from arxivscout.memory.truth import true_at

USER = "bench-supersession"  # of a person who is not there: nothing of theirs is stored


@dataclass(frozen=True, slots=True)
class Updates:
    """What somebody says one after the other, and which of it holds when.

    `says` are days and texts, those of one day in one message; `now` the places of those that hold
    at the end, `then` of those that held on a day.
    """

    id: str
    kind: str
    says: tuple[tuple[str, str], ...]
    now: frozenset[int]
    then: tuple[tuple[str, frozenset[int]], ...]
    sources: tuple[str | None, ...] = ()


@dataclass(slots=True)
class Score:
    """How many sequences went right, now and in history, and which did not."""

    sequences: int = 0
    now: int = 0
    history: int = 0
    wrong: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Counts, and the shares that are right."""
        of = max(self.sequences, 1)
        return {
            "sequences": self.sequences,
            "current": round(self.now / of, 4),
            "history": round(self.history / of, 4),
            "wrong": self.wrong,
        }


def read_sequences(path: Path) -> list[Updates]:
    """The sequences of a JSONL file.

    Raises:
        UsageError: it is not there, or a line of it is none.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} can't be read: {error}", "Give a file by --data.") from None
    found = []
    for number, line in enumerate(filter(str.strip, lines), 1):
        try:
            row = json.loads(line)
            found.append(
                Updates(
                    row["id"],
                    row["kind"],
                    tuple((each["on"], each["text"]) for each in row["says"]),
                    frozenset(row["now"]),
                    tuple((day, frozenset(places)) for day, places in row["then"].items()),
                    tuple(row.get("sources", ())),
                )
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UsageError(f"{path}, line {number}, is no sequence: {error!r}") from None
    if not found:
        raise UsageError(f"{path} has no sequences.")
    return found


def run(database: Database, embedder: Embedder, sequences: Sequence[Updates]) -> Score:
    """Feed each sequence to a memory that is empty, and look at what holds; nothing stays."""
    score = Score()
    for each in sequences:
        with _nobody(database) as conn:
            now, history = _replay(conn, embedder, each)
        score.sequences += 1
        score.now += now
        score.history += history
        if not (now and history):
            score.wrong.append(each.id)
    return score


def _replay(conn: Connection[Any], embedder: Embedder, given: Updates) -> tuple[bool, bool]:
    ids: list[UUID] = []
    for day in dict.fromkeys(day for day, _ in given.says):
        places = [at for at, (on, _) in enumerate(given.says) if on == day]
        texts = [given.says[at][1] for at in places]
        candidates = [
            Candidate(given.kind, text, source=given.sources[at] if given.sources else None)
            for at, text in zip(places, texts, strict=True)
        ]
        vectors = embedder.embed_documents(texts)
        outcomes = gate.remember(conn, candidates, [], vectors, at=_moment(day))
        ids += [outcome.id for outcome in outcomes]

    def right(when: datetime, places: frozenset[int]) -> bool:
        return {each.id for each in true_at(conn, when)} == {ids[at] for at in places}

    now = right(_moment(given.says[-1][0]) + timedelta(days=365), given.now)
    return now, all(right(_moment(day), places) for day, places in given.then)


def _moment(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC)


@contextmanager
def _nobody(database: Database) -> Iterator[Connection[Any]]:
    """A transaction of a person who has no memories, rolled back at the end."""
    with database.transaction(USER) as conn, conn.transaction(force_rollback=True):
        yield conn
