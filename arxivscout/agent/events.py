"""What a turn tells while it runs, in the order in which it happens.

`Scout.stream` yields these; the doors show them. `Answered` is the last one of a turn that ended.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from arxivscout.checking.cited import CitedSentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A stored paper that the answer names, and how far what is held of it bears the answer out.

    `verdict` is supported, weak, unsupported or unchecked; `passage` the passage of the stored text
    that fits best, verbatim; `problems` one clear line each; `authors` the first twenty;
    `sentences` those that cite it, each with verdict and passage of its own, the worst `verdict`;
    `section` and `page` where `passage` stands in the full text, if it does not in the abstract.
    """

    arxiv_id: str
    title: str
    url: str
    authors: tuple[str, ...] = ()
    year: str | None = None
    verdict: str = "unchecked"
    passage: str = ""
    problems: tuple[str, ...] = ()
    sentences: tuple[CitedSentence, ...] = ()
    section: str = ""
    page: int | None = None

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Citation:
        """The citation that state and the stored turn hold; turns of before have fewer fields."""
        values = {each.name: stored[each.name] for each in fields(cls) if each.name in stored}
        for name in ("authors", "problems"):
            values[name] = tuple(values.get(name, ()))
        values["sentences"] = tuple(CitedSentence(**each) for each in values.get("sentences", ()))
        return cls(**values)

    def to_json(self) -> dict[str, Any]:
        """JSON values only; the inverse of `from_json`."""
        lists = ("authors", "problems", "sentences")
        return {
            name: list(value) if name in lists else value for name, value in asdict(self).items()
        }


# How it is told among what was degraded that a turn could not be stored at all.
KEPT_NOWHERE = "this turn could be kept nowhere"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How a turn ended; `status` is answered, interrupted or failed.

    `problems`: what the check found, one line each, about sentences and about the whole.
    """

    answer: str
    citations: list[Citation]
    thread_id: str
    turn_id: str
    status: str = "answered"
    problems: list[str] = field(default_factory=list)
    degraded: list[str] = field(default_factory=list)
    usage: dict[str, Any] = field(default_factory=dict)
    timings_ms: dict[str, float] = field(default_factory=dict)
    model: str = ""

    @property
    def is_kept(self) -> bool:
        """Whether the turn is stored, or waits on disk for the database to be back."""
        return not any(each.startswith(KEPT_NOWHERE) for each in self.degraded)

    def to_json(self) -> dict[str, Any]:
        """The answer as `arxivscout ask --json` prints it."""
        return {
            "answer": self.answer,
            "citations": [each.to_json() for each in self.citations],
            "problems": list(self.problems),
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


@dataclass(frozen=True, slots=True)
class Choice:
    """What a turn stops to ask.

    `kind` is confirm_forget, confirm_archive, confirm_change or which_reading. Whoever decides
    gives one of `options`. Anything else counts as keep, or is asked again.
    """

    kind: str
    text: str
    options: tuple[str, ...]


Event = ToolStarted | ToolEnded | Token | Notice | Answered
