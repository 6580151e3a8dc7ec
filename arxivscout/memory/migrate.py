"""The schema's history: forward only, one at a time, each migration whole or not at all.

A migration is a file `migrations/NNNN_verb_noun.sql`. The ledger `schema_migrations` keeps what was
applied, with a checksum: an applied file never changes.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import psycopg
from psycopg import sql

from arxivscout.errors import DatabaseError, SchemaTooNew
from arxivscout.memory.cluster import APP

SCHEMA = "arxivscout"
LOCK_KEY = 0x5C007  # of the advisory lock: any number that is ours
LOCK = "SELECT pg_advisory_lock(%s)"
UNLOCK = "SELECT pg_advisory_unlock(%s)"
CREATE_LEDGER = """
CREATE TABLE IF NOT EXISTS arxivscout.schema_migrations (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    checksum TEXT NOT NULL,
    applied_at TIMESTAMPTZ NOT NULL DEFAULT now()
)
"""
READ_LEDGER = "SELECT version, name, checksum FROM arxivscout.schema_migrations ORDER BY version"
WRITE_LEDGER = """
INSERT INTO arxivscout.schema_migrations (version, name, checksum) VALUES (%s, %s, %s)
"""
READ_STATE = """
SELECT 'migration', version, name, checksum FROM arxivscout.schema_migrations
UNION ALL
SELECT 'model', dimension, name, fingerprint FROM arxivscout.embedding_model
UNION ALL
SELECT 'deferred', 0, name, '' FROM arxivscout.deferred_index
"""
MAY_USE = "SELECT has_schema_privilege(%s, %s, 'USAGE')"
GRANTS = """
GRANT USAGE ON SCHEMA arxivscout TO {role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA arxivscout TO {role};
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA arxivscout TO {role};
REVOKE INSERT, UPDATE, DELETE ON arxivscout.schema_migrations, arxivscout.embedding_model
    FROM {role};
ALTER DEFAULT PRIVILEGES IN SCHEMA arxivscout
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {role};
ALTER DEFAULT PRIVILEGES IN SCHEMA arxivscout GRANT USAGE, SELECT ON SEQUENCES TO {role};
"""
# The owner sees all rows only while it says that it is at maintenance (re-embedding, backup): that
# covers a server where one login is both owner and application. For the owner only: beside it the
# other policy could use no index.
MAINTENANCE = """
DO $$
DECLARE
    private REGCLASS;
BEGIN
    FOR private IN
        SELECT c.oid FROM pg_class c
        WHERE relnamespace = 'arxivscout'::regnamespace AND relrowsecurity
          AND NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid AND polname = 'maintenance')
    LOOP
        EXECUTE format(
            'CREATE POLICY maintenance ON %s TO CURRENT_USER '
            'USING (current_setting(''arxivscout.maintenance'', true) = ''on'')', private);
    END LOOP;
END $$
"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One file of the schema's history."""

    version: int
    name: str
    text: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


def shipped() -> tuple[Migration, ...]:
    """The migrations that this program brings, in order."""
    found = []
    for file in resources.files("arxivscout.memory").joinpath("migrations").iterdir():
        if match := re.fullmatch(r"(\d{4})_\w+\.sql", file.name):
            found.append(Migration(int(match[1]), file.name[:-4], file.read_text("utf-8")))
    return tuple(sorted(found, key=lambda migration: migration.version))


def pending(
    ledger: Sequence[tuple[int, str, str]], migrations: Sequence[Migration]
) -> list[Migration]:
    """What is yet to be applied, given the ledger's rows (version, name, checksum).

    Raises:
        SchemaTooNew: the ledger has a version that this program does not know.
        DatabaseError: an applied migration's text is not what this program brings.
    """
    known = {migration.version: migration for migration in migrations}
    applied = set()
    for version, name, checksum in ledger:
        if version not in known:
            raise SchemaTooNew(
                f"A newer ArxivScout has migrated this database (to {name}).",
                "Upgrade this ArxivScout, or use another ARXIVSCOUT_HOME.",
            )
        if known[version].checksum != checksum:
            raise DatabaseError(
                f"The migration {name} was changed after it had been applied.",
                "Install the ArxivScout that made this database, or restore a backup into a new "
                "one: `arxivscout db backup FILE`, `arxivscout db restore FILE`.",
            )
        applied.add(version)
    return [migration for migration in migrations if migration.version not in applied]


