"""What is written beside an import or an erasure is not lost, nor kept by halves: one waits for the
other, and not without end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arxivscout.embedding import Embedder
from arxivscout.errors import DatabaseError, UsageError
from arxivscout.memory.postgres import Database
from arxivscout.memory.rights import waiting
from arxivscout.memory.rights.erasing import erase
from arxivscout.memory.rights.exporting import export
from arxivscout.memory.rights.importing import import_memory
from arxivscout.memory.rights.tables import tables

_STORE = "INSERT INTO entity_memory (content, category) VALUES (%s, 'fact')"
_STORED = "SELECT count(*) FROM entity_memory WHERE content = %s"


def store(database: Database, user: str, text: str) -> None:
    with database.transaction(user) as conn:
        conn.execute(_STORE, [text])


def stored(database: Database, user: str, text: str) -> int:
    with database.transaction(user) as conn:
        ((count,),) = conn.execute(_STORED, [text]).fetchall()
    return int(count)


@pytest.fixture
def export_of_ann(database: Database, tmp_path: Path, embedder: Embedder) -> Path:
    for number in range(3):
        store(database, "ann", f"fact {number}")
    file = tmp_path / "ann.jsonl"
    export(database, "ann", file)
    return file


def importing(
    database: Database, embedder: Embedder, file: Path, progress: Callable[[int, int], None]
) -> int:
    return import_memory(database, embedder, "ben", file, mapped=True, progress=progress)


def test_what_is_said_during_an_import_waits_and_is_kept(
    database: Database, embedder: Embedder, export_of_ann: Path
) -> None:
    midway, waited = threading.Event(), threading.Event()

    def progress(done: int, total: int) -> None:
        midway.set()
        waited.wait(1)  # the other has the time to write in between, if nothing holds it

    def beside() -> None:
        assert midway.wait(60)
        store(database, "ben", "said meanwhile")

    with ThreadPoolExecutor() as pool:
        said = pool.submit(beside)
        importing(database, embedder, export_of_ann, progress)
        said.result(60)
    assert stored(database, "ben", "said meanwhile") == 1
    assert stored(database, "ben", "fact 0") == 1


def test_an_import_waits_for_what_is_being_said_and_finds_that_there_are_memories(
    database: Database, embedder: Embedder, export_of_ann: Path
) -> None:
    with ThreadPoolExecutor() as pool:
        with database.transaction("ben") as conn:
            conn.execute(_STORE, ["said before"])
            begun = pool.submit(importing, database, embedder, export_of_ann, lambda *_: None)
            assert not begun.done()
        with pytest.raises(UsageError, match="There are memories already"):
            begun.result(60)
    assert stored(database, "ben", "said before") == 1
    assert stored(database, "ben", "fact 0") == 0


def test_an_import_holds_up_nobody_else(
    database: Database, embedder: Embedder, export_of_ann: Path
) -> None:
    importing(
        database, embedder, export_of_ann, lambda done, total: store(database, "cam", f"{done}")
    )
    assert stored(database, "cam", "1") <= 1
    assert stored(database, "ben", "fact 0") == 1


def test_who_waits_too_long_is_told_what_for(
    database: Database, embedder: Embedder, export_of_ann: Path
) -> None:
    told: list[str] = []

    def progress(done: int, total: int) -> None:
        with (
            pytest.raises(DatabaseError, match="an import or an erasure") as found,
            database.transaction("ben") as conn,
        ):
            conn.execute("SET LOCAL lock_timeout = '50ms'")
            conn.execute(_STORE, ["in between"])
        told.append(str(found.value))

    importing(database, embedder, export_of_ann, progress)
    assert told
    assert stored(database, "ben", "in between") == 0


def test_every_table_of_persons_waits_for_an_import(database: Database) -> None:
    with database.admin() as conn:
        own = {table.name for table in tables(conn) if table.is_own}
        waiting = conn.execute(
            "SELECT relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
            "WHERE tgname = 'a_wait_for_import'"
        ).fetchall()
    assert own == {name for (name,) in waiting}


def test_who_erases_does_not_wait_without_end_for_who_stores(
    database: Database, tmp_path: Path
) -> None:
    with database.transaction("ann") as conn:
        conn.execute(_STORE, ["being said"])
        told: list[str] = []
        with pytest.raises(DatabaseError, match="does not end: nothing was erased"):
            erase(database, "ann", tmp_path, notice=told.append, longest_wait=0.1)
        assert told == [
            "Another command is storing something: waiting until it has, 0.1 seconds at most."
        ]
    assert stored(database, "ann", "being said") == 1
    assert erase(database, "ann", tmp_path).rows["entity_memory"] == 1


def test_who_imports_does_not_wait_without_end_for_who_stores(
    database: Database, embedder: Embedder, export_of_ann: Path
) -> None:
    told: list[str] = []
    with database.transaction("ben") as conn:
        conn.execute(_STORE, ["being said"])
        with pytest.raises(DatabaseError, match="does not end: nothing was imported"):
            import_memory(
                database, embedder, "ben", export_of_ann,
                mapped=True, notice=told.append, longest_wait=0.1,
            )  # fmt: skip
    assert len(told) == 1
    assert stored(database, "ben", "being said") == 1
    assert stored(database, "ben", "fact 0") == 0


def test_who_ends_while_an_erasure_waits_is_erased_too(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "SOON", 0.1)
    told = threading.Event()
    with ThreadPoolExecutor() as pool:
        with database.transaction("ann") as conn:
            conn.execute(_STORE, ["being said"])
            begun = pool.submit(erase, database, "ann", tmp_path, notice=lambda text: told.set())
            assert told.wait(60)
        assert begun.result(60).rows["entity_memory"] == 1
    assert stored(database, "ann", "being said") == 0
