"""Connections kept for reuse, by whoever asks: no threads, no waiting for what will not come.

`psycopg_pool` connects in the background and, when the server is gone, lets its caller wait for the
whole time-out without the reason. Here the caller connects himself: a server that refuses is known
at once, with its own words, and a server that is back is used at once.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

from arxivscout.errors import DatabaseUnavailable

# A connection used within the last seconds is taken without asking the server.
FRESH_SECONDS = 5.0
# The server closes none of its own accord, but firewalls forget idle ones.
IDLE_SECONDS = 600.0


class ConnectionPool:
    """At most `size` connections, the last used first; safe to use from several threads."""

    def __init__(
        self, connect: Callable[[], psycopg.Connection[Any]], *, size: int, timeout: float
    ) -> None:
        """Args:
        connect: makes an autocommit connection, or raises.
        timeout: seconds to wait while all connections are in use.
        """
        self._connect = connect
        self._timeout = timeout
        self._size = size
        self._slots = threading.BoundedSemaphore(size)
        self._mutex = threading.Lock()
        self._idle: list[tuple[float, psycopg.Connection[Any]]] = []
        self._closed = False

    def get(self) -> psycopg.Connection[Any]:
        """A connection that answered a moment ago, or answers now.

        Raises:
            DatabaseUnavailable: none can be had.
        """
        if self._closed:
            raise DatabaseUnavailable("The database connection was closed.")
        if not self._slots.acquire(timeout=self._timeout):
            raise DatabaseUnavailable(
                f"All {self._size} database connections have been in use for "
                f"{self._timeout:.0f} s.",
                "Try again; if it stays so, restart arxivscout.",
            )
        try:
            return self._reuse() or self._connect()
        except BaseException:
            self._slots.release()
            raise

    def _reuse(self) -> psycopg.Connection[Any] | None:
        while True:
            with self._mutex:
                if not self._idle:
                    return None
                since, conn = self._idle.pop()
            age = time.monotonic() - since
            if age < FRESH_SECONDS and not conn.closed:
                return conn
            if age < IDLE_SECONDS and _answers(conn):
                return conn
            _discard(conn)

    def put(self, conn: psycopg.Connection[Any]) -> None:
        """Give a connection back; one that is broken or in mid-transaction is closed."""
        reusable = (
            not self._closed
            and not conn.closed
            and conn.info.transaction_status == TransactionStatus.IDLE
        )
        if reusable:
            with self._mutex:
                self._idle.append((time.monotonic(), conn))
        else:
            _discard(conn)
        self._slots.release()

    def drop_idle(self) -> None:
        """Close what waits: after one connection broke, its neighbours are suspect."""
        with self._mutex:
            idle, self._idle = self._idle, []
        for _, conn in idle:
            _discard(conn)

    def close(self) -> None:
        """Close all that waits, and whatever comes back later."""
        self._closed = True
        self.drop_idle()


def _answers(conn: psycopg.Connection[Any]) -> bool:
    try:
        conn.execute("")
        return True
    except psycopg.Error:
        return False


def _discard(conn: psycopg.Connection[Any]) -> None:
    try:
        conn.close()
    except psycopg.Error:
        return
