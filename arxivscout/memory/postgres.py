"""The database as the rest of the program sees it: transactions in the name of a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any
from uuid import UUID

import psycopg
from psycopg.pq import TransactionStatus

from arxivscout.errors import DatabaseError, DatabaseUnavailable, UsageError
from arxivscout.memory import migrate, roles
from arxivscout.memory.connection import (
    ADMIN_SETTINGS,
    APP_SETTINGS,
    as_conninfo,
    as_url,
    explain,
    explained,
    parse,
)
from arxivscout.memory.dialling import Dialling
from arxivscout.memory.embedded import EmbeddedServer
from arxivscout.memory.pool import ConnectionPool

# A statement with its parameters, and what came back for it.
Statement = tuple[str, Mapping[str, Any] | Sequence[Any]]
Rows = list[tuple[Any, ...]]
Connection = psycopg.Connection[Any]

POOL_SIZE = 16
POOL_SECONDS = 30.0

SET_USER = "SELECT set_config('arxivscout.user_id', %s, true)"
SET_TURN = "SELECT set_config('arxivscout.turn_id', %s, true)"  # for the change log


class Database:
    """The connections of one process to one database; safe to use from several threads."""

    def __init__(self, login: str, admin: str, *, server: EmbeddedServer | None = None) -> None:
        """Args:
        login: address with the application's login.
        admin: address with the login of the schema's owner.
        server: the embedded server, joined, if it is that one; `close` leaves it.
        """
        self.login = parse(login)
        self.access = roles.Access(role=None, vector_schema="public")
        self.lacks_indexes = False  # when it was opened
        self._admin = parse(admin)
        self._server = server
        self._dialling = Dialling(server)
        self._pool = ConnectionPool(
            lambda: self.connect(self.url), size=POOL_SIZE, timeout=POOL_SECONDS
        )

    @property
    def is_embedded(self) -> bool:
        """Whether it is the embedded server, on this machine and with our settings."""
        return self._server is not None

    # how others connect

    @property
    def url(self) -> str:
        """libpq connection string of the application's role; it names no person."""
        return as_conninfo(self.login, self._settings())

    @property
    def admin_url(self) -> str:
        """libpq connection string of the schema's owner at maintenance, past row security."""
        return as_conninfo(self._admin, {"search_path": self.search_path, **ADMIN_SETTINGS})

    def user_url(self, user: str, *, driver: bool = False) -> str:
        """URL of the application's role, bound to one person.

        Args:
            user: whose rows it sees.
            driver: with SQLAlchemy's `postgresql+psycopg://` instead of libpq's `postgresql://`.
        """
        _check_user(user)
        settings = {**self._settings(), "arxivscout.user_id": user}
        return as_url(self.login, settings, "postgresql+psycopg" if driver else "postgresql")

    def admin_user_url(self) -> str:
        """`admin_url` as a URL."""
        return as_url(self._admin, {"search_path": self.search_path, **ADMIN_SETTINGS})

    @property
    def search_path(self) -> str:
        """Ours, then where pgvector lives: in `public`, or in a schema of extensions."""
        return ",".join(dict.fromkeys([migrate.SCHEMA, "public", self.access.vector_schema]))

    def _settings(self) -> dict[str, str]:
        role = {"role": self.access.role} if self.access.role else {}
        return {"search_path": self.search_path, **APP_SETTINGS, **role}

    # transactions

    @contextmanager
    def transaction(self, user: str, turn: UUID | None = None) -> Iterator[Connection]:
        """A transaction that sees and writes this person's rows (and what is shared).

        It commits at the end of the block, or rolls back if that raised. BEGIN and the person go to
        the server in one round trip; a connection that broke while it was idle is replaced. What
        changes in memory is logged under `turn`, so that the turn can be taken back.

        Raises:
            DatabaseUnavailable: the server can't be reached, or left in mid-transaction: then
                nothing is stored, unless it left while committing.
        """
        _check_user(user)
        with self._transaction(user, turn) as conn:
            yield conn

    def batch(
        self, user: str, statements: Sequence[Statement], turn: UUID | None = None
    ) -> list[Rows]:
        """Run the statements as one transaction of this person, in one round trip.

        A connection that broke while it was idle is replaced and all is sent again, so the
        statements must bear being run twice: they are keyed by what they store.

        Args:
            user: whose rows they see; "" for what is shared.
            turn: as `transaction` has it.

        Returns:
            for each statement its rows, [] where it has none.

        Raises:
            psycopg.Error: one of them failed; nothing is stored.
            DatabaseUnavailable: the server can't be reached.
        """
        if user:
            _check_user(user)
        for again in (True, False):
            conn = self._checkout(None)
            try:
                with self._returning(conn):
                    return _run_batch(conn, user, statements, turn)
            except DatabaseUnavailable:
                if not again:
                    raise
                self._pool.drop_idle()
        raise AssertionError("unreachable")

    def side_by_side(self, user: str, *batches: Sequence[Statement]) -> list[list[Rows]]:
        """Run each batch as a transaction of its own, all at the same time.

        For reading what takes the server long. Raises what `batch` raises.
        """
        first, *others = batches
        with ThreadPoolExecutor(len(batches), "side by side") as threads:
            waiting = [threads.submit(self.batch, user, batch) for batch in others]
            return [self.batch(user, first), *(each.result() for each in waiting)]

    @contextmanager
    def shared(self) -> Iterator[Connection]:
        """A transaction in nobody's name: papers, and the tools of the installation."""
        with self._transaction("") as conn:
            yield conn

    @contextmanager
    def autocommit(self) -> Iterator[Connection]:
        """A connection in nobody's name and in no transaction: for LangGraph's checkpoints."""
        conn = self._checkout(None)
        with self._returning(conn):
            yield conn

    @contextmanager
    def admin(self) -> Iterator[Connection]:
        """A connection of the schema's owner at maintenance: past row security, to all rows.

        One transaction, unless the block commits or turns on autocommit; closed at the end.
        """
        conn = self.connect(self.admin_url)
        with conn, explained(conn):
            conn.autocommit = False
            yield conn
            conn.commit()

    def close(self) -> None:
        """Close the connections, and leave the embedded server (the last one out stops it)."""
        self._pool.close()
        if self._server is not None:
            self._server.release()

    @contextmanager
    def _transaction(self, user: str, turn: UUID | None = None) -> Iterator[Connection]:
        conn = self._checkout(user, turn)
        with self._returning(conn):
            try:
                yield conn
            except BaseException:
                _abort(conn)
                raise
            if conn.info.transaction_status == TransactionStatus.INERROR:
                _abort(conn)
                raise DatabaseError("A statement of the transaction failed: nothing was stored.")
            conn.commit()

    @contextmanager
    def _returning(self, conn: Connection) -> Iterator[None]:
        try:
            with explained(conn):
                yield
        finally:
            self._pool.put(conn)

    def _checkout(self, user: str | None, turn: UUID | None = None) -> Connection:
        """A connection in a transaction of `user`, or for None in none."""
        while True:
            conn = self._pool.get()
            try:
                if user is not None:
                    _begin(conn, user, turn)
                return conn
            except psycopg.OperationalError as error:
                # It broke while nobody looked; without its neighbours the next one is new, and that
                # one works, or `get` says why not.
                lost = conn.closed
                self._pool.put(conn)
                self._pool.drop_idle()
                if not lost:
                    raise explain(error, lost=False) or error from None
            except BaseException:
                conn.close()
                self._pool.put(conn)
                raise

    def connect(self, url: str) -> Connection:
        """A new autocommit connection; see `Dialling.connect`."""
        return self._dialling.connect(url)


