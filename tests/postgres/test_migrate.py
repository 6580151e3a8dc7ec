"""The schema's history: forward only, whole or not at all, and bound to one embedder."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from arxivscout.embedding import EmbeddingIdentity
from arxivscout.errors import DatabaseError, EmbeddingMismatch, SchemaTooNew
from arxivscout.memory.cluster import OWNER
from arxivscout.memory.embedded import EmbeddedServer
from arxivscout.memory.migrate import Migration, migrate, pending, shipped
from arxivscout.memory.opening import open_database, prepare_database
from arxivscout.memory.postgres import Database
from arxivscout.memory.vector_columns import VECTOR_INDEXES
from arxivscout.settings import Settings

FIRST = Migration(1, "0001_create_a", "CREATE TABLE a (n integer);")
SECOND = Migration(2, "0002_create_b", "CREATE TABLE b (n integer); INSERT INTO a VALUES (1);")
BROKEN = Migration(3, "0003_break", "CREATE TABLE c (n integer); SELECT 1 / 0;")

INDEXES = """
SELECT tablename, indexname, indexdef FROM pg_indexes
WHERE schemaname = 'arxivscout' AND indexdef LIKE '%USING hnsw%' ORDER BY tablename
"""
COLUMNS = """
SELECT attrelid::regclass::text, format_type(atttypid, atttypmod) FROM pg_attribute
WHERE attname = 'embedding' AND attrelid = ANY (%s::regclass[]) ORDER BY 1
"""


@pytest.fixture
def empty(server: EmbeddedServer, clone: Callable[[str], str]) -> Iterator[str]:
    """The owner's address of an empty database."""
    url = server.url(OWNER, clone("template1"))
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("CREATE EXTENSION vector")
    yield url


def owner(url: str) -> psycopg.Connection[Any]:
    return psycopg.connect(url, autocommit=True)


def exists(conn: psycopg.Connection[Any], table: str) -> bool:
    row = conn.execute("SELECT to_regclass(%s)", [f"arxivscout.{table}"]).fetchone()
    return row is not None and row[0] is not None


def test_from_nothing_then_nothing_more(empty: str) -> None:
    with owner(empty) as conn:
        names = [migration.name for migration in shipped()]
        assert migrate(conn) == names
        assert names[0] == "0001_create_stores"
        before = conn.execute("SELECT * FROM arxivscout.schema_migrations").fetchall()
        assert migrate(conn) == []
        assert conn.execute("SELECT * FROM arxivscout.schema_migrations").fetchall() == before


def test_only_what_is_new_is_applied(empty: str) -> None:
    with owner(empty) as conn:
        conn.execute("CREATE SCHEMA arxivscout")
        conn.execute(
            "CREATE TABLE arxivscout.embedding_model (name text, dimension int, fingerprint text)"
        )
        assert migrate(conn, migrations=[FIRST]) == ["0001_create_a"]
        assert migrate(conn, migrations=[FIRST, SECOND]) == ["0002_create_b"]
        assert conn.execute("SELECT n FROM arxivscout.a").fetchall() == [(1,)]
        with pytest.raises(psycopg.errors.DivisionByZero):
            migrate(conn, migrations=[FIRST, SECOND, BROKEN])
        assert not exists(conn, "c"), "a migration is whole or not at all"
        assert migrate(conn, migrations=[FIRST, SECOND]) == []


def test_a_newer_schema_is_refused(settings: Settings, database: Database) -> None:
    with database.admin() as conn:
        conn.execute(
            "INSERT INTO schema_migrations (version, name, checksum)"
            " VALUES (9999, '9999_of_tomorrow', 'x')"
        )
    with pytest.raises(SchemaTooNew, match=r"9999_of_tomorrow.*Upgrade"):
        open_database(settings)


def test_a_changed_migration_is_refused() -> None:
    ledger = [(1, FIRST.name, FIRST.checksum)]
    assert pending(ledger, [FIRST, SECOND]) == [SECOND]
    changed = Migration(1, FIRST.name, FIRST.text + " ")
    with pytest.raises(DatabaseError, match="0001_create_a was changed"):
        pending(ledger, [changed, SECOND])


def test_the_shipped_history_has_no_gap() -> None:
    assert [migration.version for migration in shipped()] == list(range(1, len(shipped()) + 1))


def test_four_at_once_migrate_once(empty: str) -> None:
    applied: list[list[str]] = []

    def run() -> None:
        with owner(empty) as conn:
            applied.append(migrate(conn))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(len, applied)) == [0, 0, 0, len(shipped())]


def test_an_embedder_fixes_the_dimension_and_the_indexes(database_768: Database) -> None:
    tables = sorted(VECTOR_INDEXES)
    with database_768.admin() as conn:
        indexes = conn.execute(INDEXES).fetchall()
        columns = conn.execute(COLUMNS, [tables]).fetchall()
    filed = [index for _, index, _ in indexes if index.startswith("entity_filed_")]
    assert sorted(filed) == [f"entity_filed_{place}" for place in range(9)]
    whole = sorted((table, index) for table, index, _ in indexes if index not in filed)
    assert whole == sorted(VECTOR_INDEXES.items())
    for *_, definition in indexes:
        assert "vector_cosine_ops" in definition
        assert "m='16'" in definition and "ef_construction='64'" in definition
    assert columns == [(table, "vector(768)") for table in tables]


def test_another_embedder_is_refused_with_the_command(
    settings: Settings, database: Database, identity: EmbeddingIdentity
) -> None:
    other = EmbeddingIdentity(name="other", dimension=768, fingerprint="x")
    with pytest.raises(
        EmbeddingMismatch, match=r"\(384 dim.* other \(768\).* `arxivscout db reembed`"
    ):
        open_database(settings, identity=other)
    same_size = EmbeddingIdentity(name="other", dimension=identity.dimension, fingerprint="x")
    with pytest.raises(EmbeddingMismatch):
        open_database(settings, identity=same_size)
    open_database(settings, identity=identity).close()
    open_database(settings).close()


def test_two_processes_may_bind_at_once(
    make_database: Callable[..., Database], identity: EmbeddingIdentity
) -> None:
    unbound = make_database(None)
    done: list[str | None] = []

    def run() -> None:
        done.append(prepare_database(unbound, identity, lambda _: None))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done == ["arxivscout_app"] * 4
    with unbound.admin() as conn:
        assert conn.execute("SELECT name FROM embedding_model").fetchall() == [(identity.name,)]


def test_tables_made_later_are_granted_too(database: Database) -> None:
    with database.admin() as conn:
        conn.execute("CREATE TABLE checkpoints (thread_id text)")
    with database.autocommit() as conn:
        conn.execute("INSERT INTO checkpoints VALUES ('t')")
        assert conn.execute("SELECT * FROM checkpoints").fetchall() == [("t",)]
