"""The write gate: all that becomes an entity memory is first compared with what is remembered.

The same thing said again is merged, what is no longer so is superseded, and what only looks alike
is kept beside it. One lock for a person's memories: of two that learn the same, one adds it.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from psycopg import Connection

from arxivscout.memory import relation
from arxivscout.memory.candidate import THINGS, Candidate, Link
from arxivscout.memory.gate import rows
from arxivscout.memory.gate.judging import Judgement, judge, keys_for, other_names, sought_by
from arxivscout.memory.gate.rows import Held, Sought
from arxivscout.memory.gate.settling import Action, Batch, Outcome
from arxivscout.memory.graph.node import predicate_key
from arxivscout.memory.kept_text import kept_metadata, kept_text
from arxivscout.memory.vector_memory import Vector, lock_kind

__all__ = ["Action", "Outcome", "correct", "remember", "supersede", "turn_named"]

TABLE = "entity_memory"
AT_A_TIME = 500  # candidates that are looked up in one statement


def remember(
    conn: Connection[Any],
    candidates: Sequence[Candidate],
    links: Sequence[Link],
    vectors: Sequence[Vector | None],
    *,
    at: datetime | None = None,
    may_end: bool = True,
    table: str = TABLE,
) -> list[Outcome]:
    """Store what is new of `candidates` and draw `links` between them; an outcome for each.

    Runs in the caller's transaction, of one person. A later candidate is the newer one.

    Args:
        vectors: of the candidates' texts; None where a text is to be embedded later.
        at: when it was said, if that is not now.
        may_end: whether what contradicts a memory ends it; else it is kept beside it. Only the
            person's own words may end what they said.
        table: another one made like `entity_memory`; it has no edges.

    Raises:
        ValueError: metadata that JSON can't hold.
    """
    lock_kind(conn, "entity")
    outcomes: list[Outcome] = []
    for start in range(0, len(candidates), AT_A_TIME):
        end = start + AT_A_TIME
        given = zip(candidates[start:end], vectors[start:end], strict=True)
        outcomes += _remember(conn, [_held(*each) for each in given], at, may_end, table)
    edges = [
        (outcomes[link.subject].id, predicate_key(link.predicate), outcomes[link.object].id)
        for link in links
    ]
    drawn = relation.holding(conn, edges) if edges else set()
    for link, edge in zip(links, edges, strict=True):
        one, _, other = edge
        # What is said again is one edge still; what turned out to be one thing has none to itself.
        if one == other or edge in drawn:
            continue
        drawn.add(edge)
        subject = candidates[link.subject]
        relation.add(
            conn,
            one,
            link.predicate,
            other,
            {"thread_id": subject.thread_id} if subject.thread_id else None,
            source=link.source,
            turn_id=subject.turn_id,
            quote=link.quote,
            confidence=link.confidence,
        )
    return outcomes


def supersede(
    conn: Connection[Any], ended: Sequence[uuid.UUID], successor: uuid.UUID, why: str
) -> None:
    """Let memories no longer hold because another one does."""
    rows.end(conn, TABLE, [(each, successor, why) for each in ended if each != successor], None)


def correct(
    conn: Connection[Any],
    memory_id: uuid.UUID,
    text: str,
    vector: Vector | None,
    metadata: Mapping[str, Any],
    why: str | None,
    *,
    table: str = TABLE,
) -> uuid.UUID:
    """Let a memory that holds be superseded by another text; the id of the one that holds now.

    Where that text is remembered already, the memory ends and that one holds.

    Raises:
        NotFound: this person has no such memory that holds.
    """
    old = rows.read(conn, table, memory_id)
    told = {**old.metadata, **metadata}
    candidate = Candidate(
        str(told.get("category") or told.get("type") or old.kind),
        text,
        str(told["name"]) if told.get("name") else old.name,
        tuple(old.aliases),
        str(told["reason"]) if told.get("reason") else old.reason,
        filed_under=old.filed_under,
        thread_id=str(told["thread_id"]) if told.get("thread_id") else old.thread_id,
        turn_id=turn_named(told) or old.turn_id,
        project_id=old.project_id,
        metadata=told,
    )
    new = _held(candidate, vector)
    same = [
        held
        for held, _ in rows.find(conn, table, [_sought(new)])[0]
        if held.text == new.text and held.kind == new.kind and held.id != old.id
    ]
    batch = Batch(table, None)
    into = same[0] if same else None
    judgement = Judgement(into=into, ends=((old, why or "corrected"),), why=why or "corrected")
    outcome = batch.settle(conn, new, judgement)
    batch.write(conn)
    return outcome.id


def _remember(
    conn: Connection[Any], new: Sequence[Held], at: datetime | None, may_end: bool, table: str
) -> list[Outcome]:
    found = rows.find(conn, table, [_sought(each) for each in new])
    batch = Batch(table, at)
    outcomes = []
    for held, near in zip(new, found, strict=True):
        alive = [pair for pair in near if batch.holds(pair[0])]
        judgement = judge(held, [*alive, *batch.near(held)])
        if judgement.ends and not may_end:
            judgement = replace(judgement, ends=(), beside=judgement.ends[0][0])
        outcomes.append(batch.settle(conn, held, judgement))
    batch.write(conn)
    if table == TABLE:
        for one, other in batch.contradictions:
            relation.add(conn, one, "contradicts", other, turn_id=_turn(new, one))
    return outcomes


def _turn(new: Sequence[Held], one: uuid.UUID) -> uuid.UUID | None:
    return next((each.turn_id for each in new if each.id == one), None)


def _held(candidate: Candidate, vector: Vector | None) -> Held:
    """A candidate as the memory that it becomes if nothing is like it."""
    text = _clean(candidate.text) or ""
    name = _clean(candidate.name)
    aliases = other_names(candidate.kind, name, [kept_text(each) for each in candidate.aliases])
    metadata = kept_metadata(candidate.metadata)
    reason = _clean(candidate.reason)
    told = {
        "category": candidate.kind if "type" not in metadata else None,
        "name": name,
        "reason": reason,
        "thread_id": candidate.thread_id,
        "turn_id": candidate.turn_id and str(candidate.turn_id),
    }
    metadata |= {key: value for key, value in told.items() if value and key not in metadata}
    return Held(
        uuid.uuid4(), candidate.kind, text, name, aliases,
        list(keys_for(candidate.kind, text, name, aliases)), reason, _clean(candidate.quote),
        candidate.source, candidate.confidence, candidate.filed_under, candidate.project_id,
        candidate.thread_id, candidate.turn_id, metadata, None, vector is not None, vector,
        _clean(candidate.instead_of),
    )  # fmt: skip


def turn_named(metadata: Mapping[str, Any]) -> uuid.UUID | None:
    """The turn that metadata name; they are text, where anything else may stand too."""
    try:
        return uuid.UUID(str(metadata.get("turn_id")))
    except ValueError:
        return None


def _clean(text: str | None) -> str | None:
    return None if text is None else kept_text(text)


def _sought(held: Held) -> Sought:
    return Sought(
        sought_by(held),
        hashlib.md5(held.text.encode(), usedforsecurity=False).hexdigest(),
        held.kind,
        held.name,
        held.vector,
        held.kind not in THINGS,
    )
