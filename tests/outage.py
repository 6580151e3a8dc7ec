"""A database that is lost while a test looks on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from arxivscout.memory.cluster import OWNER
from arxivscout.memory.embedded import EmbeddedServer
from arxivscout.memory.postgres import Database


@contextmanager
def lost(server: EmbeddedServer, database: Database) -> Iterator[None]:
    """The database refuses everybody, and throws out who is there."""
    name = psycopg.conninfo.conninfo_to_dict(database.url)["dbname"]
    with psycopg.connect(server.url(OWNER, "postgres"), autocommit=True) as conn:
        conn.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        conn.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
        )
        try:
            yield
        finally:
            conn.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
