"""MemoryManager: a call is a transaction, nothing is lost or doubled, and it works after errors."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.embeddings import DeterministicFakeEmbedding
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool

from arxivscout import MemoryManager
from arxivscout.errors import DatabaseUnavailable, NotFound, UsageError
from arxivscout.memory.postgres import Database
from arxivscout.memory.vector_memory import vector_text

EMBEDDING = DeterministicFakeEmbedding(size=384)
KINDS = ["knowledge_base", "workflow", "toolbox", "entity", "summary"]
TABLES = {
    "knowledge_base": "semantic_memory",
    "workflow": "workflow_memory",
    "toolbox": "toolbox_memory",
    "entity": "entity_memory",
    "summary": "summary_memory",
}


class Store:
    """A vector store as far as the manager needs one."""

    def __init__(self, table: str) -> None:
        self.embeddings = EMBEDDING
        self.table = table

    def get_table_name(self) -> str:
        return self.table


def manager_on(source: Any, user: str | None = None) -> MemoryManager:
    stores = [Store(TABLES[kind]) for kind in KINDS]
    return MemoryManager(source, "conversational_memory", *stores, "tool_log_memory", user=user)


@pytest.fixture
def ann(database: Database) -> MemoryManager:
    return MemoryManager.for_user(database, EMBEDDING, "ann")


@pytest.fixture
def connection(database: Database) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database.user_url("ann")) as connection:
        yield connection


def count(database: Database, table: str, user: str = "ann") -> int:
    with database.transaction(user) as conn:
        row = conn.execute(f"SELECT count(*) FROM {table}").fetchone()  # type: ignore[arg-type]
    assert row
    return int(row[0])


def write(manager: MemoryManager, kind: str, *args: Any) -> str:
    return str(getattr(manager, f"write_{kind}")(*args))


# once, and merged


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_text_is_one_memory(ann: MemoryManager, database: Database, kind: str) -> None:
    first = write(ann, kind, "same", {"a": 1, "b": 1})
    second = write(ann, kind, "same", {"b": 2, "c": 3})
    assert first == second
    assert write(ann, kind, "other") != first
    assert count(database, TABLES[kind]) == 2
    with database.transaction("ann") as conn:
        query = f"SELECT langchain_metadata FROM {TABLES[kind]} WHERE content = 'same'"
        row = conn.execute(query).fetchone()  # type: ignore[arg-type]
    assert row and list(row[0].items()) == [("a", 1), ("b", 2), ("c", 3)]


@pytest.mark.parametrize("kind", KINDS[1:])
def test_the_same_text_of_two_people_is_two(
    ann: MemoryManager, database: Database, kind: str
) -> None:
    bob = MemoryManager.for_user(database, EMBEDDING, "bob")
    assert write(ann, kind, "same") != write(bob, kind, "same")


def test_a_paper_is_one_whatever_its_id_looks_like(ann: MemoryManager, database: Database) -> None:
    forms = ["0704.0001", "arXiv:0704.0001v1", "https://arxiv.org/abs/0704.0001"]
    ids = {ann.write_knowledge_base(f"text {i}", {"arxiv_id": f}) for i, f in enumerate(forms)}
    assert len(ids) == 1
    assert "text 2" in ann.read_knowledge_base("x")


def test_an_older_version_replaces_no_newer_one(ann: MemoryManager) -> None:
    ann.write_knowledge_base("second", {"arxiv_id": "0704.0001v2"})
    ann.write_knowledge_base("first", {"arxiv_id": "0704.0001v1"})
    assert "second" in ann.read_knowledge_base("x")
    ann.write_knowledge_base("third", {"arxiv_id": "0704.0001v3"})
    assert "third" in ann.read_knowledge_base("x")
    assert "[2]" not in ann.read_knowledge_base("x")


def test_events_count_each_time(ann: MemoryManager, database: Database) -> None:
    for _ in range(3):
        ann.write_conversational_memory("t", "user", "yes")
        ann.write_tool_log("t", "search", {"q": 1}, "nothing")
    assert (count(database, "conversational_memory"), count(database, "tool_log_memory")) == (3, 3)


# many at once


def test_threads_lose_nothing_and_double_nothing(database: Database) -> None:
    with (
        psycopg.connect(database.user_url("ann")) as connection,
        ConnectionPool(database.user_url("ann"), min_size=2, max_size=4, open=True) as pool,
    ):
        managers = [manager_on(connection), manager_on(pool), manager_on(database, "ann")]

        def work(worker: int) -> list[str]:
            manager = managers[worker % 3]
            ids = []
            for i in range(50):
                manager.write_conversational_memory("t", "user", f"{worker} {i}")
                manager.write_tool_log("t", "search", {"i": i})
                ids.append(manager.write_workflow(f"shared {i}", {f"of {worker}": i}))
            return ids

        with ThreadPoolExecutor(8) as executor:
            ids = list(executor.map(work, range(8)))
    assert all(mine == ids[0] for mine in ids)
    assert count(database, "conversational_memory") == 400
    assert count(database, "tool_log_memory") == 400
    assert count(database, "workflow_memory") == 50
    with database.transaction("ann") as conn:
        rows = conn.execute("SELECT langchain_metadata FROM workflow_memory").fetchall()
    assert all(len(metadata) == 8 for (metadata,) in rows), "each writer's metadata is merged"


PROCESS = """
import sys, psycopg
from langchain_core.embeddings import DeterministicFakeEmbedding
from arxivscout import MemoryManager
class Store:
    embeddings = DeterministicFakeEmbedding(size=384)
    def __init__(self, table): self.table = table
    def get_table_name(self): return self.table
