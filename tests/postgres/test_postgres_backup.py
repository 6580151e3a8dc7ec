"""Backup, restore, reset: everybody's rows, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from arxivscout.embedding import EmbeddingIdentity
from arxivscout.errors import DatabaseError, SchemaTooNew, UsageError
from arxivscout.memory.backup import backup, reset, restore
from arxivscout.memory.cluster import OWNER
from arxivscout.memory.embedded import EmbeddedServer
from arxivscout.memory.opening import open_database, prepare_database
from arxivscout.memory.postgres import Database
from arxivscout.settings import Settings, load_settings

SAY = """
INSERT INTO conversational_memory (thread_id, role, content) VALUES ('t', 'user', %s) RETURNING seq
"""
HEARD = "SELECT seq, content FROM conversational_memory ORDER BY seq"
LEARN = "INSERT INTO workflow_memory (content, embedding) VALUES (%s, %s)"
PAPER = "INSERT INTO semantic_memory (content, arxiv_id, embedding) VALUES (%s, %s, %s)"
VECTOR = "[" + ",".join(["0.5"] * 384) + "]"
EVERYTHING = """
SELECT content, user_id FROM conversational_memory
UNION ALL SELECT content, user_id FROM workflow_memory
UNION ALL SELECT content, arxiv_id FROM semantic_memory ORDER BY 1
"""


def quiet(_: str) -> None:
    return


def fill(database: Database) -> None:
    for user in ("ada", "o'brien \\ 文献"):
        with database.transaction(user) as conn:
            conn.execute(SAY, [f"said by {user}\n\ttab \\N"])
            conn.execute(LEARN, [f"learnt by {user}", VECTOR])
    with database.shared() as conn:
        conn.execute(PAPER, ["A paper", "0712.2288", VECTOR])


def everything(database: Database) -> list[tuple[str, str]]:
    with database.admin() as conn:
        return conn.execute(EVERYTHING).fetchall()


@pytest.fixture
def dump(database: Database, tmp_path: Path) -> Path:
    """A backup of a filled database."""
    fill(database)
    file = tmp_path / "scout backup.dump"
    assert backup(database, file) == file.stat().st_size > 1000
    return file


def test_everybodys_rows_come_back(
    database: Database, dump: Path, make_database: Callable[..., Database],
    identity: EmbeddingIdentity,
) -> None:  # fmt: skip
    assert dump.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in dump.parent.iterdir() if "backup" in path.name] == [dump.name]
    target = make_database(None)
    restore(target, dump, notice=quiet)
    assert len(everything(target)) == 5
    assert everything(target) == everything(database)
    prepare_database(target, identity, quiet)  # the vectors' model came along
    with target.transaction("ada") as conn:
        assert conn.execute("SELECT current_user").fetchone() == ("arxivscout_app",)
        [(seq, text)] = conn.execute(HEARD).fetchall()
        assert text == "said by ada\n\ttab \\N"
        next_one = conn.execute(SAY, ["next"]).fetchone()
        assert next_one is not None and next_one[0] > seq
        conn.execute("UPDATE workflow_memory SET content = 'better'")
        assert conn.execute("SELECT count(*) FROM change_log").fetchone() == (1,)


def test_a_database_with_rows_is_not_restored_into(database: Database, dump: Path) -> None:
    before = everything(database)
    with pytest.raises(DatabaseError) as told:
        restore(database, dump, notice=quiet)
    assert str(told.value) == (
        "This database already holds papers and memories and conversations; a backup is restored "
        "into an empty one. `arxivscout db backup FILE` keeps them; `arxivscout db reset --yes` "
        "empties it."
    )
    assert everything(database) == before


def test_reset_then_restore(database: Database, dump: Path, settings: Settings) -> None:
    before = everything(database)
    reset(database, notice=quiet)
    assert everything(database) == []
    restore(database, dump, notice=quiet)
    assert everything(database) == before
    open_database(settings).close()


def test_reset_waits_for_nobody_long(database: Database, dump: Path) -> None:
    before = everything(database)
    with database.transaction("ada") as conn:
        conn.execute(HEARD)
        with pytest.raises(DatabaseError, match="Another process is using the database"):
            reset(database, notice=quiet)
    assert everything(database) == before


@pytest.mark.parametrize("damage", ["cut", "garbage", "empty", "foreign"])
def test_what_is_no_whole_backup_changes_nothing(
    dump: Path, damage: str, make_database: Callable[..., Database], server: EmbeddedServer
) -> None:
    target = make_database(None)
    whole = dump.read_bytes()
    if damage == "cut":
        dump.write_bytes(whole[: len(whole) * 2 // 3])
    elif damage == "garbage":
        dump.write_text("no dump at all")
    elif damage == "empty":
        dump.write_bytes(b"")
    else:
        dump = dump.parent / "nowhere"
    with pytest.raises((UsageError, DatabaseError)):
        restore(target, dump, notice=quiet)
    assert everything(target) == []
    with target.transaction("ada") as conn:
        conn.execute(SAY, ["still works"])


def test_a_restore_that_fails_at_its_end_changes_nothing(
    database: Database, tmp_path: Path, make_database: Callable[..., Database]
) -> None:
    fill(database)
    with database.admin() as conn:  # restorable but for its very end: no such function there
        conn.execute("CREATE FUNCTION public.only_here() RETURNS boolean RETURN true")
        conn.execute("CREATE VIEW zz AS SELECT public.only_here()")
    file = tmp_path / "dump"
    backup(database, file)
    target = make_database(None)
    with pytest.raises(DatabaseError, match=r"only_here.*Nothing was changed"):
        restore(target, file, notice=quiet)
    assert everything(target) == []
    with target.transaction("ada") as conn:
        conn.execute(SAY, ["still works"])


def test_a_backup_of_a_newer_program_is_refused(
    database: Database, tmp_path: Path, make_database: Callable[..., Database]
) -> None:
    with database.admin() as conn:
        conn.execute("INSERT INTO schema_migrations VALUES (9999, '9999_of_tomorrow', 'x')")
    backup(database, tmp_path / "dump")
    with pytest.raises(SchemaTooNew):
        restore(make_database(None), tmp_path / "dump", notice=quiet)


def test_a_file_that_cant_be_written_is_told(database: Database, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="can't be written"):
        backup(database, tmp_path / "no" / "such" / "folder")
    with pytest.raises(UsageError, match="can't be written"):
        backup(database, tmp_path)


def test_a_plain_owner_backs_up_and_restores_everybodys_rows(
    server: EmbeddedServer, clone: Callable[[str], str], tmp_path: Path,
    make_database: Callable[..., Database], dump: Path, database: Database,
) -> None:  # fmt: skip
    name = clone("template1")
    with psycopg.connect(server.url(OWNER, name), autocommit=True) as conn:
        conn.execute("CREATE EXTENSION vector")
        conn.execute("CREATE ROLE plain LOGIN PASSWORD 'plain'")
        conn.execute(f"ALTER DATABASE {name} OWNER TO plain")
    try:
        url = psycopg.conninfo.make_conninfo(
            server.url(OWNER, name), user="plain", password="plain"
        )
        plain = open_database(load_settings({}, home=tmp_path, user="ada", database_url=url))
        restore(plain, dump, notice=quiet)
        assert everything(plain) == everything(database)
        with plain.transaction("ada") as conn:
            assert len(conn.execute(HEARD).fetchall()) == 1
        backup(plain, tmp_path / "again")
        plain.close()
        target = make_database(None)
        restore(target, tmp_path / "again", notice=quiet)
        assert everything(target) == everything(database)
    finally:
        with psycopg.connect(server.url(OWNER, name), autocommit=True) as conn:
            conn.execute("DROP OWNED BY plain CASCADE")
            conn.execute(f"ALTER DATABASE {name} OWNER TO {OWNER}")
            conn.execute("DROP ROLE plain")
