"""The turn as a graph: reads like the drawing in the README.

load_memory ──► assemble_context ──► reason ◄──► run_tools
                                        └──► persist
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

from langchain_core.messages import AIMessage
from langgraph.graph import END, START, StateGraph

from arxivscout.agent.nodes import Nodes
from arxivscout.agent.services import Services
from arxivscout.agent.state import ScoutContext, ScoutInput, ScoutState
from arxivscout.agent.toolkit import equip

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph


def build_graph(
    services: Services, checkpointer: BaseCheckpointSaver[Any] | None = None
) -> CompiledStateGraph[ScoutState, ScoutContext, ScoutInput, ScoutState]:
    """The scout machine over these services.

    Args:
        checkpointer: for resuming; None where the server brings its own.
    """
    equip(services)
    nodes = Nodes(services)
    graph = StateGraph(ScoutState, context_schema=ScoutContext, input_schema=ScoutInput)
    # Whatever fails goes to `persist`, so that the turn is stored as it ended.
    graph.set_node_defaults(error_handler=cast(Any, nodes.recover))

    graph.add_node("load_memory", nodes.load_memory)
    graph.add_node("assemble_context", nodes.assemble_context)
    graph.add_node("reason", nodes.reason)
    graph.add_node("run_tools", nodes.run_tools)
    graph.add_node("persist", nodes.persist)

    graph.add_edge(START, "load_memory")
    graph.add_edge("load_memory", "assemble_context")
    graph.add_edge("assemble_context", "reason")
    graph.add_conditional_edges("reason", calls_tools)
    graph.add_edge("run_tools", "reason")
    graph.add_edge("persist", END)
    return graph.compile(checkpointer=checkpointer, name="scout")


def calls_tools(state: ScoutState) -> Literal["run_tools", "persist"]:
    """Does the model's last message wait for tools?"""
    last = state["messages"][-1]
    waits = isinstance(last, AIMessage) and (last.tool_calls or last.invalid_tool_calls)
    return "run_tools" if waits else "persist"
