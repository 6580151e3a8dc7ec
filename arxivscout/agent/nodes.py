"""The five nodes of a turn. Each reads state, calls one room, and returns what changed."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.config import get_config
from langgraph.errors import NodeError
from langgraph.runtime import Runtime
from langgraph.types import Command

from arxivscout.agent.answering import Answering
from arxivscout.agent.identity import person_of, thread_of
from arxivscout.agent.messages import (
    asked_in,
    calls_of,
    running_conversation,
    turn_id_of,
)
from arxivscout.agent.persist import persist_turn
from arxivscout.agent.services import Services
from arxivscout.agent.state import ScoutContext, ScoutState
from arxivscout.agent.tools import (
    TurnScope,
    bound_names,
    cleaned,
    pick_tools,
    run_calls,
)
from arxivscout.context.assemble import assemble
from arxivscout.context.followup import last_cited, standalone
from arxivscout.context.memories import memory_items
from arxivscout.context.segments import Item
from arxivscout.errors import (
    ConfigurationError,
    DatabaseError,
    DatabaseUnavailable,
    ScoutError,
    Stopped,
    ThreadBusy,
    UsageError,
)
from arxivscout.memory.recall import recall
from arxivscout.memory.turn import open_turn, write_tool_log
from arxivscout.papers import clean_text
from arxivscout.prompting import render

Node = Callable[..., Any]

LEAST_RESULTS = 200  # tokens for what tools find; below it nothing of a paper is left
LEAST_EXTRACTIVE_WINDOW = 16_000
TOOLS_SHARE = 0.2  # of the window, for tools beside the core


def _timed(name: str) -> Callable[[Node], Node]:
    """Add the node's milliseconds to what it returns."""

    def around(node: Node) -> Node:
        @functools.wraps(node)
        def timed(*args: Any, **kwargs: Any) -> Any:
            started = time.perf_counter()
            update = node(*args, **kwargs)
            spent = {name: (time.perf_counter() - started) * 1000}
            update["timings_ms"] = {**update.get("timings_ms", {}), **spent}
            return update

        return timed

    return around


