"""The tool log: newest N in order, failures and arguments by their indexes, rates and latency."""

from __future__ import annotations

import datetime as dt

import pytest

from arxivscout.memory import tool_log
from arxivscout.memory.postgres import Database

_MANY = """
INSERT INTO tool_log_memory (user_id, thread_id, tool_name, tool_input, status, error_message)
SELECT CASE WHEN i %% 2 = 0 THEN 'ann' ELSE 'bob' END, 'thread ' || i %% 7, 'search',
       jsonb_build_object('query', 'words ' || i, 'category', 'cs.CL'),
       CASE WHEN i %% 500 = 0 THEN 'error' ELSE 'success' END, 'failed'
FROM generate_series(1, 20000) AS i
"""


@pytest.fixture
def many(database: Database) -> Database:
    """20,000 calls of two people, one in 500 of which failed."""
    with database.admin() as admin:
        admin.execute(_MANY.replace("%%", "%"))
    with database.admin() as admin:
        admin.autocommit = True
        admin.execute("ANALYZE tool_log_memory")
    return database


def test_the_newest_in_their_order_also_when_times_tie(database: Database) -> None:
    with database.transaction("ann") as conn:
        for i in range(30):
            status = "success" if i % 3 else "error"
            tool_log.append(conn, "t", "search", {"i": i}, status=status)
        tool_log.append(conn, "other", "search")
        newest = [log.tool_input["i"] for log in tool_log.recent(conn, "t")]
        failed = [log.tool_input["i"] for log in tool_log.recent(conn, "t", 4, only_errors=True)]
    assert newest == list(range(20, 30))
    assert failed == [18, 21, 24, 27]


def test_a_status_is_one_of_three(database: Database) -> None:
    with (
        database.transaction("ann") as conn,
        pytest.raises(ValueError, match="success, error, timeout"),
    ):
        tool_log.append(conn, "t", "search", status="splendid")


def test_failures_are_found_by_the_partial_index(many: Database) -> None:
    query = tool_log.statement(tool_log._RECENT_FAILURES, tool_log.TABLE)
    bound = {"thread": "thread 3", "limit": 10}
    with many.transaction("ann") as conn:
        rows = conn.execute(b"EXPLAIN " + query, bound).fetchall()
        plan = "\n".join(row[0] for row in rows)
        failures = tool_log.recent(conn, "thread 3", 99, only_errors=True)
        row = conn.execute(
            "SELECT count(*) FROM tool_log_memory WHERE thread_id = 'thread 3' "
            "AND status <> 'success'"
        ).fetchone()
    assert "idx_tool_log_memory_status" in plan, plan
    assert row == (len(failures),)
    assert failures


def scans(database: Database, index: str) -> int:
    """How often an index was scanned, by the server's own count."""
    with database.admin() as admin:
        admin.execute("SELECT pg_stat_force_next_flush()")
        admin.commit()
        row = admin.execute(
            "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = %s", [index]
        ).fetchone()
    assert row
    return int(row[0])


def test_calls_are_found_by_argument_through_the_index(many: Database) -> None:
    before = scans(many, "idx_tool_log_memory_input")
    with many.transaction("ann") as conn:
        found = tool_log.search(conn, {"query": "words 42"})
        assert [log.tool_input for log in found] == [{"query": "words 42", "category": "cs.CL"}]
        assert tool_log.search(conn, {"query": "words 43"}) == [], "that one is Bob's"
        newest = tool_log.search(conn, {"category": "cs.CL"}, 3)
        conn.execute("SELECT pg_stat_force_next_flush()")
    assert [log.tool_input["query"] for log in newest] == [
        f"words {i}" for i in (20000, 19998, 19996)
    ]
    assert scans(many, "idx_tool_log_memory_input") > before


def test_nested_arguments_can_be_searched(database: Database) -> None:
    with database.transaction("ann") as conn:
        tool_log.append(conn, "t", "search", {"filters": {"since": "2020"}, "tags": ["a", "b"]})
        for arguments in ({"filters": {"since": "2020"}}, {"tags": ["b"]}, {}):
            assert len(tool_log.search(conn, arguments)) == 1
        assert tool_log.search(conn, {"filters": {"since": "2021"}}) == []


def test_failure_rate_and_latency_of_each_tool(database: Database) -> None:
    with database.transaction("bob") as conn:
        tool_log.append(conn, "t", "search", status="error")
    with database.transaction("ann") as conn:
        for ms in (10, 20, 30, 40):
            tool_log.append(conn, "t", "search", duration_ms=ms)
        tool_log.append(conn, "t", "search", status="timeout", duration_ms=30_000.4)
        tool_log.append(
            conn, "t", "read", status="error", at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
        )
        search, read = tool_log.statistics(conn)
    assert (search.tool_name, search.calls, search.failures) == ("search", 5, 1)
    assert (search.failure_rate, search.median_ms) == (0.2, 30)
    assert search.mean_ms == pytest.approx(6020)
    assert search.p95_ms == pytest.approx(24_008)
    assert (read.failure_rate, read.mean_ms, read.median_ms) == (1.0, None, None)
    assert read.last_at == dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
