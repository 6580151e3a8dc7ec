"""The queue of batch jobs: each done once, whoever dies, comes late or looks on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from outage import lost

from arxivscout.errors import DatabaseUnavailable, UsageError
from arxivscout.memory import job_queue
from arxivscout.memory.backup import backup, restore
from arxivscout.memory.batch_listing import (
    JobRow,
    batch_named,
    batches,
    counts,
    job_report,
    jobs,
)
from arxivscout.memory.batches import NewJob, cancel, open_batch, retry
from arxivscout.memory.embedded import EmbeddedServer
from arxivscout.memory.job_queue import (
    MOST_ATTEMPTS,
    ClaimedJob,
    Spent,
    claim,
    fail,
    finish,
    give_back,
    heartbeat,
    release_dead,
    this_worker,
)
from arxivscout.memory.lease import this_process
from arxivscout.memory.postgres import Database

ME = "tester"
OTHER = "somebody else"


def listed(count: int, *, first: int = 1, **spec: Any) -> list[NewJob]:
    """Jobs called q1, q2, … with a question each."""
    return [
        NewJob(f"key {number}", {"question": f"What is {number}?", **spec}, number)
        for number in range(first, first + count)
    ]


def rows(database: Database, batch_id: UUID) -> dict[int, JobRow]:
    return {row.number: row for row in jobs(database, ME, batch_id)}


def take(database: Database, batch_id: UUID, worker: str = "w", lease_s: float = 60) -> ClaimedJob:
    job = claim(database, ME, batch_id, worker, lease_s)
    assert job is not None
    return job


def let_run_out(database: Database, job: ClaimedJob) -> None:
    """As if the worker had been silent for long."""
    with database.transaction(ME) as conn:
        done = conn.execute(
            "UPDATE batch_job SET lease_until = clock_timestamp() - interval '1 ms' "
            "WHERE job_id = %s AND status = 'running'",
            [job.job_id],
        )
        assert done.rowcount == 1


@pytest.fixture
def three(database: Database) -> UUID:
    """A batch of three jobs."""
    return open_batch(database, ME, "three", listed(3))


def test_jobs_come_in_order_and_end_in_every_way(database: Database, three: UUID) -> None:
    first = take(database, three, "host one")
    assert (first.number, first.key, first.attempts) == (1, "key 1", 1)
    assert first.spec == {"question": "What is 1?"}
    assert heartbeat(database, ME, first, 60)
    assert finish(database, ME, first, {"brief": "a\0b"}, Spent(100, 20, 0.5))
    second = take(database, three)
    assert fail(database, ME, second, "no\0thing found\n", Spent(10, 2))
    third = take(database, three)
    assert give_back(database, ME, third, Spent(1, 1, 0.25))
    found = counts(database, ME, three)
    assert (found.waiting, found.running, found.done, found.failed) == (1, 0, 1, 1)
    assert (found.total, found.to_do, found.spent) == (3, 1, Spent(111, 23, 0.75))
    kept = rows(database, three)
    assert [kept[number].attempts for number in (1, 2, 3)] == [1, 1, 0]
    assert kept[1].worker == "host one"
    assert kept[1].started_at and kept[1].ended_at and kept[1].started_at < kept[1].ended_at
    assert kept[1].spent == Spent(100, 20, 0.5)
    assert kept[2].error == "nothing found"
    assert job_report(database, ME, first.job_id) == {"brief": "ab"}
    assert job_report(database, ME, second.job_id) is None
    again = take(database, three)
    assert (again.job_id, again.attempts) == (third.job_id, 1)
    assert claim(database, ME, three, "w", 60) is None


def test_a_call_sent_twice_has_one_outcome(database: Database, three: UUID) -> None:
    # `Database.batch` sends all again when the connection broke, also when the first was stored.
    token = uuid4()
    bound = {"batch": three, "claim": token, "worker": "w", "seconds": 60, "most": 3}
    for _ in range(2):
        _, taken = database.batch(ME, [(job_queue._CLAIM, bound), (job_queue._CLAIMED, bound)])
        assert [row[1] for row in taken] == [1]
    job = ClaimedJob(taken[0][0], token, *taken[0][1:])
    assert finish(database, ME, job, {"n": 1}, Spent(5, 5))
    assert finish(database, ME, job, {"n": 2}, Spent(5, 5))
    assert job_report(database, ME, job.job_id) == {"n": 1}
    assert counts(database, ME, three).spent == Spent(5, 5)
    assert not fail(database, ME, job, "late")
    assert not heartbeat(database, ME, job, 60)


def test_eight_threads_share_sixty_jobs(database: Database) -> None:
    batch_id = open_batch(database, ME, "shared", listed(60))

    def work(name: int) -> list[int]:
        mine = []
        while counts(database, ME, batch_id).to_do:
            if job := claim(database, ME, batch_id, f"worker {name}", 60):
                assert finish(database, ME, job, {"number": job.number})
                mine.append(job.number)
        return mine

    with ThreadPoolExecutor(8) as threads:
        done = Counter(number for mine in threads.map(work, range(8)) for number in mine)
    assert done == Counter(range(1, 61))
    kept = jobs(database, ME, batch_id)
    assert [(row.number, row.attempts) for row in kept] == [(n, 1) for n in range(1, 61)]
    assert all(job_report(database, ME, row.job_id) == {"number": row.number} for row in kept)


def test_a_silent_workers_job_is_taken_over_and_its_late_end_refused(
    database: Database, three: UUID
) -> None:
    late = take(database, three, "first")
    assert [take(database, three).number for _ in range(2)] == [2, 3]
    let_run_out(database, late)
    assert rows(database, three)[1].abandoned
    heir = take(database, three, "first")  # of the same name: the claim tells them apart
    assert (heir.job_id, heir.attempts) == (late.job_id, 2)
    assert not heartbeat(database, ME, late, 60)
    assert not finish(database, ME, late, {"by": "late"})
    assert not fail(database, ME, late, "late")
    assert not give_back(database, ME, late)
    assert rows(database, three)[1].status == "running"
    assert finish(database, ME, heir, {"by": "heir"})
    assert not finish(database, ME, late, {"by": "late"})
    assert job_report(database, ME, heir.job_id) == {"by": "heir"}


def test_a_lease_that_ran_out_unnoticed_costs_nothing(database: Database, three: UUID) -> None:
    job = take(database, three)
    let_run_out(database, job)
    assert heartbeat(database, ME, job, 60)
    assert not rows(database, three)[1].abandoned
    let_run_out(database, job)
    assert finish(database, ME, job, {})


def test_a_lease_runs_by_the_servers_clock(
    database: Database, three: UUID, environment: dict[str, str]
) -> None:
    job = take(database, three, lease_s=600)
    with database.transaction(ME) as conn:
        left = conn.execute(
            "SELECT extract(epoch FROM lease_until - clock_timestamp())::float8 FROM batch_job "
            "WHERE job_id = %s",
            [job.job_id],
        ).fetchone()
    assert left is not None and 500 < left[0] <= 600
    # A process whose clock is a day ahead would find the lease run out, if it were asked.
    script = """
        time.time = lambda ahead=time.time() + 86_400: ahead
        from uuid import UUID
        from arxivscout.memory.job_queue import claim
        job = claim(database, "tester", UUID(batch), "ahead", 30)
        print(job.number, flush=True)
    """
    assert run(script, environment, three) == "2"
    assert heartbeat(database, ME, job, 600)


PREAMBLE = """
import sys, time
from arxivscout.memory.opening import open_database
from arxivscout.settings import load_settings
batch = sys.argv[1]
database = open_database(load_settings())
"""


def start(script: str, environment: dict[str, str], batch_id: UUID) -> subprocess.Popen[str]:
    program = PREAMBLE + textwrap.dedent(script)
    return subprocess.Popen(
        [sys.executable, "-c", program, str(batch_id)],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )


def run(script: str, environment: dict[str, str], batch_id: UUID) -> str:
    with start(script, environment, batch_id) as process:
        assert process.stdout is not None
        said = process.stdout.read().strip()
    assert process.returncode == 0
    return said


def test_a_killed_process_leaves_its_job_to_others(
    database: Database, three: UUID, environment: dict[str, str]
) -> None:
    script = """
        from uuid import UUID
        from arxivscout.memory.job_queue import claim, this_worker
        print(claim(database, "tester", UUID(batch), this_worker("1"), 600).number, flush=True)
        time.sleep(600)
    """
    with start(script, environment, three) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "1\n"
        alive = take(database, three, this_worker("of the test"), 600)
        elsewhere = take(database, three, "elsewhere 1:1.00", 600)
        assert release_dead(database, ME, three) == 0
        os.kill(process.pid, signal.SIGKILL)
    assert claim(database, ME, three, "w", 60) is None  # nobody has noticed yet
    assert release_dead(database, ME, three) == 1
    heir = take(database, three)
    assert (heir.number, heir.attempts) == (1, 2)
    assert heartbeat(database, ME, alive, 60) and heartbeat(database, ME, elsewhere, 60)


def test_a_job_that_kills_its_workers_comes_last_and_fails_in_the_end(
    database: Database, three: UUID
) -> None:
    for attempt in range(1, MOST_ATTEMPTS + 1):
        job = take(database, three, f"worker {attempt}")
        assert (job.number, job.attempts) == (1, attempt)
        let_run_out(database, job)
        if attempt == 1:  # the others were not tried yet
            for number in (2, 3):
                other = take(database, three)
                assert other.number == number
                assert finish(database, ME, other, {})
    assert claim(database, ME, three, "w", 60) is None
    row = rows(database, three)[1]
    assert row.status == "failed"
    assert row.error == ("Its worker died in the middle of it 5 times, the last one was worker 5.")
    assert not finish(database, ME, job, {})
    assert retry(database, ME, three) == 1
    assert (again := take(database, three)).attempts == 1
    # Given back again and again is not dying.
    for _ in range(5):
        assert give_back(database, ME, again)
        assert (again := take(database, three)).attempts == 1


def test_workers_that_die_at_any_moments_give_no_job_up(database: Database) -> None:
    batch_id = open_batch(database, ME, "many", listed(30))
    for _ in range(60):  # as many deaths as would end each job twice
        let_run_out(database, take(database, batch_id))
    while job := claim(database, ME, batch_id, "w", 60):
        assert finish(database, ME, job, {})
    assert counts(database, ME, batch_id).done == 30


def test_what_is_cancelled_is_not_stored_and_can_be_tried_again(
    database: Database, three: UUID
) -> None:
    job = take(database, three)
    assert cancel(database, ME, three, ["1", "3", "77", "x", ""]) == 2
    assert not heartbeat(database, ME, job, 60)
    assert not finish(database, ME, job, {})
    assert not give_back(database, ME, job)
    assert [row.status for row in jobs(database, ME, three)] == [
        "cancelled",
        "waiting",
        "cancelled",
    ]
    assert cancel(database, ME, three) == 1
    assert cancel(database, ME, three) == 0
    assert claim(database, ME, three, "w", 60) is None
    assert retry(database, ME, three, ["3"]) == 1
    assert not finish(database, ME, job, {})
    assert take(database, three).number == 3
    assert retry(database, ME, three) == 2


def test_own_ids_go_before_numbers(database: Database) -> None:
    named = [NewJob(key, {"id": own}, n) for n, (key, own) in enumerate([("a", "2"), ("b", "x")])]
    named.append(NewJob("c", {"id": None}, 2))
    batch_id = open_batch(database, ME, "named", named)
    assert [row.own_id for row in jobs(database, ME, batch_id)] == ["2", "x", None]
    assert cancel(database, ME, batch_id, ["2", "x"]) == 2
    assert [row.status for row in jobs(database, ME, batch_id)] == [
        "cancelled",
        "cancelled",
        "waiting",
    ]


def test_the_same_batch_goes_on(database: Database) -> None:
    batch_id = open_batch(database, ME, "lab", listed(4), {"depth": 1})
    assert finish(database, ME, take(database, batch_id), {"n": 1})
    assert fail(database, ME, take(database, batch_id), "broken")
    running = take(database, batch_id)
    assert cancel(database, ME, batch_id, ["4"]) == 1
    assert open_batch(database, ME, "lab", listed(4), {"depth": 2}) == batch_id
    status = {row.number: row.status for row in jobs(database, ME, batch_id)}
    assert status == {1: "done", 2: "failed", 3: "running", 4: "cancelled"}
    # Another file: 1 is gone, 3 too while it runs, 2 and 4 have other places, 5 and 6 are new.
    changed = [
        NewJob("key 5", {"question": "What is 5?"}, 1),
        NewJob("key 4", {"question": "What is 4?"}, 2),
        NewJob("key 2", {"question": "What is 2?"}, 3),
        NewJob("key 6", {"question": "What is 6?"}, 4),
    ]
    assert open_batch(database, ME, "lab", changed) == batch_id
    kept = {row.key: row for row in jobs(database, ME, batch_id)}
    assert {key: (row.number, row.status) for key, row in kept.items() if row.listed} == {
        "key 5": (1, "waiting"),
        "key 4": (2, "cancelled"),
        "key 2": (3, "failed"),
        "key 6": (4, "waiting"),
    }
    assert counts(database, ME, batch_id).total == 4
    assert take(database, batch_id).key == "key 5"
    assert finish(database, ME, running, {"n": 3})  # what runs may end
    # A job that is no longer in the file is neither run nor tried again, and comes back with it.
    assert open_batch(database, ME, "lab", []) == batch_id
    assert claim(database, ME, batch_id, "w", 60) is None
    assert retry(database, ME, batch_id) == 0
    open_batch(database, ME, "lab", listed(4))
    assert job_report(database, ME, kept["key 1"].job_id) == {"n": 1}
    assert rows(database, batch_id)[3].status == "done"
    assert batch_named(database, ME, "lab").options == {}


def test_two_open_a_batch_at_once(database: Database) -> None:
    for turn in range(5):
        with ThreadPoolExecutor(4) as threads:
            opened = list(
                threads.map(
                    lambda first, turn=turn: open_batch(
                        database, ME, f"both {turn}", listed(30, first=first)
                    ),
                    [1, 1, 21, 21],
                )
            )
        assert len(set(opened)) == 1
        kept = jobs(database, ME, opened[0])
        assert len(kept) == 50
        # Whoever came last says what is in the file.
        assert [row.number for row in kept if row.listed] in ([*range(1, 31)], [*range(21, 51)])


def test_batches_are_found_by_name_and_by_the_beginning_of_their_id(database: Database) -> None:
    first = open_batch(database, ME, "first", listed(2), {"a": "\0b"})
    second = open_batch(database, ME, " sec\0ond ", listed(1))
    assert [each.name for each in batches(database, ME)] == ["second", "first"]
    take(database, first)
    found = batches(database, ME)
    assert [each.name for each in found] == ["first", "second"]
    assert (found[0].counts.total, found[0].counts.running, found[1].counts.total) == (2, 1, 1)
    assert found[0].options == {"a": "b"}
    assert found[0].worked_at is not None and found[1].worked_at is None
    assert batch_named(database, ME, "second").batch_id == second
    assert batch_named(database, ME, str(first)[:13].upper()).batch_id == first
    # A name goes before an id that begins so.
    odd = open_batch(database, ME, str(first)[:8], [])
    assert batch_named(database, ME, str(first)[:8]).batch_id == odd
    folder = open_batch(database, ME, "/lab/reports", [])
    assert batch_named(database, ME, "reports").batch_id == folder
    open_batch(database, ME, "/home/reports", [])
    with pytest.raises(UsageError, match="Several batches are meant by reports"):
        batch_named(database, ME, "reports")
    for unknown in ("", "firs", "%", "lab", "eports", str(uuid4()), "\0"):
        with pytest.raises(UsageError, match="There is no batch"):
            batch_named(database, ME, unknown)
    for bad in ("", " \0 ", "x" * 201):
        with pytest.raises(UsageError, match="A batch's name has"):
            open_batch(database, ME, bad, [])


def test_another_persons_batch_is_not_there(database: Database, three: UUID) -> None:
    job = take(database, three)
    assert batches(database, OTHER) == []
    assert jobs(database, OTHER, three) == []
    assert counts(database, OTHER, three).total == 0
    assert claim(database, OTHER, three, "w", 60) is None
    assert not heartbeat(database, OTHER, job, 60)
    assert not finish(database, OTHER, job, {})
    assert not fail(database, OTHER, job, "x")
    assert not give_back(database, OTHER, job)
    assert cancel(database, OTHER, three) == retry(database, OTHER, three) == 0
    with pytest.raises(UsageError):
        batch_named(database, OTHER, str(three))
    theirs = open_batch(database, OTHER, "three", listed(3))
    assert theirs != three
    with pytest.raises(psycopg.errors.ForeignKeyViolation):
        database.batch(
            OTHER,
            [
                (
                    "INSERT INTO batch_job (batch_id, number, key, job) VALUES (%s, 9, 'x', '{}')",
                    [three],
                )
            ],
        )
    assert finish(database, ME, job, {"mine": True})
    assert job_report(database, OTHER, job.job_id) is None
    assert counts(database, ME, three).done == 1


def test_a_lost_database_is_told_and_loses_nothing(
    database: Database, three: UUID, server: EmbeddedServer
) -> None:
    job = take(database, three)
    with lost(server, database):
        calls: list[Callable[[], object]] = [
            lambda: claim(database, ME, three, "w", 60),
            lambda: heartbeat(database, ME, job, 60),
            lambda: finish(database, ME, job, {}),
            lambda: open_batch(database, ME, "x", listed(1)),
            lambda: batches(database, ME),
        ]
        for call in calls:
            with pytest.raises(DatabaseUnavailable):
                call()
    assert finish(database, ME, job, {"n": 1})
    assert take(database, three).number == 2


def test_claiming_uses_the_index_of_what_waits(database: Database) -> None:
    batch_id = open_batch(database, ME, "large", listed(5_000))
    open_batch(database, ME, "other", listed(5_000))
    with database.transaction(ME) as conn:
        conn.execute("UPDATE batch_job SET status = 'done', report = '{}' WHERE number <= 4900")
    with database.admin() as conn:
        conn.execute("ANALYZE arxivscout.batch_job")
    bound = {"batch": batch_id, "claim": uuid4(), "worker": "w", "seconds": 60, "most": 3}
    with database.transaction(ME) as conn:
        for statement, index in [
            (job_queue._CLAIM, "idx_batch_job_waiting"),
            (job_queue._GIVE_UP, "idx_batch_job_running"),
        ]:
            plan = "\n".join(line for (line,) in conn.execute(f"EXPLAIN {statement}", bound))
            assert index in plan and "Seq Scan" not in plan, plan
        conn.rollback()
    assert [take(database, batch_id).number for _ in range(20)] == [*range(4901, 4921)]


def test_a_batch_goes_with_a_backup(
    database: Database,
    three: UUID,
    make_database: Callable[..., Database],
    tmp_path: Any,
) -> None:
    job = take(database, three)
    backup(database, tmp_path / "dump")
    target = make_database(None)
    restore(target, tmp_path / "dump", notice=lambda _: None)
    assert jobs(target, ME, three) == jobs(database, ME, three)
    assert finish(target, ME, job, {"n": 1})
    with pytest.raises(Exception, match="already holds batches"):
        restore(target, tmp_path / "dump", notice=lambda _: None)


def test_a_worker_is_named_by_its_process() -> None:
    host, process = this_process()
    assert this_worker("2") == f"{host} {process} 2"
    assert this_worker() == f"{host} {process}"