class Nodes:
    """The nodes over one process's services."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def load_memory(self, state: ScoutState, runtime: Runtime[ScoutContext]) -> dict[str, Any]:
        """Commit the question, understand it from the thread, and recall what bears on it."""
        started = time.perf_counter()
        services, context, config = self._services, runtime.context or ScoutContext(), get_config()
        user, thread_id = person_of(services, context, config), thread_of(context, config)
        asked = asked_in(state.get("messages") or ())
        question = clean_text(asked.text).strip()
        if not question:
            raise UsageError("The question is empty.", "Ask something.")
        turn_id = turn_id_of(asked, user, thread_id)
        model = context.model or services.settings.model
        degraded: list[str] = []
        try:
            recent = open_turn(
                services.database,
                services.leases,
                user=user,
                thread_id=thread_id,
                turn_id=turn_id,
                question=question,
                model=model,
            )
        except DatabaseUnavailable:
            degraded.append("the database is lost: answered from the running conversation")
            recent = running_conversation(state["messages"])
        understood = standalone(
            question,
            [text for role, text, _ in recent if role == "user"],
            last_cited([(role, text) for role, text, _ in recent]),
        )
        embedding_started = time.perf_counter()
        vector = services.vector(understood)
        embedded = time.perf_counter()
        found = recall(
            services.database,
            user=user,
            thread_id=thread_id,
            turn_id=turn_id,
            question=understood,
            vector=vector,
        )
        if not degraded:
            degraded += [
                f"the store {name} could not be read: {why}" for name, why in found.failed.items()
            ]
        return {
            "turn_id": str(turn_id),
            "user": user,
            "thread_id": thread_id,
            "question": question,
            "understood": understood,
            "model": model,
            "started_at": datetime.now(UTC).isoformat(),
            "recent": [list(message) for message in recent],
            "memory": found.memory,
            "picked_tools": pick_tools(
                services.tools, found.tools, state.get("picked_tools") or ()
            ),
            "rounds": 0,
            "evidence": {
                row["arxiv_id"]: row["title"] for row in found.memory.get("knowledge", ())
            },
            "unlogged": [],
            "answer": "",
            "citations": [],
            "status": "open",
            "error": None,
            "degraded": degraded,
            "usage": {},
            "timings_ms": {
                "load_memory": (time.perf_counter() - started) * 1000,
                "embedding": (embedded - embedding_started) * 1000,
            },
        }

    @_timed("assemble_context")
    def assemble_context(self, state: ScoutState) -> dict[str, Any]:
        """Fill the window's segments; pure but for the clock."""
        services = self._services
        settings = services.settings
        named = settings.model_named(state["model"])
        window = named.context_window or settings.context_window
        if named.model == "extractive":
            window = max(window, LEAST_EXTRACTIVE_WINDOW)  # it reads all it is given
        names = bound_names(services.tools, state["picked_tools"], int(window * TOOLS_SHARE))
        memory = memory_items(state["memory"])
        if state["understood"] != state["question"]:
            memory["understood"] = [Item(f"- {state['understood']}", "thread")]
        assembled = assemble(
            system=render(
                "system",
                user=state["user"],
                tool_names="\n".join(
                    f"- {name}: {services.tools[name].description}" for name in names
                ),
            ),
            memory=memory,
            recent=[(role, text) for role, text, _ in state["recent"]],
            question=state["question"],
            window=window,
            answer_tokens=min(settings.answer_tokens, window // 4),
            tools_tokens=sum(services.tools[name].definition_tokens for name in names),
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

    @_timed("reason")
    def reason(self, state: ScoutState, runtime: Runtime[ScoutContext]) -> dict[str, Any]:
        """Ask the model: it calls tools, or answers."""
        context = runtime.context or ScoutContext()
        rounds = context.max_tool_rounds or self._services.settings.max_tool_rounds
        return Answering(self._services, state, runtime.stream_writer).reply(
            last_round=state["rounds"] >= rounds
        )

    @_timed("run_tools")
    def run_tools(self, state: ScoutState, runtime: Runtime[ScoutContext]) -> dict[str, Any]:
        """Run what the model called for, logging each call as it ends."""
        services, write = self._services, runtime.stream_writer
        scope = TurnScope(services, state["user"], state["thread_id"], state["turn_id"])
        calls = calls_of(state["messages"][-1])
        for call in calls:
            arguments = cleaned(dict(call.arguments))
            write({"type": "tool_started", "name": call.name, "arguments": arguments})
        evidence, unlogged = dict(state["evidence"]), list(state["unlogged"])
        results: dict[str, ToolMessage] = {}
        tools = {name: services.tools[name] for name in state["bound_tools"]}
        for outcome in run_calls(calls, tools, scope, services.settings.tool_timeout_s):
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
            evidence |= {paper.arxiv_id: paper.title for paper in outcome.papers}
            results[outcome.call.id] = ToolMessage(
                clean_text(outcome.content),
                tool_call_id=outcome.call.id,
                name=outcome.call.name or "?",
                status="success" if outcome.status == "success" else "error",
            )
        return {
            "messages": [results[call.id] for call in calls],
            "evidence": evidence,
            "unlogged": unlogged,
            "rounds": state["rounds"] + 1,
        }

    @_timed("persist")
    def persist(self, state: ScoutState) -> dict[str, Any]:
        """Store the turn, whatever came of it; the last thing a turn does."""
        if not state.get("turn_id") or state["turn_id"] in self._services.stopped:
            return {}  # never begun, or stopped: then the door stores it
        services = self._services
        status = "failed" if state.get("error") else "answered"
        degraded = persist_turn(services, state, status=status)
        services.leases.let_go(UUID(state["turn_id"]))
        return {"status": status, "degraded": [*state.get("degraded", ()), *degraded]}

    def recover(self, state: ScoutState, error: NodeError) -> Command[str]:
        """Where a failing node goes: the turn is stored as failed, with one line that says why.

        Raises:
            ThreadBusy, UsageError: nothing was begun, so there is nothing to store.
        """
        raised = error.error
        if not isinstance(raised, Exception) or isinstance(raised, Stopped):
            raise raised  # Ctrl-C stops the graph; the door stores what there is
        if isinstance(raised, ThreadBusy | UsageError) or error.node == "persist":
            raise raised
        if error.node == "load_memory" and not isinstance(raised, ScoutError):
            raise raised
        return Command(goto="persist", update={"error": _described(raised), "status": "failed"})


def _described(error: BaseException) -> dict[str, Any]:
    """The error as plain values, so that state can carry it to the door."""
    if isinstance(error, ScoutError):
        return {"type": type(error).__name__, "cause": error.cause, "mend": error.mend}
    return {
        "type": "Defect",
        "cause": f"A defect: {type(error).__name__}: {error}".partition("\n")[0],
        "mend": "The question is kept; `arxivscout retry` asks it again.",
    }
