"""What a batch tells while it runs; the terminal shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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


_AFTER_PLAN = 5  # merge, outline, write or quote, check, report
_AFTER_OUTLINE = 3  # brief, check, report


def parts_known(node: str, update: Mapping[str, Any], done: int) -> int:
    """How many parts the job has in all, as far as this one tells."""
    if node == "plan":
        return done + len(update.get("sub_questions", ())) + _AFTER_PLAN
    if node == "outline":
        return done + len(update.get("outline", ())) + _AFTER_OUTLINE
    return 0
