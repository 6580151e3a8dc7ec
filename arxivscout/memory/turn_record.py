"""A finished turn as plain values, so that it can wait on disk for a lost database."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

# The first statement of what stores something of a turn: it waits for an erasure of the person, and
# raises `Erased` where one was done since the turn has `begun` (NULL: it begins here).
STAY_ERASED = "SELECT stay_erased(%(begun)s::timestamptz)"


@dataclass(kw_only=True)
class TurnRecord:
    """A finished turn, whole: plain values, so that it can wait on disk for a lost database."""

    turn_id: str
    user: str
    thread_id: str
    question: str
    started_at: str  # ISO 8601, UTC
    status: str = "answered"  # answered, interrupted or failed
    answer: str = ""
    model: str = ""
    citations: list[dict[str, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    report: list[dict[str, Any]] = field(default_factory=list)
    degraded: list[str] = field(default_factory=list)
    usage: dict[str, Any] = field(default_factory=dict)
    timings_ms: dict[str, float] = field(default_factory=dict)
    workflow: str = ""
    workflow_type: str = "research"
    outcome: str = "unknown"  # success, failure or unknown
    looked_at: bool = True  # that the person looked at the papers cited is remembered
    preferences: list[dict[str, Any]] = field(default_factory=list)
    tool_logs: list[dict[str, Any]] = field(default_factory=list)  # those not yet committed
    episode: dict[str, Any] | None = None  # `memory.episode.Done`; None: none is kept
    said: dict[str, Any] | None = None  # what the question says of the answer before it

    def to_json(self) -> dict[str, Any]:
        return asdict(self)
