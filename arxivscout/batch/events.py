"""What a batch tells while it runs; the terminal shows it."""

from __future__ import annotations

from dataclasses import dataclass

from arxivscout.memory.batch_listing import Counts


@dataclass(frozen=True, slots=True)
class JobBegan:
    """A worker of this process took a job."""

    number: int
    name: str
    question: str


@dataclass(frozen=True, slots=True)
class JobStep:
    """A part of a job is done: `done` of some `parts`, as far as that is known by now."""

    number: int
    what: str
    done: int
    parts: int


@dataclass(frozen=True, slots=True)
class JobEnded:
    """A job is done, failed, waiting again, or lost to somebody else; `cost` None: not known."""

    number: int
    name: str
    status: str
    seconds: float
    tokens: int
    cost: float | None
    error: str = ""


BatchEvent = JobBegan | JobStep | JobEnded


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run of a batch ended: its jobs over all workers, and why it stopped early, if so."""

    counts: Counts
    seconds: float
    stopped: str = ""
    notes: tuple[str, ...] = ()
