"""What a research job carries between its nodes: plain JSON values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict  # pydantic reads it before Python 3.12

from arxivscout.agent.state import merged

Depth = Literal[1, 2, 3]


def gathered(left: Sequence[Any] | None, right: Sequence[Any] | None) -> list[Any]:
    """Both lists; None begins anew, so that a job run again in its thread starts from nothing."""
    return [] if right is None else [*(left or ()), *right]


def summed(left: Mapping[str, Any] | None, right: Mapping[str, Any] | None) -> dict[str, Any]:
    """Both mappings with their numbers added up; None begins anew."""
    if right is None:
        return {}
    return merged(left, right) if right else dict(left or {})


def first_told(left: dict[str, Any] | None, right: dict[str, Any] | None) -> dict[str, Any] | None:
    """What went wrong first, of parts that fail side by side; None begins anew."""
    return None if right is None else left or right


class BatchInput(TypedDict):
    """What a job is started with."""

    question: Annotated[str, Field(description="What is to be researched.")]
    job_id: NotRequired[
        Annotated[
            str,
            Field(description="A UUID that names the job: run again, it stores nothing twice."),
        ]
    ]
    depth: NotRequired[
        Annotated[Depth, Field(description="How many sub-questions: 1, 3 or 6 at most.")]
    ]
    category: NotRequired[
        Annotated[str | None, Field(description="Only papers of this category or archive.")]
    ]
    since: NotRequired[
        Annotated[str | None, Field(description="Only papers from then on: YYYY[-MM[-DD]].")]
    ]
    until: NotRequired[
        Annotated[str | None, Field(description="Only papers until then: YYYY[-MM[-DD]].")]
    ]
    author: NotRequired[Annotated[str | None, Field(description="Only papers by this author.")]]


class BatchOutput(TypedDict, total=False):
    """What comes of a job."""

    report: Annotated[dict[str, Any], Field(description="The report, as `reports.Report` has it.")]
    error: Annotated[
        dict[str, Any] | None, Field(description="What went wrong, and what mends it.")
    ]


class Research(TypedDict):
    """One sub-question on its way to the scout machine."""

    place: int
    question: str
    job: dict[str, Any]  # `BatchState` without lists that grow


class Writing(TypedDict):
    """One section on its way to the model."""

    place: int
    title: str
    papers: list[str]
    job: dict[str, Any]


class BatchState(TypedDict, total=False):
    """A job's state."""

    question: str
    job_id: str
    depth: Depth
    category: str | None
    since: str | None
    until: str | None
    author: str | None
    user: str
    thread: str
    model: str
    started_at: str
    sub_questions: list[str]
    findings: Annotated[list[dict[str, Any]], gathered]  # one a sub-question, any order
    evidence: list[dict[str, Any]]  # arxiv_id, score, questions, why, theme, place; best first
    themes: list[dict[str, Any]]  # name, terms
    preferences: list[str]  # what of the person's wishes was followed, a line each
    left_out: int  # papers that bear on the question and are unwanted
    outline: list[dict[str, Any]]  # title, papers
    drafts: Annotated[list[dict[str, Any]], gathered]  # place, title, paragraphs
    brief: list[dict[str, Any]]  # sentences
    checked: list[dict[str, Any]]  # the brief as a section without a title, then the sections
    problems: list[str]
    report: dict[str, Any]
    error: Annotated[dict[str, Any] | None, first_told]
    usage: Annotated[dict[str, Any], summed]
    timings_ms: Annotated[dict[str, float], summed]  # of each node; side by side, added up
    degraded: Annotated[list[str], gathered]


_OF_THE_JOB = (
    *("question", "job_id", "depth", "category", "since", "until", "author"),
    *("user", "thread", "model", "started_at"),
)


def of_the_job(state: BatchState) -> dict[str, Any]:
    """What every part of the job needs to know of it."""
    return {name: value for name, value in state.items() if name in _OF_THE_JOB}
