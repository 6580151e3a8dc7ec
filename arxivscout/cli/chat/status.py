"""The dim line under an answer: thread, model, tokens, cost, and how full the context is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from arxivscout.cli import render
from arxivscout.errors import ConfigurationError
from arxivscout.reports.facts import cost_told

if TYPE_CHECKING:
    from arxivscout.agent.events import Answer
    from arxivscout.cli.chat.sitting import Chat
    from arxivscout.settings import Settings

_LONGEST_NAME = 32  # of a thread: the line is to stay one line


def show_status(chat: Chat, answer: Answer) -> None:
    """One line about the turn that just ended and its thread."""
    settings, history = chat.scout.settings, chat.scout.history
    model = answer.model or chat.model_name
    facts = [_cut(chat.thread_id), model]
    if is_extractive(settings, model):
        facts.append("no tokens billed")
    else:
        facts.append(f"{tokens(answer.usage)}, {cost_told(cost(settings, model, answer.usage))}")
    whole = history.usage(chat.thread_id)
    billed = {
        name: usage for name, usage in whole.by_model.items() if not is_extractive(settings, name)
    }
    if whole.turns > 1 and billed:
        costs = [cost(settings, name, usage) for name, usage in billed.items()]
        total = None if None in costs else sum(each for each in costs if each is not None)
        used = {
            kind: sum(usage.get(kind, 0) for usage in billed.values())
            for kind in ("input_tokens", "output_tokens")
        }
        facts.append(f"thread {tokens(used)}, {cost_told(total)}")
    if share := context_share(history.context(chat.thread_id)):
        facts.append(f"context {share:.0%}")
    render.line(" · ".join(facts), "dim")


def is_extractive(settings: Settings, model: str) -> bool:
    """Whether this model is the built-in one, which reads no tokens that anybody bills."""
    try:
        return settings.model_named(model).model == "extractive"
    except ConfigurationError:
        return False  # it is no longer in the settings


def _cut(thread_id: str) -> str:
    return thread_id if len(thread_id) <= _LONGEST_NAME else thread_id[: _LONGEST_NAME - 1] + "…"


def tokens(usage: Mapping[str, Any]) -> str:
    """`1,234 (1,024 cached) + 56 tokens`, read and written."""
    read, written = usage.get("input_tokens", 0), usage.get("output_tokens", 0)
    if not read and not written:
        return "no tokens" if not usage.get("unreported_calls") else "tokens unknown"
    cached = usage.get("cached_tokens")
    return f"{read:,}{f' ({cached:,} cached)' if cached else ''} + {written:,} tokens"


def cost(settings: Settings, model: str, usage: Mapping[str, Any]) -> float | None:
    """US dollars, or whatever the prices are in; None when it is not known."""
    try:
        return settings.model_named(model).cost(usage)
    except ConfigurationError:
        return None  # it is no longer in the settings


def context_share(report: list[dict[str, Any]]) -> float | None:
    """How much of the model's window the last question filled, 0 to 1; None when it is not known.

    The window is what the segments were given together; the answer's part and the margin are kept
    free.
    """
    window = sum(each.get("budget") or 0 for each in report)
    used = sum(each.get("tokens") or 0 for each in report)
    return used / window if window else None