tables = "semantic workflow toolbox entity summary".split()
with psycopg.connect(sys.argv[1]) as conn:
    stores = [Store(name + "_memory") for name in tables]
    manager = MemoryManager(conn, "conversational_memory", *stores, "tool_log_memory")
    for i in range(50):
        manager.write_entity(f"fact {i}", {"category": "fact"})
        manager.write_entity(f"name is now {sys.argv[2]} {i}", {"category": "person", "name": "x"})
        manager.write_knowledge_base(f"paper {i}", {"arxiv_id": f"0704.{i:04d}"})
        manager.write_knowledge_base(f"text {i}")
        manager.write_conversational_memory("t", "user", f"{sys.argv[2]} {i}")
"""


def test_processes_lose_nothing_and_double_nothing(database: Database) -> None:
    url = database.user_url("ann")
    processes = [
        subprocess.Popen([sys.executable, "-c", PROCESS, url, str(i)], stderr=subprocess.PIPE)
        for i in range(2)
    ]
    for process in processes:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors.decode()
    assert count(database, "conversational_memory") == 100
    assert count(database, "semantic_memory") == 100
    assert count(database, "entity_memory WHERE category = 'fact'") == 50
    assert count(database, "entity_memory WHERE category = 'person'") == 100
    assert count(database, "entity_memory WHERE category = 'person' AND valid_to IS NULL") == 1


# the connection


def test_the_connection_is_never_left_in_a_transaction(
    connection: psycopg.Connection[Any], database: Database
) -> None:
    manager = manager_on(connection)
    manager.write_workflow("x")
    manager.read_workflow("x")
    manager.read_tool_logs("t")
    with pytest.raises(ValueError):
        manager.read_workflow("x", filter={"a": {"$regex": "x"}})
    assert connection.info.transaction_status == TransactionStatus.IDLE
    connection.execute("SELECT 1")  # begins a transaction that nobody ends
    manager.write_workflow("y")
    assert connection.info.transaction_status == TransactionStatus.IDLE
    assert count(database, "workflow_memory") == 2


def test_after_an_error_the_next_call_works(connection: psycopg.Connection[Any]) -> None:
    manager = manager_on(connection)
    with pytest.raises(ValueError, match="too long"):
        manager.write_conversational_memory("t" * 101, "user", "hello")
    manager.write_conversational_memory("t", "user", "hello")
    with pytest.raises(psycopg.errors.UndefinedTable):
        connection.execute("SELECT * FROM nowhere")
    assert connection.info.transaction_status == TransactionStatus.INERROR
    assert "hello" in manager.read_conversational_memory("t")


def test_within_the_owners_transaction_it_is_the_owner_who_commits(
    connection: psycopg.Connection[Any], database: Database
) -> None:
    manager = manager_on(connection)
    with connection.transaction(force_rollback=True):
        manager.write_workflow("x")
        assert "[1]" in manager.read_workflow("x")
    assert count(database, "workflow_memory") == 0


def test_the_row_factory_of_the_connection_does_not_matter(database: Database) -> None:
    from psycopg.rows import dict_row

    with psycopg.connect(database.user_url("ann"), row_factory=dict_row) as connection:
        manager = manager_on(connection)
        manager.write_entity("x", {"category": "fact", "name": "y"})
        manager.write_entity("z", {"category": "fact", "name": "y"})
        assert "[1] z" in manager.read_entity("x")


def kill_sessions(database: Database) -> None:
    with database.admin() as admin:
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid() "
            "AND backend_type = 'client backend'"
        )


def test_broken_pooled_connections_recover(database: Database) -> None:
    with ConnectionPool(database.user_url("ann"), min_size=3, open=True) as pool:
        pool.wait()
        for manager in (manager_on(pool), manager_on(database, "ann")):
            manager.write_workflow("before")
            kill_sessions(database)
            manager.write_workflow("after")
            assert "[2]" in manager.read_workflow("x")


def test_a_connection_that_is_gone_says_so(database: Database) -> None:
    connection = psycopg.connect(database.user_url("ann"))
    manager = manager_on(connection)
    kill_sessions(database)
    for _ in range(2):
        with pytest.raises(DatabaseUnavailable):
            manager.write_workflow("x")
    connection.close()


def test_a_database_needs_a_person(database: Database) -> None:
    with pytest.raises(UsageError):
        manager_on(database)


# what is stored


@pytest.mark.parametrize("kind", KINDS)
def test_text_and_metadata_are_cleaned(ann: MemoryManager, kind: str) -> None:
    write(ann, kind, "nu\0l \ud800half", {"ke\0y": ["va\0lue", {"\udfff": 1}]})
    read = ann.read_summary_memory if kind == "summary" else getattr(ann, f"read_{kind}")
    block = read("nul\0 \ud800")
    assert "[1] nul half   ({'key': ['value', {'': 1}]" in block


def test_events_are_cleaned(ann: MemoryManager) -> None:
    ann.write_conversational_memory("t", "user", "nu\0l", {"a": "\ud800"})
    ann.write_tool_log("t", "x", {"a\0": {1}}, "out\0", "error", "tra\0ce", metadata={"a": {1}})
    ann.write_tool_log("t", "x", [1, "\0"], {"a": float("nan")})
    assert "user: nul" in ann.read_conversational_memory("t")
    logs = ann.read_tool_logs("t")
    assert "x({'a': '{1}'}) -> error\n    trace" in logs
    assert """x([1, '']) -> success\n    {"a": "nan"}""" in logs


@pytest.mark.parametrize("kind", KINDS)
def test_what_json_cannot_hold_is_refused(ann: MemoryManager, kind: str) -> None:
    with pytest.raises(ValueError, match=r"metadata\['a'\] can't be kept as JSON: set"):
        write(ann, kind, "x", {"a": {1}})


def test_any_text_and_metadata_can_be_written_and_read(ann: MemoryManager) -> None:
    values = st.one_of(st.text(), st.integers(-(2**70), 2**70), st.booleans(), st.none())

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.text(), st.dictionaries(st.text(max_size=5), values, max_size=3))
    def check(text: str, metadata: dict[str, Any]) -> None:
        for kind in ("knowledge_base", "workflow", "entity"):
            memory_id = write(ann, kind, text, metadata)
            assert write(ann, kind, text, metadata) == memory_id
        ann.write_conversational_memory("t", "user", text, metadata)

    check()


def test_a_text_of_two_megabytes(ann: MemoryManager) -> None:
    text = " ".join(f"word{i}" for i in range(250_000))
    assert ann.write_knowledge_base(text) == ann.write_knowledge_base(text)
    ann.write_conversational_memory("t", "user", text)


# changing and deleting


@pytest.mark.parametrize("kind", ["knowledge_base", "workflow", "toolbox", "summary"])
def test_update_and_delete(ann: MemoryManager, database: Database, kind: str) -> None:
    memory_id = write(ann, kind, "old", {"a": 1})
    assert getattr(ann, f"update_{kind}")(memory_id, "new", {"b": 2}) == memory_id
    read = ann.read_summary_memory if kind == "summary" else getattr(ann, f"read_{kind}")
    assert "[1] new   ({'a': 1, 'b': 2" in read("new")
    with database.transaction("ann") as conn:
        query = f"SELECT embedding <=> %s::vector FROM {TABLES[kind]}"
        row = conn.execute(query, [vector_text(EMBEDDING.embed_query("new"))]).fetchone()  # type: ignore[arg-type]
    assert row and row[0] == pytest.approx(0, abs=1e-5)
    delete = getattr(ann, f"delete_{kind}")
    assert (delete(memory_id), delete(memory_id)) == (True, False)
    assert "(no result)" in read("new")
    with pytest.raises(NotFound):
        getattr(ann, f"update_{kind}")(memory_id, "x")


@pytest.mark.parametrize("kind", KINDS[1:])
def test_nobody_changes_anothers(ann: MemoryManager, database: Database, kind: str) -> None:
    memory_id = write(ann, kind, "mine")
    bob = MemoryManager.for_user(database, EMBEDDING, "bob")
    with pytest.raises(NotFound):
        getattr(bob, f"update_{kind}")(memory_id, "his")
    assert getattr(bob, f"delete_{kind}")(memory_id) is False
    assert count(database, TABLES[kind]) == 1


def test_the_change_log_knows_what_stood_before_and_why(
    ann: MemoryManager, database: Database
) -> None:
    memory_id = ann.write_workflow("old")
    ann.update_workflow(memory_id, "new", reason="it was wrong")
    ann.delete_workflow(memory_id, reason="no longer needed")
    with database.transaction("ann") as conn:
        rows = conn.execute(
            "SELECT action, before ->> 'content', after ->> 'content', reason FROM change_log "
            "ORDER BY id"
        ).fetchall()
    assert rows == [
        ("update", "old", "new", "it was wrong"),
        ("delete", "new", None, "no longer needed"),
    ]


def test_messages_and_logs_are_corrected_and_deleted(ann: MemoryManager) -> None:
    message = ann.write_conversational_memory("t", "user", "helo", {"a": 1})
    assert ann.update_conversational_memory(message, "hello", {"b": 2}) == message
    assert "user: hello" in ann.read_conversational_memory("t")
    log = ann.write_tool_log("t", "search", status="timeout")
    assert ann.update_tool_log(log, status="error", error_message="gone", duration_ms=5) == log
    assert "search({}) -> error in 5 ms\n    gone" in ann.read_tool_logs("t")
    assert (ann.delete_conversational_memory(message), ann.delete_tool_log(log)) == (True, True)
    assert (ann.delete_conversational_memory(message), ann.delete_tool_log(log)) == (False, False)
    with pytest.raises(NotFound):
        ann.update_conversational_memory(message, "x")
    with pytest.raises(NotFound):
        ann.update_tool_log(log, status="error")


@pytest.mark.parametrize("limit", [0, -1])
def test_limits(ann: MemoryManager, limit: int) -> None:
    ann.write_workflow("x")
    ann.write_conversational_memory("t", "user", "x")
    reads = [
        lambda: ann.read_workflow("x", limit),
        lambda: ann.read_entity("x", limit),
        lambda: ann.read_conversational_memory("t", limit),
        lambda: ann.read_tool_logs("t", limit),
    ]
    for read in reads:
        if limit == 0:
            assert "(no result)" in read()
        else:
            with pytest.raises(ValueError, match="negative"):
                read()
