"""How much a model reads, and what it is sent: the window of a turn in our own count of tokens."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage

from arxivscout.agent.context import Budgets, ScoutContext, budgets
from arxivscout.agent.services import Services
from arxivscout.context.budget import count_tokens
from arxivscout.context.working_memory import MESSAGE_TOKENS
from arxivscout.llm.failures import scrub
from arxivscout.llm.token_counts import Calibration, Calibrations
from arxivscout.settings import Settings

EXTRACTIVE = "extractive"  # reads all that it is given, and counts in no tokens of its own
UNKNOWN_WINDOW = (
    "How much {model} reads is not known: {window:,} tokens are assumed. Set "
    "ARXIVSCOUT_CONTEXT_WINDOW to what it is."
)


@dataclass(frozen=True, slots=True)
class Measure:
    """The budgets of a turn, with the window in the model's own tokens, and its calibration."""

    budgets: Budgets
    calibration: Calibration
    known: bool  # somebody said how much the model reads

    @property
    def window(self) -> int:
        """The window in estimated tokens."""
        return self.calibration.estimated(self.budgets.context_window)

    @property
    def answer_tokens(self) -> int:
        return self.calibration.estimated(self.budgets.answer_tokens)

    def reported(self, report: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """A report in the model's own tokens."""
        return [
            {
                **segment,
                "budget": self.calibration.predicted(segment["budget"]),
                "tokens": self.calibration.predicted(segment["tokens"]),
                "items": [
                    {**item, "tokens": self.calibration.predicted(item["tokens"])}
                    for item in segment["items"]
                ],
            }
            for segment in report
        ]


def measure(services: Services, context: ScoutContext | None, model: str) -> Measure:
    """What the turn may take of the model's window: as it was set, else as LangChain knows the
    model, else a safe size; never more than its provider lately said.

    Raises:
        ConfigurationError: no such model, or one that can't be made.
    """
    settings = services.settings
    context = context or ScoutContext()
    if settings.model_named(model).model == EXTRACTIVE:
        return Measure(budgets(settings, context, model), Calibration(), True)
    known = context.context_window is not None or settings.window_set(model)
    readable = None if known else _profile_window(services.chat_model(model))
    calibration = Calibrations(settings.home).of(_key(settings, model))
    limits = budgets(settings, context, model, readable=readable)
    window = calibration.window(limits.context_window, datetime.now(UTC))
    if window < limits.context_window:
        smaller = context.model_copy(update={"context_window": window})
        limits = budgets(settings, smaller, model)
    return Measure(limits, calibration, known or readable is not None)


def estimated_tokens(messages: Sequence[AnyMessage], definitions: int) -> int:
    """Tokens of what is sent: messages, the calls in them, and tool definitions."""
    total = definitions
    for message in messages:
        total += count_tokens(str(message.text)) + MESSAGE_TOKENS
        if isinstance(message, AIMessage) and message.tool_calls:
            total += count_tokens(json.dumps([call["args"] for call in message.tool_calls]))
            total += sum(count_tokens(call["name"]) + 6 for call in message.tool_calls)
    return total


def learn(settings: Settings, model: str, estimated: int, usage: Mapping[str, Any]) -> None:
    """Compare what was sent with what the provider says it was."""
    reported = usage.get("input_tokens")
    if reported and settings.model_named(model).model != EXTRACTIVE:
        Calibrations(settings.home).learn(_key(settings, model), estimated, int(reported))


def refused(settings: Settings, model: str, window: int) -> None:
    """Remember for a while that the model reads no more than `window` of its tokens."""
    Calibrations(settings.home).refuse(_key(settings, model), window)


def _key(settings: Settings, model: str) -> str:
    named = settings.model_named(model)
    return f"{named.model} at {scrub(named.base_url)}" if named.base_url else named.model


def _profile_window(model: Any) -> int | None:
    profile = getattr(model, "profile", None)
    tokens = profile.get("max_input_tokens") if isinstance(profile, Mapping) else None
    return tokens if isinstance(tokens, int) and tokens >= 1_024 else None
