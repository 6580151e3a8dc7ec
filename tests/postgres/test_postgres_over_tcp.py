"""Other servers than the embedded one, reached over TCP with a password, as compose gives them.

The server here is a second embedded one that listens on loopback, without the roles and the
database that the embedded way of working makes.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import psycopg
import pytest

from arxivscout.errors import DatabaseError, DatabaseTooOld, DatabaseUnavailable
from arxivscout.memory.cluster import OWNER
from arxivscout.memory.embedded import EmbeddedServer
from arxivscout.memory.opening import open_database
from arxivscout.memory.postgres import Database
from arxivscout.settings import load_settings

SAY = "INSERT INTO conversational_memory (thread_id, role, content) VALUES ('t', 'user', %s)"
HEARD = "SELECT content FROM conversational_memory ORDER BY seq"


ROLES = {
    "arxivscout": "SUPERUSER",  # as the image of docker-compose.yml makes it
    "plain": "NOSUPERUSER",
    "web": "NOSUPERUSER",
    "auditor": "BYPASSRLS",
}


@pytest.fixture(scope="module")
def listening(
    copied_home: Callable[[], AbstractContextManager[Path]],
) -> Iterator[tuple[EmbeddedServer, int]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = {"listen_addresses": "127.0.0.1", "port": str(port), "fsync": "off"}
    with copied_home() as home:
        server = EmbeddedServer(home, settings=settings)
        server.acquire()
        yield server, port
        server.release()


@pytest.fixture
def port(listening: tuple[EmbeddedServer, int]) -> int:
    server, port = listening
    with psycopg.connect(server.url(OWNER, "postgres"), autocommit=True) as conn:
        for database in ("arxivscout", "plain"):
            conn.execute(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")
        conn.execute("DROP ROLE IF EXISTS arxivscout_app")
        for role, kind in ROLES.items():
            conn.execute(f"DROP ROLE IF EXISTS {role}")
            conn.execute(f"CREATE ROLE {role} LOGIN {kind} PASSWORD '{role}'")
        for database in ("arxivscout", "plain"):
            conn.execute(f"CREATE DATABASE {database} OWNER {database}")
    return port


@pytest.fixture
def connect(port: int, tmp_path: Path) -> Iterator[Callable[..., Database]]:
    opened: list[Database] = []

    def connect(login: str, database: str, admin: str | None = None) -> Database:
        def url(name: str) -> str:
            return f"postgresql://{name}:{name}@127.0.0.1:{port}/{database}"

        settings = load_settings(
            {},
            home=tmp_path,
            user="ada",
            database_url=url(login),
            admin_database_url=url(admin) if admin else None,
        )
        opened.append(open_database(settings))
        return opened[-1]

    yield connect
    for database in opened:
        database.close()


@pytest.fixture
def superuser(port: int) -> Callable[[str, str], None]:
    def run(database: str, statement: str) -> None:
        url = f"postgresql://arxivscout:arxivscout@127.0.0.1:{port}/{database}"
        with psycopg.connect(url, autocommit=True) as conn:
            conn.execute(statement.encode())

    return run


def prove_row_security(database: Database, role: str) -> None:
    for user in ("ada", "bob"):
        with database.transaction(user) as conn:
            conn.execute(SAY, [f"of {user}"])
    for user in ("ada", "bob"):
        with database.transaction(user) as conn:
            assert conn.execute("SELECT current_user").fetchone() == (role,)
            assert conn.execute(HEARD).fetchall() == [(f"of {user}",)]
            conn.execute("RESET ROLE")
            assert conn.execute(HEARD).fetchall() == [(f"of {user}",)]
        with psycopg.connect(database.user_url(user)) as conn:
            assert conn.execute("SELECT current_user").fetchone() == (role,)
            assert conn.execute(HEARD).fetchall() == [(f"of {user}",)]
    with database.shared() as conn:
        assert conn.execute(HEARD).fetchall() == []
    with database.admin() as conn:
        assert conn.execute(HEARD).fetchall() == [("of ada",), ("of bob",)]


def test_composes_superuser_is_bound_by_row_security(connect: Callable[..., Database]) -> None:
    prove_row_security(connect("arxivscout", "arxivscout"), "arxivscout_app")
    again = connect("arxivscout", "arxivscout")
    with again.transaction("ada") as conn:
        assert conn.execute(HEARD).fetchall() == [("of ada",)]


def test_a_plain_login_that_owns_the_tables_is_bound_too(
    connect: Callable[..., Database], superuser: Callable[[str, str], None]
) -> None:
    superuser("plain", "CREATE EXTENSION vector")
    prove_row_security(connect("plain", "plain"), "plain")
    again = connect("plain", "plain")
    with again.transaction("bob") as conn:
        assert conn.execute(HEARD).fetchall() == [("of bob",)]


def test_a_login_of_its_own_beside_an_administrators(connect: Callable[..., Database]) -> None:
    database = connect("web", "arxivscout", admin="arxivscout")
    prove_row_security(database, "arxivscout_app")
    with pytest.raises(psycopg.errors.InsufficientPrivilege), database.transaction("ada") as conn:
        conn.execute("SET ROLE arxivscout")


def test_a_login_that_passes_by_row_security_is_refused_with_the_sql(
    connect: Callable[..., Database], superuser: Callable[[str, str], None]
) -> None:
    superuser("plain", "CREATE EXTENSION vector")
    superuser("plain", "GRANT CREATE ON DATABASE plain TO auditor")
    with pytest.raises(DatabaseError, match=r"auditor passes by .*GRANT arxivscout_app TO auditor"):
        connect("auditor", "plain")
    superuser("plain", "CREATE ROLE arxivscout_app NOLOGIN")
    superuser("plain", "GRANT arxivscout_app TO auditor")
    prove_row_security(connect("auditor", "plain"), "arxivscout_app")


def test_a_role_that_was_given_the_bypass_is_refused(
    connect: Callable[..., Database], superuser: Callable[[str, str], None]
) -> None:
    connect("arxivscout", "arxivscout")
    superuser("arxivscout", "ALTER ROLE arxivscout_app BYPASSRLS")
    with pytest.raises(DatabaseError, match="ALTER ROLE arxivscout_app NOSUPERUSER NOBYPASSRLS"):
        connect("arxivscout", "arxivscout")


def test_without_the_extension_the_administrators_sql_is_told(
    connect: Callable[..., Database],
) -> None:
    with pytest.raises(DatabaseError, match="in the database plain: CREATE EXTENSION vector;"):
        connect("plain", "plain")


def test_pgvector_may_live_in_another_schema(
    connect: Callable[..., Database], superuser: Callable[[str, str], None]
) -> None:
    superuser("arxivscout", "CREATE SCHEMA extensions")
    superuser("arxivscout", "CREATE EXTENSION vector SCHEMA extensions")
    database = connect("arxivscout", "arxivscout")
    prove_row_security(database, "arxivscout_app")
    with database.shared() as conn:
        assert conn.execute("SELECT '[1,2]'::vector::text").fetchone() == ("[1,2]",)


def test_an_old_pgvector_is_refused_by_name(
    connect: Callable[..., Database], superuser: Callable[[str, str], None]
) -> None:
    connect("arxivscout", "arxivscout")
    superuser("arxivscout", "UPDATE pg_extension SET extversion = '0.8.3' WHERE extname = 'vector'")
    with pytest.raises(DatabaseTooOld, match=r"pgvector is 0.8.3; .* needs 0.8.4"):
        connect("arxivscout", "arxivscout")


def test_a_login_without_rights_is_told_what_it_lacks(
    connect: Callable[..., Database], superuser: Callable[[str, str], None]
) -> None:
    superuser("arxivscout", "CREATE EXTENSION vector")
    with pytest.raises(DatabaseError, match="GRANT CREATE ON DATABASE arxivscout TO web"):
        connect("web", "arxivscout")


def test_a_wrong_password_is_one_line(port: int, tmp_path: Path) -> None:
    url = f"postgresql://arxivscout:guess@127.0.0.1:{port}/arxivscout"
    with pytest.raises(DatabaseUnavailable, match="password authentication failed"):
        open_database(load_settings({}, home=tmp_path, user="ada", database_url=url))
    url = f"postgresql://arxivscout:arxivscout@127.0.0.1:{port}/nowhere"
    with pytest.raises(DatabaseUnavailable, match='"nowhere" does not exist'):
        open_database(load_settings({}, home=tmp_path, user="ada", database_url=url))
