"""The database as the rest of the program sees it: transactions in the name of a person.

`open_database` is the one way in. It starts or joins the embedded server or takes the one that the
settings name, brings the schema up to date, and checks that the embedder is the one that made the
stored vectors. When all is well already, that costs one connection and one query.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import TransactionStatus

from arxivscout.errors import ConfigurationError, DatabaseError, DatabaseUnavailable, UsageError
from arxivscout.memory import migrate, roles
from arxivscout.memory.cluster import OWNER
from arxivscout.memory.embedded import EmbeddedServer, quiet
from arxivscout.memory.pool import ConnectionPool

if TYPE_CHECKING:
    from arxivscout.embedding import EmbeddingIdentity
    from arxivscout.settings import Settings

# A statement with its parameters, and what came back for it.
Statement = tuple[str, Mapping[str, Any] | Sequence[Any]]
Rows = list[tuple[Any, ...]]

POOL_SIZE = 16
POOL_SECONDS = 30.0
CONNECT_SECONDS = 10
# How long a server may be starting up before that counts as down.
STARTING_SECONDS = 15.0

SET_USER = "SELECT set_config('arxivscout.user_id', %s, true)"
# What opening needs to know, in one query.
STATE = f"""
SELECT s.*, (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user),
       ARRAY(SELECT to_jsonb(ARRAY[version::text, name, checksum])
             FROM arxivscout.schema_migrations ORDER BY version),
       (SELECT to_jsonb(m) FROM arxivscout.embedding_model m)
FROM ({roles.SERVER}) s
"""  # noqa: S608


class Database:
    """The connections of one process to one database; safe to use from several threads."""

    def __init__(self, login_url: str, admin_url: str, *, access: roles.Access | None,
                 server: EmbeddedServer | None = None) -> None:  # fmt: skip
        self._login = conninfo_to_dict(login_url)
        self._admin = conninfo_to_dict(admin_url)
        self._access = access or roles.Access(role=None, vector_schema="public")
        self._server = server
        self._pool = ConnectionPool(
            lambda: self._connect(self.url), size=POOL_SIZE, timeout=POOL_SECONDS
        )

    # how others connect

    @property
    def url(self) -> str:
        """libpq connection string of the application's role; it names no person."""
        return make_conninfo(**{**self._login, "options": self._options()})

    @property
    def admin_url(self) -> str:
        """libpq connection string of the schema's owner, past row security."""
        settings = {
            "search_path": self._search_path,
            "TimeZone": "UTC",
            "arxivscout.maintenance": "on",
        }
        options = _with_options(self._admin.get("options"), settings)
        return make_conninfo(**{**self._admin, "options": options})

    def user_url(self, user: str, *, driver: bool = False) -> str:
        """URL of the application's role, bound to one person.

        Args:
            user: whose rows it sees.
            driver: with SQLAlchemy's `postgresql+psycopg://` instead of libpq's `postgresql://`.
        """
        _check_user(user)
        info = {**self._login, "options": self._options({"arxivscout.user_id": user})}
        return _as_url(info, "postgresql+psycopg" if driver else "postgresql")

    # transactions

    @contextmanager
    def transaction(self, user: str) -> Iterator[psycopg.Connection[Any]]:
        """A transaction that sees and writes this person's rows (and what is shared).

        It commits at the end of the block, or rolls back if that raised. BEGIN and the person go to
        the server in one round trip; a connection that broke while it was idle is replaced.

        Raises:
            DatabaseUnavailable: the server can't be reached, or left in mid-transaction: then
                nothing is stored, unless it left while committing.
        """
        _check_user(user)
        with self._transaction(user) as conn:
            yield conn

    def batch(self, user: str, statements: Sequence[Statement]) -> list[Rows]:
        """Run the statements as one transaction of this person, in one round trip.

        A connection that broke while it was idle is replaced and all is sent again, so the
        statements must bear being run twice: they are keyed by what they store.

        Args:
            user: whose rows they see; "" for what is shared.

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
                    return _run_batch(conn, user, statements)
            except DatabaseUnavailable:
                if not again:
                    raise
                self._pool.drop_idle()
        raise AssertionError("unreachable")

    @contextmanager
    def shared(self) -> Iterator[psycopg.Connection[Any]]:
        """A transaction in nobody's name: papers, and the tools of the installation."""
        with self._transaction("") as conn:
            yield conn

    @contextmanager
    def autocommit(self) -> Iterator[psycopg.Connection[Any]]:
        """A connection in nobody's name and in no transaction: for LangGraph's checkpoints."""
        conn = self._checkout(None)
        with self._returning(conn):
            yield conn

    @contextmanager
    def admin(self) -> Iterator[psycopg.Connection[Any]]:
        """A connection of the schema's owner at maintenance: past row security, to all rows.

        One transaction unless the block commits; own connection, closed at the end.
        """
        conn = self._connect(self.admin_url)
        conn.autocommit = False
        try:
            with explained(), conn:
                yield conn
        finally:
            conn.close()

    def close(self) -> None:
        """Close the connections, and leave the embedded server (the last one out stops it)."""
        self._pool.close()
        if self._server is not None:
            self._server.release()

    @contextmanager
    def _transaction(self, user: str) -> Iterator[psycopg.Connection[Any]]:
        conn = self._checkout(user)
        with self._returning(conn):
            try:
                yield conn
            except BaseException:
                if not conn.closed:
                    conn.rollback()
                raise
            if conn.info.transaction_status == TransactionStatus.INERROR:
                conn.rollback()
                raise DatabaseError("A statement of the transaction failed: nothing was stored.")
            conn.commit()

    @contextmanager
    def _returning(self, conn: psycopg.Connection[Any]) -> Iterator[None]:
        try:
            with explained(conn):
                yield
        finally:
            self._pool.put(conn)

    def _checkout(self, user: str | None) -> psycopg.Connection[Any]:
        """A connection in a transaction of `user`, or for None in none."""
        while True:
            conn = self._pool.get()
            try:
                if user is not None:
                    _begin(conn, user)
                return conn
            except psycopg.OperationalError as error:
                # It broke while nobody looked, and the next connection is a new one: that one
                # works, or `get` says why not.
                self._pool.put(conn)
                self._pool.drop_idle()
                if not conn.closed:
                    raise explain(error) or error from None
            except BaseException:
                self._pool.put(conn)
                raise

    def _connect(self, url: str) -> psycopg.Connection[Any]:
        begun = time.monotonic()
        revived = self._server is None
        while True:
            try:
                return psycopg.connect(url, autocommit=True, connect_timeout=CONNECT_SECONDS)
            except psycopg.OperationalError as error:
                if not revived and self._server is not None:
                    self._server.ensure_up()
                    revived = True
                    continue
                starting = "starting up" in str(error) or "not yet accepting" in str(error)
                if starting and time.monotonic() - begun < STARTING_SECONDS:
                    time.sleep(0.1)
                    continue
                raise unreachable(error, self._server is None) from None

    # settings of a session

    @property
    def _search_path(self) -> str:
        # pgvector lives in `public`, or in a schema of extensions on some servers
        extra = {"public": None, self._access.vector_schema: None}
        return ",".join([migrate.SCHEMA, *extra])

    def _options(self, more: dict[str, str] | None = None) -> str:
        settings = {
            "search_path": self._search_path,
            # A generic plan made for somebody with many rows lost most rows of somebody with few.
            "plan_cache_mode": "force_custom_plan",
            "TimeZone": "UTC",
            "statement_timeout": "120s",
            "lock_timeout": "30s",
            "idle_in_transaction_session_timeout": "15min",
            **({"role": self._access.role} if self._access.role else {}),
            **(more or {}),
        }
        return _with_options(self._login.get("options"), settings)


