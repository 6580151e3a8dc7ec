"""What `db status` tells: the server, the schema, the embedder. Looks, and starts nothing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import psycopg

from arxivscout.errors import DatabaseError, ScoutError
from arxivscout.memory import migrate, vector_columns
from arxivscout.memory.cluster import OWNER
from arxivscout.memory.embedded import EmbeddedServer
from arxivscout.memory.postgres import Database

if TYPE_CHECKING:
    from arxivscout.settings import Settings

SERVER = """
SELECT current_setting('server_version'), pg_database_size(current_database()),
       (SELECT extversion FROM pg_extension WHERE extname = 'vector')
"""


def status(settings: Settings) -> dict[str, Any]:
    """Plain values; the keys below `running` are there only if the server answers.

    kind ("embedded" or "external"), running; for the embedded one kept (until `db stop`), pid,
    folder, socket, log (None where nothing was ever started); error (why it can't be reached or
    used); postgres, pgvector, size_bytes, migrations (applied), pending, embedding ({name,
    dimension}).
    """
    told: dict[str, Any]
    if settings.database_url is not None:
        login = settings.database_url.get_secret_value()
        admin = settings.admin_database_url
        told = {"kind": "external", "running": True}
        addresses = login, admin.get_secret_value() if admin else login
    elif not os.path.lexists(settings.home / "postgres"):  # to ask where it would be makes it
        return {"kind": "embedded", "running": False, "kept": False} | dict.fromkeys(
            ("pid", "folder", "socket", "log")
        )
    else:
        server = EmbeddedServer(settings.home)
        found = server.status()
        told = {
            "kind": "embedded",
            "running": found.running,
            "kept": found.kept,
            "pid": found.pid,
            "folder": str(found.folder),
            "socket": str(found.socket),
            "log": str(found.log),
        }
        if not found.running:
            return told
        addresses = server.url(), server.url(OWNER)
    database = Database(*addresses)
    try:
        with database.admin() as conn:
            told |= _look(conn)
    except ScoutError as error:
        told |= {"running": False, "error": str(error)}
    finally:
        database.close()
    return told


def _look(conn: psycopg.Connection[Any]) -> dict[str, Any]:
    row = conn.execute(SERVER).fetchone()
    assert row is not None
    told: dict[str, Any] = {"postgres": row[0], "pgvector": row[2], "size_bytes": row[1]}
    try:
        with conn.transaction():
            ledger, model = migrate.read_ledger(conn), vector_columns.read_model(conn)
    except psycopg.errors.UndefinedTable:
        ledger, model = [], None
    told["migrations"] = [name for _, name, _ in ledger]
    told["embedding"] = {"name": model[0], "dimension": model[1]} if model else None
    try:
        told["pending"] = [one.name for one in migrate.pending(ledger, migrate.shipped())]
    except DatabaseError as error:
        told["error"] = str(error)
    return told
