"""An export brought back: identical, into the memory of a person who has none, or not at all.

The file is checked whole before a row is stored, and all rows are stored in one transaction.
Vectors are made anew where they don't come along.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

import psycopg
from psycopg import Connection
from psycopg.sql import SQL, Composable, Identifier

from arxivscout.errors import UsageError
from arxivscout.memory.gate.names import name_keys
from arxivscout.memory.looked_at import person_text
from arxivscout.memory.postgres import Database
from arxivscout.memory.rights.exporting import AT_A_TIME, exported
from arxivscout.memory.rights.reading import Line, check, damaged_line, header_of, rows
from arxivscout.memory.rights.tables import Table
from arxivscout.memory.rights.waiting import LONGEST_WAIT, in_silence, shut_out
from arxivscout.memory.turn_record import STAY_ERASED
from arxivscout.memory.vector_memory import vector_text

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder

Progress = Callable[[int, int], None]

# An import goes where none of these has a row; what it brings of others takes their place.
_MEMORIES = frozenset(
    ("conversational_memory", "turn", "entity_memory", "summary_memory", "workflow_memory",
     "episode_memory", "lesson_memory", "paper_mark", "project", "watch", "batch")
)  # fmt: skip
_LOG = "change_log"
# All else that writes something of the person waits for it (migration 0030), and is waited for.
_ALONE = "SELECT pg_advisory_xact_lock(hashtextextended('import ' || scout_user(), 0))"
# Under which triggers store what they are given, and file nothing anew.
_CALLED = "SELECT set_config('arxivscout.change', 'import', true)"
# What the server says of a row that it can't store; the last, of one too long for an index.
_NO_ROW = (psycopg.DataError, psycopg.IntegrityError, psycopg.errors.ProgramLimitExceeded)
_UUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")


def quiet(done: int, total: int) -> None:
    """Tell nobody."""


def import_memory(
    database: Database,
    embedder: Embedder,
    user: str,
    file: Path,
    *,
    mapped: bool = False,
    progress: Progress = quiet,
    notice: Callable[[str], None] = in_silence,
    longest_wait: float = LONGEST_WAIT,
) -> int:
    """Store what an export holds as this person's; how many rows that was.

    Args:
        mapped: as this person's, whoever's it was: all ids become others, always the same ones.
        progress: is told how many rows are stored, and of how many.
        notice: is told what is waited for, if it takes long.
        longest_wait: seconds, for those who are storing something of the person.

    Raises:
        DatabaseError: they don't end.
        UsageError: no export, a damaged one, another's, one of a newer ArxivScout, or the person
            has memories: then nothing is stored.
    """
    header = header_of(file)
    if header.user != user and not mapped:
        raise UsageError(
            f"{file} is the memory of {header.user!r}, not of {user!r}.",
            f"`--as {user}` makes it that of {user!r}.",
        )
    with database.transaction(user) as conn:
        shut_out(
            conn,
            lambda: _lock(conn),
            otherwise="nothing was imported",
            notice=notice,
            longest_wait=longest_wait,
        )
        conn.execute(_CALLED)
        known = {table.name: table for table in exported(conn)}
        total = check(file, known)
        _must_be_empty(conn, known.values())
        for table in reversed(known.values()):
            _clear(conn, table)
        ids = _ids(rows(file, known, known)) if mapped else frozenset()
        keeps_vectors = header.vectors == embedder.identity.fingerprint
        done = 0
        # The log last: all others write to it.
        for names in (known.keys() - {_LOG}, {_LOG}):
            _clear(conn, known[_LOG])
            lines = rows(file, known, names)
            if mapped:
                lines = (_as_of(line, header.user, user, ids) for line in lines)
            cleared = set[str]()
            for batch in _batches(lines):
                if (table := batch[0].table).name not in cleared:
                    _clear(conn, table)  # of what storing others has put there
                    cleared.add(table.name)
                _store(conn, file, batch, _vectors(embedder, batch, keeps_vectors), mapped)
                done += len(batch)
                progress(done, total)
    return total


def _lock(conn: Connection[Any]) -> None:
    conn.execute(STAY_ERASED, {"begun": None})
    conn.execute(_ALONE)


def _must_be_empty(conn: Connection[Any], own: Iterable[Table]) -> None:
    query = SQL("SELECT EXISTS (SELECT FROM arxivscout.{} WHERE user_id = scout_user())")
    for table in own:
        if table.name in _MEMORIES:
            row = conn.execute(query.format(Identifier(table.name))).fetchone()
            if row and row[0]:
                raise UsageError(
                    "There are memories already; an import goes where there are none.",
                    "`arxivscout memory erase` removes them; `--as NAME` makes it another's.",
                )


def _clear(conn: Connection[Any], table: Table) -> None:
    query = SQL("DELETE FROM arxivscout.{} WHERE user_id = scout_user()")
    conn.execute(query.format(Identifier(table.name)))


def _ids(lines: Iterable[Line]) -> frozenset[str]:
    """All ids that stand in a column of ids."""
    return frozenset(
        str(line.row[name])
        for line in lines
        for name in line.table.of_type("uuid")
        if line.row.get(name)
    )


def _as_of(line: Line, was: str, user: str, ids: frozenset[str]) -> Line:
    """The row with ids of this person's wherever they stand in it, and with their name."""
    text = _UUID.sub(lambda found: _mapped(found[0], user) if found[0] in ids else found[0],
                     line.text)  # fmt: skip
    if line.row.get("category") == "person" and line.row.get("name") == was:
        keys = zip(name_keys("person", was), name_keys("person", user), strict=False)
        for old, new in ((was, user), (person_text(was), person_text(user)), *keys):
            text = text.replace(
                json.dumps(old, ensure_ascii=False), json.dumps(new, ensure_ascii=False)
            )
    return replace(line, text=text, row=json.loads(text))


