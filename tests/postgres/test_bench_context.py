"""The bench of contexts measures what stands in them, also where nothing does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from arxivscout.bench.context import DEFAULT, Replayed
from arxivscout.bench.conversations import Asked, Conversation, Said, replay
from arxivscout.embedding import Embedder
from arxivscout.memory.postgres import Database

BEGUN = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
TALK = ("I saw a comet over the lake.", "How lovely! Where is that?", "Near Como, in March.")


def conversation(name: str) -> Conversation:
    said = [
        Said(
            f"D1:{place}", 1, BEGUN + timedelta(minutes=place), "Ada Grace".split()[place % 2], text
        )
        for place, text in enumerate((*TALK, *(f"Well, {n} times." for n in range(60))))
    ]
    asked = [Asked("What did Ada see over the lake?", ("D1:0",)), Asked("?", ("D1:1",))]
    return Conversation(name, said, asked)


def test_each_half_has_each_way_with_evidence_and_tokens(
    database: Database, embedder: Embedder
) -> None:
    halves = [conversation("one"), conversation("two")]
    assert [replay(database, embedder, each) for each in halves] == [True, True]
    assert not replay(database, embedder, halves[0])
    scores = [each.to_json() for each in Replayed(database, embedder).scores(halves)]
    assert len(scores) == 14
    full, recalled = scores[0], scores[6]
    assert (full["context"], full["evidence"], full["recall@10"]) == ("full history", 1.0, None)
    assert (recalled["context"], recalled["questions"]) == (DEFAULT, 2)
    assert recalled["recall@5"] >= 0.5 and recalled["evidence"] >= 0.5
    assert recalled["tokens"] < full["tokens"]
