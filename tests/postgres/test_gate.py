"""The write gate on a database: one memory for what is said twice, history for what has changed."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from arxivscout.bench import supersession
from arxivscout.embedding import Embedder
from arxivscout.memory import entity, gate, relation
from arxivscout.memory.candidate import Candidate, Link
from arxivscout.memory.gate import Outcome
from arxivscout.memory.postgres import Database
from arxivscout.memory.truth import true_at

SEQUENCES = Path(__file__).parents[1] / "benchmarks" / "updates" / "sequences.jsonl"
Learn = Callable[..., list[Outcome]]


@pytest.fixture
def learn(database: Database, embedder: Embedder) -> Learn:
    """Sends candidates through the gate in a transaction of its own."""

    def send(*given: Candidate, links: Any = (), user: str = "ann", **more: Any) -> list[Outcome]:
        vectors = embedder.embed_documents([each.text for each in given])
        with database.transaction(user, more.pop("turn", None)) as conn:
            return gate.remember(conn, given, links, vectors, **more)

    return send


def rows(database: Database, sql: str, user: str = "ann") -> list[Any]:
    with database.transaction(user) as conn:
        return conn.execute(sql).fetchall()  # type: ignore[arg-type]


def live(database: Database, user: str = "ann") -> list[str]:
    sql = "SELECT content FROM entity_memory WHERE valid_to IS NULL ORDER BY content"
    return [content for (content,) in rows(database, sql, user)]


def fact(text: str, **more: Any) -> Candidate:
    return Candidate("fact", text, **more)


def method(name: str, **more: Any) -> Candidate:
    return Candidate("method", more.pop("text", name), name, **more)


def test_a_thing_by_another_name_is_merged_with_what_is_told_of_it(
    database: Database, learn: Learn
) -> None:
    (first,) = learn(method("LSTM", confidence=0.5))
    (again,) = learn(
        method(
            "Long Short-Term Memory",
            text="Long Short-Term Memory, a recurrent network",
            aliases=("long short term memories",),
            quote="LSTMs are used",
            confidence=0.9,
        )
    )
    assert (first.action, again.action, again.id) == ("added", "merged", first.id)
    (row,) = rows(database, "SELECT content, name, aliases, quote, confidence FROM entity_memory")
    assert row[:2] == ("Long Short-Term Memory, a recurrent network", "LSTM")
    assert "Long Short-Term Memory" in row[2]
    assert row[3] == "LSTMs are used"
    assert row[4] == pytest.approx(0.9)
    assert [each.action for each in learn(method("lstm"), method("LSTM"))][1] == "unchanged"


def test_what_only_looks_alike_stays_apart(database: Database, learn: Learn) -> None:
    names = ["GPT-2", "GPT-3", "ResNet-50", "ResNet-101"]
    assert [each.action for each in learn(*map(method, names))] == ["added"] * 4
    authors = [Candidate("author", name, name) for name in ("Wei Wang", "Wen Wang", "W. Wang")]
    assert [each.action for each in learn(*authors)] == ["added"] * 3
    assert [each.action for each in learn(*map(method, names))] == ["unchanged"] * 4


def test_one_batch_knows_what_it_has_added(database: Database, learn: Learn) -> None:
    outcomes = learn(
        fact("I use PyTorch and Slurm."),
        method("Adam"),
        fact("Uso PyTorch e Slurm."),
        method("Adam optimizer"),
        fact("The deadline is 3 May."),
        fact("No, the deadline is 10 May."),
        links=[Link(0, "mentions", 3, quote="with Adam", source="1706.03762")],
    )
    assert [each.action for each in outcomes] == [
        "added", "added", "unchanged", "merged", "added", "superseded",
    ]  # fmt: skip
    assert outcomes[2].id == outcomes[0].id
    assert outcomes[3].id == outcomes[1].id
    assert outcomes[5].other == outcomes[4].id
    assert live(database) == [
        "Adam", "I use PyTorch and Slurm.", "No, the deadline is 10 May.",
    ]  # fmt: skip
    with database.transaction("ann") as conn:
        (edge,) = relation.of(conn, outcomes[0].id)
    assert (edge.predicate, edge.object_id, edge.source) == (
        "mentions",
        outcomes[1].id,
        "1706.03762",
    )


def test_the_newer_word_of_the_person_ends_the_older(database: Database, learn: Learn) -> None:
    turn = uuid.uuid4()
    (old,) = learn(fact("I use PyTorch."), at=datetime(2026, 1, 5, tzinfo=UTC))
    (new,) = learn(
        fact("I moved from PyTorch to JAX.", turn_id=turn), at=datetime(2026, 3, 5, tzinfo=UTC)
    )
    assert (new.action, new.other) == ("superseded", old.id)
    (ended,) = rows(
        database,
        "SELECT valid_to = '2026-03-05 00:00+00', superseded_by, ended_because FROM entity_memory "
        "WHERE valid_to IS NOT NULL",
    )
    assert ended == (True, new.id, "it says what changed")
    with database.transaction("ann") as conn:
        for month, text in ((2, "I use PyTorch."), (4, "I moved from PyTorch to JAX.")):
            (belief,) = true_at(conn, datetime(2026, month, 1, tzinfo=UTC), kinds=["fact"])
            assert belief.text == text
        assert true_at(conn, datetime(2025, 1, 1, tzinfo=UTC)) == []


def test_papers_that_contradict_are_kept_side_by_side(database: Database, learn: Learn) -> None:
    (one,) = learn(Candidate("finding", "Dropout reduces overfitting.", source="1706.03762"))
    (other,) = learn(
        Candidate("finding", "Dropout does not reduce overfitting.", source="1810.04805")
    )
    (third,) = learn(
        Candidate("finding", "Overfitting is reduced by dropout.", source="2001.00001")
    )
    assert (other.action, other.other) == ("kept_beside", one.id)
    assert third.action == "kept_beside", "another paper that says the same is evidence of its own"
    assert len(live(database)) == 3
    with database.transaction("ann") as conn:
        edges = {(e.predicate, e.subject_id, e.object_id) for e in relation.of(conn, one.id)}
    assert ("contradicts", other.id, one.id) in edges


def test_preferences_of_one_kind_replace_each_other(database: Database, learn: Learn) -> None:
    def wish(text: str) -> Candidate:
        return Candidate("preference", text)

    learn(wish("I prefer short answers."), wish("Only papers after 2010."))
    (long,) = learn(wish("I want long explanations from now on."))
    assert long.action == "superseded"
    (again,) = learn(wish("Please keep it short."))
    assert again.action == "superseded"
    (date,) = learn(wish("Only show me papers from 2019 or later, please."))
    assert date.action == "superseded"
    assert live(database) == [
        "Only show me papers from 2019 or later, please.", "Please keep it short.",
    ]  # fmt: skip


def test_a_statement_said_in_two_turns_is_the_later_ones(database: Database, learn: Learn) -> None:
    first, second = uuid.uuid4(), uuid.uuid4()
    (one,) = learn(fact("We have 4 GPUs.", turn_id=first, thread_id="a"), turn=first)
    (two,) = learn(fact("We have four GPUs.", turn_id=second, thread_id="b"), turn=second)
    assert (two.id, two.action) == (one.id, "merged")
    assert rows(database, "SELECT turn_id, thread_id FROM entity_memory") == [(second, "b")]
    assert rows(database, "SELECT change, turn_id FROM change_log ORDER BY id") == [
        ("add", first), ("merge", second),
    ]  # fmt: skip


def test_what_a_paper_says_ends_no_word_of_the_persons(database: Database, learn: Learn) -> None:
    (mine,) = learn(Candidate("preference", "I prefer short answers."))
    (told,) = learn(Candidate("preference", "I prefer long answers."), may_end=False)
    assert (told.action, told.other) == ("kept_beside", mine.id)
    assert "I prefer short answers." in live(database)


def test_nobody_meets_anothers_memories(database: Database, learn: Learn) -> None:
    (hers,) = learn(method("LoRA"), user="ann")
    (his,) = learn(method("LoRA"), user="bob")
    assert his.action == "added"
    assert his.id != hers.id
    assert live(database, "ann") == live(database, "bob") == ["LoRA"]


def test_two_that_learn_the_same_at_once_add_it_once(database: Database, learn: Learn) -> None:
    ready = threading.Barrier(4)
    outcomes: list[Outcome] = []

    def work(text: str) -> None:
        ready.wait(10)
        outcomes.extend(learn(fact(text), method("AdamW")))

    texts = ["We have 4 GPUs.", "We have four GPUs.", "Abbiamo 4 GPU.", "We have 4 GPUs."]
    threads = [threading.Thread(target=work, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len({outcome.id for outcome in outcomes}) == 2
    assert len(live(database)) == 2


def test_many_at_once_are_looked_up_together(database: Database, learn: Learn) -> None:
    many = [method(f"Method {n} of {'abcdefgh'[n % 8]}") for n in range(1_200)]
    with database.transaction("ann") as conn:
        outcomes = gate.remember(conn, [*many, *many], [], [None] * (2 * len(many)))
    assert sum(each.action == "added" for each in outcomes) == len(many)
    assert sum(each.action == "unchanged" for each in outcomes) == len(many)


def test_secrets_are_not_stored(database: Database, learn: Learn) -> None:
    learn(fact("Write to jane.doe@example.org about the data.", quote="jane.doe@example.org"))
    ((content, quote),) = rows(database, "SELECT content, quote FROM entity_memory")
    assert "jane.doe" not in content + quote


def test_a_correction_ends_what_it_corrects(database: Database, learn: Learn) -> None:
    (old,) = learn(fact("The telescope is in Chile.", project_id=uuid.uuid4()))
    with database.transaction("ann") as conn:
        new = entity.update(conn, old.id, "The telescope is in Hawaii.", None, reason="I was wrong")
        same = entity.update(conn, new, "The telescope is in Chile.", None)
        assert same != old.id
    assert live(database) == ["The telescope is in Chile."]
    assert rows(
        database,
        "SELECT count(DISTINCT project_id), count(project_id) FROM entity_memory",
    ) == [(1, 3)]


def test_what_is_forgotten_is_not_met_again(database: Database, learn: Learn) -> None:
    (one,) = learn(fact("We have 4 GPUs."))
    with database.transaction("ann") as conn:
        entity.forget(conn, one.id, "sold")
    (again,) = learn(fact("We have 4 GPUs."))
    assert again.action == "added"
    assert again.id != one.id


def test_what_is_true_now_and_was_then_is_known_after_updates(
    database: Database, embedder: Embedder
) -> None:
    sequences = supersession.read_sequences(SEQUENCES)
    assert len(sequences) >= 100
    chosen = sequences[::4]
    score = supersession.run(database, embedder, chosen)
    assert score.wrong == []
    assert live(database, supersession.USER) == []