def open_database(
    settings: Settings,
    *,
    identity: EmbeddingIdentity | None = None,
    notice: Callable[[str], None] = quiet,
) -> Database:
    """Open the database of the settings: server, schema, embedder.

    Args:
        identity: the embedder that will make vectors; None leaves that unchecked.
        notice: is told what takes long.

    Raises:
        DatabaseError: with the one line that tells the person what to do.
    """
    server = None
    if settings.database_url is None:
        server = EmbeddedServer(settings.home, notice=notice)
        server.acquire()
        login_url, admin_url = server.url(), server.url(OWNER)
    else:
        login_url = settings.database_url.get_secret_value()
        given = settings.admin_database_url
        admin_url = given.get_secret_value() if given else login_url
    try:
        return _open(_tcp(login_url), _tcp(admin_url), server, identity, notice)
    except BaseException:
        if server is not None:
            server.release()
        raise


def _open(login_url: str, admin_url: str, server: EmbeddedServer | None,
          identity: EmbeddingIdentity | None, notice: Callable[[str], None]) -> Database:  # fmt: skip
    # A login of its own name needs no role to take on: then one query tells that all is well.
    if roles.login_of(conninfo_to_dict(login_url)) == roles.APP:
        database = Database(login_url, admin_url, access=None, server=server)
        try:
            if _is_ready(database, identity):
                return database
        except BaseException:
            database._pool.close()
            raise
        database._pool.close()
    plain = Database(login_url, admin_url, access=None, server=server)
    with plain.admin() as admin:
        admin.autocommit = True
        access = roles.prepare_server(admin, roles.login_of(conninfo_to_dict(login_url)))
        database = Database(login_url, admin_url, access=access, server=server)
        role = roles.APP if access.role or roles.login_of(database._login) == roles.APP else None
        migrate.migrate(admin, role=role, vector_schema=access.vector_schema, notice=notice)
        if identity is not None:
            admin.execute(f"SET search_path = {database._search_path}".encode())
            migrate.bind_model(admin, identity)
    if not _is_ready(database, identity):
        raise DatabaseError(
            "The database was prepared, and is not ready.", "Run `arxivscout doctor`."
        )
    return database


