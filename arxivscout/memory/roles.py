"""What ArxivScout needs of any PostgreSQL server: versions, the extension, a role without bypass.

The application works as the role `arxivscout_app`, which row security binds. On the embedded server
that is its login. On another server it is a role without login that the given login takes on, so
that a superuser's URL works and still sees one person's rows only. Where the login may not make
roles, it owns the tables itself, and row security is forced on owners too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql

from arxivscout.errors import DatabaseError, DatabaseTooOld
from arxivscout.memory.cluster import APP

POSTGRES_MINIMUM = 15
VECTOR_MINIMUM = (0, 8, 4)

SERVER = """
SELECT current_setting('server_version_num')::int, current_setting('server_version'),
       current_setting('server_encoding'), session_user,
       (SELECT extversion FROM pg_extension WHERE extname = 'vector'),
       (SELECT nspname FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace
        WHERE extname = 'vector'),
       (SELECT default_version FROM pg_available_extensions WHERE name = 'vector'),
       (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = session_user)
"""
ROLE = "SELECT rolsuper OR rolbypassrls, rolcanlogin FROM pg_roles WHERE rolname = %s"
MEMBER = "SELECT pg_has_role(%s, %s, 'MEMBER')"


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """How the application works on this server."""

    role: str | None  # to be taken on by the login; None: the login itself
    vector_schema: str  # where the extension's types live


def check_server(row: tuple[Any, ...]) -> None:
    """Refuse a server too old or without UTF-8; `row` is what `SERVER` returned.

    Raises:
        DatabaseTooOld: PostgreSQL < 15 or pgvector < 0.8.4 (it corrupts HNSW under vacuum).
        DatabaseError: another encoding than UTF-8.
    """
    number, version, encoding, _, vector, _, _, _ = row
    if number < POSTGRES_MINIMUM * 10_000:
        raise DatabaseTooOld(
            f"The server is PostgreSQL {version}; ArxivScout needs {POSTGRES_MINIMUM} or newer.",
            "Use a newer server, or unset ARXIVSCOUT_DATABASE_URL for the embedded one.",
        )
    if encoding != "UTF8":
        raise DatabaseError(
            f"The database's encoding is {encoding}; ArxivScout needs UTF8.",
            "CREATE DATABASE arxivscout ENCODING 'UTF8' TEMPLATE template0;",
        )
    if vector is not None and version_key(vector) < VECTOR_MINIMUM:
        raise DatabaseTooOld(
            f"The database's pgvector is {vector}; ArxivScout needs 0.8.4 or newer "
            "(older ones corrupt HNSW indexes under vacuum).",
            "Install a newer pgvector, then as a superuser: ALTER EXTENSION vector UPDATE;",
        )


def version_key(version: str) -> tuple[int, ...]:
    """The numbers of a version, for comparing: 0.8.4 -> (0, 8, 4)."""
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


def prepare_server(admin: psycopg.Connection[Any], login: str) -> Access:
    """Check the server, and see to the extension and the application's role.

    Args:
        admin: an autocommit connection of whoever owns the schema.
        login: the name that the application logs in with.

    Raises:
        DatabaseTooOld, DatabaseError: see `check_server`; or the extension is missing, or the login
            passes by row security, and this connection may not mend it: the SQL that does.
    """
    row = admin.execute(SERVER).fetchone()
    assert row is not None
    check_server(row)
    *_, extension, schema, available, may_make_roles = row
    if extension is None:
        schema = _create_extension(admin, available)
    return Access(role=_app_role(admin, login, bool(may_make_roles)), vector_schema=schema)


def _create_extension(admin: psycopg.Connection[Any], available: str | None) -> str:
    if available is None:
        raise DatabaseError(
            "The server has no pgvector.",
            "Install it (docker-compose.yml has a server with it), or unset "
            "ARXIVSCOUT_DATABASE_URL for the embedded one.",
        )
    if version_key(available) < VECTOR_MINIMUM:
        raise DatabaseTooOld(
            f"The server offers pgvector {available}; ArxivScout needs 0.8.4 or newer.",
            "Install a newer pgvector on the server.",
        )
    try:
        admin.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
    except psycopg.errors.InsufficientPrivilege:
        raise DatabaseError(
            "The extension pgvector is missing, and this login may not create it.",
            f"As an administrator, in the database {admin.info.dbname}: CREATE EXTENSION vector;",
        ) from None
    return "public"


def _app_role(admin: psycopg.Connection[Any], login: str, may_make_roles: bool) -> str | None:
    app, name = sql.Identifier(APP), sql.Identifier(login)
    known = admin.execute(ROLE, [APP]).fetchone()
    if known is None and may_make_roles:
        # Two installations on one server may get here at once: the role is theirs both.
        try:
            admin.execute(sql.SQL("CREATE ROLE {} NOLOGIN NOSUPERUSER NOBYPASSRLS").format(app))
        except (psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
            pass
        known = admin.execute(ROLE, [APP]).fetchone()
    if known is not None and known[0]:
        raise DatabaseError(
            f"The role {APP} passes by row security.",
            f"As an administrator: ALTER ROLE {APP} NOSUPERUSER NOBYPASSRLS;",
        )
    if login == APP:
        return None
    mine = admin.execute(ROLE, [login]).fetchone()
    bypasses = bool(mine and mine[0])
    if known is not None:
        member = admin.execute(MEMBER, [login, APP]).fetchone()
        if not (member and member[0]) and may_make_roles:
            try:
                admin.execute(sql.SQL("GRANT {} TO {}").format(app, name))
            except psycopg.errors.InsufficientPrivilege:
                pass
            member = admin.execute(MEMBER, [login, APP]).fetchone()
        if member and member[0]:
            return APP
    if bypasses:
        raise DatabaseError(
            f"The login {login} passes by row security, and may not take on a role that does not.",
            f"As an administrator: CREATE ROLE {APP} NOLOGIN; GRANT {APP} TO {login};",
        )
    return None


def login_of(info: Mapping[str, Any]) -> str:
    """The login that a parsed connection string names (libpq's default is the account)."""
    import getpass

    return str(info.get("user") or getpass.getuser())
