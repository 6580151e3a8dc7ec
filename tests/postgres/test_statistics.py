"""Figures over real rows: they agree with what was stored, and are their person's."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from arxivscout.errors import DatabaseUnavailable, UsageError
from arxivscout.memory.postgres import Database
from arxivscout.monitoring.exposition import Family, Sample
from arxivscout.monitoring.figures import Span
from arxivscout.monitoring.metrics import counted, sized
from arxivscout.monitoring.reading import read_statistics, reader
from arxivscout.monitoring.serving import Families, Sizes, serve_metrics

NOW = datetime.now(UTC)
SPAN = Span(NOW - timedelta(days=30), NOW + timedelta(hours=2))  # what is stored later is in it
TURN = """
INSERT INTO turn (turn_id, thread_id, question, status, started_at, ended_at, degraded, feedback,
                  feedback_at)
VALUES (%(id)s, %(thread)s, %(question)s, %(status)s, %(at)s, %(at)s, %(degraded)s, %(feedback)s,
        %(at)s)
"""
MEASURE = """
INSERT INTO turn_measure
SELECT %(id)s, scout_user(), %(at)s, %(status)s, 'success', 'm', %(ms)s, %(abstained)s, %(papers)s,
       %(papers_cited)s, 0, 1, 0, %(lacking)s, 1, 0, 1, 0, 2, 1000, 100, 0, %(cost)s, %(parts)s,
       '{"knowledge": 300, "recent": 100}'
