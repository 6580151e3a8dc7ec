"""A turn in numbers, from what is stored of it: pure."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from arxivscout.context.segments import MEMORY_SEGMENTS
from arxivscout.memory.monitoring_records import FinishedTurn, Total

PAPERS = "knowledge"  # the segment of papers recalled
MEMORIES = frozenset(MEMORY_SEGMENTS) - {PAPERS, "understood"}
FREE = frozenset({"results", "answer", "margin"})  # kept free when the question is sent
STORE = "recall."  # before the name of a store, in the times of its reads
EMBEDDING = "embedding"  # a part of load_memory
SEARCHES = "search"  # how the names of tools begin that search for papers
SECONDS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 180.0)  # upper bounds of the histogram
_LARGEST = 2**31 - 1
OTHER = "other"  # the tool's name in sums where a model called one that isn't there


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnMeasure:
    """A row of `turn_measure`; its columns are told there."""

    turn_id: UUID
    ended_at: str
    status: str
    outcome: str
    model: str
    turn_ms: float
    abstained: bool
    papers: int
    papers_cited: int
    memories: int
    cited: int
    problems: int
    degraded: int
    calls: int
    failed_calls: int
    searches: int
    reused: int
    model_calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost: float | None
    parts_ms: dict[str, float] = field(default_factory=dict)
    segments: dict[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "turn_id": str(self.turn_id)}


def measured(turn: FinishedTurn, cost: float | None) -> TurnMeasure:
    """What the turn took and what came of it.

    Args:
        cost: in US dollars; None when the model's price is not known.
    """
    recalled = {each["segment"]: _sources(each) for each in turn.report if "segment" in each}
    papers = recalled.get(PAPERS, set())
    cited = {str(each.get("arxiv_id")) for each in turn.citations}
    searches = sum(name.startswith(SEARCHES) for name, _, _ in turn.tools)
    parts = {name: ms for name, ms in turn.timings_ms.items() if _is_time(ms)}
    return TurnMeasure(
        turn_id=turn.turn_id,
        ended_at=turn.ended_at.isoformat(),
        status=turn.status,
        outcome=turn.outcome,
        model=turn.model,
        turn_ms=round(sum(ms for name, ms in parts.items() if is_node(name)), 1),
        abstained=turn.status == "answered" and not cited and searches > 0,
        papers=len(papers),
        papers_cited=len(papers & cited),
        memories=sum(len(found) for name, found in recalled.items() if name in MEMORIES),
        cited=len(cited),
        problems=len(turn.problems),
        degraded=len(turn.degraded),
        calls=len(turn.tools),
        failed_calls=sum(status != "success" for _, status, _ in turn.tools),
        searches=searches,
        reused=_count(turn.usage, "reused_searches"),
        model_calls=_count(turn.usage, "model_calls"),
        input_tokens=_count(turn.usage, "input_tokens"),
        output_tokens=_count(turn.usage, "output_tokens"),
        cached_tokens=_count(turn.usage, "cached_tokens"),
        cost=cost,
        parts_ms={name: round(ms, 2) for name, ms in parts.items()},
        segments={
            str(each["segment"]): _count(each, "tokens")
            for each in turn.report
            if each.get("segment") not in {None, *FREE}
        },
    )


def totals(
    turn: FinishedTurn, measure: TurnMeasure, known_tools: Collection[str]
) -> Iterator[Total]:
    """What the turn adds to the sums that are served to Prometheus; times in seconds.

    A model may call a tool by any name: what is not among `known_tools` shares one label.
    """
    yield "turns", {"status": measure.status, "model": measure.model}, 1
    yield "turn_outcomes", {"outcome": measure.outcome}, 1
    seconds = measure.turn_ms / 1000
    yield "turn_seconds_sum", {}, seconds
    yield "turn_seconds_count", {}, 1
    for bound in SECONDS:
        yield "turn_seconds_bucket", {"le": f"{bound:g}"}, float(seconds <= bound)
    for name, taken in measure.parts_ms.items():
        kind, label = ("store", name[len(STORE) :]) if name.startswith(STORE) else ("node", name)
        yield f"{kind}_seconds_sum", {kind: label}, taken / 1000
        yield f"{kind}_seconds_count", {kind: label}, 1
    for name, status, ms in turn.tools:
        tool = name if name in known_tools else OTHER
        yield "tool_calls", {"tool": tool, "status": status}, 1
        yield "tool_seconds_sum", {"tool": tool}, (ms or 0) / 1000
        yield "tool_seconds_count", {"tool": tool}, 1
    for segment, tokens in measure.segments.items():
        yield "context_tokens", {"segment": segment}, tokens
    for kind in ("input", "output", "cached"):
        yield "model_tokens", {"kind": kind}, getattr(measure, f"{kind}_tokens")
    yield "model_calls", {}, measure.model_calls
    yield "cost_dollars", {}, measure.cost or 0.0
    yield "recalled_papers", {}, measure.papers
    yield "recalled_papers_cited", {}, measure.papers_cited
    yield "recalled_memories", {}, measure.memories
    recalled = measure.papers or measure.memories
    yield "empty_recalls", {}, float(bool(measure.segments) and not recalled)
    yield "abstentions", {}, float(measure.abstained)
    yield "searches", {}, measure.searches
    yield "searches_reused", {}, measure.reused
    yield "degradations", {}, measure.degraded
    yield "check_problems", {}, measure.problems


def is_node(name: str) -> bool:
    """Whether a time is a node's, and no part of one."""
    return name != EMBEDDING and not name.startswith(STORE)


def _sources(segment: Mapping[str, Any]) -> set[str]:
    return {str(item.get("source")) for item in segment.get("items") or ()}


def _count(values: Mapping[str, Any], name: str) -> int:
    """A count as a column takes it: a provider may tell anything."""
    value = values.get(name)
    if not isinstance(value, int | float) or not math.isfinite(value):
        return 0
    return min(max(int(value), 0), _LARGEST)


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value) and value >= 0
