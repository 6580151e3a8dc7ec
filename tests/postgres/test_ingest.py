"""Ingestion end to end: counts, resuming, a lost database, Ctrl-C and kill -9."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from embedders import Counting, Instant, constant
from warm import WarmCommands

from arxivscout.embedding import Embedder
from arxivscout.errors import SourceError
from arxivscout.ingest import BATCH, SKIPPED_KEPT, IngestReport, ingest_papers
from arxivscout.memory.cluster import OWNER
from arxivscout.memory.embedded import EmbeddedServer
from arxivscout.memory.knowledge import paper_by_id, paper_count
from arxivscout.memory.postgres import Database
from arxivscout.papers import Paper, Skipped


def paper(number: int, **fields: object) -> Paper:
    given = {"title": f"Paper {number}", "abstract": f"It is about {number}.", **fields}
    return Paper(arxiv_id=f"2401.{number:05d}", **given)  # type: ignore[arg-type]


def counts(report: IngestReport) -> tuple[int, int, int, int, int]:
    return (
        report.read, report.new, report.updated, report.unchanged, report.skipped_total
    )  # fmt: skip


@pytest.fixture
def counting(embedder: Embedder) -> Counting:
    return Counting(embedder)


def test_what_did_not_change_is_neither_written_nor_embedded(
    database: Database, counting: Counting
) -> None:
    papers = [paper(i) for i in range(1, 131)]
    told: list[int] = []
    report = ingest_papers(
        database, counting, papers, progress=lambda report: told.append(report.read)
    )
    assert counts(report) == (130, 130, 0, 0, 0)
    assert told == sorted(told) and told[-1] == 130
    assert len(counting.texts) == 130 and report.seconds > 0

    counting.texts.clear()
    assert counts(ingest_papers(database, counting, papers)) == (130, 0, 0, 130, 0)
    assert counting.texts == []

    changed = [paper(1, comments="4 pages"), paper(2, abstract="Something else."), *papers[2:]]
    assert counts(ingest_papers(database, counting, changed)) == (130, 0, 2, 128, 0)
    assert counting.texts == ["Paper 2\nSomething else."]  # other words only, not other remarks
    with database.shared() as conn:
        found = paper_by_id(conn, "2401.00001")
        assert paper_count(conn) == 130
    assert found is not None and found.comments == "4 pages"


def test_bad_records_are_skipped_with_a_reason_and_the_others_are_in(
    database: Database, embedder: Embedder
) -> None:
    records = [
        paper(1, abstract="a\x00b\ud800c"),
        Skipped("papers.jsonl:2", "broken JSON"),
        paper(2, title=" \x00 "),
        Paper(arxiv_id="not one", title="t", abstract="a", source="papers.jsonl"),
        paper(3, abstract="x" * 2_000_000),
        paper(4),
    ]
    report = ingest_papers(database, embedder, records)
    assert counts(report) == (6, 2, 0, 0, 4)
    assert [skipped.where for skipped in report.skipped][:2] == ["papers.jsonl:2", "record 3"]
    assert "2,000,000 characters" in report.skipped[3].reason
    with database.shared() as conn:
        found = paper_by_id(conn, "2401.00001")
    assert found is not None and found.abstract == "abc"


def test_of_many_bad_records_the_first_are_named_and_all_are_counted(
    database: Database, embedder: Embedder
) -> None:
    def source() -> Iterator[Paper | Skipped]:
        yield paper(1)
        yield from (Skipped(f"papers.jsonl:{i}", "broken JSON " * 10) for i in range(2, 50_002))
        raise SourceError("arXiv timed out.")

    tracemalloc.start()
    report = ingest_papers(database, embedder, source())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert counts(report) == (50_002, 1, 0, 0, 50_001)
    assert report.skipped[SKIPPED_KEPT - 1].where == f"papers.jsonl:{SKIPPED_KEPT + 1}"
    assert [one.reason for one in report.skipped[SKIPPED_KEPT:]] == ["arXiv timed out."]
    assert peak < 4 * 2**20


def test_bad_lines_beyond_those_named_are_told_by_their_number(
    database: Database, environment: dict[str, str], tmp_path: Path, warm: WarmCommands
) -> None:
    path = tmp_path / "papers.jsonl"
    good = '{"arxiv_id": "2401.00001", "title": "One", "abstract": "It is one."}\n'
    path.write_text("{no\n" * (SKIPPED_KEPT + 5) + good)

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        return warm.run(["-m", "arxivscout", "ingest", "file", str(path), *more], environment)

    told = run("--json")
    assert told.returncode == 7, told.stderr
    report = json.loads(told.stdout)
    assert (report["read"], report["skipped_total"]) == (1_006, 1_005)
    assert [one["where"] for one in report["skipped"][::999]] == [
        "papers.jsonl:1", "papers.jsonl:1000"
    ]  # fmt: skip
    told = run()
    assert told.returncode == 7
    assert "... and 985 more (--json names the first 1,000)" in told.stderr
    assert "1,005 of 1,006 records were skipped" in told.stderr

    path.write_text("{no\n" * SKIPPED_KEPT + good)
    assert "skipped_total" not in json.loads(run("--json").stdout)


def test_the_same_paper_many_times_in_one_source(database: Database, embedder: Embedder) -> None:
    versions = [2, 1, 3, 3, 2]
    records = [paper(7, version=v, abstract=f"Version {v}.") for v in versions]
    report = ingest_papers(database, embedder, [paper(6), *records, paper(8)])
    assert report.new == 3 and report.read == 7
    with database.shared() as conn:
        found = paper_by_id(conn, "2401.00007")
    assert found is not None and found.version == 3


def test_nothing_is_nothing(database: Database, embedder: Embedder) -> None:
    assert counts(ingest_papers(database, embedder, [])) == (0, 0, 0, 0, 0)


def test_a_source_that_breaks_keeps_what_came_before(
    database: Database, embedder: Embedder
) -> None:
    def source() -> Iterator[Paper]:
        yield from (paper(i) for i in range(1, 61))
        raise SourceError("arXiv timed out.")

    report = ingest_papers(database, embedder, source())
    assert report.new == 60
    assert report.skipped[-1].reason == "arXiv timed out."

    def nothing() -> Iterator[Paper]:
        raise SourceError("arXiv timed out.")
        yield

    with pytest.raises(SourceError):
        ingest_papers(database, embedder, nothing())


def test_ctrl_c_keeps_what_is_done(database: Database, embedder: Embedder) -> None:
    def source() -> Iterator[Paper]:
        yield from (paper(i) for i in range(1, 4 * BATCH + 2))
        raise KeyboardInterrupt

    report = ingest_papers(database, embedder, source())
    assert report.interrupted
    assert 2 * BATCH <= report.new <= 4 * BATCH
    with database.shared() as conn:
        assert paper_count(conn) == report.new


def test_lost_connections_in_the_middle(database: Database, embedder: Embedder) -> None:
    waited: list[str] = []

    def source() -> Iterator[Paper]:
        for i in range(1, 5 * BATCH):
            if i % (2 * BATCH) == 0:
                with database.admin() as admin:
                    admin.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                    )
            yield paper(i)

    report = ingest_papers(database, embedder, source(), notice=waited.append)
    assert report.new == 5 * BATCH - 1


@pytest.fixture
def long_file(tmp_path: Path) -> Path:
    path = tmp_path / "papers.jsonl.gz"
    with gzip.open(path, "wt") as file:
        for i in range(1, 181):
            words = " ".join(f"word{i * j % 977}" for j in range(30))
            record = {"arxiv_id": f"2401.{i:05d}", "title": f"Paper {i}", "abstract": words}
            file.write(json.dumps(record) + "\n")
    return path


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_stopped_by_a_signal_it_goes_on_where_it_was(
    database: Database, embedder: Embedder, environment: dict[str, str], long_file: Path,
    how: signal.Signals,
) -> None:  # fmt: skip
    # The starter collection isn't part of this.
    ingest_papers(database, embedder, [paper(1, abstract="another")])
    command = [sys.executable, "-m", "arxivscout", "ingest", "file", str(long_file), "--json"]
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    stored = 0
    deadline = time.monotonic() + 120
    while stored < 2 and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.1)
        with database.shared() as conn:
            stored = paper_count(conn)
    process.send_signal(how)
    out, err = process.communicate(timeout=60)
    with database.shared() as conn:
        stored = paper_count(conn)
    assert 2 <= stored < 180, err
    if how == signal.SIGINT:
        assert process.returncode == 130, err
        report = json.loads(out)
        assert report["new"] == stored - 1 and report["updated"] == 1

    again = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=200)
    assert again.returncode == 0, again.stderr
    report = json.loads(again.stdout)
    assert list(report) == ["read", "new", "updated", "unchanged", "skipped", "seconds"]
    assert (report["read"], report["new"], report["unchanged"]) == (180, 180 - stored, stored)
    with database.shared() as conn:
        rows = conn.execute("SELECT count(*), count(embedding), count(DISTINCT arxiv_id)"
                            " FROM semantic_memory").fetchone()  # fmt: skip
    assert rows == (180, 180, 180)


def test_after_ingestion_no_search_reads_what_an_index_has_not_sorted_in(
    database: Database, counting: Counting
) -> None:
    ingest_papers(database, counting, [paper(n) for n in range(60)])

    with database.admin() as conn:
        waiting = conn.execute("SELECT gin_clean_pending_list('kb_tsv_index')").fetchone()
        counted = conn.execute(
            "SELECT count(*) FROM pg_stats WHERE schemaname = 'arxivscout'"
            " AND tablename = 'semantic_memory' AND attname = 'content_tsv'"
        ).fetchone()
    assert waiting == (0,)
    assert counted == (1,)


def test_a_database_begun_with_the_fast_embedder_goes_on_with_it(
    server: EmbeddedServer, template_unbound: str, clone: Callable[[str], str],
    environment: dict[str, str], tmp_path: Path, warm: WarmCommands,
) -> None:  # fmt: skip
    name = clone(template_unbound)
    environment |= {
        "ARXIVSCOUT_DATABASE_URL": server.url(database=name),
        "ARXIVSCOUT_ADMIN_DATABASE_URL": server.url(OWNER, name),
    }
    path = tmp_path / "papers.jsonl"
    record = {"arxiv_id": "2401.00001", "title": "Zebrafish", "abstract": "They swim in stripes."}
    path.write_text(json.dumps(record) + "\n")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return warm.run(["-m", "arxivscout", *arguments], environment)

    told = run("ingest", "file", str(path), "--embedding", "static", "--json")
    assert told.returncode == 0 and json.loads(told.stdout)["new"] == 1, told.stderr
    found = run("search", "zebrafish", "--json")
    assert found.returncode == 0 and "2401.00001" in found.stdout, found.stderr
    assert json.loads(run("db", "status", "--json").stdout)["embedding"] == {
        "name": "static-wordllama-l2-256", "dimension": 256
    }  # fmt: skip
    refused = run("ingest", "file", str(path), "--embedding", "minilm")
    assert "made by static-wordllama-l2-256 (256 dimensions)" in refused.stderr
    refused = run("ingest", "file", str(path), "--workers", "dask")
    assert refused.returncode == 2 and "There are no workers 'dask'" in refused.stderr


def test_a_batch_that_changes_a_paper_under_way_keeps_no_vector_of_what_it_was(
    database: Database, counting: Counting
) -> None:
    ingest_papers(database, counting, [paper(1, version=1)])
    again = [paper(1, version=2, abstract="Other words."), paper(1, version=3)]
    report = ingest_papers(database, counting, again)  # the third has the words of the first
    assert (report.updated, report.unchanged) == (2, 0)
    with database.shared() as conn:
        (content, text), = conn.execute(
            "SELECT content, embedding::text FROM semantic_memory"
        ).fetchall()  # fmt: skip
    assert content == "Paper 1\nIt is about 1."
    vector = np.array(text.strip("[]").split(","), np.float32)
    assert np.allclose(vector, counting.embed_query(content), atol=1e-5)


def test_batches_grow_while_they_go_fast(database: Database, counting: Counting) -> None:
    read_at: list[int] = []
    ingest_papers(
        database, Instant(counting.identity, constant), [paper(n) for n in range(1, 2_000)],
        progress=lambda report: read_at.append(report.read),
    )  # fmt: skip
    steps = np.diff(read_at)
    assert steps[0] <= BATCH < steps.max()