"""


def ask(database: Database, user: str, **given: object) -> str:
    """Store a turn and its measure as they come to be."""
    bound = {
        "id": uuid4(), "thread": "t", "question": "Why?", "status": "answered", "at": NOW,
        "degraded": "[]", "feedback": None, "ms": 100.0, "abstained": False, "papers": 4,
        "papers_cited": 1, "cost": 0.5, "parts": json.dumps({"reason": given.get("ms", 100.0)}),
        **given,
    }  # fmt: skip
    bound["lacking"] = len(json.loads(str(bound["degraded"])))
    database.batch(user, [(TURN, bound), (MEASURE, bound)])
    return str(bound["id"])


def test_counts_rates_and_percentiles_are_those_of_the_turns(database: Database):
    slow = ask(database, "tester", ms=5_000.0, question="What is slow?")
    for ms in (100.0, 200.0, 300.0):
        ask(database, "tester", ms=ms, papers_cited=0, at=NOW - timedelta(days=2))
    ask(database, "tester", abstained=True, papers=0, papers_cited=0, feedback="good")
    ask(database, "tester", status="failed", degraded='["arXiv was away"]', cost=None)
    ask(database, "tester", at=NOW - timedelta(days=90))
    found = read_statistics(database, "tester", SPAN)
    total = found.total
    assert (total.turns, total.answered, total.failed, total.abstained) == (6, 5, 1, 1)
    assert (total.recalled, total.recalled_cited, total.hit_rate) == (5, 2, 0.4)
    assert (total.cost, total.unpriced) == (2.5, 1)
    assert (total.searches, total.input_tokens) == (6, 6_000)
    assert [counts.turns for _, counts in found.days] == [3, 3]
    assert found.turn is not None and found.turn.median_ms == 150.0
    assert [each.name for each in found.nodes] == ["reason"]
    assert [(s.name, s.share) for s in found.segments] == [("knowledge", 0.75), ("recent", 0.25)]
    assert str(found.slowest[0].turn_id) == slow and "What is slow?" not in str(found)
    assert found.degraded == [("arXiv was away", 1)]
    assert found.feedback == {"good": 1, "bad": 0}
    assert json.dumps(found.to_json(), default=str)


def test_tools_stores_and_jobs_are_counted_in_their_time(database: Database):
    log = """
    INSERT INTO tool_log_memory (thread_id, tool_name, status, duration_ms, timestamp)
    VALUES ('t', 'search_papers', %s, %s, %s)
    """
    rows = [("success", 10, NOW), ("success", 30, NOW), ("timeout", 50, NOW),
            ("error", 70, NOW - timedelta(days=99))]  # fmt: skip
    job = """
    INSERT INTO batch_job (batch_id, number, key, job, status, attempts, started_at, ended_at, cost)
    SELECT batch_id, 1, 'k', '{}', 'failed', 2, now(), now(), 0.25 FROM batch
    """
    done = """
    INSERT INTO batch_job
        (batch_id, number, key, job, status, report, started_at, ended_at, parts_ms)
    SELECT batch_id, n, n, '{}', 'done', '{}', %(at)s, %(at)s, '{"plan": 20, "research": 4000}'
    FROM batch, generate_series(2, 3) AS n
    """
    database.batch(
        "tester",
        [*((log, row) for row in rows), ("INSERT INTO batch (name) VALUES ('b')", {}), (job, {}),
         (done, {"at": NOW})],
    )  # fmt: skip
    found = read_statistics(database, "tester", SPAN)
    (tool,) = found.tools
    assert (tool.calls, tool.failures, tool.timeouts, tool.median_ms) == (3, 1, 1, 30.0)
    store = next(each for each in found.stores if each.name == "tool log")
    assert (store.rows, store.added, sum(store.growth), store.growth[-1]) == (4, 3, 3, 3)
    assert store.bytes > 0
    assert (found.jobs.failed, found.jobs.attempts, found.jobs.cost) == (1, 2, 0.25)
    nodes = [(each.name, each.count, each.median_ms) for each in found.job_nodes]
    assert nodes == [("research", 2, 4_000.0), ("plan", 2, 20.0)]


def test_figures_are_of_their_person_and_of_all_for_the_owner_only(
    database: Database, settings, identity
):
    ask(database, "tester")
    ask(database, "somebody")
    assert read_statistics(database, "tester", SPAN).total.turns == 1
    whole = read_statistics(database, None, SPAN)
    assert whole.total.turns == 2
    assert "Why?" not in str(whole) and [each.thread_id for each in whole.slowest] == ["", ""]
    login = settings.database_url.get_secret_value()
    bound = Database(login, login)  # nobody's but the application's login
    bound.access = database.access
    try:
        with pytest.raises(UsageError, match="Row security hides"):
            read_statistics(bound, None, SPAN)
    finally:
        bound.close()


def test_nothing_is_told_of_nothing(database: Database):
    found = read_statistics(database, "tester", SPAN)
    assert (found.days, found.turn, found.nodes, found.total.turns) == ([], None, [], 0)
    families = {each.name: each for each in counted(reader(database, "tester"))}
    assert families["arxivscout_turns_total"].samples == []
    rows = next(e for e in sized(reader(database, "tester")) if e.name == "arxivscout_store_rows")
    assert {sample.value for sample in rows.samples} >= {0}


@contextmanager
def served(families: Families, sizes: Sizes) -> Iterator[str]:
    """The address of a server of these metrics, which ends with the process."""
    address: list[str] = []
    ready = threading.Event()

    def tell(url: str) -> None:
        address.append(url)
        ready.set()

    threading.Thread(
        target=serve_metrics, args=(families, sizes, 0, tell), daemon=True
    ).start()  # fmt: skip
    assert ready.wait(10)
    yield address[0]


def test_a_database_that_is_away_is_told_and_the_server_goes_on():
    answers: list[object] = [DatabaseUnavailable("gone"), [Family("a", "gauge", "A.",
                                                                  [Sample({}, 1)])]]  # fmt: skip

    def families() -> list[Family]:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer  # type: ignore[return-value]

    with served(families, Sizes(lambda: [])) as url:
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(url)
        with refused.value as answer:
            assert answer.code == 503
        with urllib.request.urlopen(url) as answer:
            assert answer.read().endswith(b"a 1\n")


def test_a_port_that_is_taken_is_told_in_a_line():
    with served(lambda: [], Sizes(lambda: [])) as url:
        port = int(url.split(":")[2].split("/")[0])
        with pytest.raises(UsageError, match="can't be had"):
            serve_metrics(lambda: [], Sizes(lambda: []), port, lambda address: None)
