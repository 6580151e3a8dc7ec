"""Large loads without indexes: searches go on, others too, and a kill leaves what is mended."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator

import psycopg
import pytest
from embedders import Instant, drawn

from arxivscout.embedding import EmbeddingIdentity
from arxivscout.ingest import ingest_papers
from arxivscout.memory.deferred_indexes import BUILDING, LEAST_ROWS, Load, build_deferred
from arxivscout.memory.knowledge import paper_count
from arxivscout.memory.opening import open_database
from arxivscout.memory.postgres import Database
from arxivscout.memory.retrieval import search_papers
from arxivscout.papers import Paper
from arxivscout.settings import Settings

LARGE = {"stored": 10 * LEAST_ROWS, "to_come": 100 * LEAST_ROWS, "writing": 9.0, "seconds": 10.0}

INDEXES = """
SELECT relname, pg_get_indexdef(indexrelid)
FROM pg_index JOIN pg_class AS class ON class.oid = indexrelid
WHERE indrelid = 'semantic_memory'::regclass AND indisvalid ORDER BY 1
"""


@pytest.fixture
def instant(identity: EmbeddingIdentity) -> Instant:
    return Instant(identity, drawn)


@pytest.fixture
def reopened(settings: Settings, identity: EmbeddingIdentity) -> Callable[[], None]:
    """Opens the database as the next process does, and leaves it."""
    return lambda: open_database(settings, identity=identity).close()


def paper(number: int) -> Paper:
    return Paper(
        arxiv_id=f"{2401 + number // 50_000}.{number % 50_000:05d}",
        title=f"Mesons of kind {number}",
        abstract=f"It is about kind {number}, which decays.",
        authors=("Yu Shi",),
        categories=("hep-ph",),
    )


def indexes(database: Database) -> dict[str, str]:
    """The valid indexes of the papers, with what defines them."""
    with database.shared() as conn:
        return dict(conn.execute(INDEXES).fetchall())


def found(database: Database, instant: Instant, text: str) -> list[str]:
    with database.shared() as conn:
        hits = search_papers(conn, text=text, vector=instant.embed_query(text), k=3)
    return [hit.paper.arxiv_id for hit in hits]


def deferred(database: Database) -> int:
    with database.shared() as conn:
        row = conn.execute("SELECT count(*) FROM deferred_index").fetchone()
    assert row is not None
    return int(row[0])


@pytest.fixture
def filled(database: Database, instant: Instant) -> Database:
    ingest_papers(database, instant, [paper(n) for n in range(60)])
    return database


def test_a_large_load_goes_without_indexes_and_has_them_at_its_end(
    filled: Database, instant: Instant
) -> None:
    before = indexes(filled)
    seen: list[tuple[int, list[str]]] = []
    told: list[str] = []

    def source() -> Iterator[Paper]:
        for number in range(60, 6_000):
            if number % 1_500 == 0:
                seen.append((len(indexes(filled)), found(filled, instant, "Mesons of kind 7")))
            yield paper(number)

    report = ingest_papers(filled, instant, source(), expected=6_000, notice=told.append)

    assert (report.new, report.interrupted) == (5_940, False)
    counts = [count for count, _ in seen]
    assert max(counts) == len(before) and min(counts) == len(before) - 4
    assert all("2401.00007" in hits for _, hits in seen)  # whatever is missing
    assert indexes(filled) == before and deferred(filled) == 0
    assert BUILDING in told
    assert "2401.05999" in found(filled, instant, "Mesons of kind 5999")


@pytest.mark.parametrize(
    "changed",
    [
        {"stored": LEAST_ROWS - 1},
        {"writing": 2.0},  # embedding takes most of the time
        {"to_come": 10},  # beside 60 that are held
    ],
)
def test_where_it_does_not_pay_the_indexes_stay(
    filled: Database, changed: dict[str, float]
) -> None:
    before = indexes(filled)
    load = Load(filled, lambda _: None)
    load.consider(**{**LARGE, **changed})  # type: ignore[arg-type]
    assert indexes(filled) == before
    load.close()


def test_while_somebody_reads_for_long_the_indexes_stay(filled: Database) -> None:
    load = Load(filled, lambda _: None)
    with filled.shared() as conn:
        paper_count(conn)
        load.consider(**LARGE)  # type: ignore[arg-type]
    assert deferred(filled) == 0
    load.consider(**LARGE | {"stored": 20 * LEAST_ROWS})  # type: ignore[arg-type]
    assert deferred(filled) == 4
    load.close()
    assert deferred(filled) == 0


def test_who_opens_the_database_meanwhile_leaves_it_to_the_load(
    filled: Database, reopened: Callable[[], None]
) -> None:
    before = indexes(filled)
    load = Load(filled, lambda _: None)
    load.consider(**LARGE)  # type: ignore[arg-type]
    reopened()
    assert deferred(filled) == 4
    assert not build_deferred(filled, lambda _: None)
    load.close()
    assert indexes(filled) == before


def test_the_last_of_two_loads_builds(filled: Database, instant: Instant) -> None:
    before = indexes(filled)
    first, second = Load(filled, lambda _: None), Load(filled, lambda _: None)
    first.consider(**LARGE)  # type: ignore[arg-type]
    second.consider(**LARGE)  # type: ignore[arg-type]
    first.close()
    assert deferred(filled) == 4
    ingest_papers(filled, instant, [paper(n) for n in range(60, 90)])
    second.close()
    assert indexes(filled) == before and deferred(filled) == 0


LOADS_AND_WAITS = """
import sys, time
from arxivscout.embedding import load_embedder
from arxivscout.memory.deferred_indexes import Load
from arxivscout.memory.opening import open_database
from arxivscout.settings import load_settings

