"""All that is kept of one person, erased in one transaction, and proved before it is committed.

The tables are found by the catalogue, and locked against writers meanwhile, so that nothing that is
being stored slips past. A turn under way, or one that waits in a file on some machine, is refused
when it wants to store what it left (`stay_erased`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import psycopg
from psycopg import Connection
from psycopg.sql import SQL, Identifier

from arxivscout.errors import DatabaseError
from arxivscout.memory.postgres import SET_USER, Database
from arxivscout.memory.rights.files import backups, remove_files
from arxivscout.memory.rights.tables import Table, tables
from arxivscout.memory.rights.traces import Traces, sample, traces
from arxivscout.memory.rights.waiting import LONGEST_WAIT, in_silence, shut_out

TRIES = 3  # a writer of several tables and the locking of all may stop one another

# What stores something of a turn waits until this is committed, and is waited for.
_ALONE = """
SELECT pg_advisory_xact_lock(hashtextextended('erase ' || hashed_person(scout_user()), 0))
"""
_REMEMBER = """
INSERT INTO erasure (person, erased_at) VALUES (hashed_person(scout_user()), clock_timestamp())
ON CONFLICT (person) DO UPDATE SET erased_at = EXCLUDED.erased_at
"""
# Vectors that an unfinished `db reembed` has made of texts that are gone.
_REEMBEDDING = "SELECT to_regclass('arxivscout.reembedding') IS NOT NULL"
_FORGET_VECTORS = """
DELETE FROM arxivscout.reembedding
WHERE table_name = {name} AND row_id NOT IN (SELECT langchain_id FROM arxivscout.{table})
"""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Erasure:
    """What was erased, rows by table and files, and what was then looked through.

    `traces.rows` is empty, else nothing would have been erased. `backups` can't be changed.
    """

    rows: dict[str, int]
    files: list[Path]
    traces: Traces
    backups: list[Path]


def erase(
    database: Database,
    user: str,
    home: Path,
    *,
    notice: Callable[[str], None] = in_silence,
    longest_wait: float = LONGEST_WAIT,
) -> Erasure:
    """Erase all that is kept of this person, in the database and in the home folder.

    Args:
        notice: is told what is waited for, if it takes long.
        longest_wait: seconds, for those who are storing something.

    Raises:
        DatabaseError: nothing was erased.
        OSError: a file can't be removed; to erase again removes the rest.
    """
    rows, left = _again(lambda: _erase(database, user, notice, longest_wait))
    return Erasure(rows, remove_files(home, user), left, backups(home))


def counted(database: Database, user: str) -> dict[str, int]:
    """How many rows of the person each table has that has any."""
    with database.transaction(user) as conn:
        counts = {table.name: _own(conn, table, user) for table in tables(conn) if table.is_own}
    return {name: rows for name, rows in counts.items() if rows}


def _own(conn: Connection[Any], table: Table, user: str) -> int:
    query = SQL("SELECT count(*) FROM arxivscout.{} WHERE user_id = %s")
    row = conn.execute(query.format(Identifier(table.name)), [user]).fetchone()
    assert row is not None
    return int(row[0])


def _again(work: Callable[[], Result]) -> Result:
    for left in reversed(range(TRIES)):
        try:
            return work()
        except psycopg.errors.DeadlockDetected:
            if not left:
                raise DatabaseError(
                    "Others write too much just now: nothing was erased.", "Try again."
                ) from None
    raise AssertionError("unreachable")


def _erase(
    database: Database, user: str, notice: Callable[[str], None], longest_wait: float
) -> tuple[dict[str, int], Traces]:
    with database.admin() as conn:
        conn.execute(SET_USER, [user])
        own = [table for table in tables(conn) if table.is_own]
        shut_out(
            conn,
            lambda: _lock(conn, own),
            otherwise="nothing was erased",
            notice=notice,
            longest_wait=longest_wait,
        )
        texts = sample(conn, user)
        rows = {table.name: _delete(conn, table, user) for table in reversed(own)}
        _forget_vectors(conn, own)
        conn.execute(_REMEMBER)
        left = traces(conn, user, texts)
        if left.rows:
            conn.rollback()
            found = ", ".join(f"{count} in {name}" for name, count in left.rows.items())
            raise DatabaseError(
                f"Nothing was erased, for something would have been left: {found}.",
                "That is a defect; please report it.",
            )
    return {name: count for name, count in rows.items() if count}, left


def _lock(conn: Connection[Any], own: Sequence[Table]) -> None:
    """Keep all writers out until the transaction ends; readers go on."""
    conn.execute(_ALONE)
    names = SQL(", ").join(Identifier("arxivscout", table.name) for table in own)
    conn.execute(SQL("LOCK TABLE {} IN SHARE ROW EXCLUSIVE MODE").format(names))


def _delete(conn: Connection[Any], table: Table, user: str) -> int:
    """Delete the person's rows, without the triggers that would log what is deleted."""
    name = Identifier("arxivscout", table.name)
    conn.execute(SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(name))
    deleted = conn.execute(SQL("DELETE FROM {} WHERE user_id = %s").format(name), [user]).rowcount
    conn.execute(SQL("ALTER TABLE {} ENABLE TRIGGER USER").format(name))
    return deleted


def _forget_vectors(conn: Connection[Any], own: Sequence[Table]) -> None:
    row = conn.execute(_REEMBEDDING).fetchone()
    if row and row[0]:
        for table in own:
            if {"langchain_id", "embedding"} <= table.columns.keys():
                conn.execute(
                    SQL(_FORGET_VECTORS).format(name=table.name, table=Identifier(table.name))
                )
