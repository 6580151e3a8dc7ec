"""Opening the database: server, schema, embedder.

`open_database` is the one way in. It starts or joins the embedded server or takes the one that the
settings name, brings the schema up to date, and checks that the embedder is the one that made the
stored vectors. When all is well already, that costs one connection and three small queries.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from arxivscout.errors import DatabaseError
from arxivscout.memory import migrate, roles, vector_columns
from arxivscout.memory.cluster import APP, OWNER
from arxivscout.memory.connection import as_conninfo, login_of
from arxivscout.memory.deferred_indexes import build_deferred
from arxivscout.memory.embedded import EmbeddedServer, quiet
from arxivscout.memory.postgres import Database
from arxivscout.memory.spelling import index_spellings
from arxivscout.memory.word_form import words_are_current, write_words_anew

if TYPE_CHECKING:
    from arxivscout.embedding import EmbeddingIdentity
    from arxivscout.settings import Settings


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
    with ExitStack() as undo:
        database = attach_database(settings, notice=notice)
        undo.callback(database.close)
        if not is_ready(database, identity):
            prepare_database(database, identity, notice)
            if not is_ready(database, identity):
                raise DatabaseError(
                    "The database was prepared, and yet is not ready.",
                    "`arxivscout doctor` tells more.",
                )
        if database.lacks_indexes:  # a load goes on, or was killed
            try:
                build_deferred(database, notice)
            except (DatabaseError, psycopg.Error) as error:
                reason = f"{type(error).__name__}: {error}".splitlines()[0]
                notice(f"Searches are slow, as indexes can't be built now ({reason}).")
        undo.pop_all()
        return database


def attach_database(settings: Settings, *, notice: Callable[[str], None] = quiet) -> Database:
    """The database of the settings as it is: nothing is checked, made or changed.

    For what must work when `open_database` refuses: backup, reset, doctor.
    """
    if settings.database_url is not None:
        login = settings.database_url.get_secret_value()
        admin = settings.admin_database_url
        return Database(login, admin.get_secret_value() if admin else login)
    server = EmbeddedServer(settings.home, notice=notice)
    server.acquire()
    return Database(server.url(), server.url(OWNER), server=server)


def is_ready(database: Database, identity: EmbeddingIdentity | None) -> bool:
    """Whether the application finds everything as it should be; sets the database's access.

    Raises:
        DatabaseError: it found what no preparation mends.
    """
    with database.connect(as_conninfo(database.login, {})) as conn:
        access = roles.look(conn)
        if access is None:
            return False
        database.access = access
        if access.role is not None:
            conn.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(access.role)))
        try:
            ledger, bound, deferred = migrate.read_state(conn)
            database.lacks_indexes = bool(deferred)
            if migrate.pending(ledger, migrate.shipped()) or not words_are_current(conn):
                return False
        except (psycopg.errors.UndefinedTable, psycopg.errors.InsufficientPrivilege):
            return False
    return identity is None or vector_columns.check_model(bound, identity)


def prepare_database(
    database: Database, identity: EmbeddingIdentity | None, notice: Callable[[str], None]
) -> str | None:
    """Make what is missing: extension, role, schema, the embedder's columns; as the owner.

    Returns:
        The role that the application works as; None if that is the owner itself.

    Raises:
        DatabaseError: what this login may not make, or what no preparation mends.
    """
    with database.admin() as admin:
        admin.autocommit = True
        login = login_of(database.login)
        access = database.access = roles.prepare_server(admin, login)
        role = APP if access.role or login == APP else None
        migrate.migrate(admin, role=role, vector_schema=access.vector_schema, notice=notice)
        admin.execute(f"SET search_path = {database.search_path}".encode())
        index_spellings(admin)
        write_words_anew(admin, notice)
        if identity is not None:
            with admin.transaction():
                vector_columns.bind_model(admin, identity)
    return role
