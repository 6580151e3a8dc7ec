"""The bench of memory tells ways of recalling apart, and whether memory grows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from arxivscout.bench import growth
from arxivscout.bench.conversations import Asked, Conversation, Said, replay
from arxivscout.bench.memory import GRAPH, HYBRID, VECTOR, Remembered
from arxivscout.embedding import Embedder
from arxivscout.memory.postgres import Database

BEGUN = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
TALK = (
    "We saw a comet over Lake Como.",
    "How lovely! Is Lake Como far?",
    "Near Milan, and we go there by train.",
)


def conversation(name: str) -> Conversation:
    said = [
        Said(f"D1:{place}", 1, BEGUN + timedelta(minutes=place), ("Ada", "Grace")[place % 2], text)
        for place, text in enumerate((*TALK, *(f"Well, {n} times." for n in range(60))))
    ]
    asked = [
        Asked("What did Ada see over Lake Como?", ("D1:0",)),
        Asked("Where is Lake Como, and how does Ada get there?", ("D1:0", "D1:2"), hops=True),
    ]
    return Conversation(name, said, asked)


def test_each_half_has_each_way_with_questions_of_several_hops_apart(
    database: Database, embedder: Embedder
) -> None:
    halves = [conversation("one"), conversation("two")]
    for each in halves:
        replay(database, embedder, each)
    bench = Remembered(database, embedder)
    rows = [each.to_json() for each in bench.rows(halves)]
    assert [row["way"] for row in rows] == [
        *("sliding window", "summary", VECTOR, GRAPH, HYBRID),
    ] * 2
    by_way = {row["way"]: row for row in rows[5:]}
    assert by_way[HYBRID]["recall@10"] == 1.0 and by_way[HYBRID]["multi-hop recall@10"] == 1.0
    assert by_way[GRAPH]["recall@10"] >= 0.5  # it goes by the name alone
    assert by_way["summary"]["recall@10"] is None
    assert {row["questions"] for row in rows} == {2}
    assert [each.to_json()["recall@10"] for each in bench.rows(halves)] == [
        row["recall@10"] for row in rows
    ]


def test_what_is_said_again_adds_nothing(database: Database, embedder: Embedder) -> None:
    said = growth.turns()
    assert len(said) == len(set(said)) == 200
    grown = growth.growth(database, embedder, "ann", said[:8], times=3)
    assert grown.rows[0] > 8 and grown.rows[2] <= 1.05 * grown.rows[0]
    with database.transaction("ann") as conn:
        assert conn.execute("SELECT count(*) FROM entity_memory").fetchone() == (0,)
