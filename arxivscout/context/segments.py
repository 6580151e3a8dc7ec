"""The named parts of what a model reads, and the record of what went into them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

# In the order in which the model reads them; the heading is what stands behind `## `.
MEMORY_SEGMENTS = {
    "preferences": "preferences",
    "lessons": "lessons",
    "summaries": "summaries",
    "workflows": "workflows",
    "tool_logs": "tool log",
    "notes": "notes on papers",
    "knowledge": "knowledge",
    "related": "related entities and relations",
    "findings": "findings",
    "looked_at": "looked at before",
    "earlier": "earlier turns",
    "understood": "question understood as",
}

FENCED = frozenset({"knowledge"})  # papers stand in a fence that marks them as data

# Who gets first what another leaves unused.
PRIORITY = (
    "preferences",
    "lessons",
    "understood",
    "knowledge",
    "recent",
    "earlier",
    "summaries",
    "notes",
    "findings",
    "related",
    "looked_at",
    "workflows",
    "tool_logs",
    "results",
)


@dataclass(frozen=True, slots=True)
class Item:
    """One memory on its way into the context: its line, where it is stored, how well it fits."""

    text: str
    source: str
    score: float = 0.0


class Said(NamedTuple):
    """One message of the thread: who said what, its id, and whether a summary holds it too."""

    role: str
    text: str
    source: str = ""
    condensed: bool = False


@dataclass(slots=True)
class SegmentReport:
    """What one segment took: token counts, the items in, and those cut with the reason."""

    segment: str
    budget: int
    tokens: int = 0
    items: list[dict[str, object]] = field(default_factory=list)
    cut: list[dict[str, object]] = field(default_factory=list)

    def to_json(self) -> dict[str, object]:
        return {
            "segment": self.segment,
            "budget": self.budget,
            "tokens": self.tokens,
            "items": self.items,
            "cut": self.cut,
        }
