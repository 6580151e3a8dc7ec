"""The named parts of what a model reads, and the record of what went into them."""

from __future__ import annotations

from dataclasses import dataclass, field

# In the order in which the model reads them; the heading is what stands behind `## `.
MEMORY_SEGMENTS = {
    "preferences": "preferences",
    "findings": "findings",
    "notes": "notes on papers",
    "looked_at": "looked at before",
    "workflows": "workflows",
    "summaries": "summaries",
    "tool_logs": "tool log",
    "understood": "question understood as",
    "knowledge": "knowledge",
}

FENCED = frozenset({"knowledge"})  # papers stand in a fence that marks them as data

# Shares of the window that is left after the fixed parts (system, tools, question, answer, margin).
SHARES = {
    "preferences": 0.08,
    "findings": 0.05,
    "notes": 0.03,
    "looked_at": 0.04,
    "workflows": 0.03,
    "summaries": 0.05,
    "tool_logs": 0.02,
    "understood": 0.03,
    "knowledge": 0.29,
    "recent": 0.18,
    "results": 0.20,
}

# Who gets first what another leaves unused.
PRIORITY = (
    "preferences",
    "understood",
    "knowledge",
    "recent",
    "notes",
    "findings",
    "looked_at",
    "summaries",
    "workflows",
    "tool_logs",
    "results",
)

MARGIN = 0.06  # of the window: what the token estimate may be wrong by


@dataclass(frozen=True, slots=True)
class Item:
    """One memory on its way into the context: its line, where it is stored, how well it fits."""

    text: str
    source: str
    score: float = 0.0


@dataclass(slots=True)
class SegmentReport:
    """What one segment took: token counts, the items in, and those cut with the reason."""

    segment: str
    budget: int
    tokens: int = 0
    items: list[dict[str, object]] = field(default_factory=list)
    cut: list[dict[str, str]] = field(default_factory=list)

    def to_json(self) -> dict[str, object]:
        return {
            "segment": self.segment,
            "budget": self.budget,
            "tokens": self.tokens,
            "items": self.items,
            "cut": self.cut,
        }