def migrate(
    admin: psycopg.Connection[Any],
    *,
    role: str | None = APP,
    vector_schema: str = "public",
    migrations: Sequence[Migration] | None = None,
    notice: Callable[[str], None] = lambda _: None,
) -> list[str]:
    """Bring the schema up to date; what is up to date stays untouched.

    Args:
        admin: an autocommit connection of the schema's owner.
        role: who is granted the use of it; None where the owner is the application.
        vector_schema: where pgvector's types live.

    Returns:
        The names of the migrations applied.

    Raises:
        SchemaTooNew, DatabaseError: see `pending`.
    """
    migrations = shipped() if migrations is None else migrations
    admin.execute(LOCK, [LOCK_KEY])
    try:
        _create_schema(admin)
        todo = pending(read_ledger(admin), migrations)
        path = sql.SQL("SET LOCAL search_path = arxivscout, {}").format(
            sql.Identifier(vector_schema)
        )
        is_new = len(todo) == len(migrations)
        if is_new:
            notice("Making the database's tables ...")
        for migration in todo:
            if not is_new:
                notice(f"Migrating the database: {migration.name} ...")
            with admin.transaction():
                admin.execute(path)
                admin.execute(migration.text.encode())
                admin.execute(WRITE_LEDGER, [migration.version, migration.name, migration.checksum])
        admin.execute(MAINTENANCE)
        if role is not None:
            _grant(admin, role, vector_schema)
        return [migration.name for migration in todo]
    finally:
        if not admin.broken:
            admin.execute(UNLOCK, [LOCK_KEY])


def _grant(admin: psycopg.Connection[Any], role: str, vector_schema: str) -> None:
    with admin.transaction():
        admin.execute(sql.SQL(GRANTS).format(role=sql.Identifier(role)))
    usable = admin.execute(MAY_USE, [role, vector_schema]).fetchone()
    if usable is not None and not usable[0]:
        try:
            names = {"schema": sql.Identifier(vector_schema), "role": sql.Identifier(role)}
            admin.execute(sql.SQL("GRANT USAGE ON SCHEMA {schema} TO {role}").format(**names))
        except psycopg.errors.InsufficientPrivilege:
            raise DatabaseError(
                f"The role {role} may not use pgvector's schema {vector_schema}.",
                f"As an administrator: GRANT USAGE ON SCHEMA {vector_schema} TO {role};",
            ) from None


def _create_schema(admin: psycopg.Connection[Any]) -> None:
    try:
        admin.execute("CREATE SCHEMA IF NOT EXISTS arxivscout")
        admin.execute(CREATE_LEDGER)
    except psycopg.errors.InsufficientPrivilege:
        owner = admin.info.user
        raise DatabaseError(
            f"The login {owner} may not make or change the schema {SCHEMA}.",
            f"As an administrator: GRANT CREATE ON DATABASE {admin.info.dbname} TO {owner}; "
            "or give ARXIVSCOUT_ADMIN_DATABASE_URL the login that owns it.",
        ) from None


def read_ledger(conn: psycopg.Connection[Any]) -> list[tuple[int, str, str]]:
    """The applied migrations: (version, name, checksum), oldest first."""
    return conn.execute(READ_LEDGER).fetchall()


def read_state(
    conn: psycopg.Connection[Any],
) -> tuple[list[tuple[int, str, str]], tuple[str, int, str] | None, list[str]]:
    """The ledger, the bound embedder and the names of deferred indexes, in one query."""
    rows = conn.execute(READ_STATE).fetchall()
    ledger = sorted(tuple(row[1:]) for row in rows if row[0] == "migration")
    models = [(name, size, print_) for kind, size, name, print_ in rows if kind == "model"]
    deferred = [row[2] for row in rows if row[0] == "deferred"]
    return ledger, models[0] if models else None, deferred
