"""What ArxivScout needs of any PostgreSQL server: versions, the extension, a role without bypass.

The application works as the role `arxivscout_app`, which row security binds. On the embedded server
that is its login. On another server it is a role without login that the given login takes on, so
that a superuser's URL works and still sees one person's rows only. Where the login may not make
roles, it owns the tables itself, and row security is forced on owners too.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql

from arxivscout.errors import DatabaseError, DatabaseTooOld
from arxivscout.memory.cluster import APP

POSTGRES_MINIMUM = 15
VECTOR_MINIMUM = (0, 8, 4)

# One row: the server, the extension, the login, the application's role.
FACTS = """
SELECT current_setting('server_version_num')::int AS number,
       current_setting('server_version') AS version,
       current_setting('server_encoding') AS encoding,
       session_user::text AS login,
       (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vector,
       (SELECT nspname FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace
        WHERE extname = 'vector') AS vector_schema,
       me.rolsuper OR me.rolbypassrls AS bypasses,
       me.rolsuper OR me.rolcreaterole AS may_make_roles,
       app.rolsuper OR app.rolbypassrls AS app_bypasses,
       pg_has_role(session_user, app.oid, 'MEMBER') AS is_member
FROM pg_roles me LEFT JOIN pg_roles app ON app.rolname = 'arxivscout_app'
WHERE me.rolname = session_user
"""
ROLE = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = %s"
MEMBER = "SELECT pg_has_role(%s, %s, 'MEMBER')"
OFFERED = "SELECT default_version FROM pg_available_extensions WHERE name = 'vector'"
LACKS_TRIGRAMS = """
SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm')
   AND NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm')
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """How the application works on this server."""

    role: str | None  # to be taken on by the login; None: the login itself
    vector_schema: str  # where the extension's types live


@dataclass(frozen=True, slots=True)
class Facts:
    """The columns of `FACTS`; None where there is no such extension or role."""

    number: int
    version: str
    encoding: str
    login: str
    vector: str | None
    vector_schema: str | None
    bypasses: bool
    may_make_roles: bool
    app_bypasses: bool | None
    is_member: bool | None

    @property
    def access(self) -> Access | None:
        """How this login works, if row security holds for it."""
        if self.vector_schema is None or self.app_bypasses:
            return None
        if self.login == APP or not (self.is_member or self.bypasses):
            return Access(role=None, vector_schema=self.vector_schema)
        if self.is_member:
            return Access(role=APP, vector_schema=self.vector_schema)
        return None


def look(conn: psycopg.Connection[Any]) -> Access | None:
    """How the connection's login works on its server; None if that has to be prepared.

    Raises:
        DatabaseTooOld, DatabaseError: see `check`.
    """
    return _facts(conn).access


def _facts(conn: psycopg.Connection[Any]) -> Facts:
    row = conn.execute(FACTS).fetchone()
    assert row is not None
    facts = Facts(*row)
    check(facts)
    return facts


def check(facts: Facts) -> None:
    """Refuse a server that is too old or stores no UTF-8.

    Raises:
        DatabaseTooOld: PostgreSQL < 15 or pgvector < 0.8.4 (it corrupts HNSW under vacuum).
        DatabaseError: another encoding than UTF-8.
    """
    if facts.number < POSTGRES_MINIMUM * 10_000:
        raise DatabaseTooOld(
            f"The server is PostgreSQL {facts.version}; "
            f"ArxivScout needs {POSTGRES_MINIMUM} or newer.",
            "Use a newer server, or unset ARXIVSCOUT_DATABASE_URL for the embedded one.",
        )
    if facts.encoding != "UTF8":
        raise DatabaseError(
            f"The database's encoding is {facts.encoding}; ArxivScout needs UTF8.",
            "CREATE DATABASE arxivscout ENCODING 'UTF8' TEMPLATE template0;",
        )
    if facts.vector is not None and version_key(facts.vector) < VECTOR_MINIMUM:
        raise DatabaseTooOld(
            f"The database's pgvector is {facts.vector}; ArxivScout needs 0.8.4 or newer "
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
        DatabaseTooOld, DatabaseError: see `check`; or the extension is missing, or the login passes
            by row security, and this connection may not mend it: the SQL that does.
    """
    facts = _facts(admin)
    schema = facts.vector_schema or _create_extension(admin)
    _create_trigrams(admin, schema)
    return Access(role=_app_role(admin, login, facts), vector_schema=schema)


def _create_extension(admin: psycopg.Connection[Any]) -> str:
    offered = admin.execute(OFFERED).fetchone()
    if offered is None:
        raise DatabaseError(
            "The server has no pgvector.",
            "Install it (docker-compose.yml has a server with it), or unset "
            "ARXIVSCOUT_DATABASE_URL for the embedded one.",
        )
    if version_key(offered[0]) < VECTOR_MINIMUM:
        raise DatabaseTooOld(
            f"The server offers pgvector {offered[0]}; ArxivScout needs 0.8.4 or newer.",
            "Install a newer pgvector on the server.",
        )
    try:
        admin.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
    except psycopg.errors.InsufficientPrivilege:
        raise DatabaseError(
            "The extension pgvector is missing, and this login may not create it.",
            f"As an administrator, in the database {admin.info.dbname}: CREATE EXTENSION vector;",
        ) from None
    except psycopg.errors.UniqueViolation:
        pass  # another process made it at the same moment
    return "public"


def _create_trigrams(admin: psycopg.Connection[Any], schema: str) -> None:
    """Make the extension that misspelled words are mended by, if that may be: it is no must."""
    lacking = admin.execute(LACKS_TRIGRAMS).fetchone()
    if lacking is not None and lacking[0]:
        create = sql.SQL("CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA {}")
        with suppress(psycopg.errors.InsufficientPrivilege, psycopg.errors.UniqueViolation):
            admin.execute(create.format(sql.Identifier(schema)))


def _app_role(admin: psycopg.Connection[Any], login: str, facts: Facts) -> str | None:
    app, name = sql.Identifier(APP), sql.Identifier(login)
    if facts.app_bypasses is None and facts.may_make_roles:
        # Roles belong to the whole server, and another database of it may be at the same point.
        with suppress(psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
            admin.execute(sql.SQL("CREATE ROLE {} NOLOGIN NOSUPERUSER NOBYPASSRLS").format(app))
    role = admin.execute(ROLE, [APP]).fetchone()
    if role is not None and role[0]:
        raise DatabaseError(
            f"The role {APP} passes by row security.",
            f"As an administrator: ALTER ROLE {APP} NOSUPERUSER NOBYPASSRLS;",
        )
    if login == APP:
        return None
    if role is not None:
        if not _is_member(admin, login) and facts.may_make_roles:
            with suppress(psycopg.errors.InsufficientPrivilege):
                admin.execute(sql.SQL("GRANT {} TO {}").format(app, name))
        if _is_member(admin, login):
            return APP
    itself = admin.execute(ROLE, [login]).fetchone()
    if itself is not None and itself[0]:
        raise DatabaseError(
            f"The login {login} passes by row security, and may not take on a role that does not.",
            f"As an administrator: CREATE ROLE {APP} NOLOGIN; GRANT {APP} TO {login};",
        )
    return None


def _is_member(admin: psycopg.Connection[Any], login: str) -> bool:
    row = admin.execute(MEMBER, [login, APP]).fetchone()
    return bool(row and row[0])
