"""What a person prefers of papers, obeyed by a research job by the rules of an answer in the chat.

Their wishes are read in the job's own conversation, as far as its question and its bounds do not
ask for something else; what they leave out is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from arxivscout.agent.services import Services
from arxivscout.llm.extractive_answer import left_out_lines, set_aside, unwanted_for
from arxivscout.llm.extractive_filters import (
    find_filters,
    for_this_question,
    shown_date,
    with_wishes,
)
from arxivscout.memory.hybrid.preferences import preferences_for
from arxivscout.papers import Paper
from arxivscout.preferences import Wishes, applies, wishes_from_texts
from arxivscout.research.evidence import Evidence

_OF_A_JOB = ("category", "since", "until", "author")


def wishes_of(services: Services, user: str, job: Mapping[str, Any]) -> tuple[Wishes, list[str]]:
    """What holds for the job's question, and which wishes it sets aside."""
    today = datetime.now(UTC).date()
    texts = preferences_for(services.database, user, job["thread"])
    wishes = wishes_from_texts(texts, today=today)
    if not wishes:
        return wishes, []
    _, asked = find_filters(job["question"], Wishes(), today)
    own = {name: job[name] for name in _OF_A_JOB if job.get(name)}
    dated = asked.by_question or bool({"since", "until"} & own.keys())
    filters = with_wishes(replace(asked, **own, by_question=dated), wishes)
    return for_this_question(wishes, job["question"], filters)


def narrows(wishes: Wishes) -> bool:
    """Whether searches keep to the wishes themselves, and so find nothing to leave out."""
    return bool(wishes.since or wishes.until or wishes.categories)


def wanted_first(evidence: Sequence[Evidence], wishes: Wishes) -> list[Evidence]:
    """The entries in their order, but the unwanted ones last."""
    return sorted(evidence, key=lambda each: applies(wishes, each.paper) is not None)


def without_unwanted(
    evidence: Sequence[Evidence], wishes: Wishes
) -> tuple[list[Evidence], dict[str, list[Paper]]]:
    """The entries that are wanted, and the papers of the others by what speaks against them."""
    kept: list[Evidence] = []
    left_out: dict[str, list[Paper]] = {}
    for each in evidence:
        if reason := unwanted_for(wishes, each.paper):
            left_out.setdefault(reason, []).append(each.paper)
        else:
            kept.append(each)
    return kept, left_out


def told(
    wishes: Wishes, left_out: Mapping[str, Sequence[Paper]], aside: Sequence[str]
) -> list[str]:
    """What a report says of the wishes that it followed, a line each."""
    lines = left_out_lines(left_out)
    bounds = [
        f"since {shown_date(wishes.since)}" if wishes.since else "",
        f"until {shown_date(wishes.until, end=True)}" if wishes.until else "",
        f"in {' or '.join(wishes.categories)}" if wishes.categories else "",
    ]
    if not lines and any(bounds):
        lines = [f"Papers {' and '.join(filter(None, bounds))} only, as you prefer."]
    return [*lines, *set_aside(aside)]
