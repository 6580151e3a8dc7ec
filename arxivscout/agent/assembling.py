"""The context of a turn from its state: how much the model reads, and what it is given of that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage

from arxivscout.agent.binding import bind_tools
from arxivscout.agent.context import ScoutContext
from arxivscout.agent.measuring import Measure, measure, refused
from arxivscout.agent.services import Services
from arxivscout.context.assemble import assemble
from arxivscout.context.budget import count_tokens
from arxivscout.context.memories import memory_items
from arxivscout.context.segments import Item, Said
from arxivscout.context.working_memory import newest_whole
from arxivscout.errors import ConfigurationError
from arxivscout.llm.failures import ContextTooLong
from arxivscout.prompting import render
from arxivscout.window_shares import Share, Strategy

LEAST_RESULTS = 200  # tokens for what tools find; below it nothing of a paper is left
MOST_TOOLS = 0.2  # of the window, whatever the tools' least is
MOST_SYSTEM = 0.1  # of the window; where the system prompt takes more, its short form stands
# Of the conversation's share: what is left of it where every part of the window is full.
SURE = 0.65
SMALLER = 0.6  # of the window, for a second try where the provider doesn't say how much it reads


def assembled_context(
    services: Services, state: Mapping[str, Any], measured: Measure
) -> dict[str, Any]:
    """What the model reads, the tools it may call, and the report, as changes of the state.

    Raises:
        ConfigurationError: the window holds the fixed parts and no papers.
    """
    window, shares = measured.window, services.settings.context_shares
    # By the window as it is set: what is learned of a model's tokens changes no prompt's head.
    whole = measured.budgets.context_window
    room = min(shares["tools"].of(whole), int(whole * MOST_TOOLS))
    bound = bind_tools(services.tools, state["picked_tools"], room)
    memory = memory_items(state["memory"])
    if state["understood"] != state["question"]:
        memory["understood"] = [Item(f"- {state['understood']}", "thread")]
    assembled = assemble(
        system=system_prompt(state["user"], whole),
        memory=memory,
        recent=said_before(state),
        question=state["question"],
        window=window,
        answer_tokens=measured.answer_tokens,
        tools_tokens=bound.tokens,
        shares=shares,
        strategy=services.settings.working_memory,
    )
    if assembled.results_budget < LEAST_RESULTS:
        raise ConfigurationError(
            f"A context window of {measured.budgets.context_window:,} tokens leaves no room for "
            "papers.",
            "Set ARXIVSCOUT_CONTEXT_WINDOW to what the model can read (4,000 or more), or a "
            "smaller ARXIVSCOUT_ANSWER_TOKENS.",
        )
    recent: list[AnyMessage] = [
        HumanMessage(text) if role == "user" else AIMessage(text) for role, text in assembled.recent
    ]
    return {
        "context": [SystemMessage(assembled.system), *recent, HumanMessage(assembled.turn)],
        "bound_tools": bound.names,
        "short_tools": bound.short,
        "context_report": measured.reported(assembled.report),
        "results_budget": assembled.results_budget,
    }


def surely_read(
    recent: Sequence[Said], window: int, shares: Mapping[str, Share], strategy: Strategy
) -> int:
    """How many of the thread's newest messages the model reads whatever else there is: they are not
    recalled. Others of the thread may be, also where no window holds them and no summary yet."""
    return newest_whole(recent, int(shares["recent"].of(window) * SURE), strategy)


def smaller_context(
    services: Services,
    state: Mapping[str, Any],
    context: ScoutContext | None,
    too_long: ContextTooLong,
) -> dict[str, Any]:
    """The same for less than what the provider refused; what it reads is remembered for a while.

    Raises:
        ContextTooLong: what is fixed does not fit either.
    """
    model = state["model"]
    window = measure(services, context, model).budgets.context_window
    limit = too_long.limit or int(window * SMALLER)
    refused(services.settings, model, limit)
    # What was to fit and didn't was counted short.
    limit = limit if limit < window else int(window * SMALLER)
    smaller = (context or ScoutContext()).model_copy(update={"context_window": limit})
    try:
        changed = assembled_context(services, state, measure(services, smaller, model))
    except ConfigurationError:
        raise too_long from None
    said = f"the context was longer than the model reads: cut to {limit:,} tokens and asked again"
    return {**changed, "degraded": [*state["degraded"], said]}


def said_before(state: Mapping[str, Any]) -> list[Said]:
    """The thread's newest messages, as the turn has read them."""
    return [Said(role, text, source, held) for role, text, _, source, held in state["recent"]]


def system_prompt(user: str, window: int) -> str:
    """The system prompt; what the tools do stands in their definitions."""
    system = render("system", user=user)
    fits = count_tokens(system) <= MOST_SYSTEM * window
    return system if fits else render("system_short", user=user)
