"""What two statements are to one another: the same, different, or one the end of the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Relation = Literal["same", "different", "contradicts"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a newer text stands to an older one, and why."""

    relation: Relation
    why: str


def compare(newer: str, older: str, likeness: float) -> Verdict:
    """Judge two statements of one kind.

    Args:
        likeness: cosine of their vectors.
    """
    if " ".join(newer.casefold().split()) == " ".join(older.casefold().split()):
        return Verdict("same", "the same words")
    return Verdict("different", "other words")


def statement_keys(text: str) -> tuple[str, ...]:
    """The words that a statement is looked up by."""
    return ()
