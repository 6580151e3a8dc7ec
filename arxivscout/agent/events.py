"""What a turn tells while it runs, in the order in which it happens.

`Scout.stream` yields these; the doors show them. `Answered` is the last one of a turn that ended.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A stored paper that the answer names."""

    arxiv_id: str
    title: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How a turn ended; `status` is answered, interrupted or failed."""

    answer: str
    citations: list[Citation]
    thread_id: str
    turn_id: str
    status: str = "answered"
    degraded: list[str] = field(default_factory=list)
    usage: dict[str, Any] = field(default_factory=dict)
    timings_ms: dict[str, float] = field(default_factory=dict)
    model: str = ""

    def to_json(self) -> dict[str, Any]:
        """The answer as `arxivscout ask --json` prints it."""
        return {
            "answer": self.answer,
            "citations": [
                {"arxiv_id": each.arxiv_id, "title": each.title, "url": each.url}
                for each in self.citations
            ],
            "thread_id": self.thread_id,
            "turn_id": self.turn_id,
            "degraded": list(self.degraded),
            "usage": dict(self.usage),
            "timings_ms": dict(self.timings_ms),
        }


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A tool call begins."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ToolEnded:
    """A tool call ended: `status` is success, error, timeout or empty."""

    name: str
    status: str
    summary: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the person should know: what is degraded, what is being retried."""

    text: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The turn is over and stored."""

    answer: Answer


Event = ToolStarted | ToolEnded | Token | Notice | Answered
