"""The nodes that do a turn's work. Each reads state, calls one room, returns what changed."""

from __future__ import annotations

import time
from typing import Any
from uuid import UUID

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.runtime import Runtime

from arxivscout.agent.answering import Answering
from arxivscout.agent.checking import checked
from arxivscout.agent.context import ScoutContext, budgets
from arxivscout.agent.forgetting import permitted
from arxivscout.agent.messages import calls_of
from arxivscout.agent.persist import persist_turn
from arxivscout.agent.services import Services
from arxivscout.agent.state import ScoutState, merged
from arxivscout.agent.timing import timed
from arxivscout.agent.tools import TurnScope, bound_names, cleaned, pick_tools, run_calls
from arxivscout.agent.understanding import LOST
from arxivscout.context.assemble import assemble
from arxivscout.context.memories import memory_items
from arxivscout.context.segments import Item, Said
from arxivscout.errors import ConfigurationError, DatabaseError, Stopped
from arxivscout.memory.finishing import write_tool_log
from arxivscout.memory.recall import recall
from arxivscout.papers import clean_text
from arxivscout.prompting import render

LEAST_RESULTS = 200  # tokens for what tools find; below it nothing of a paper is left
TOOLS_SHARE = 0.2  # of the window, for tools beside the core


class Nodes:
    """The nodes over one process's services."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def load_memory(self, state: ScoutState, runtime: Runtime[ScoutContext]) -> dict[str, Any]:
        """Recall what bears on the question, from all stores with one embedding."""
        started = time.perf_counter()
        services = self._services
        vector = services.vector(state["understood"])
        embedded = time.perf_counter()
        found = recall(
            services.database,
            user=state["user"],
            thread_id=state["thread_id"],
            turn_id=UUID(state["turn_id"]),
            question=state["understood"],
            vector=vector,
            bounds=(runtime.context or ScoutContext()).bounds,
        )
        degraded = list(state["degraded"])
        if LOST not in degraded:
            degraded += [
                f"the store {name} could not be read: {why}" for name, why in found.failed.items()
            ]
        return {
            "memory": found.memory,
            "picked_tools": pick_tools(
                services.tools, found.tools, state.get("picked_tools") or ()
            ),
            "evidence": {
                row["arxiv_id"]: row["title"] for row in found.memory.get("knowledge", ())
            },
            "degraded": degraded,
            "timings_ms": {
                "load_memory": (time.perf_counter() - started) * 1000,
                "embedding": (embedded - started) * 1000,
            },
        }

    @timed("assemble_context")
    def assemble_context(self, state: ScoutState, runtime: Runtime[ScoutContext]) -> dict[str, Any]:
        """Fill the window's segments within its budget; pure but for the clock."""
        services = self._services
        limits = budgets(services.settings, runtime.context, state["model"])
        window = limits.context_window
        names = bound_names(services.tools, state["picked_tools"], int(window * TOOLS_SHARE))
        memory = memory_items(state["memory"])
        if state["understood"] != state["question"]:
            memory["understood"] = [Item(f"- {state['understood']}", "thread")]
        assembled = assemble(
            system=render(
                "system",
                user=state["user"],
                tool_names=", ".join(names),  # what they do stands in their definitions
            ),
            memory=memory,
            recent=[
                Said(role, text, source, held) for role, text, _, source, held in state["recent"]
            ],
            question=state["question"],
            window=window,
            answer_tokens=limits.answer_tokens,
            tools_tokens=sum(services.tools[name].definition_tokens for name in names),
            shares=services.settings.context_shares,
            strategy=services.settings.working_memory,
        )
        if assembled.results_budget < LEAST_RESULTS:
            raise ConfigurationError(
                f"A context window of {window:,} tokens leaves no room for papers.",
                "Set ARXIVSCOUT_CONTEXT_WINDOW to what the model can read (4,000 or more), or a "
                "smaller ARXIVSCOUT_ANSWER_TOKENS.",
            )
        recent: list[AnyMessage] = [
            HumanMessage(text) if role == "user" else AIMessage(text)
            for role, text in assembled.recent
        ]
        return {
            "context": [SystemMessage(assembled.system), *recent, HumanMessage(assembled.turn)],
            "bound_tools": names,
            "context_report": assembled.report,
            "results_budget": assembled.results_budget,
        }

    @timed("reason")
    def reason(self, state: ScoutState, runtime: Runtime[ScoutContext]) -> dict[str, Any]:
        """Ask the model: it calls tools, or answers."""
        limits = budgets(self._services.settings, runtime.context, state["model"])
        return Answering(self._services, state, runtime.stream_writer, limits.turn_timeout_s).reply(
            last_round=state["rounds"] >= limits.max_tool_rounds
        )

    @timed("run_tools")
    def run_tools(self, state: ScoutState, runtime: Runtime[ScoutContext]) -> dict[str, Any]:
        """Run what the model called for, logging each call as it ends."""
        services, write = self._services, runtime.stream_writer
        scope = TurnScope(
            services,
            state["user"],
            state["thread_id"],
            state["turn_id"],
            state["question"],
            (runtime.context or ScoutContext()).bounds,
            state["model"],
        )
        limits = budgets(services.settings, runtime.context, state["model"])
        made = calls_of(state["messages"][-1], state["turn_id"], state["rounds"])
        calls = permitted(made, state["decisions"])
        for call in calls:
            arguments = cleaned(dict(call.arguments))
            write({"type": "tool_started", "name": call.name, "arguments": arguments})
        evidence, unlogged = dict(state["evidence"]), list(state["unlogged"])
        logged, degraded = list(state["tool_log"]), list(state["degraded"])
        usage: dict[str, Any] = {}
        results: dict[str, ToolMessage] = {}
        tools = {name: services.tools[name] for name in state["bound_tools"]}
        for outcome in run_calls(calls, tools, scope, limits.tool_timeout_s):
            if state["turn_id"] in services.stopped:
                raise Stopped("The turn was stopped.")
            write(
                {
                    "type": "tool_ended",
                    "name": outcome.call.name,
                    "status": outcome.status,
                    "summary": outcome.summary,
                    "seconds": round(outcome.seconds, 3),
                }
            )
            log = outcome.to_log()
            try:
                write_tool_log(services.database, scope.user, scope.thread_id, scope.turn_id, log)
            except DatabaseError:
                unlogged.append(log)
            logged.append({**log, "summary": outcome.summary})
            del logged[-1]["tool_output"]  # it stands among the messages
            if result := outcome.result:
                evidence |= {paper.arxiv_id: paper.title for paper in result.papers}
                usage = merged(usage, result.usage) if result.usage else usage
                degraded += [result.degraded] if result.degraded else []
            results[outcome.call.id] = ToolMessage(
                clean_text(outcome.content),
                tool_call_id=outcome.call.id,
                name=outcome.call.name or "?",
                status="success" if outcome.status == "success" else "error",
            )
        return {
            "messages": [results[call.id] for call in calls],
            "evidence": evidence,
            "tool_log": logged,
            "unlogged": unlogged,
            "rounds": state["rounds"] + 1,
            "degraded": list(dict.fromkeys(degraded)),
            **({"usage": usage} if usage else {}),
        }

    @timed("check")
    def check(self, state: ScoutState) -> dict[str, Any]:
        """Compare the answer with what is held of the papers that it cites."""
        return checked(self._services, state)

    @timed("persist")
    def persist(self, state: ScoutState) -> dict[str, Any]:
        """Store the turn, whatever came of it; the last thing a turn does."""
        if not state.get("turn_id") or state["turn_id"] in self._services.stopped:
            return {}  # never begun, or stopped: then the door stores it
        services = self._services
        status = "failed" if state.get("error") else "answered"
        degraded = persist_turn(services, state, status=status)
        services.leases.let_go(UUID(state["turn_id"]))
        return {"status": status, "degraded": [*state.get("degraded", ()), *degraded]}
