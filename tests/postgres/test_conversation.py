"""Threads: exact order, newest first kept, interleaved with tool calls, and deleted whole."""

from __future__ import annotations

import datetime as dt
import uuid

import pytest

from arxivscout.memory import conversation, entity, summary, threads, tool_log, workflow
from arxivscout.memory.postgres import Database

NOON = dt.datetime(2026, 1, 1, 12, tzinfo=dt.UTC)
VECTOR = [0.1] * 384


def test_the_newest_in_their_order_also_when_times_tie(database: Database) -> None:
    with database.transaction("ann") as conn:  # all rows of one transaction have one time
        for i in range(30):
            conversation.append(conn, "t", "user", f"message {i}")
    with database.transaction("ann") as conn:
        messages = conversation.recent(conn, "t", 10)
        assert len({message.at for message in messages}) == 1
        assert [message.content for message in messages] == [f"message {i}" for i in range(20, 30)]
        assert len(conversation.recent(conn, "t", 99)) == 30


def test_the_time_of_the_event_comes_before_the_order_of_writing(database: Database) -> None:
    with database.transaction("ann") as conn:
        for hours in (2, 0, 1):
            at = NOON + dt.timedelta(hours=hours)
            conversation.append(conn, "t", "user", f"at {hours}", at=at)
        contents = [message.content for message in conversation.recent(conn, "t", 2)]
    assert contents == ["at 1", "at 2"]


def test_a_turns_message_written_again_replaces_it(database: Database) -> None:
    turn = uuid.uuid4()
    with database.transaction("ann") as conn:
        first = conversation.append(conn, "t", "user", "hello", turn_id=turn)
        assert conversation.append(conn, "t", "user", "hello!", {"a": 1}, turn_id=turn) == first
        conversation.append(conn, "t", "assistant", "hello", turn_id=turn)
        messages = conversation.recent(conn, "t")
    assert [(m.role, m.content, m.metadata) for m in messages] == [
        ("user", "hello!", {"a": 1}),
        ("assistant", "hello", {}),
    ]


def test_threads_of_one_person_newest_first(database: Database) -> None:
    with database.transaction("bob") as conn:
        conversation.append(conn, "other", "user", "not Ann's")
    with database.transaction("ann") as conn:
        assert threads.threads(conn) == []
        conversation.append(conn, "old", "user", "first?", at=NOON)
        conversation.append(conn, "old", "assistant", "yes", at=NOON + dt.timedelta(1))
        conversation.append(conn, "new", "user", "one?", at=NOON + dt.timedelta(2))
        conversation.append(conn, "new", "user", "two?", at=NOON + dt.timedelta(2))
        conversation.append(conn, "told", "assistant", "by itself", at=NOON - dt.timedelta(1))
        listed = threads.threads(conn)
    assert [(t.thread_id, t.turns, t.last_question) for t in listed] == [
        ("new", 2, "two?"),
        ("old", 1, "first?"),
        ("told", 0, None),
    ]
    assert (listed[1].first_at, listed[1].last_at) == (NOON, NOON + dt.timedelta(1))


@pytest.mark.parametrize("tied", [True, False])
def test_messages_and_tool_calls_are_interleaved(database: Database, tied: bool) -> None:
    """In true order; where all times tie, by turn: question, calls, answer."""
    minutes = iter(range(99))

    def clock() -> dt.datetime:
        return NOON if tied else NOON + dt.timedelta(minutes=next(minutes))

    with database.transaction("ann") as conn:
        for name in ("a", "b"):
            turn = uuid.uuid4()
            conversation.append(conn, "t", "user", f"{name}?", turn_id=turn, at=clock())
            tool_log.append(
                conn, "t", "search", {}, f"{name} found", duration_ms=3, turn_id=turn, at=clock()
            )
            tool_log.append(
                conn,
                "t",
                "read",
                status="error",
                error_message=f"{name} lost",
                turn_id=turn,
                at=clock(),
            )
            conversation.append(conn, "t", "assistant", f"{name}!", turn_id=turn, at=clock())
        events = conversation.events(conn, "t")
    expected = [
        (kind, tool, text.format(name), status)
        for name in ("a", "b")
        for kind, tool, text, status in (
            ("user", None, "{}?", None),
            ("tool", "search", "{} found", "success"),
            ("tool", "read", "{} lost", "error"),
            ("assistant", None, "{}!", None),
        )
    ]
    assert [(e.kind, e.name, e.text, e.status) for e in events] == expected
    assert events[1].duration_ms == 3


def test_a_deleted_thread_is_gone_and_what_was_learned_stays(database: Database) -> None:
    with database.transaction("ann") as conn:
        for thread in ("gone", "kept"):
            conversation.append(conn, thread, "user", "hello")
            conversation.append(conn, thread, "assistant", "hello")
            tool_log.append(conn, thread, "search")
            summary.write(conn, f"about {thread}", VECTOR, {"thread_id": thread})
            workflow.write(conn, f"steps in {thread}", VECTOR, {"thread_id": thread})
            entity.write(conn, f"preference from {thread}", VECTOR, {"category": "preference"})
            conn.execute(
                "INSERT INTO turn (turn_id, thread_id, question) VALUES (%s, %s, 'hello')",
                [uuid.uuid4(), thread],
            )
            conn.execute(
                "INSERT INTO thread_lease (thread_id, holder, host, process, expires_at) "
                "VALUES (%s, %s, 'h', 'p', now())",
                [thread, uuid.uuid4()],
            )
        assert threads.delete(conn, "gone") == 2
        assert threads.delete(conn, "gone") == 0
        left = {}
        tables = "conversational tool_log summary workflow entity".split()
        for table in [*(f"{name}_memory" for name in tables), "turn", "thread_lease"]:
            row = conn.execute(f"SELECT count(*) FROM {table}").fetchone()  # type: ignore[arg-type]
            left[table] = row and row[0]
    assert left == {
        "conversational_memory": 2,
        "tool_log_memory": 1,
        "summary_memory": 1,
        "workflow_memory": 2,
        "entity_memory": 2,
        "turn": 1,
        "thread_lease": 1,
    }


def test_nobody_deletes_anothers_thread(database: Database) -> None:
    with database.transaction("ann") as conn:
        conversation.append(conn, "t", "user", "hello")
    with database.transaction("bob") as conn:
        assert threads.delete(conn, "t") == 0
        assert conversation.events(conn, "t") == []
    with database.transaction("ann") as conn:
        assert len(conversation.events(conn, "t")) == 1


def test_a_summary_leads_back_to_what_it_condenses(database: Database) -> None:
    with database.transaction("ann") as conn:
        ids = [conversation.append(conn, "t", "user", f"{i}") for i in range(4)]
        metadata = {"thread_id": "t", "message_ids": [str(ids[0]), ids[1]]}
        summary_id = summary.write(conn, "the first two", VECTOR, metadata)
        condensed = conversation.condensed_in(conn, summary_id)
        assert [message.id for message in condensed] == ids[:2]
        assert {message.summary_id for message in condensed} == {summary_id}
        assert summary.write(conn, "the first two", VECTOR, {"message_ids": ids[2:3]}) == summary_id
        assert [message.id for message in conversation.condensed_in(conn, summary_id)] == ids[:3]
        assert summary.delete(conn, summary_id) is True
        assert {message.summary_id for message in conversation.recent(conn, "t")} == {None}
        with pytest.raises(ValueError):
            summary.write(conn, "another", VECTOR, {"message_ids": ["no uuid"]})