def _mapped(given: str, user: str) -> str:
    return str(uuid5(UUID(given), user))


def _batches(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Rows that go into one statement: of one table, with the same columns."""
    for _, alike in groupby(lines, lambda line: (line.table.name, tuple(line.row))):
        batch: list[Line] = []
        for line in alike:
            batch.append(line)
            if len(batch) == AT_A_TIME:
                yield batch
                batch = []
        if batch:
            yield batch


def _vectors(embedder: Embedder, batch: Sequence[Line], keeps: bool) -> list[str] | None:
    """New vectors for the rows; None where their table has none, or they bring their own."""
    columns, row = batch[0].table.columns, batch[0].row
    if "embedding" not in columns or "content" not in row or (keeps and "embedding" in row):
        return None
    made = embedder.embed_array([str(line.row["content"]) for line in batch])
    return [vector_text(vector.tolist()) or "" for vector in made]


def _store(
    conn: Connection[Any],
    file: Path,
    batch: Sequence[Line],
    vectors: list[str] | None,
    mapped: bool,
) -> None:
    """Insert the rows; where one can't be stored, it is named.

    Raises:
        UsageError: see above.
    """
    try:
        with conn.transaction():
            _insert(conn, batch, vectors)
    except _NO_ROW as error:
        if len(batch) == 1:
            raise _refused(file, batch[0], error, mapped) from None
        half = len(batch) // 2
        _store(conn, file, batch[:half], vectors and vectors[:half], mapped)
        _store(conn, file, batch[half:], vectors and vectors[half:], mapped)


def _insert(conn: Connection[Any], batch: Sequence[Line], vectors: list[str] | None) -> None:
    table, names = batch[0].table, [name for name in batch[0].row if name != "embedding"]
    into = [Identifier(name) for name in names]
    out: list[Composable] = [Identifier("held", name) for name in names]
    if "embedding" in table.columns and (vectors or "embedding" in batch[0].row):
        into.append(Identifier("embedding"))
        out.append(SQL("given.vector::vector" if vectors else "held.embedding"))
    query = SQL(
        "INSERT INTO arxivscout.{table} ({into}) SELECT {out} "
        "FROM unnest(%s::json[], %s::text[]) WITH ORDINALITY AS given (line, vector, nth), "
        "json_populate_record(NULL::arxivscout.{table}, given.line) AS held ORDER BY nth"
    ).format(table=Identifier(table.name), into=SQL(", ").join(into), out=SQL(", ").join(out))
    conn.execute(query, [[line.text for line in batch], vectors or []])


def _refused(file: Path, line: Line, error: psycopg.Error, mapped: bool) -> UsageError:
    reason = (error.diag.message_primary or str(error)).rstrip(".")
    if isinstance(error, psycopg.errors.UniqueViolation):
        if mapped:  # its ids are this person's only
            return damaged_line(file, line.number, "it stands there twice")
        return UsageError(
            f"Line {line.number:,} of {file} is stored already: "
            "it stands there twice, or is another person's in this database.",
            "`--as NAME` gives the rows ids of their own. Nothing was stored.",
        )
    return damaged_line(file, line.number, reason)
