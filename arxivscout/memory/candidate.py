"""What may become a memory, before the gate has compared it with what is remembered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

# What an entity memory can be (its `category` column). The first five are said in sentences, the
# others are things with a name.
STATEMENTS = ("preference", "fact", "finding", "decision", "question")
THINGS = (
    "person",
    "paper",
    "author",
    "method",
    "dataset",
    "concept",
    "tool",
    "organisation",
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing said by the person or by a paper.

    Attributes:
        kind: one of `STATEMENTS` or `THINGS`.
        text: what is remembered, as a person reads it.
        name: what a thing is called; an arXiv id for a paper; None for a statement.
        aliases: other names of the same thing, where the source gives them.
        reason: why, in the source's words ("because the last project went badly").
        quote: the words it was taken from.
        source: arXiv id of the paper that says so; None when the person does.
        confidence: how sure it is that the source means this, 0 to 1.
        filed_under: the person's category; None leaves it to be classified.
        metadata: what else belongs to it.
        instead_of: the statement that the person says to have got wrong before.
    """

    kind: str
    text: str
    name: str | None = None
    aliases: tuple[str, ...] = ()
    reason: str | None = None
    quote: str | None = None
    source: str | None = None
    confidence: float = 1.0
    filed_under: str | None = None
    thread_id: str | None = None
    turn_id: UUID | None = None
    project_id: UUID | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    instead_of: str | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """An edge between two candidates of one turn: their positions, and what joins them."""

    subject: int
    predicate: str
    object: int
    quote: str | None = None
    source: str | None = None
    confidence: float = 1.0