settings = load_settings()
database = open_database(settings, identity=load_embedder(settings).identity)
Load(database, print).consider(stored=10**5, to_come=10**6, writing=9.0, seconds=10.0)
print("waiting", flush=True)
time.sleep(600)
"""


def test_what_a_killed_load_left_is_built_by_the_next_start(
    filled: Database, environment: dict[str, str], reopened: Callable[[], None]
) -> None:
    before = indexes(filled)
    process = subprocess.Popen(
        [sys.executable, "-c", LOADS_AND_WAITS], env=environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("waiting"):
            break
    assert len(indexes(filled)) == len(before) - 4
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    for _ in range(100):  # the server notices that its client is gone
        reopened()
        if deferred(filled) == 0:
            break
    assert indexes(filled) == before


def test_an_index_that_was_half_built_is_built_anew(
    filled: Database, reopened: Callable[[], None]
) -> None:
    before = indexes(filled)
    with filled.admin() as admin:
        admin.execute(
            "INSERT INTO deferred_index (name, definition)"
            " SELECT relname, pg_get_indexdef(oid) FROM pg_class WHERE relname = 'kb_tsv_index'"
        )
        admin.execute("DROP INDEX kb_tsv_index")
    with filled.admin() as admin, filled.admin() as other:
        admin.autocommit = True
        other.execute(
            "UPDATE semantic_memory SET subjects = subjects WHERE arxiv_id = '2401.00001'"
        )
        admin.execute("SET statement_timeout = '300ms'")
        with pytest.raises(psycopg.errors.QueryCanceled):  # it waits for the other's end
            admin.execute(
                "CREATE INDEX CONCURRENTLY kb_tsv_index ON semantic_memory USING gin (content_tsv)"
            )
    assert "kb_tsv_index" not in indexes(filled)  # it is there, and not valid
    reopened()
    assert indexes(filled) == before and deferred(filled) == 0


def test_the_application_can_not_say_what_the_owner_builds(filled: Database) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege), filled.shared() as conn:
        conn.execute("INSERT INTO deferred_index VALUES ('x', 'DROP SCHEMA arxivscout')")


def test_ctrl_c_while_building_leaves_it_to_the_next_start(
    filled: Database, instant: Instant, reopened: Callable[[], None]
) -> None:
    before = indexes(filled)

    def interrupt(text: str) -> None:
        if text == BUILDING:
            raise KeyboardInterrupt

    records = (paper(number) for number in range(60, 6_000))
    report = ingest_papers(filled, instant, records, expected=6_000, notice=interrupt)
    assert report.interrupted and report.new == 5_940
    assert deferred(filled) == 4
    reopened()
    assert indexes(filled) == before


def test_where_an_index_can_not_be_built_the_database_opens_all_the_same(
    filled: Database, settings: Settings, identity: EmbeddingIdentity
) -> None:
    with filled.admin() as admin:
        admin.execute("INSERT INTO deferred_index VALUES ('kb_tsv_index', 'CREATE INDEX nonsense')")
    told: list[str] = []
    open_database(settings, identity=identity, notice=told.append).close()
    assert told[-1].startswith("Searches are slow, as indexes can't be built now (SyntaxError")
