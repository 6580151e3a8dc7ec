"""Threads in the database: listed, named, forked, deleted, each person's own; quick when long."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from arxivscout.memory import (
    conversation,
    entity,
    exchanges,
    relation,
    summary,
    threads,
    tool_log,
    workflow,
)
from arxivscout.memory.postgres import Connection, Database
from arxivscout.memory.titles import name_of, title_of

NOON = dt.datetime(2026, 1, 1, 12, tzinfo=dt.UTC)
VECTOR = [1.0] + [0.0] * 383
# of this connection, by any way
ROWS_READ = """
SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint
FROM pg_stat_xact_user_tables
"""


@pytest.mark.parametrize(
    ("question", "title", "name"),
    [
        (
            "What is known about quantum teleportation of neutral mesons?",
            "Quantum teleportation of neutral mesons",
            "quantum-teleportation-of-neutral-mesons",
        ),
        ("Which papers are about dark matter?", "Dark matter", "dark-matter"),
        ("Hi! What is MOND? And why?", "What is MOND", "what-is-mond"),
        ("# **Bold** `code`\n\n> quoted", "Bold code > quoted", "bold-code-quoted"),
        ("Was ist über Dunkle Materie bekannt?", None, "was-ist-über-dunkle-materie-bekannt"),
        ("e.g. what about it", "E.g. what about it", "e-g-what-about-it"),
        ("a" * 300, "A" + "a" * 58 + "…", "a" * 40),
        ("\x1b[31mred\x1b[0m \u202eevil", "Red evil", "red-evil"),
        ("???", "", ""),
        ("", "", ""),
    ],
)
def test_a_title_is_made_from_a_question(question: str, title: str | None, name: str) -> None:
    assert title_of(question) == (title if title is not None else question.rstrip("?"))
    assert name_of(question) == name
    assert len(title_of(question)) <= 60


@pytest.mark.timeout(20)
def test_a_title_of_a_pasted_paper_is_quickly_made() -> None:
    for text in ("word " * 200_000, "#" * 1_000_000, "please " * 200_000, "a." * 500_000):
        assert len(title_of(text)) <= 60


def test_a_thread_names_itself_until_it_is_named(database: Database) -> None:
    with database.transaction("ann") as conn:
        conversation.append(conn, "default", "user", "Which papers are about dark matter?")
        conversation.append(conn, "told", "assistant", "by itself")
        titles = {each.thread_id: each.title for each in threads.threads(conn)}
        assert titles == {"default": "Dark matter", "told": "told"}
        threads.set_title(conn, "default", "Mine")
        assert "Mine" in {each.title for each in threads.threads(conn)}
        assert threads.title(conn, "default") == "Mine"
        threads.set_title(conn, "default", None)
        assert threads.title(conn, "default") == "Dark matter"
    with database.transaction("bob") as conn:
        assert threads.threads(conn) == []
        assert conn.execute("SELECT count(*) FROM thread").fetchone() == (0,)
        assert not threads.is_there(conn, "default")


def test_a_thread_is_renamed_wherever_its_name_stands(database: Database) -> None:
    turn = uuid.uuid4()
    about = {"b": 1, "thread_id": "old", "a": 2}
    with database.transaction("ann", turn) as conn:
        conversation.append(conn, "old", "user", "hello", turn_id=turn)
        tool_log.append(conn, "old", "search", turn_id=turn)
        conn.execute(
            "INSERT INTO turn (turn_id, thread_id, question) VALUES (%s, 'old', 'hello')", [turn]
        )
        summary.write(conn, "summary", VECTOR, about)
        workflow.write(conn, "workflow", VECTOR, about)
        one = entity.write(conn, "one", VECTOR, {**about, "category": "fact"})
        two = entity.update(conn, one, "two", VECTOR)
        relation.add(conn, one, "led_to", two, about)
        threads.set_title(conn, "old", "Title")
        conversation.append(conn, "other", "user", "stays")
    with database.transaction("ann") as conn:
        logged = conn.execute("SELECT count(*) FROM change_log").fetchone()
        threads.rename(conn, "old", "new")
        assert conn.execute("SELECT count(*) FROM change_log").fetchone() == logged
        assert not threads.is_there(conn, "old")
        names = {
            name
            for table in ("summary_memory", "workflow_memory", "entity_memory")
            for (name,) in conn.execute(
                f"SELECT thread_id || ' ' || langchain_metadata::text FROM {table}"  # type: ignore[arg-type]
            )
        }
        assert {name.partition(" ")[0] for name in names} == {"new"}
        assert all('"b" : 1, "thread_id" : "new", "a" : 2' in name for name in names), names
        assert conn.execute(
            "SELECT properties ->> 'thread_id' FROM relation_memory"
        ).fetchall() == [("new",)]
        assert conn.execute(
            "SELECT DISTINCT before ->> 'thread_id', metadata ->> 'thread_id' FROM change_log "
            "WHERE action <> 'insert'"
        ).fetchall() == [("new", "new")]
        listed = {each.thread_id: each.title for each in threads.threads(conn)}
    assert listed == {"new": "Title", "other": "Stays"}


def test_a_fork_has_what_was_said_and_goes_its_own_way(database: Database) -> None:
    turns = [uuid.uuid4() for _ in range(3)]
    with database.transaction("ann") as conn:
        for number, turn in enumerate(turns):
            at = NOON + dt.timedelta(minutes=number)
            conversation.append(conn, "t", "user", f"{number}?", {"a": 1}, turn, at=at)
            conversation.append(conn, "t", "assistant", f"{number}!", None, turn, at=at)
            conn.execute(
                "INSERT INTO turn (turn_id, thread_id, question, status, citations, usage) VALUES "
                "(%s, 't', %s, %s, '[{\"arxiv_id\": \"0704.0001\"}]', '{\"input_tokens\": 5}')",
                [turn, f"{number}?", "open" if number == 2 else "answered"],
            )
        summary.write(
            conn,
            "so far",
            VECTOR,
            {"thread_id": "t", "message_ids": [conversation.recent(conn, "t")[0].id]},
        )
        assert threads.fork(conn, "t", "whole") == 4  # what is being answered stays behind
        assert threads.fork(conn, "t", "first", turns[0]) == 2
        whole = exchanges.exchanges(conn, "whole")
        original = exchanges.exchanges(conn, "t")
        assert [e.question for e in exchanges.exchanges(conn, "first")] == ["0?"]
        assert [(e.question, e.answer, e.citations, e.asked_at) for e in whole] == [
            (e.question, e.answer, e.citations, e.asked_at) for e in original[:2]
        ]
        assert not {e.turn_id for e in whole} & {e.turn_id for e in original}
        assert exchanges.usage(conn, "whole").input_tokens == 0  # it has spent nothing yet
        assert [m.summary_id for m in conversation.recent(conn, "whole")] == [None] * 4
        threads.delete(conn, "t")
        assert len(exchanges.exchanges(conn, "whole")) == 2


def test_a_name_that_is_free(database: Database) -> None:
    with database.transaction("ann") as conn:
        assert threads.free_name(conn, "t") == "t"
        for name in ("t", "t-2", "x" * 100):
            conversation.append(conn, name, "user", "hello")
        assert threads.free_name(conn, "t") == "t-3"
        assert threads.free_name(conn, "x" * 100) == "x" * 98 + "-2"


def test_exchanges_pair_questions_with_answers(database: Database) -> None:
    turn = uuid.uuid4()
    with database.transaction("ann") as conn:
        for role, text, of in (
            ("assistant", "Unasked.", None),
            ("user", "one?", None),
            ("user", "two?", None),
            ("assistant", "Two.", None),
            ("assistant", "And more.", None),
            ("user", "three?", turn),
            ("system", "not said by anybody", None),
            ("assistant", "Three.", turn),
            ("user", "four?", uuid.uuid4()),
        ):
            conversation.append(conn, "t", role, text, turn_id=of)
        assert [(e.question, e.answer) for e in exchanges.exchanges(conn, "t")] == [
            ("", "Unasked."),
            ("one?", None),
            ("two?", "Two.\n\nAnd more."),
            ("three?", "Three."),
            ("four?", None),
        ]
        last = exchanges.last_exchange(conn, "t")
        assert last is not None
        assert (last.question, last.answer, last.turn_id is None) == ("four?", None, False)
        assert exchanges.last_exchange(conn, "none") is None
        assert exchanges.last_turn(conn, "t") is None
        assert exchanges.report(conn, "t") == []


def _long_thread(conn: Connection, turns: int) -> None:
    """A thread of so many turns, and twenty short ones beside it."""
    conn.execute(
        """
        INSERT INTO turn (turn_id, thread_id, question, status, model, usage, report, started_at)
        SELECT gen_random_uuid(), CASE WHEN n <= %(turns)s THEN 'long' ELSE 'short ' || n END,
               'question ' || n, 'answered', 'openai:m' || n %% 2,
               '{"input_tokens": 10, "output_tokens": 1}',
               (SELECT jsonb_agg(jsonb_build_object('segment', s, 'cut', repeat('x', 100)))
                FROM generate_series(1, 20) AS s),
               now() + n * interval '1 minute'
        FROM generate_series(1, %(turns)s + 20) AS n
        """,
        {"turns": turns},
    )
    conn.execute(
        """
        INSERT INTO conversational_memory (thread_id, role, content, turn_id, timestamp)
        SELECT thread_id, role, question || repeat(' word', 100), turn_id,
               started_at + CASE role WHEN 'user' THEN interval '0' ELSE interval '20 seconds' END
        FROM turn, unnest(ARRAY['user', 'assistant']) AS role ORDER BY started_at, role DESC
        """
    )
    conn.execute(
        """
        INSERT INTO tool_log_memory (thread_id, tool_name, tool_output, turn_id, timestamp)
        SELECT thread_id, 'search_papers', repeat('x', 1000), turn_id,
               started_at + interval '10 seconds'
        FROM turn ORDER BY started_at
        """
    )


def test_of_a_thread_of_5000_turns_no_more_is_read_than_is_shown(database: Database) -> None:
    for user in ("ann", "bob"):
        with database.transaction(user) as conn:
            _long_thread(conn, 5_000)
    with database.admin() as admin:
        admin.execute("ANALYZE arxivscout.conversational_memory, arxivscout.turn, "
                      "arxivscout.tool_log_memory")  # fmt: skip
    reads: dict[str, Callable[[Connection], Any]] = {
        "list": lambda conn: threads.threads(conn),
        "title": lambda conn: threads.title(conn, "long"),
        "last exchange": lambda conn: exchanges.last_exchange(conn, "long"),
        "last turn": lambda conn: exchanges.last_turn(conn, "long"),
        "newest 50 events": lambda conn: conversation.events(conn, "long", 50),
        "usage": lambda conn: exchanges.usage(conn, "long"),
        "context": lambda conn: exchanges.report(conn, "long"),
    }
    rows: dict[str, int] = {}
    for name, read in reads.items():
        with database.transaction("ann") as conn:
            ((before,),) = conn.execute(ROWS_READ)
            assert read(conn), name
            ((after,),) = conn.execute(ROWS_READ)
            rows[name] = after - before
    # the list and the sums read the turns of the thread, the others what they show
    assert max(rows.pop(each) for each in ("list", "usage")) <= 2 * 5_000 + 100, rows
    assert max(rows.values()) <= 500, rows
    with database.transaction("ann") as conn:
        listed = next(each for each in threads.threads(conn) if each.thread_id == "long")
        newest = conversation.events(conn, "long", 4)
        total = exchanges.usage(conn, "long")
    assert (listed.turns, listed.title[:10]) == (5_000, "Question 1")
    assert [event.kind for event in newest] == ["assistant", "user", "tool", "assistant"]
    assert newest[-1].text is not None
    assert newest[-1].text.startswith("question 5000 ")
    assert (total.turns, total.input_tokens, total.output_tokens) == (5_000, 50_000, 5_000)
    assert total.by_model["openai:m0"] == {
        "turns": 2_500,
        "input_tokens": 25_000,
        "output_tokens": 2_500,
    }
