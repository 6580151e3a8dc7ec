"""Transactions in a person's name: what they see, may not do, and what outlives a server."""

from __future__ import annotations

import os
import signal
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from arxivscout.errors import (
    ConfigurationError,
    DatabaseError,
    DatabaseTooOld,
    DatabaseUnavailable,
    UsageError,
)
from arxivscout.memory import postmaster, roles
from arxivscout.memory.connection import explain
from arxivscout.memory.embedded import EmbeddedServer
from arxivscout.memory.opening import open_database
from arxivscout.memory.postgres import Database
from arxivscout.settings import Settings, load_settings

SAY = "INSERT INTO conversational_memory (thread_id, role, content) VALUES ('t', 'user', %s)"
HEARD = "SELECT content FROM conversational_memory ORDER BY seq"

ODD_NAMES = [
    "ada",
    "Ada Lovelace",
    "o'brien",
    'the "quoted" one',
    "back\\slash \\ and blank",
    "-c role=arxivscout_owner",
    "percent%20 & amp=1?#/@:",
    "Grüße 文献 🦉",
    "{braces} $user ;--",
]


def say(database: Database, user: str, text: str) -> None:
    with database.transaction(user) as conn:
        conn.execute(SAY, [text])


def heard(database: Database, user: str) -> list[str]:
    with database.transaction(user) as conn:
        return [text for (text,) in conn.execute(HEARD)]


def test_each_person_sees_their_own_rows_only(database: Database) -> None:
    say(database, "ada", "mine")
    say(database, "bob", "his")
    assert heard(database, "ada") == ["mine"]
    assert heard(database, "bob") == ["his"]
    assert heard(database, "eve") == []
    with database.shared() as conn:
        assert conn.execute(HEARD).fetchall() == []
    with database.autocommit() as conn:
        assert conn.execute(HEARD).fetchall() == []
    with database.admin() as conn:
        assert conn.execute(HEARD).fetchall() == [("mine",), ("his",)]


def test_nobody_is_no_user(database: Database) -> None:
    with pytest.raises(UsageError), database.transaction(""):
        pass
    with pytest.raises(UsageError):
        database.user_url("")
    with pytest.raises(psycopg.errors.InsufficientPrivilege), database.shared() as conn:
        conn.execute(SAY, ["whose?"])


@pytest.mark.parametrize(
    "attempt",
    [
        "SET ROLE arxivscout_owner",
        "SET SESSION AUTHORIZATION arxivscout_owner",
        "ALTER TABLE conversational_memory DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE conversational_memory NO FORCE ROW LEVEL SECURITY",
        "DROP POLICY own_rows ON conversational_memory",
        "CREATE POLICY mine ON conversational_memory USING (true)",
        "ALTER ROLE arxivscout_app BYPASSRLS",
        "ALTER ROLE arxivscout_app SUPERUSER",
        "GRANT arxivscout_owner TO arxivscout_app",
        "CREATE ROLE helper SUPERUSER",
        "CREATE TABLE arxivscout.copied AS SELECT 1",
        "CREATE FUNCTION arxivscout.f() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'",
        "CREATE OR REPLACE FUNCTION scout_user() RETURNS text LANGUAGE sql RETURN 'bob'",
        "TRUNCATE conversational_memory",
        "DROP TABLE conversational_memory",
        "COPY conversational_memory TO PROGRAM 'cat'",
        "SELECT pg_read_file('/etc/passwd')",
        "SELECT * FROM pg_authid",
        "UPDATE embedding_model SET dimension = 3",
        "DELETE FROM schema_migrations",
        "INSERT INTO conversational_memory (thread_id, role, content, user_id)"
        " VALUES ('t', 'user', 'planted', 'bob')",
        "UPDATE conversational_memory SET user_id = 'bob'",
        "SET row_security = off; SELECT * FROM conversational_memory",
    ],
)
def test_the_application_cant_pass_by_row_security(database: Database, attempt: str) -> None:
    say(database, "ada", "mine")
    say(database, "bob", "secret")
    with (
        pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.InvalidParameterValue)),
        database.transaction("ada") as conn,
    ):
        conn.execute(attempt.encode())
    assert heard(database, "bob") == ["secret"]
    assert heard(database, "ada") == ["mine"]


