"""Memories searched by hand: in whatever words, of any kind and time; nothing where none fits."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arxivscout.embedding import Embedder
from arxivscout.errors import NotFound
from arxivscout.memory import entity, gate
from arxivscout.memory.candidate import Candidate, Link
from arxivscout.memory.overview import Seen, named
from arxivscout.memory.postgres import Database
from arxivscout.memory.rights.searching import search

HELD = (
    Candidate("preference", "I prefer short answers."),
    Candidate("preference", "I avoid reinforcement-learning papers."),
    Candidate("decision", "We decided to train the tagger on 8 GPUs."),
    Candidate("fact", "My deadline is 3 May."),
    Candidate("fact", "We train our models with a framework for accelerators."),
    Candidate("fact", "Моя диссертация о тёмной материи."),
    Candidate("fact", "我喜欢图神经网络的论文"),
    Candidate("tool", "JAX", name="JAX"),
    Candidate("organisation", "DeepMind", name="DeepMind"),
)
LINKS = (Link(4, "uses", 7), Link(7, "developed_by", 8))
SHORT, RL, GPUS, DEADLINE, TRAINS = (each.text for each in HELD[:5])


@pytest.fixture
def held(database: Database, embedder: Embedder) -> list[UUID]:
    vectors = embedder.embed_documents([each.text for each in HELD])
    with database.transaction("ann") as conn:
        return [each.id for each in gate.remember(conn, HELD, LINKS, vectors)]


def found(
    database: Database,
    embedder: Embedder,
    text: str,
    kind: str | None = None,
    seen: Seen | None = None,
    user: str = "ann",
) -> list[str]:
    with database.transaction(user) as conn:
        rows = search(conn, text, embedder.embed_query(text), kind, 20, seen or Seen())
    return [each.text for each in rows]


@pytest.mark.parametrize(
    ("asked", "best"),
    [
        ("brief replies", SHORT),
        ("reinforcement learning", RL),
        ("gpu", GPUS),
        ("the hardware that the tagger is trained with", GPUS),
        ("deadlines", DEADLINE),
        ("when is it due", DEADLINE),
        ("диссертация", HELD[5].text),
        ("图神经网络", HELD[6].text),
        ("PREFER SHORT ANSWERS", SHORT),
        ("decisions", GPUS),  # what it is counts as a word of it
    ],
)
def test_it_is_found_in_whatever_words(
    database: Database, embedder: Embedder, held, asked: str, best: str
) -> None:
    assert found(database, embedder, asked)[0] == best


@pytest.mark.parametrize(
    "asked",
    ["elephants in Africa", "recipe for lasagna", "the", "?", "%", "_", "' OR 1=1", "xqzzv"],
)
def test_where_nothing_fits_nothing_is_found(
    database: Database, embedder: Embedder, held, asked: str
) -> None:
    assert found(database, embedder, asked) == []


def test_what_the_graph_joins_to_a_name_is_found_behind_what_says_it(
    database: Database, embedder: Embedder, held
) -> None:
    told = found(database, embedder, "DeepMind")
    assert told[0] == "DeepMind"
    assert {"JAX", TRAINS} <= set(told)
    assert found(database, embedder, "DeepMind", kind="tool") == ["JAX"]


def test_only_what_is_asked_for_and_only_one_s_own(
    database: Database, embedder: Embedder, held
) -> None:
    assert found(database, embedder, "deadline", kind="preference") == []
    assert found(database, embedder, "deadline", seen=Seen(category="no such")) == []
    assert found(database, embedder, "deadline", seen=Seen(archived="only")) == []
    assert found(database, embedder, "deadline", user="bob") == []


def test_what_held_once_is_found_as_of_then(database: Database, embedder: Embedder, held) -> None:
    said, vector = "My deadline is 9 June.", embedder.embed_documents(["My deadline is 9 June."])[0]
    with database.transaction("ann") as conn:
        (then,) = conn.execute("SELECT clock_timestamp()").fetchone()
    with database.transaction("ann") as conn:
        entity.update(conn, str(held[3]), said, vector, None, "moved")
    assert found(database, embedder, "deadline") == [said]
    assert found(database, embedder, "deadline", seen=Seen(as_of=then)) == [DEADLINE]
    before: datetime = then - timedelta(days=1)
    assert found(database, embedder, "deadline", seen=Seen(as_of=before)) == []


@settings(max_examples=40, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
@given(st.text(min_size=1, max_size=300))
def test_any_text_can_be_searched_for(database: Database, embedder: Embedder, text: str) -> None:
    assert found(database, embedder, text) == []


@pytest.mark.parametrize(
    ("words", "memory"),
    [("tagger", GPUS), ("dead", DEADLINE), ("short ANSWERS", SHORT), ("神经网络", HELD[6].text)],
)
def test_a_memory_is_named_by_its_words_or_how_they_begin(
    database: Database, held, words: str, memory: str
) -> None:
    with database.transaction("ann") as conn:
        assert named(conn, words).text == memory


def test_no_memory_is_named_by_what_stands_within_a_word(database: Database, held) -> None:
    with database.transaction("ann") as conn, pytest.raises(NotFound):
        named(conn, "lerator")  # "accelerators"
