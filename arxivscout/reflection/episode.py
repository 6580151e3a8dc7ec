"""One turn as it is reflected on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from arxivscout.reflection.noticing import notice

Outcome = Literal["success", "failure", "unknown"]
Feedback = Literal["good", "bad", "corrected"]

# From the nearest at hand to the furthest.
SEARCHES = ("search_papers", "search_passages", "search_arxiv")
LEFT_OUT = "left out"  # what was found is not wanted


@dataclass(frozen=True, slots=True)
class Action:
    """One tool call: its arguments, and how it ended (ok, left out, empty, error, timeout, not
    run)."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    status: str = "ok"

    @property
    def failed(self) -> bool:
        return self.status not in ("ok", "empty", LEFT_OUT)


@dataclass(frozen=True, slots=True)
class Episode:
    """What a turn was for, what was done, what came of it, and what the person made of that.

    Attributes:
        request: the person's words; `content` is the same standing alone.
        vector: of `content`, of any length; empty where there is none yet.
        changed_at: when it was stored, or feedback on it came.
        reflected: whether an earlier reflection has seen it as it is now.
    """

    id: UUID
    content: str
    request: str
    at: datetime
    thread_id: str | None = None
    thought: str = ""
    actions: Sequence[Action] = ()
    cited: Sequence[str] = ()
    outcome: Outcome = "unknown"
    feedback: Feedback | None = None
    note: str = ""
    vector: Sequence[float] = ()
    changed_at: datetime | None = None
    reflected: bool = False

    @property
    def went_wrong(self) -> bool:
        """By what the person said of it; else by what came of it."""
        if self.feedback == "bad":
            said = notice(self.note)
            return said is None or not said.asks  # a wish for another manner is no failure
        return self.feedback == "corrected" or (self.feedback is None and self.outcome == "failure")

    @property
    def went_well(self) -> bool:
        return not self.went_wrong and (self.feedback == "good" or self.outcome == "success")