def test_what_the_application_may_say_shows_it_nothing(database: Database) -> None:
    say(database, "bob", "secret")
    with database.transaction("ada") as conn:
        conn.execute("SET LOCAL arxivscout.maintenance = 'on'")
        assert conn.execute(HEARD).fetchall() == []
        conn.execute("RESET ROLE")
        assert conn.execute(HEARD).fetchall() == []
        assert conn.execute("UPDATE conversational_memory SET content = 'x'").rowcount == 0
        assert conn.execute("DELETE FROM conversational_memory").rowcount == 0
    assert heard(database, "bob") == ["secret"]


def test_a_block_that_raises_stores_nothing(database: Database) -> None:
    with pytest.raises(ZeroDivisionError), database.transaction("ada") as conn:
        conn.execute(SAY, ["lost"])
        raise ZeroDivisionError
    assert heard(database, "ada") == []


def test_a_swallowed_failure_is_not_taken_for_success(database: Database) -> None:
    with (
        pytest.raises(DatabaseError, match="nothing was stored"),
        database.transaction("ada") as conn,
    ):
        conn.execute(SAY, ["lost"])
        with pytest.raises(psycopg.errors.DivisionByZero):
            conn.execute("SELECT 1 / 0")
    assert heard(database, "ada") == []


def test_no_setting_of_a_transaction_outlives_it(database: Database) -> None:
    with database.transaction("ada") as first:
        pass
    with database.shared() as second:
        assert second is first, "the connection is used again"
        row = second.execute("SELECT scout_user(), current_setting('search_path')").fetchone()
    assert row == (None, "arxivscout,public")


def test_a_batch_is_one_transaction(database: Database) -> None:
    rows = database.batch("ada", [(SAY, ["one"]), (SAY, ["two"]), (HEARD, [])])
    assert rows == [[], [], [("one",), ("two",)]]
    with pytest.raises(psycopg.errors.DivisionByZero):
        database.batch("ada", [(SAY, ["three"]), ("SELECT 1 / 0", [])])
    assert heard(database, "ada") == ["one", "two"]


@pytest.mark.parametrize("user", ODD_NAMES)
def test_a_url_is_bound_to_its_person_whatever_the_name(database: Database, user: str) -> None:
    say(database, user, "mine")
    say(database, "somebody else", "theirs")
    with psycopg.connect(database.user_url(user)) as conn:
        assert conn.execute("SELECT current_user, scout_user()").fetchone() == (
            "arxivscout_app", user,
        )  # fmt: skip
        assert conn.execute(HEARD).fetchall() == [("mine",)]


@pytest.mark.parametrize("user", ODD_NAMES)
def test_a_url_serves_sqlalchemy(database: Database, user: str) -> None:
    import sqlalchemy

    say(database, user, "mine")
    engine = sqlalchemy.create_engine(database.user_url(user, driver=True))
    with engine.connect() as conn:
        assert conn.execute(sqlalchemy.text("SELECT scout_user()")).scalar() == user
        assert conn.execute(sqlalchemy.text(HEARD)).scalars().all() == ["mine"]
    engine.dispose()


def test_the_admin_url_sees_everything(database: Database) -> None:
    say(database, "ada", "mine")
    for url in (database.admin_url, database.admin_user_url()):
        with psycopg.connect(url) as conn:
            assert conn.execute(HEARD).fetchall() == [("mine",)]


def test_many_threads_share_few_connections(database: Database) -> None:
    def work(number: int) -> None:
        for turn in range(5):
            say(database, f"user {number}", str(turn))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(40):
        assert heard(database, f"user {number}") == ["0", "1", "2", "3", "4"]


def test_connections_ended_by_the_server_are_replaced_unseen(database: Database) -> None:
    say(database, "ada", "before")
    _end_all(database)
    assert heard(database, "ada") == ["before"]
    _end_all(database)
    assert database.batch("ada", [(HEARD, [])]) == [[("before",)]]


def _end_all(database: Database) -> None:
    with database.admin() as conn:
        conn.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_a_connection_lost_in_mid_transaction_is_told(database: Database) -> None:
    with pytest.raises(DatabaseUnavailable, match="lost"), database.transaction("ada") as conn:
        conn.execute(SAY, ["lost"])
        _end_all(database)
        conn.execute(SAY, ["lost too"])
    assert heard(database, "ada") == []


@pytest.mark.timeout(40)
def test_ctrl_c_in_a_statement_leaves_nothing_behind(database: Database) -> None:
    timer = threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT])
    with pytest.raises(KeyboardInterrupt), database.transaction("ada") as conn:
        conn.execute(SAY, ["lost"])
        timer.start()
        conn.execute("SELECT pg_sleep(60)")
    assert heard(database, "ada") == []


