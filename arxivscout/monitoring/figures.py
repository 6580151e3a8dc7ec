"""What `arxivscout stats` tells, as plain values: summed up by the database, put in order here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

GROWTH = 12  # equal parts of the time looked at, in which what was stored is counted


@dataclass(frozen=True, slots=True)
class Span:
    """The time looked at: from `since` until before `until`, of one thread or of all."""

    since: datetime
    until: datetime
    thread_id: str | None = None

    @property
    def words(self) -> str:
        """Its first and its last day."""
        return f"{self.since:%Y-%m-%d} to {self.until - timedelta(microseconds=1):%Y-%m-%d}"


@dataclass(frozen=True, slots=True)
class Counts:
    """What turns of a time came to; `cost` is of those whose model's price is known."""

    turns: int = 0
    answered: int = 0
    abstained: int = 0
    failed: int = 0
    interrupted: int = 0
    recalled: int = 0  # turns to which papers were recalled
    recalled_cited: int = 0  # of these, turns that cite one of them
    papers: int = 0  # papers recalled
    papers_cited: int = 0  # of these
    memories: int = 0
    empty_recalls: int = 0  # turns to which nothing was recalled
    problems: int = 0  # turns in whose answer the check found some
    degraded: int = 0  # turns to which something was not at hand
    searches: int = 0
    reused: int = 0
    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost: float = 0.0
    unpriced: int = 0  # turns whose cost is not known
    successes: int = 0
    failures: int = 0

    @property
    def hit_rate(self) -> float | None:
        """Share of the turns with recalled papers that cite one of them."""
        return share(self.recalled_cited, self.recalled)

    @property
    def abstained_rate(self) -> float | None:
        """Share of the answers that cite nothing although papers were searched."""
        return share(self.abstained, self.answered)

    @property
    def reused_rate(self) -> float | None:
        """Share of the searches that an earlier one had answered."""
        return share(self.reused, self.searches)

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            *(a + b for a, b in zip(_values(self), _values(other), strict=True))  # type: ignore[arg-type]
        )


@dataclass(frozen=True, slots=True)
class Latency:
    """How long something takes, in milliseconds."""

    name: str
    count: int
    median_ms: float
    p95_ms: float


@dataclass(frozen=True, slots=True)
class ToolFigures:
    """How a tool behaves; failures are errors and time-outs, which are counted on their own too."""

    name: str
    calls: int
    failures: int
    timeouts: int
    median_ms: float | None
    p95_ms: float | None

    @property
    def failure_rate(self) -> float:
        return self.failures / self.calls


@dataclass(frozen=True, slots=True)
class Segment:
    """What a part of the context takes of what models read."""

    name: str
    tokens: int
    share: float


@dataclass(frozen=True, slots=True)
class StoreSize:
    """A store: the person's rows, and the bytes of the whole table with its indexes.

    `added` came in the time looked at, `growth` in each twelfth of it.
    """

    name: str
    rows: int
    added: int
    bytes: int
    growth: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SlowTurn:
    """One of the slowest turns; `trace` is where LangSmith shows it, if it was told."""

    turn_id: UUID
    thread_id: str
    at: datetime
    seconds: float
    slowest_part: str
    trace: str | None = None


@dataclass(frozen=True, slots=True)
class Jobs:
    """Research jobs of batches that ended in the time looked at."""

    done: int = 0
    failed: int = 0
    cancelled: int = 0
    attempts: int = 0
    median_s: float | None = None
    p95_s: float | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """All that is told of a time.

    `measured`: of so many turns, the newest, are the latencies of nodes and stores and the shares
    of segments. `degraded`: what was not at hand, and in how many turns. `job_nodes`: of a job's
    nodes, those that work side by side added up.
    """

    span: Span
    days: list[tuple[date, Counts]]
    turn: Latency | None
    measured: int
    nodes: list[Latency]
    stores_read: list[Latency]
    tools: list[ToolFigures]
    segments: list[Segment]
    stores: list[StoreSize]
    slowest: list[SlowTurn]
    degraded: list[tuple[str, int]]
    feedback: dict[str, int]
    jobs: Jobs
    job_nodes: list[Latency]
    kept_searches: int
    total: Counts = field(init=False)

    def __post_init__(self) -> None:
        total = sum((counts for _, counts in self.days), Counts())
        object.__setattr__(self, "total", total)

    def to_json(self) -> dict[str, Any]:
        """JSON values; rates are None where there is nothing to divide by."""
        return {
            "since": self.span.since.isoformat(),
            "until": self.span.until.isoformat(),
            "thread": self.span.thread_id,
            "total": _counts(self.total),
            "days": [{"day": day.isoformat(), **_counts(counts)} for day, counts in self.days],
            "turn_ms": asdict(self.turn) if self.turn else None,
            "measured_turns": self.measured,
            "nodes": [asdict(each) for each in self.nodes],
            "stores_read": [asdict(each) for each in self.stores_read],
            "tools": [{**asdict(t), "failure_rate": round(t.failure_rate, 4)} for t in self.tools],
            "segments": [asdict(each) for each in self.segments],
            "stores": [asdict(each) for each in self.stores],
            "slowest": [asdict(each) for each in self.slowest],
            "degraded": [{"what": what, "turns": turns} for what, turns in self.degraded],
            "feedback": self.feedback,
            "jobs": asdict(self.jobs),
            "job_nodes": [asdict(each) for each in self.job_nodes],
            "kept_searches": self.kept_searches,
        }


def share(part: int, whole: int) -> float | None:
    """`part` of `whole`; None where there is no whole."""
    return part / whole if whole else None


def _counts(counts: Counts) -> dict[str, Any]:
    rates = {
        "hit_rate": counts.hit_rate,
        "abstained_rate": counts.abstained_rate,
        "reused_rate": counts.reused_rate,
    }
    return {**asdict(counts), **{k: None if v is None else round(v, 4) for k, v in rates.items()}}


def _values(counts: Counts) -> Sequence[float]:
    return [getattr(counts, name) for name in Counts.__dataclass_fields__]
