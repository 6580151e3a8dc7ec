"""What a reflection carries between its nodes: plain JSON values, ids in place of vectors."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired
from uuid import UUID

from pydantic import Field
from typing_extensions import TypedDict  # pydantic reads it before Python 3.12

from arxivscout.reflection.drafts import Draft


class ReflectionInput(TypedDict, total=False):
    """What a reflection is started with; all may be left out."""

    if_due: NotRequired[
        Annotated[bool, Field(description="Only if it is time: else nothing is done.")]
    ]
    dry_run: NotRequired[
        Annotated[bool, Field(description="Say what would be learned, and store nothing.")]
    ]
    by_rules: NotRequired[
        Annotated[bool, Field(description="Ask no model; it is asked the next time.")]
    ]
    why: NotRequired[Annotated[str, Field(max_length=200, description="What starts it.")]]


class ReflectionOutput(TypedDict, total=False):
    """What came of it."""

    status: Annotated[str, Field(description="done, not due, not allowed, or failed.")]
    why: Annotated[str, Field(description="What started it.")]
    learned: Annotated[
        list[dict[str, Any]],
        Field(description="Each lesson with what changed: added, merged, superseded or ended."),
    ]
    reviewed: Annotated[int, Field(description="How many episodes were looked at.")]
    fresh: Annotated[int, Field(description="How many of them for the first time.")]
    problems: Annotated[list[str], Field(description="What was dropped, or went wrong.")]
    usage: Annotated[dict[str, Any], Field(description="Tokens, and calls of the model.")]
    error: Annotated[
        dict[str, Any] | None, Field(description="What went wrong, and what mends it.")
    ]


class ReflectionState(TypedDict, total=False):
    """A reflection's state."""

    if_due: bool
    dry_run: bool
    by_rules: bool
    why: str
    user: str
    model: str
    run_id: str  # also who holds the lease; "" in a dry run
    begun: str
    status: str
    seen: list[list[str]]  # id of each episode, and when it was last changed; the oldest first
    fresh: int
    known: list[str]  # ids of the lessons that hold
    drafts: list[dict[str, Any]]
    learned: list[dict[str, Any]]
    reviewed: int
    problems: list[str]
    usage: dict[str, Any]
    error: dict[str, Any] | None


def draft_to_json(draft: Draft, by: str) -> dict[str, Any]:
    """A draft as state holds it, with who found it."""
    return {
        "kind": draft.kind,
        "concept": draft.concept,
        "statement": draft.statement,
        "reason": draft.reason,
        "supports": [str(each) for each in draft.supports],
        "against": [str(each) for each in draft.against],
        "holds": draft.holds,
        "general": draft.general,
        "by": by,
    }


def draft_from_json(given: dict[str, Any]) -> tuple[Draft, str]:
    """The draft, and who found it."""
    values = {name: value for name, value in given.items() if name != "by"}
    for cases in ("supports", "against"):
        values[cases] = tuple(UUID(each) for each in values[cases])
    return Draft(**values), given["by"]