def _begin(conn: Connection, user: str, turn: UUID | None) -> None:
    with conn.pipeline():
        conn.execute("BEGIN")
        conn.execute(SET_USER, [user])
        if turn is not None:
            conn.execute(SET_TURN, [str(turn)])


def _run_batch(
    conn: Connection,
    user: str,
    statements: Sequence[Statement],
    turn: UUID | None,
) -> list[Rows]:
    try:
        with conn.pipeline():
            _begin(conn, user, turn)
            cursors = [conn.cursor() for _ in statements]
            for cursor, (statement, parameters) in zip(cursors, statements, strict=True):
                cursor.execute(statement, parameters)
            conn.execute("COMMIT")
    except BaseException:
        _abort(conn)
        raise
    return [cursor.fetchall() if cursor.description else [] for cursor in cursors]


def _abort(conn: Connection) -> None:
    """Roll back; a connection that can't (interrupted in a statement, or lost) is closed."""
    status = conn.info.transaction_status
    with suppress(psycopg.Error):
        if status in (TransactionStatus.INTRANS, TransactionStatus.INERROR):
            conn.rollback()
        elif status != TransactionStatus.IDLE:
            conn.close()


def _check_user(user: str) -> None:
    if not user or "\0" in user:
        raise UsageError("A user is needed, and there is none.", "Give one by --user.")
