"""One transaction at a time, over a connection, a psycopg pool or our `Database`.

A piece of work is a function of a connection. It is committed when it returns, rolled back when it
raises, and the connection is left in no transaction of ours either way.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import psycopg
from psycopg.pq import TransactionStatus

from arxivscout.errors import DatabaseUnavailable, UsageError
from arxivscout.memory.postgres import Database

if TYPE_CHECKING:
    import psycopg_pool

Source = "psycopg.Connection[Any] | psycopg_pool.ConnectionPool[Any] | Database"
Result = TypeVar("Result")


class UnitOfWork:
    """Runs pieces of work; safe to use from several threads, also over one connection."""

    def __init__(
        self,
        source: psycopg.Connection[Any] | psycopg_pool.ConnectionPool[Any] | Database,
        user: str | None,
    ) -> None:
        """Args:
        source: where connections come from.
        user: in whose name, for a `Database`; other sources are bound to a person already.
        """
        if isinstance(source, Database) and not user:
            raise UsageError("A user is needed to work on a Database.", "Pass user=.")
        self._source = source
        self._user = user or ""
        self._one_at_a_time = threading.RLock()

    def run(self, work: Callable[[psycopg.Connection[Any]], Result]) -> Result:
        """Run `work` in a transaction and commit it.

        A pooled connection that turns out to be broken before anything was committed is replaced,
        once, and the work is done again.

        Raises:
            ValueError: what was given can't be stored or looked for, with the database's reason.
            DatabaseUnavailable: the connection is gone and there is no other.
        """
        try:
            return self._run(work)
        except (psycopg.DataError, psycopg.IntegrityError) as error:
            reason = error.diag.message_primary or str(error)
            raise ValueError(f"the database can't take that: {reason}") from error

    def _run(self, work: Callable[[psycopg.Connection[Any]], Result]) -> Result:
        if isinstance(self._source, Database):
            with self._source.transaction(self._user) as conn:
                return work(conn)
        with _gone_is_unavailable():
            if isinstance(self._source, psycopg.Connection):
                with self._one_at_a_time, _transaction(self._source):
                    return work(self._source)
            return _run_pooled(self._source, work)


def _run_pooled(
    pool: psycopg_pool.ConnectionPool[Any], work: Callable[[psycopg.Connection[Any]], Result]
) -> Result:
    broken = False
    try:
        with pool.connection() as conn:
            try:
                with conn.transaction():
                    result = work(conn)
            except psycopg.OperationalError:
                broken = conn.broken
                raise
            return result
    except psycopg.OperationalError:
        if not broken:
            raise
    pool.check()
    with pool.connection() as conn, conn.transaction():
        return work(conn)


@contextmanager
def _transaction(conn: psycopg.Connection[Any]) -> Iterator[None]:
    """A transaction of ours on somebody's connection.

    A failed transaction that was left open is rolled back: else nothing would work any more. What
    its owner has begun and not committed is committed with our work, as the contract's code does;
    inside his own `with conn.transaction()` we leave that to him.
    """
    if conn.info.transaction_status == TransactionStatus.INERROR:
        conn.rollback()
    left_open = conn.info.transaction_status == TransactionStatus.INTRANS
    with conn.transaction():
        yield
    if left_open:
        try:
            conn.commit()
        except psycopg.ProgrammingError:
            return  # inside a transaction block of the owner's


@contextmanager
def _gone_is_unavailable() -> Iterator[None]:
    try:
        yield
    except psycopg.OperationalError as error:
        # No code: the driver found the connection dead. 57P0x: the server is shutting down.
        if error.sqlstate is None or error.sqlstate.startswith("57P0"):
            raise DatabaseUnavailable(f"The connection to the database is lost: {error}") from error
        raise
