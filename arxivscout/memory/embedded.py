"""The embedded PostgreSQL server: started on demand, shared by processes, last one out stops it.

Two locks in the server's folder. `start.lock` is held for as long as somebody starts, joins or
stops. `clients.lock` is held shared by every process that uses the server: whoever gets it alone on
leaving stops the server, and the system releases a killed process's lock by itself. Whether the
server runs is never looked up in a file: what counts is that one can connect.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from arxivscout.errors import DatabaseError, DatabaseUnavailable
from arxivscout.memory import postmaster, programs
from arxivscout.memory.cluster import APP, DATABASE, OWNER, Cluster, passwords, place, socket_dir

LOCK_SECONDS = 120.0

CREATE_APP = (
    "CREATE ROLE {role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS PASSWORD {password}"
)
ALTER_APP = (
    "ALTER ROLE {role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS PASSWORD {password}"
)


def quiet(_: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerStatus:
    """What `db status` tells of the embedded server."""

    running: bool
    kept: bool  # stays up until `db stop`
    pid: int | None
    folder: Path
    socket: Path
    log: Path


class EmbeddedServer:
    """One process's part in the server of a home folder; safe to use from several threads."""

    def __init__(self, home: Path, *, notice: Callable[[str], None] = quiet,
                 settings: dict[str, str] | None = None) -> None:  # fmt: skip
        """Args:
        home: the home folder of the settings; the server lives in its folder `postgres`.
        notice: is told what takes long.
        settings: PostgreSQL settings that win over ours.
        """
        self.home = home
        self._notice = notice
        self._settings = settings
        self._cluster: Cluster | None = None
        self._membership: int | None = None
        self._mutex = threading.RLock()

    @property
    def cluster(self) -> Cluster:
        if self._cluster is None:
            self._cluster = place(self.home)
        return self._cluster

    def acquire(self) -> None:
        """Join, and see to it that the server answers. Joining twice is joining once.

        Raises:
            DatabaseError: it can't be made or started.
        """
        with self._mutex, self._start_lock():
            if self._membership is None:
                self._membership = self._open_lock("clients.lock")
                self._flock(self._membership, fcntl.LOCK_SH)
            try:
                self._bring_up()
            except BaseException:
                self._leave()
                raise

    def ensure_up(self) -> None:
        """Bring the server back if it died while this process uses it."""
        with self._mutex, self._start_lock():
            self._bring_up()

    def release(self) -> None:
        """Leave; the last one out stops the server, unless it is kept up."""
        with self._mutex:
            if self._membership is None:
                return
            try:
                with self._start_lock():
                    if self._alone(self._membership) and not self._keep.exists():
                        postmaster.stop(self.cluster)
            finally:
                self._leave()

    def keep_up(self) -> None:
        """Start the server and let it run until `stop`, with or without clients."""
        self.acquire()
        self._keep.touch(mode=0o600)
        self.cluster.keeper.own(self._keep)
        self.release()

    def stop(self, *, force: bool = False) -> bool:
        """End `keep_up`, and stop the server unless other processes use it (or by `force`).

        Returns:
            Whether it is stopped now.
        """
        with self._mutex, self._start_lock():
            self._keep.unlink(missing_ok=True)
            if not force and not self._nobody_uses_it():
                return False
            postmaster.stop(self.cluster)
            return True

    def status(self) -> ServerStatus:
        """Look, without starting, joining or waiting."""
        process = postmaster.main_process(self.cluster) if self.cluster.made() else None
        try:
            psycopg.connect(self.url(OWNER, "postgres"), connect_timeout=5).close()
            running = True
        except (psycopg.Error, DatabaseError):
            running = False
        return ServerStatus(
            running=running,
            kept=self._keep.exists(),
            pid=process.pid if process else None,
            folder=self.cluster.base,
            socket=socket_dir(self.cluster, make=False),
            log=self.cluster.log,
        )

    def url(self, role: str = APP, database: str = DATABASE) -> str:
        """How libpq connects: the application's role, or `OWNER`."""
        return make_conninfo(
            host=str(socket_dir(self.cluster, make=False)),
            port=(self._settings or {}).get("port", postmaster.SETTINGS["port"]),
            user=role,
            password=passwords(self.cluster)[role],
            dbname=database,
        )

    # all below: under the start lock

    def _bring_up(self) -> None:
        try:
            self._bring_up_unless_it_answers()
        except OSError as error:
            what = f"{error.strerror}: {error.filename}" if error.filename else str(error)
            raise programs.failure("The database can't be started", what, self.cluster) from None

    def _bring_up_unless_it_answers(self) -> None:
        cluster = self.cluster
        known = cluster.secrets.exists()
        if cluster.made() and known:
            try:
                return self._probe()
            except psycopg.OperationalError as error:
                if "password authentication failed" in str(error):
                    raise DatabaseUnavailable(
                        f"The database does not take the password in {cluster.secrets}.",
                        "Remove that file and run `arxivscout db stop --force`: the next start "
                        "makes new passwords; no data are lost.",
                    ) from None
        if cluster.made() and postmaster.main_process(cluster) is not None:
            if known and postmaster.wait(cluster, self._probe, self._notice):
                return
            postmaster.stop(cluster)  # ours, up, and out of reach
        folder = programs.binaries(cluster)
        if not cluster.made():
            programs.initialise(cluster, folder, self._notice)
        programs.check_major(cluster, folder)
        if not cluster.secrets.exists():
            postmaster.clear_the_way(cluster, socket_dir(cluster, make=True))
            programs.renew_passwords(cluster, folder, self._notice)
        postmaster.start(cluster, folder, self._probe, self._notice, self._settings)

    def _probe(self) -> None:
        postmaster.bound_log(self.cluster)
        try:
            psycopg.connect(self.url(OWNER), connect_timeout=10).close()
        except psycopg.OperationalError as error:
            if f'database "{DATABASE}" does not exist' not in str(error):
                raise
            self._create_database()

    def _create_database(self) -> None:
        password = passwords(self.cluster)[APP]
        with psycopg.connect(self.url(OWNER, "postgres"), autocommit=True) as conn:
            known = conn.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [APP]).fetchone()
            statement = sql.SQL(ALTER_APP if known else CREATE_APP)
            conn.execute(statement.format(role=sql.Identifier(APP), password=sql.Literal(password)))
            # last: that it exists says that all the rest does
            conn.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))

    @property
    def _keep(self) -> Path:
        return self.cluster.base / "keep"

    def _leave(self) -> None:
        if self._membership is not None:
            os.close(self._membership)
            self._membership = None

    def _nobody_uses_it(self) -> bool:
        handle = (
            self._membership if self._membership is not None else self._open_lock("clients.lock")
        )
        try:
            return self._alone(handle)
        finally:
            if handle != self._membership:
                os.close(handle)

    def _alone(self, handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            # A failed upgrade may have dropped the shared lock: take it again.
            if handle == self._membership:
                fcntl.flock(handle, fcntl.LOCK_SH)
            return False
        if handle == self._membership:
            fcntl.flock(handle, fcntl.LOCK_SH)
        return True

    def _open_lock(self, name: str) -> int:
        path = self.cluster.base / name
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            self.cluster.keeper.own(path)
            return handle
        except OSError as error:
            raise programs.failure(
                "The database can't be used", f"{error.strerror}: {path}", self.cluster
            ) from None

    @contextmanager
    def _start_lock(self) -> Iterator[None]:
        handle = self._open_lock("start.lock")
        try:
            self._flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def _flock(self, handle: int, kind: int) -> None:
        deadline = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                return fcntl.flock(handle, kind | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise DatabaseUnavailable(
                        "Another process has been starting or stopping the database for minutes.",
                        "End it and try again; `arxivscout db status` tells more.",
                    ) from None
                time.sleep(0.01)
