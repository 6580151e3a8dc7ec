"""The nodes that do a turn's work. Each reads state, calls one room, returns what changed."""

from __future__ import annotations

import logging
import time
from typing import Any, cast
from uuid import UUID

from langchain_core.messages import ToolMessage
from langgraph.runtime import Runtime

from arxivscout.agent.answering import Answering
from arxivscout.agent.assembling import assembled_context, smaller_context
from arxivscout.agent.binding import pick_tools
from arxivscout.agent.checking import checked
from arxivscout.agent.context import ScoutContext, budgets
from arxivscout.agent.forgetting import permitted
from arxivscout.agent.measuring import UNKNOWN_WINDOW, measure
from arxivscout.agent.messages import calls_of
from arxivscout.agent.outside_tools import outside_used
from arxivscout.agent.persist import persist_turn
from arxivscout.agent.recalling import recall_for
from arxivscout.agent.services import Services
from arxivscout.agent.state import ScoutState, merged
from arxivscout.agent.stopping import heed_stop, is_stopped
from arxivscout.agent.timing import timed
from arxivscout.agent.toolkit import take_outside
from arxivscout.agent.tools import TurnScope, cleaned, run_calls
from arxivscout.agent.understanding import LOST
from arxivscout.agent.wishes import tools_asked_for
from arxivscout.errors import DatabaseError
from arxivscout.llm.failures import ContextTooLong
from arxivscout.memory.finishing import write_tool_log
from arxivscout.monitoring.measuring import OTHER, STORE
from arxivscout.papers import clean_text

TAUGHT_S = 0.25  # for what the turn before teaches; by rule that takes a tenth of it

_log = logging.getLogger(__name__)


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
        take_outside(services)
        services.later.wait(TAUGHT_S, teaches=state["user"])
        bounds = (runtime.context or ScoutContext()).bounds
        window = measure(services, runtime.context, state["model"]).window
        found = recall_for(services, state, vector, bounds, window)
        degraded = [*state["degraded"], *services.missing_tools]
        if LOST not in degraded:
            degraded += [
                f"the store {name} could not be read: {why}" for name, why in found.failed.items()
            ]
        return {
            "memory": found.memory,
            "picked_tools": pick_tools(
                services.tools,
                found.tools,
                state.get("picked_tools") or (),
                tools_asked_for(state["question"]),
            ),
            "evidence": {
                row["arxiv_id"]: row["title"] for row in found.memory.get("knowledge", ())
            },
            "degraded": degraded,
            "timings_ms": {
                "load_memory": (time.perf_counter() - started) * 1000,
                "embedding": (embedded - started) * 1000,
                **{f"{STORE}{name}": ms for name, ms in found.read_ms.items()},
            },
        }

    @timed("assemble_context")
    def assemble_context(self, state: ScoutState, runtime: Runtime[ScoutContext]) -> dict[str, Any]:
        """Fill the window's segments within its budget; pure but for the clock."""
        services, model = self._services, state["model"]
        measured = measure(services, runtime.context, model)
        if not measured.known and model not in services.windows_guessed:
            services.windows_guessed.add(model)
            window = measured.budgets.context_window
            text = UNKNOWN_WINDOW.format(model=model, window=window)
            runtime.stream_writer({"type": "notice", "text": text})
        return assembled_context(services, state, measured)

    @timed("reason")
    def reason(self, state: ScoutState, runtime: Runtime[ScoutContext]) -> dict[str, Any]:
        """Ask the model: it calls tools, or answers."""
        services, write = self._services, runtime.stream_writer
        limits = budgets(services.settings, runtime.context, state["model"])
        last_round = state["rounds"] >= limits.max_tool_rounds
        try:
            return Answering(services, state, write, limits.turn_timeout_s).reply(
                last_round=last_round
            )
        except ContextTooLong as too_long:
            changed = smaller_context(services, state, runtime.context, too_long)
        again = cast(ScoutState, {**state, **changed})
        reply = Answering(services, again, write, limits.turn_timeout_s).reply(
            last_round=last_round
        )
        return {**changed, **reply}

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
            heed_stop()
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
                write_tool_log(
                    services.database,
                    scope.user,
                    scope.thread_id,
                    scope.turn_id,
                    state["started_at"],
                    log,
                )
            except DatabaseError:
                unlogged.append(log)
            degraded += [outcome.degraded] if outcome.degraded else []
            logged.append({**log, "summary": outcome.summary})
            del logged[-1]["tool_output"]  # it stands among the messages
            if result := outcome.result:
                evidence |= {paper.arxiv_id: paper.title for paper in result.papers}
                usage = merged(usage, result.usage) if result.usage else usage
                degraded += [result.degraded] if result.degraded else []
            name = outcome.call.name if outcome.call.name in tools else OTHER  # a model's own words
            told = {"tool": name, "status": outcome.status, "ms": round(outcome.seconds * 1000)}
            _log.info("tool ended", extra=told)
            results[outcome.call.id] = ToolMessage(
                clean_text(outcome.content),
                id=outcome.call.log_id,  # opens it again when it is cut
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
    def check(self, state: ScoutState, runtime: Runtime[ScoutContext]) -> dict[str, Any]:
        """Compare the answer with what is held of the papers that it cites.

        Then, so that it is not taken for a claim, it is said whose tools beside ours were used.
        """
        changed = checked(self._services, state)
        answer, used = state.get("answer", ""), outside_used(state["tool_log"])
        if answer and used:
            runtime.stream_writer({"type": "token", "text": f"\n\n{used}"})
            changed["answer"] = f"{answer.rstrip()}\n\n{used}"
        return changed

    @timed("persist")
    def persist(self, state: ScoutState) -> dict[str, Any]:
        """Store the turn, whatever came of it; the last thing a turn does."""
        if not state.get("turn_id") or is_stopped():
            return {}  # never begun, or stopped: then the door stores it
        services = self._services
        status = "failed" if state.get("error") else "answered"
        degraded = persist_turn(services, state, status=status)
        services.leases.let_go(UUID(state["turn_id"]))
        return {"status": status, "degraded": [*state.get("degraded", ()), *degraded]}