def _is_ready(database: Database, identity: EmbeddingIdentity | None) -> bool:
    """Whether the application's role finds all as it should be.

    Raises:
        DatabaseError: it found what no preparation mends.
    """
    try:
        with database.autocommit() as conn:
            row = conn.execute(STATE).fetchone()
    except psycopg.errors.UndefinedTable:
        return False
    except psycopg.errors.InsufficientPrivilege:
        return False
    assert row is not None
    *server, bypasses, ledger, model = row
    roles.check_server(tuple(server))
    if bypasses:
        return False
    applied = [(int(version), name, checksum) for version, name, checksum in ledger]
    if server[4] is None or migrate.pending(applied, migrate.shipped()):
        return False
    bound = (model["name"], model["dimension"], model["fingerprint"]) if model else None
    return identity is None or migrate.check_model(bound, identity)


def _begin(conn: psycopg.Connection[Any], user: str) -> None:
    with conn.pipeline():
        conn.execute("BEGIN")
        conn.execute(SET_USER, [user])


def _run_batch(
    conn: psycopg.Connection[Any], user: str, statements: Sequence[Statement]
) -> list[Rows]:
    try:
        with conn.pipeline():
            _begin(conn, user)
            cursors = [conn.cursor() for _ in statements]
            for cursor, (sql, parameters) in zip(cursors, statements, strict=True):
                cursor.execute(sql, parameters)  # type: ignore[call-overload]
            conn.execute("COMMIT")
    except BaseException:
        if not conn.closed and conn.info.transaction_status != TransactionStatus.IDLE:
            conn.rollback()
        raise
    return [cursor.fetchall() if cursor.description else [] for cursor in cursors]


@contextmanager
def explained(conn: psycopg.Connection[Any] | None = None) -> Iterator[None]:
    """Turn what a person can mend into an error of ours; the rest stays as it is."""
    try:
        yield
    except psycopg.OperationalError as error:
        better = explain(error, lost=conn is not None and conn.closed)
        if better is None:
            raise
        raise better from error


def explain(error: psycopg.Error, *, lost: bool = False) -> DatabaseError | None:
    """The error of ours that tells a person about `error`, if there is one."""
    if isinstance(error, psycopg.errors.DiskFull) or "No space left" in str(error):
        return DatabaseError(
            "The database's disk is full: nothing was stored.", "Free space on it and try again."
        )
    if lost or isinstance(error, (psycopg.errors.AdminShutdown, psycopg.errors.CrashShutdown)):
        return DatabaseUnavailable(
            "The connection to the database was lost.", "Try again; `arxivscout doctor` tells more."
        )
    return None


def unreachable(error: psycopg.OperationalError, foreign: bool) -> DatabaseUnavailable:
    """Why no connection could be had, in one line without the password."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    reason = lines[-1] if lines else type(error).__name__
    for line in lines:
        if "FATAL:" in line or "failed:" in line or "timeout" in line:
            reason = line.split("FATAL:")[-1].strip()
            break
    if not foreign:
        mend = "`arxivscout db status` and `arxivscout doctor` tell more."
    elif "password" in reason or "authentication" in reason:
        mend = "Check the user and password in ARXIVSCOUT_DATABASE_URL."
    else:
        mend = "Check ARXIVSCOUT_DATABASE_URL and that the server runs (`make db-up` starts one)."
    return DatabaseUnavailable(f"The database can't be reached: {reason.rstrip('.')}.", mend)


def _check_user(user: str) -> None:
    if not user or "\0" in user:
        raise UsageError("A user is needed, and there is none.", "Give one by --user.")


def _tcp(url: str) -> str:
    """The connection string with time-outs for a network that goes silent.

    Raises:
        ConfigurationError: it can't be parsed.
    """
    url = url.replace("postgresql+psycopg://", "postgresql://", 1)
    defaults = {
        "application_name": "arxivscout",
        "connect_timeout": CONNECT_SECONDS,
        "client_encoding": "UTF8",
        "keepalives_idle": 30,
        "tcp_user_timeout": 20_000,
    }
    try:
        return make_conninfo(**{**defaults, **conninfo_to_dict(url)})
    except psycopg.ProgrammingError as error:
        raise ConfigurationError(
            f"The database URL can't be used: {str(error).strip()}.",
            "It looks like postgresql://user:password@host:5432/database.",
        ) from None


def _with_options(given: Any, settings: dict[str, str]) -> str:
    ours = [f"-c {name}={_escape(value)}" for name, value in settings.items()]
    return " ".join([*([str(given)] if given else []), *ours])


def _escape(value: str) -> str:
    """A value within libpq's `options`, where blanks separate and backslashes escape."""
    return "".join("\\" + letter if letter in " \\\t\n\r\f\v" else letter for letter in value)


def _as_url(info: dict[str, Any], scheme: str) -> str:
    rest = {key: str(value) for key, value in info.items() if value is not None}
    user, password = rest.pop("user", ""), rest.pop("password", "")
    name = rest.pop("dbname", user)
    login = quote(user, safe="") + (f":{quote(password, safe='')}" if password else "")
    # The host goes into the query: a socket's folder can't stand before the slash.
    return f"{scheme}://{login}@/{quote(name, safe='')}?{urlencode(rest, quote_via=quote)}"
