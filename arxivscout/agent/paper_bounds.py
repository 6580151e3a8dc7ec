"""What a tool that searches papers can be asked for, and how far it may reach."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from arxivscout.agent.tools import Arguments, TurnScope
from arxivscout.memory.paper_filter import PaperFilter
from arxivscout.papers import PaperQuery

_DATE = r"^\d{4}(-\d{2}(-\d{2})?)?$"
Day = Annotated[str, Field(pattern=_DATE)]


class Filters(Arguments):
    """Words, and what papers must be."""

    query: str = Field(description="What to look for, in English: topic, method, title or names.")
    category: str | None = Field(
        None, description="arXiv category or archive: cs.CL, hep-th, math."
    )
    since: Day | None = Field(None, description="Earliest date: YYYY, YYYY-MM or YYYY-MM-DD.")
    until: Day | None = Field(None, description="Latest date: YYYY, YYYY-MM or YYYY-MM-DD.")
    author: str | None = Field(None, description="Name of an author.")


def within(
    scope: TurnScope,
    category: str | None,
    since: str | None,
    until: str | None,
    author: str | None,
) -> PaperFilter:
    """What the call asks for, within the run's own bounds."""
    bounds = scope.bounds
    return replace(
        bounds.narrowed(PaperQuery(since=since, until=until)),
        category=bounds.category or category,
        author=bounds.author or author,
    )
