"""A research job as a graph: sub-questions, evidence, sections, one report.

Each sub-question is a turn of the scout machine, so that a job leaves what a chat would, once: its
turns are named by the job, and one that was answered before a kill is read back, not asked again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from langgraph.errors import NodeError
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send

from arxivscout.agent.batch_nodes import BatchNodes
from arxivscout.agent.batch_state import (
    BatchInput,
    BatchOutput,
    BatchState,
    Research,
    Writing,
    of_the_job,
)
from arxivscout.agent.batch_writing import BatchWriting
from arxivscout.agent.context import ScoutContext
from arxivscout.agent.findings import Scouts
from arxivscout.agent.recovery import described
from arxivscout.agent.services import Services
from arxivscout.agent.timing import timed
from arxivscout.errors import ScoutError

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph


def build_batch_graph(
    services: Services,
) -> CompiledStateGraph[BatchState, ScoutContext, BatchInput, BatchOutput]:
    """The batch machine over these services."""
    nodes, writing = BatchNodes(services, Scouts(services)), BatchWriting(services)
    graph = StateGraph(
        BatchState, context_schema=ScoutContext, input_schema=BatchInput, output_schema=BatchOutput
    )
    # A server shows no exception's words: what fails ends the job with one line in its state.
    graph.set_node_defaults(error_handler=cast(Any, give_up))

    graph.add_node("begin", nodes.begin)
    graph.add_node("research", timed("research")(nodes.research), input_schema=Research)
    graph.add_node(
        "write_section", timed("write_section")(writing.write_section), input_schema=Writing
    )
    for node in (
        nodes.plan,
        nodes.merge,
        nodes.outline,
        writing.quote,
        writing.write_brief,
        nodes.check,
        nodes.report,
    ):
        graph.add_node(node.__name__, timed(node.__name__)(node))

    graph.add_edge(START, "begin")
    graph.add_edge("begin", "plan")
    graph.add_conditional_edges("plan", each_question, ["research"])
    graph.add_edge("research", "merge")
    graph.add_edge("merge", "outline")
    graph.add_conditional_edges("outline", writing.each_section, ["quote", "write_section"])
    graph.add_edge("quote", "check")
    graph.add_edge("write_section", "write_brief")
    graph.add_edge("write_brief", "check")
    graph.add_edge("check", "report")
    graph.add_edge("report", END)
    return services.heard(graph.compile(name="batch"))


def give_up(state: BatchState, error: NodeError) -> Command[str]:
    """End the job with the error in its state.

    Raises:
        BaseException: Ctrl-C, and a defect, which is shown with its traceback.
    """
    if not isinstance(error.error, ScoutError):
        raise error.error
    return Command(goto=END, update={"error": described(error.error)})


def each_question(state: BatchState) -> list[Send]:
    """Every sub-question goes to the scout machine, side by side."""
    job = of_the_job(state)
    return [
        Send("research", Research(place=place, question=question, job=job))
        for place, question in enumerate(state["sub_questions"])
    ]
