"""Every change has a name, a before and an after, and one alone can be taken back."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest

from arxivscout.embedding import Embedder
from arxivscout.errors import NotFound, UsageError
from arxivscout.memory import entity, gate, relation, vector_memory
from arxivscout.memory.candidate import Candidate
from arxivscout.memory.change_log import Change, ChangeLog
from arxivscout.memory.postgres import Database

Say = Callable[..., uuid.UUID]


@pytest.fixture
def log(database: Database, embedder: Embedder) -> ChangeLog:
    return ChangeLog(database, embedder, "ann")


@pytest.fixture
def say(database: Database, embedder: Embedder) -> Say:
    """Has Ann say something; the memory that says it then."""

    def send(text: str, kind: str = "fact", **more: object) -> uuid.UUID:
        vectors = embedder.embed_documents([text])
        with database.transaction("ann") as conn:
            (outcome,) = gate.remember(conn, [Candidate(kind, text, **more)], [], vectors)  # type: ignore[arg-type]
        return outcome.id

    return send


def live(database: Database) -> list[str]:
    sql = (
        "SELECT content FROM entity_memory WHERE valid_to IS NULL AND embedding IS NOT NULL "
        "ORDER BY content"
    )
    with database.transaction("ann") as conn:
        return [content for (content,) in conn.execute(sql).fetchall()]


def told(changes: list[Change]) -> list[tuple[str, str | None, str | None]]:
    return [(each.change, each.before, each.after) for each in changes]


def test_changes_are_listed_with_before_and_after(
    database: Database, log: ChangeLog, say: Say
) -> None:
    say("We have 4 GPUs.")
    say("We have 8 GPUs.")
    kept = say("I use JAX.", "preference")
    with database.transaction("ann") as conn:
        entity.forget(conn, kept, "it was a test")
    found = log.changes(20)
    assert told(found) == [
        ("forget", "I use JAX.", None),
        ("add", None, "I use JAX."),
        ("add", None, "We have 8 GPUs."),
        ("supersede", "We have 4 GPUs.", "We have 8 GPUs."),
        ("add", None, "We have 4 GPUs."),
    ]
    assert (found[0].reason, found[0].kind) == ("it was a test", "preference")
    assert found[3].reason == "8 instead of 4"
    assert told(log.changes(20, kind="preference")) == told(found[:2])
    assert told(log.changes(1, change="supersede")) == told(found[3:4])
    assert log.changes(9, since=found[0].at) == found[:1]
    assert [each.id for each in log.changes(9, memory=kept)] == [found[0].id, found[1].id]


@pytest.mark.parametrize("which", ["supersede", "add"])
def test_a_superseding_is_taken_back_by_either_half(
    database: Database, log: ChangeLog, say: Say, which: str
) -> None:
    before = say("We have 4 GPUs.")
    with database.transaction("ann") as conn:
        thing = entity.write(conn, "Leonardo", None, {"category": "tool", "name": "Leonardo"})
        relation.add(conn, before, "about", thing)
    say("We have 8 GPUs.")
    change = next(
        each for each in log.changes(9) if each.change == which and "8" in (each.after or "")
    )
    assert log.take_back(change.id) >= 2
    assert live(database) == ["We have 4 GPUs."]
    with database.transaction("ann") as conn:
        (edge,) = relation.of(conn, thing)
        assert (edge.subject_id, edge.valid_to) == (before, None)
        assert conn.execute(
            "SELECT superseded_by, ended_because FROM entity_memory WHERE langchain_id = %s",
            [before],
        ).fetchone() == (None, None)
    assert all(each.id != change.id for each in log.changes(9))
    hidden = {each.id: each for each in log.changes(99, everything=True)}
    assert hidden[change.id].undone is not None
    with pytest.raises(UsageError, match="taken back already"):
        log.take_back(change.id)


def test_forgetting_merging_and_editing_are_taken_back(
    database: Database, log: ChangeLog, say: Say
) -> None:
    kept = say("LSTM", "method", name="LSTM")
    say("Long Short-Term Memory", "method", name="Long Short-Term Memory", confidence=1.0)
    (merge,) = log.changes(9, change="merge")
    log.take_back(merge.id)
    with database.transaction("ann") as conn:
        row = conn.execute("SELECT aliases, keys FROM entity_memory").fetchone()
        assert row is not None
        assert row[0] == []
        entity.forget(conn, kept)
    (forget,) = log.changes(9, change="forget")
    log.take_back(forget.id)
    assert live(database) == ["LSTM"]
    again = say("lstm", "method", name="lstm")
    assert again == kept, "it is found by its name again"


def test_what_was_changed_since_is_not_taken_back(
    database: Database, log: ChangeLog, say: Say
) -> None:
    say("We have 4 GPUs.")
    (added,) = log.changes(1)
    say("We have 8 GPUs.")
    with pytest.raises(UsageError, match="changed again since, by change"):
        log.take_back(added.id)
    assert live(database) == ["We have 8 GPUs."]
    for each in log.changes(9, change="supersede"):
        log.take_back(each.id)
    log.take_back(added.id)
    assert live(database) == []


def test_what_was_deleted_comes_back(database: Database, log: ChangeLog, say: Say) -> None:
    one, other = say("We have 4 GPUs."), say("I use JAX.")
    with database.transaction("ann") as conn:
        relation.add(conn, one, "about", other, {"a": 1})
        assert vector_memory.delete(conn, entity.ENTITY, one, "by mistake")
    change = next(each for each in log.changes(9) if each.change == "forget")
    log.take_back(change.id)
    assert live(database) == ["I use JAX.", "We have 4 GPUs."]


def test_nobody_takes_back_anothers_change(
    database: Database, embedder: Embedder, log: ChangeLog, say: Say
) -> None:
    say("We have 4 GPUs.")
    (added,) = log.changes(1)
    bob = ChangeLog(database, embedder, "bob")
    assert bob.changes(9) == []
    with pytest.raises(NotFound):
        bob.take_back(added.id)
    with pytest.raises(NotFound):
        log.take_back(10**9)
    assert live(database) == ["We have 4 GPUs."]
