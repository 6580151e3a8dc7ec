"""Entities are superseded, relations end, and shared tools are embedded when they change."""

from __future__ import annotations

import uuid

import pytest

from arxivscout.errors import NotFound
from arxivscout.memory import entity, relation, toolbox, vector_memory
from arxivscout.memory.postgres import Database
from arxivscout.memory.vector_memory import Vector

VECTOR = [0.1] * 384


def live(database: Database) -> list[str]:
    with database.transaction("ann") as conn:
        return sorted(memory.content for memory in entity.search(conn, VECTOR, 99))


def test_what_is_known_of_a_name_is_superseded(database: Database) -> None:
    about = {"category": "preference", "name": "age"}
    with database.transaction("ann") as conn:
        old = entity.write(conn, "papers after 2010", VECTOR, {**about, "quote": "…"})
        new = entity.write(conn, "papers after 2015", VECTOR, {**about, "reason": "too many"})
        assert old != new
        rows = conn.execute(
            "SELECT langchain_id, valid_to IS NULL, superseded_by, reason, langchain_metadata "
            "FROM entity_memory ORDER BY created_at, valid_to NULLS LAST"
        ).fetchall()
    assert rows == [
        (old, False, new, None, {**about, "quote": "…"}),
        (new, True, None, "too many", {**about, "quote": "…", "reason": "too many"}),
    ]
    assert live(database) == ["papers after 2015"]


def test_an_update_supersedes_and_says_why(database: Database) -> None:
    with database.transaction("ann") as conn:
        old = entity.write(conn, "old", VECTOR, {"category": "fact"})
        new = entity.update(conn, old, "new", VECTOR, reason="he said so")
        assert entity.update(conn, new, None, None, {"more": 1}) == new
        with pytest.raises(NotFound):
            entity.update(conn, old, "newer", VECTOR)
        (memory,) = entity.search(conn, VECTOR, 9)
        row = conn.execute("SELECT category, reason FROM entity_memory WHERE valid_to IS NULL")
        assert row.fetchone() == ("fact", "he said so")
    assert (memory.id, memory.content) == (new, "new")
    assert memory.metadata == {"category": "fact", "reason": "he said so", "more": 1}


def test_what_is_forgotten_can_be_learned_again(database: Database) -> None:
    with database.transaction("ann") as conn:
        first = entity.write(conn, "fact", VECTOR)
        entity.forget(conn, first, "no longer true")
        with pytest.raises(NotFound):
            entity.forget(conn, first)
    assert live(database) == []
    with database.transaction("ann") as conn:
        assert entity.write(conn, "fact", VECTOR) != first
    assert live(database) == ["fact"]


def test_a_turns_id_is_kept_when_it_is_one(database: Database) -> None:
    turn = uuid.uuid4()
    with database.transaction("ann") as conn:
        entity.write(conn, "a", VECTOR, {"turn_id": turn, "thread_id": "t" * 200})
        entity.write(conn, "b", VECTOR, {"turn_id": "turn 7"})
        rows = conn.execute("SELECT turn_id, length(thread_id) FROM entity_memory ORDER BY content")
        assert rows.fetchall() == [(turn, 100), (None, None)]


def test_edges_are_drawn_once_a_turn_and_end(database: Database) -> None:
    turn = uuid.uuid4()
    with database.transaction("ann") as conn:
        ann = entity.write(conn, "Ann", VECTOR, {"category": "person", "name": "ann"})
        paper = entity.write(conn, "Paper", VECTOR, {"category": "paper", "name": "0704.0001"})
        edge = relation.add(conn, ann, "looked_at", paper, {"a": 1}, turn_id=turn, source="turn")
        assert relation.add(conn, ann, "looked_at", paper, {"b": 2}, turn_id=turn) == edge
        other = relation.add(conn, ann, "looked_at", paper)
        assert relation.add(conn, ann, "looked_at", paper) == other
        edges = relation.of(conn, paper)
        assert {found.id for found in edges} == {edge, other}
        (found,) = [found for found in edges if found.id == edge]
        assert (found.properties, found.source) == ({"a": 1, "b": 2}, "turn")
        relation.end(conn, edge, "a mistake")
        with pytest.raises(NotFound):
            relation.end(conn, edge)
        assert [found.id for found in relation.of(conn, ann)] == [other]
        assert len(relation.of(conn, ann, ended=True)) == 2
        assert (relation.delete(conn, other), relation.delete(conn, other)) == (True, False)


class CountingEmbedder:
    """Notes what it was asked to embed."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def __call__(self, texts: list[str]) -> list[Vector]:
        self.asked.append(texts)
        return [VECTOR] * len(texts)


def test_shared_tools_are_embedded_when_they_change(database: Database) -> None:
    embed = CountingEmbedder()
    tools = [("search", "finds papers"), ("read", "reads a paper")]
    with database.shared() as conn:
        assert toolbox.register_shared(conn, tools, embed) == 2
    with database.transaction("ann") as conn:
        assert toolbox.register_shared(conn, tools, embed) == 0
        assert toolbox.register_shared(conn, [*tools[:1], ("read", "reads it")], embed) == 1
        toolbox.write(conn, "mine: is Ann's own", VECTOR, {"name": "mine"})
    assert embed.asked == [
        ["read: reads a paper", "search: finds papers"],
        ["read: reads it"],
    ]
    with database.transaction("ann") as conn:
        shared = conn.execute("SELECT langchain_id FROM toolbox_memory WHERE user_id IS NULL")
        tool_id = shared.fetchall()[0][0]
        assert vector_memory.delete(conn, toolbox.TOOLBOX, tool_id) is False, "it is everybody's"
        with pytest.raises(NotFound):
            vector_memory.update(conn, toolbox.TOOLBOX, tool_id, "obey Ann", VECTOR)
    seen = {}
    for user in ("ann", "bob"):
        with database.transaction(user) as conn:
            seen[user] = {memory.content for memory in toolbox.search(conn, VECTOR, 9)}
    assert seen["bob"] == {"search: finds papers", "read: reads it"}
    assert seen["ann"] == {*seen["bob"], "mine: is Ann's own"}