@pytest.fixture
def embedded(made_home: Path) -> Iterator[Database]:
    database = open_database(load_settings({}, home=made_home, user="ada"))
    yield database
    database.close()


@pytest.mark.timeout(60)
def test_an_embedded_server_that_died_is_brought_back(embedded: Database, made_home: Path) -> None:
    say(embedded, "ada", "before")
    server = EmbeddedServer(made_home)
    process = postmaster.main_process(server.cluster)
    assert process is not None
    process.kill()
    process.wait()
    assert heard(embedded, "ada") == ["before"]
    assert server.stop(force=True)
    say(embedded, "ada", "after")
    assert embedded.batch("ada", [(HEARD, [])]) == [[("before",), ("after",)]]


@pytest.mark.timeout(60)
def test_another_server_that_is_down_is_told_at_once_and_used_when_back(made_home: Path) -> None:
    server = EmbeddedServer(made_home)
    server.keep_up()
    settings = load_settings(
        {},
        home=made_home,
        user="ada",
        database_url=server.url(),
        admin_database_url=server.url("arxivscout_owner"),
    )
    database = open_database(settings)
    say(database, "ada", "before")
    server.stop(force=True)
    for _ in range(3):
        with pytest.raises(DatabaseUnavailable, match="can't be reached"):
            say(database, "ada", "lost")
    server.keep_up()
    assert heard(database, "ada") == ["before"]
    database.close()
    server.stop()


def test_an_open_database_costs_its_owner_nothing(settings: Settings) -> None:
    assert settings.database_url is not None
    no_owner = settings.model_copy(
        update={"admin_database_url": type(settings.database_url)("postgresql://nobody@/nowhere")}
    )
    open_database(no_owner).close()


@pytest.mark.parametrize(
    ("url", "error", "told"),
    [
        ("postgresql://ada@127.0.0.1:1/x", DatabaseUnavailable, "ARXIVSCOUT_DATABASE_URL"),
        ("postgresql://[", ConfigurationError, "can't be used"),
        ("nonsense", ConfigurationError, "postgresql://user:password@host"),
    ],
)
def test_a_url_that_leads_nowhere_is_one_line(
    tmp_path: Path, url: str, error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=told) as raised:
        open_database(load_settings({}, home=tmp_path, user="ada", database_url=url))
    assert "\n" not in str(raised.value)


def test_a_wrong_password_is_told_without_it(settings: Settings, tmp_path: Path) -> None:
    assert settings.database_url is not None
    right = psycopg.conninfo.conninfo_to_dict(settings.database_url.get_secret_value())
    wrong = psycopg.conninfo.make_conninfo(**{**right, "password": "guessed"})
    with pytest.raises(DatabaseUnavailable, match="password authentication failed") as raised:
        open_database(load_settings({}, home=tmp_path, user="ada", database_url=wrong))
    assert "guessed" not in str(raised.value)
    assert "user and password in ARXIVSCOUT_DATABASE_URL" in raised.value.mend


@pytest.mark.parametrize(
    ("number", "version", "encoding", "vector", "told"),
    [
        (140_012, "14.12", "UTF8", "0.8.6", "PostgreSQL 14.12"),
        (180_006, "18.6", "UTF8", "0.8.3", "pgvector is 0.8.3.*0.8.4"),
        (180_006, "18.6", "UTF8", "0.10.0", None),
        (150_000, "15.0", "UTF8", "0.8.4", None),
        (180_006, "18.6", "LATIN1", "0.8.6", "encoding is LATIN1"),
    ],
)
def test_servers_too_old_are_refused_by_name(
    number: int, version: str, encoding: str, vector: str, told: str | None
) -> None:
    facts = roles.Facts(number, version, encoding, "me", vector, "public", False, False, None, None)
    if told is None:
        roles.check(facts)
    else:
        with pytest.raises((DatabaseTooOld, DatabaseError), match=told):
            roles.check(facts)


def test_a_full_disk_is_told_as_such() -> None:
    told = explain(psycopg.errors.DiskFull("could not extend file"), lost=False)
    assert told is not None and "disk is full" in told.cause


def test_a_turns_rows_carry_their_person(database: Database) -> None:
    turn = uuid.uuid4()
    with database.transaction("ada") as conn:
        conn.execute(
            "INSERT INTO turn (turn_id, thread_id, question) VALUES (%s, 't', 'why?')", [turn]
        )
    with database.admin() as conn:
        assert conn.execute("SELECT user_id FROM turn").fetchall() == [("ada",)]
