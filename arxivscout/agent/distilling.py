"""A chat model reads episodes for what the rules missed: one call, validated, nothing on trust."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import HumanMessage

from arxivscout.agent.answering import usage_of
from arxivscout.agent.services import Services
from arxivscout.errors import ConfigurationError, ModelError
from arxivscout.llm.lessons import MOST_LESSONS, read_lessons
from arxivscout.llm.reply import RetryPolicy, stream_reply
from arxivscout.papers.rendering import neutralise
from arxivscout.prompting import render
from arxivscout.reflection.drafts import Draft, Known
from arxivscout.reflection.episode import Episode

_log = logging.getLogger(__name__)

SECONDS = 60.0
MOST_SHOWN = 30  # episodes, the newest that were not reflected on
MOST_KNOWN = 40  # lessons
MOST_WORDS = 300  # characters of a request


@dataclass(frozen=True, slots=True)
class Distilled:
    """What a model gave: drafts, what it took, and what went wrong; `failed`: it gave nothing."""

    drafts: list[Draft] = field(default_factory=list)
    usage: dict[str, Any] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    failed: bool = False


def reads_by_model(services: Services, model: str) -> bool:
    """Whether a chat model is to be asked."""
    if services.settings.reflection != "model":
        return False
    try:
        return services.settings.model_named(model).model != "extractive"
    except ConfigurationError:
        return False


def distilled(
    services: Services, model: str, episodes: Sequence[Episode], known: Sequence[Known]
) -> Distilled:
    """What the model sees in the newest of these episodes; what goes wrong is logged and told."""
    shown = list(episodes)[-MOST_SHOWN:]
    if not shown:
        return Distilled()
    prompt = render(
        "reflect",
        episodes="\n".join(_line(number, each) for number, each in enumerate(shown, start=1)),
        known="\n".join(
            f"- {each.kind}: {neutralise(each.statement)}" for each in known[-MOST_KNOWN:]
        )
        or "(none)",
        most=str(MOST_LESSONS),
    )
    try:
        reply = stream_reply(
            services.chat_model(model),
            [HumanMessage(prompt)],
            deadline=time.monotonic() + min(SECONDS, services.settings.turn_timeout_s),
            policy=RetryPolicy(max_retries=0),
        )
    except (ConfigurationError, ModelError) as error:
        _log.info("a model could not be asked for lessons: %s", error.cause)
        problem = f"the model could not be asked: {error.cause}"
        return Distilled([], {"model_calls": 1}, [problem], failed=True)
    told = read_lessons(str(reply.text), shown)
    problems = []
    if told.dropped:
        reasons = "; ".join(sorted(set(told.dropped))[:5])
        problems.append(f"dropped of what the model gave: {reasons}")
        _log.info("of what a model distilled %d parts were dropped: %s", len(told.dropped), reasons)
    return Distilled(told.drafts, dict(usage_of(reply)), problems)


def _line(number: int, episode: Episode) -> str:
    """An episode as the model reads it: the person's words, what was done, no word of papers."""
    actions = ", ".join(f"{each.tool} ({each.status})" for each in episode.actions) or "nothing"
    parts = [
        f"{number}. {episode.at:%Y-%m-%d} asked: {neutralise(episode.request)[:MOST_WORDS]}",
        f"done: {neutralise(actions)[:MOST_WORDS]}",
        f"outcome: {episode.outcome}, {len(episode.cited)} papers cited",
    ]
    if episode.feedback:
        said = f": {neutralise(episode.note)[:MOST_WORDS]}" if episode.note else ""
        parts.append(f"found {episode.feedback} by the researcher{said}")
    return " | ".join(parts)
