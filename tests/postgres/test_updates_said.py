"""What a person says over months, in their own words: what holds now, and what held then."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from psycopg import Connection

from arxivscout.embedding import Embedder
from arxivscout.learning import Turn, learned
from arxivscout.memory import gate
from arxivscout.memory.candidate import STATEMENTS
from arxivscout.memory.own_relations import own_relations
from arxivscout.memory.postgres import Database
from arxivscout.memory.truth import true_at

SAID = Path(__file__).parents[1] / "benchmarks" / "updates" / "said.jsonl"
# Names and towns say nothing by meaning, and are not embedded when they are learned.
_BY_NAME = frozenset({"author", "person", "organisation"})


@contextmanager
def somebody_new(database: Database) -> Iterator[Connection[Any]]:
    with database.transaction("ann") as conn, conn.transaction(force_rollback=True):
        yield conn


def moment(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC)


def hear(conn: Connection[Any], embedder: Embedder, words: str, at: datetime, before: str) -> None:
    found = learned(Turn(person="ann", words=words, at=at, before=before))
    vectors = [
        None if each.kind in _BY_NAME else embedder.embed_query(each.text)
        for each in found.candidates
    ]
    gate.remember(conn, found.candidates, found.links, vectors, at=at)


def held(conn: Connection[Any], when: datetime) -> list[str]:
    return sorted(each.text.rstrip(".") for each in true_at(conn, when, kinds=STATEMENTS))


def wrong(database: Database, embedder: Embedder, row: dict[str, Any]) -> dict[str, Any]:
    """What of a sequence is not as it should be."""
    with somebody_new(database) as conn:
        before = ""
        for each in row["says"]:
            hear(conn, embedder, each["text"], moment(each["on"]), before)
            before = each["text"]
        last = moment(row["says"][-1]["on"])
        found = {
            "now": held(conn, last + timedelta(days=300)),
            "then": held(conn, last - timedelta(days=2)),
        }
        if "joins" in row:
            found["joins"] = sorted([e.predicate, e.name] for e in own_relations(conn, 50))
    return {key: value for key, value in found.items() if value != sorted(row[key])}


def test_of_a_hundred_sequences_said_in_plain_words_nearly_all_are_known_now_and_then(
    database: Database, embedder: Embedder
) -> None:
    rows = [json.loads(line) for line in SAID.read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= 100
    found = {row["id"]: off for row in rows if (off := wrong(database, embedder, row))}
    for key in ("now", "then", "joins"):
        missed = {name: off[key] for name, off in found.items() if key in off}
        assert len(missed) <= 0.02 * len(rows), (key, missed)
