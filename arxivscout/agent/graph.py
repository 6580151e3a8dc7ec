"""The turn as a graph; its drawing in the README comes from here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

from langchain_core.messages import AIMessage
from langgraph.graph import END, START, StateGraph

from arxivscout.agent.asking import Asking
from arxivscout.agent.context import ScoutContext
from arxivscout.agent.forgetting import undecided
from arxivscout.agent.identity import own
from arxivscout.agent.nodes import Nodes
from arxivscout.agent.recovery import recover
from arxivscout.agent.services import Services
from arxivscout.agent.state import ScoutInput, ScoutOutput, ScoutState
from arxivscout.agent.toolkit import equip
from arxivscout.agent.understanding import Understanding

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph


def build_graph(
    services: Services, checkpointer: BaseCheckpointSaver[Any] | None = None
) -> CompiledStateGraph[ScoutState, ScoutContext, ScoutInput, ScoutOutput]:
    """The scout machine over these services.

    Args:
        checkpointer: for resuming; None where the server brings its own.
    """
    equip(services)
    nodes, asking = Nodes(services), Asking(services)
    graph = StateGraph(
        ScoutState, context_schema=ScoutContext, input_schema=ScoutInput, output_schema=ScoutOutput
    )
    # Whatever fails goes to `persist`, so that the turn is stored as it ended.
    graph.set_node_defaults(error_handler=cast(Any, recover))

    graph.add_node("understand", Understanding(services).understand)
    for node in (
        asking.choose_reading,
        nodes.load_memory,
        nodes.assemble_context,
        nodes.reason,
        asking.confirm_forget,
        nodes.run_tools,
        nodes.check,
        nodes.persist,
    ):
        graph.add_node(node.__name__, own(services, node))

    graph.add_edge(START, "understand")
    graph.add_conditional_edges("understand", is_clear)
    graph.add_edge("choose_reading", "load_memory")
    graph.add_edge("load_memory", "assemble_context")
    graph.add_edge("assemble_context", "reason")
    graph.add_conditional_edges("reason", calls_tools)
    graph.add_conditional_edges("confirm_forget", all_decided)
    graph.add_edge("run_tools", "reason")
    graph.add_edge("check", "persist")
    graph.add_edge("persist", END)
    return services.heard(graph.compile(checkpointer=checkpointer, name="scout"))


def is_clear(state: ScoutState) -> Literal["load_memory", "choose_reading"]:
    """Does the question mean one thing?"""
    return "choose_reading" if state["readings"] else "load_memory"


def calls_tools(state: ScoutState) -> Literal["run_tools", "confirm_forget", "check"]:
    """Does the model's last message wait for tools, and for a person before them?"""
    last = state["messages"][-1]
    if isinstance(last, AIMessage) and (last.tool_calls or last.invalid_tool_calls):
        return all_decided(state)
    return "check"


def all_decided(state: ScoutState) -> Literal["run_tools", "confirm_forget"]:
    """Is it decided of each memory that the model wants forgotten?"""
    return "confirm_forget" if undecided(state) else "run_tools"
