"""What happened is told in order, with what ended and what took its place."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

from graph_world import draw, thing

from arxivscout.embedding import Embedder
from arxivscout.memory import conversation, entity, relation
from arxivscout.memory.graph.node import View
from arxivscout.memory.graph.own import Graph
from arxivscout.memory.graph.timeline import Event
from arxivscout.memory.postgres import Connection, Database


def told(events: list[Event]) -> list[tuple[str, str]]:
    return [(event.what, event.text) for event in events]


def days_ago(conn: Connection, days: int) -> None:
    """Let all that was stored so far have been so many days before."""
    for table in ("entity_memory", "relation_memory"):
        conn.execute(
            f"UPDATE {table} SET valid_from = valid_from - %s * interval '1 day', "
            "valid_to = valid_to - %s * interval '1 day'",
            [days, days],
        )


def test_a_things_history_is_told_with_what_took_its_place(
    database: Database, embedder: Embedder
) -> None:
    graph = Graph(database, embedder, "ann")
    with database.transaction("ann") as conn:
        ids = draw(conn, [("LoRA", "extends", "fine-tuning")])
        decision = entity.write(
            conn,
            "we use rank 8",
            None,
            {"category": "decision", "thread_id": "t", "reason": "small"},
        )
        relation.add(conn, decision, "about", ids["LoRA"])
        days_ago(conn, 20)
        entity.update(conn, decision, "we use rank 64", None, reason="rank 8 failed")
        days_ago(conn, 10)
        finding = entity.write(conn, "rank matters little", None, {"category": "finding"})
        relation.add(conn, finding, "about", ids["LoRA"])
        entity.forget(conn, finding, "wrong")
        entity.write(conn, "of something else", None, {"category": "fact"})
    events = graph.timeline("LoRA")
    kinds = [event.what for event in events]
    assert kinds.index("decided") < kinds.index("superseded")
    assert ("decided", "we use rank 8") in told(events)
    assert ("joined", "LoRA extends fine-tuning") in told(events)
    assert ("decided", "we use rank 64") in told(events)
    (ended,) = [event for event in events if event.what == "superseded"]
    assert ended.text == "we use rank 8" and "now: we use rank 64" in (ended.why or "")
    assert [event.at for event in events] == sorted(event.at for event in events)
    assert not any("something else" in event.text for event in events)
    assert not any("rank matters" in event.text for event in events)  # forgotten
    then = View(as_of=datetime.now(UTC) - timedelta(days=15))
    assert ("decided", "we use rank 64") not in told(graph.timeline("LoRA", view=then))
    assert len(graph.timeline("LoRA", limit=2)) == 2


def test_a_topic_has_what_was_asked_of_it_and_what_is_near_in_meaning(
    database: Database, embedder: Embedder
) -> None:
    turn = uuid.uuid4()
    with database.transaction("ann") as conn:
        conversation.append(conn, "t", "user", "Which jet taggers are fast?", {}, turn_id=turn)
        text = "the fastest tagger of jets is a small network"
        entity.write(conn, text, embedder.embed_query(text), {"category": "finding"})
    events = Graph(database, embedder, "ann").timeline("jet tagger")
    assert told(events) == [
        ("asked", "Which jet taggers are fast?"),
        ("found", "the fastest tagger of jets is a small network"),
    ]
    assert Graph(database, embedder, "bob").timeline("jet tagger") == []


def test_a_thread_is_told_with_its_questions_and_papers(
    database: Database, embedder: Embedder
) -> None:
    with database.transaction("ann") as conn:
        conn.execute(
            "INSERT INTO turn (turn_id, thread_id, question, status) "
            "VALUES (gen_random_uuid(), 't', 'What are jets?', 'answered')"
        )
        ids = draw(conn, [("person/ann", "is", "x")])
        relation.add(conn, ids["person/ann"], "looked_at", thing(conn, "paper/0704.0001"),
                     {"thread_id": "t", "question": "What are jets?"})  # fmt: skip
        entity.write(conn, "is k 3?", None, {"category": "question", "thread_id": "t"})
        entity.write(conn, "elsewhere", None, {"category": "fact", "thread_id": "u"})
        gone = entity.write(conn, "forgotten", None, {"category": "fact", "thread_id": "t"})
        entity.forget(conn, gone)
    graph = Graph(database, embedder, "ann")
    assert sorted(told(graph.timeline_of_thread("t"))) == [
        ("asked", "What are jets?"),
        ("left open", "is k 3?"),
        ("looked at", "the paper 0704.0001"),
    ]
    assert graph.timeline_of_thread("nowhere") == []
    assert graph.timeline_of_thread("t", view=View(hidden=frozenset({"t"}))) == []


def test_what_no_longer_holds_is_told_with_its_end(database: Database, embedder: Embedder) -> None:
    with database.transaction("ann") as conn:
        ids = draw(conn, [("person/ann", "uses", "JAX")])
        relation.add(conn, ids["person/ann"], "used_before", ids["JAX"])
    graph = Graph(database, embedder, "ann")
    *began, ended = told(graph.timeline("me"))
    assert sorted(began) == [("joined", "ann used before JAX"), ("joined", "ann uses JAX")]
    assert ended == ("parted", "ann uses JAX")
    assert graph.timeline("me", view=View(own=False)) == []
