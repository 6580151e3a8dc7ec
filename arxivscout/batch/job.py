"""One research job, as a line of a job file states it."""

from __future__ import annotations

import hashlib
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Format = Literal["markdown", "html", "bib", "json"]
FORMATS: tuple[Format, ...] = ("markdown", "html", "bib")


class Job(BaseModel):
    """What is to be researched, and how. Only the question is needed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str = Field(min_length=1, max_length=10_000)
    id: str | None = Field(default=None, description="The person's own name for the job.")
    category: str | None = None
    since: str | None = None
    until: str | None = None
    author: str | None = None
    model: str | None = None
    thread: str | None = Field(default=None, description="Conversation whose memory it goes on.")
    formats: tuple[Format, ...] = FORMATS
    depth: Literal[1, 2, 3] = 2  # how many sub-questions: about 1, 3, 6

    @property
    def key(self) -> str:
        """What tells this job from others: 32 hex digits, the same for the same job."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:32]
