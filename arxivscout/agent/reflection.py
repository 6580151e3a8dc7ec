"""The reflection machine: what lately happened, what is known, what it teaches, what is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

from langgraph.errors import NodeError
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command

from arxivscout.agent.context import ScoutContext
from arxivscout.agent.identity import own
from arxivscout.agent.recovery import described
from arxivscout.agent.reflection_nodes import ReflectionNodes
from arxivscout.agent.reflection_state import ReflectionInput, ReflectionOutput, ReflectionState
from arxivscout.agent.services import Services
from arxivscout.errors import ScoutError

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph


def build_reflection_graph(
    services: Services,
) -> CompiledStateGraph[ReflectionState, ScoutContext, ReflectionInput, ReflectionOutput]:
    """The reflection machine over these services."""
    nodes = ReflectionNodes(services)
    graph = StateGraph(
        ReflectionState,
        context_schema=ScoutContext,
        input_schema=ReflectionInput,
        output_schema=ReflectionOutput,
    )

    def give_up(state: ReflectionState, error: NodeError) -> Command[str]:
        """End the run with the error in its state, and let the next one begin."""
        told = described(error.error)
        nodes.give_up(state, told["cause"])
        if not isinstance(error.error, ScoutError):
            raise error.error
        return Command(goto=END, update={"error": told, "status": "failed"})

    graph.set_node_defaults(error_handler=cast(Any, give_up))

    graph.add_node("begin", nodes.begin)
    for node in (nodes.review, nodes.recall, nodes.distil, nodes.write):
        graph.add_node(node.__name__, own(services, node))

    graph.add_edge(START, "begin")
    graph.add_conditional_edges("begin", is_to_run)
    graph.add_edge("review", "recall")
    graph.add_edge("recall", "distil")
    graph.add_edge("distil", "write")
    graph.add_edge("write", END)
    return services.heard(graph.compile(name="reflection"))


def is_to_run(state: ReflectionState) -> Literal["review", "__end__"]:
    """Is it time, and allowed?"""
    return "review" if state["status"] == "running" else "__end__"
