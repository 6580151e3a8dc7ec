"""What a chat model makes of episodes, read strictly: JSON whose cases are episodes it was shown.

Nothing of it is taken on trust: what is broken, too long, or rests on no episode is dropped, and
told why. A statement that tells of addresses, papers or tools that no episode has came from
somewhere else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from arxivscout.papers import find_paper_ids
from arxivscout.redaction import redacted
from arxivscout.reflection.drafts import Draft
from arxivscout.reflection.episode import Episode

MOST_REPLY = 20_000  # characters; what is longer is no answer to what was asked
MOST_LESSONS = 8

_ELSEWHERE = re.compile(
    r"https?:|www\.|[<>{}`]|\b(?:ignore|disregard|override)\b.{0,40}\b(?:instruction|rule|prompt"
    r"|previous|above)|\bsystem prompt\b|\bapi[ _-]?key\b|\bpassword\b",
    re.IGNORECASE,
)
_TOOL_NAME = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")

_Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=3, max_length=200)]
_Concept = Annotated[str, StringConstraints(strip_whitespace=True, min_length=2, max_length=60)]


class Given(BaseModel):
    """One lesson as a model gives it; its cases are numbers of episodes, from 1."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    kind: Literal["fact", "rule", "preference", "gap"]
    concept: _Concept
    statement: _Line
    reason: Annotated[str, StringConstraints(max_length=300)] = ""
    supports: list[int]
    against: list[int] = []


@dataclass(slots=True)
class Told:
    """The drafts that hold of a reply, and why each other part does not."""

    drafts: list[Draft] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)


def read_lessons(reply: str, episodes: Sequence[Episode]) -> Told:
    """The lessons of `reply` that rest on `episodes`, which it numbers from 1; never raises."""
    told = Told()
    if len(reply) > MOST_REPLY:
        told.dropped.append(f"a reply of {len(reply):,} characters")
        return told
    parts = _parts(reply)
    if parts is None:
        told.dropped.append("no JSON as it was asked for")
        return told
    if len(parts) > MOST_LESSONS:
        told.dropped.append(f"{len(parts) - MOST_LESSONS} lessons too many")
    for part in parts[:MOST_LESSONS]:
        try:
            given = Given.model_validate(part)
        except ValidationError as error:
            told.dropped.append(str(error.errors()[0]["msg"])[:200])
            continue
        if why := _refused(given, episodes):
            told.dropped.append(why)
        else:
            told.drafts.append(_draft(given, episodes))
    return told


def _parts(reply: str) -> list[Any] | None:
    start, end = reply.find("{"), reply.rfind("}")
    try:
        given = json.loads(reply[start : end + 1]) if 0 <= start < end else None
    except (ValueError, RecursionError):
        return None
    parts = given.get("lessons") if isinstance(given, dict) else None
    return parts if isinstance(parts, list) else None


def _refused(given: Given, episodes: Sequence[Episode]) -> str:
    """Why a lesson is not taken; "" if it is."""
    numbers = [*given.supports, *given.against]
    if not given.supports or not all(1 <= number <= len(episodes) for number in numbers):
        return "cases that are no episodes"
    if set(given.supports) & set(given.against):
        return "a case both for and against"
    text = f"{given.concept} {given.statement} {given.reason}"
    if _ELSEWHERE.search(text) or "\n" in text:
        return "a statement that is no lesson"
    cases = [episodes[number - 1] for number in given.supports]
    cited = {paper for each in cases for paper in each.cited}
    cited |= {str(found) for each in cases for found in find_paper_ids(each.request)}
    if any(str(found) not in cited for found in find_paper_ids(text)):
        return "a paper that its cases do not cite"
    tools = {action.tool for each in episodes for action in each.actions}
    if any(name not in tools for name in _TOOL_NAME.findall(given.statement)):
        return "a tool that no episode has used"
    return ""


def _draft(given: Given, episodes: Sequence[Episode]) -> Draft:
    def ids(numbers: Sequence[int]) -> tuple[Any, ...]:
        return tuple(dict.fromkeys(episodes[number - 1].id for number in numbers))

    return Draft(
        given.kind,
        redacted(given.concept).lower(),
        redacted(given.statement),
        redacted(given.reason.strip()),
        ids(given.supports),
        ids(given.against),
        general=given.kind in ("rule", "preference"),
    )
