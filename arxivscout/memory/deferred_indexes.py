"""Large loads without indexes: dropped once that pays, built when the last load has ended.

Into the vector and word indexes 400 rows a second go; beside them several thousand, and building
them at the end takes a fraction of what was saved. Meanwhile searches work, slower, and so does
every other writer: indexes are built without locking anybody out.

What is dropped stands in `deferred_index`, written in the transaction that drops it. Every load
holds an advisory lock shared for as long as it lasts, which the server lets go of by itself when
the process is killed. Whoever gets that lock alone builds: the last load on leaving, or the next
process that opens the database and finds what a killed one has left.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import psutil
import psycopg
from psycopg import Connection
from psycopg.sql import SQL, Identifier, Literal

from arxivscout.memory.vector_memory import execute

if TYPE_CHECKING:
    from arxivscout.memory.postgres import Database

Notice = Callable[[str], None]

_log = logging.getLogger(__name__)

# A load of fewer rows is over before it pays; and only one that writes for most of its time gains.
LEAST_ROWS = 2_000
LEAST_SHARE = 0.5
# Building takes a row about this part of the time that inserting takes it.
BUILD_COST = 0.2
LOCK_KEY = 0x5C008  # of the advisory lock: any number that is ours
DROP_SECONDS = 2  # to wait for readers; meanwhile others wait behind us
# An index in the making holds a vector and its neighbours per row, here in bytes beside the vector.
BYTES_A_ROW = 1_000
MEMORY_SHARE = 0.5  # of what is free
LEAST_MEMORY = 256 << 20
BUILDING = "Building the indexes of the papers (searches work meanwhile, slower) ..."

_LOAD = "SELECT pg_try_advisory_lock_shared(%s)"
_UNLOAD = "SELECT pg_advisory_unlock_shared(%s)"
_ALONE = "SELECT pg_try_advisory_lock(%s)"
_NOT_ALONE = "SELECT pg_advisory_unlock(%s)"

_DEFER = """
INSERT INTO arxivscout.deferred_index (name, definition)
SELECT relname, pg_get_indexdef(indexrelid)
FROM pg_index JOIN pg_class AS class ON class.oid = indexrelid JOIN pg_am ON pg_am.oid = relam
WHERE indrelid = 'arxivscout.semantic_memory'::regclass AND amname IN ('hnsw', 'gin')
ON CONFLICT (name) DO UPDATE SET definition = excluded.definition, deferred_at = now()
RETURNING name
"""
_DEFERRED = "SELECT name, definition FROM arxivscout.deferred_index ORDER BY name"
_BUILT = "DELETE FROM arxivscout.deferred_index WHERE name = %s"
_SIZE = """
SELECT (SELECT count(*) FROM arxivscout.semantic_memory),
       COALESCE((SELECT dimension FROM arxivscout.embedding_model), 0)
"""


class Load:
    """One load's part: `consider` while it goes on, `close` at its end."""

    def __init__(self, database: Database, notice: Notice) -> None:
        self._database = database
        self._notice = notice
        self._held: Connection[Any] | None = None
        self._considered = 0

    def consider(self, *, stored: int, to_come: int, writing: float, seconds: float) -> None:
        """Drop the indexes if that pays by now.

        Args:
            stored: rows written so far.
            to_come: rows that will still be, as far as one can tell.
            writing: seconds of the `seconds` so far that went into writing.
        """
        if self._held is not None or stored < max(LEAST_ROWS, 2 * self._considered):
            return
        self._considered = stored
        if writing < LEAST_SHARE * seconds:
            return
        conn = self._database.connect(self._database.admin_url)
        try:
            if _pays(conn, to_come) and _one(conn, _LOAD, LOCK_KEY):
                _drop(conn)
                self._held = conn
                self._notice("A large load: the indexes of the papers are built at its end.")
        except psycopg.errors.LockNotAvailable:
            _log.info("somebody reads for long: the indexes stay for now")
        finally:
            if self._held is None:
                conn.close()

    def close(self) -> None:
        """Build the indexes, unless another load is still on, which will."""
        if self._held is not None:
            with suppress(psycopg.OperationalError):  # the server lets go of what is lost
                _one(self._held, _UNLOAD, LOCK_KEY)  # now: after a close it takes its time
            self._held.close()
            self._held = None
            build_deferred(self._database, self._notice)


def build_deferred(database: Database, notice: Notice) -> bool:
    """Build what is deferred; False if a load is on or somebody else builds.

    It can be stopped at any time: what is not built stays deferred.
    """
    with database.admin() as admin:
        admin.autocommit = True
        admin.execute("SET statement_timeout = 0; SET lock_timeout = 0")
        if not _one(admin, _ALONE, LOCK_KEY):
            return False
        deferred = admin.execute(_DEFERRED).fetchall()
        if deferred:
            notice(BUILDING)
        for name, definition in deferred:
            _build(admin, database, name, definition)
            admin.execute(_BUILT, [name])
        _one(admin, _NOT_ALONE, LOCK_KEY)
    return True


def _pays(conn: Connection[Any], to_come: int) -> bool:
    held, _ = execute(conn, _SIZE.encode(), {})[0]
    return bool(to_come > BUILD_COST * (held + to_come))


def _drop(conn: Connection[Any]) -> None:
    with conn.transaction():
        conn.execute(SQL("SET LOCAL lock_timeout = {}").format(Literal(f"{DROP_SECONDS}s")))
        # Before the catalogue is read, so that two don't drop the same.
        conn.execute("LOCK TABLE arxivscout.semantic_memory IN ACCESS EXCLUSIVE MODE")
        for (name,) in conn.execute(_DEFER).fetchall():
            conn.execute(SQL("DROP INDEX arxivscout.{}").format(Identifier(name)))


def _build(admin: Connection[Any], database: Database, name: str, definition: str) -> None:
    """Build one index anew, in parallel where the machine's shared memory takes it."""
    # What a killed build left is there, and not valid.
    admin.execute(SQL("DROP INDEX CONCURRENTLY IF EXISTS arxivscout.{}").format(Identifier(name)))
    statement = re.sub("^CREATE INDEX ", "CREATE INDEX CONCURRENTLY ", definition).encode()
    if database.is_embedded:
        use_means(admin)
    admin.execute(statement)


def use_means(admin: Connection[Any]) -> None:
    """Let the session build indexes with what this machine has to spare."""
    memory, workers = _means(admin)
    admin.execute(f"SET maintenance_work_mem = '{memory >> 20}MB'".encode())
    admin.execute(f"SET max_parallel_maintenance_workers = {workers}".encode())


def _means(admin: Connection[Any]) -> tuple[int, int]:
    """Bytes and parallel workers for a build on this machine.

    Workers share the graph in the machine's shared memory, of which a container may have little.
    """
    rows, dimension = execute(admin, _SIZE.encode(), {})[0]
    wanted = int(rows * (4 * dimension + BYTES_A_ROW) * 1.1)
    free = int(psutil.virtual_memory().available * MEMORY_SHARE)
    memory = max(LEAST_MEMORY, min(wanted, free))
    try:
        place = os.statvfs("/dev/shm")
        shared = place.f_bavail * place.f_frsize
    except OSError:  # macOS
        shared = 0
    return memory, (os.cpu_count() or 1) - 1 if shared > 2 * memory else 0


def _one(conn: Connection[Any], query: str, key: int) -> bool:
    row = conn.execute(query.encode(), [key]).fetchone()
    return bool(row and row[0])
