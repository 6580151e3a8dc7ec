"""The drawings in the README are the graphs' own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arxivscout.agent.batch import build_batch_graph
from arxivscout.agent.graph import build_graph
from arxivscout.agent.services import Services

README = Path(__file__).parents[2] / "README.md"
GRAPHS = {
    "the turn, from agent/graph.py": build_graph,
    "a job, from agent/batch.py": build_batch_graph,
}
ASKS = ("choose_reading", "confirm_forget")
LEFT_OUT = ("__start__", "__end__", "__default_error_handler__")


def drawing(graph: Any) -> str:
    """The graph in Mermaid's words; where a person may be asked, a node has six corners."""
    ends = {"__start__": "question", "__end__": "report" if "report" in graph.nodes else "answer"}
    lines = ["```mermaid", "flowchart LR", '    question(["a question"])']
    if "report" not in graph.nodes:
        lines.append('    answer(["an answer"])')
    lines += [f'    {name}{{{{"{name}"}}}}' for name in ASKS if name in graph.nodes]
    lines += [
        f"    {ends.get(edge.source, edge.source)} {'-.->' if edge.conditional else '-->'} "
        f"{ends.get(edge.target, edge.target)}"
        for edge in graph.edges
        if "__default_error_handler__" not in (edge.source, edge.target)
        and (edge.source, edge.target) != ("report", "__end__")
    ]
    return "\n".join([*lines, "```"])


@pytest.mark.parametrize("name", GRAPHS)
def test_the_readme_draws_the_graph_that_runs(services: Services, name: str) -> None:
    text = README.read_text(encoding="utf-8")
    begin, end = f"<!-- {name} -->", f"<!-- end of {name.partition(',')[0]} -->"
    assert begin in text and end in text
    drawn = text.partition(begin)[2].partition(end)[0].strip()
    expected = drawing(GRAPHS[name](services).get_graph())
    assert drawn == expected, f"the graph has changed; put this into the README:\n{expected}"


@pytest.mark.parametrize("name", GRAPHS)
def test_every_node_of_the_graphs_is_told_of_in_the_readme(services: Services, name: str) -> None:
    text = README.read_text(encoding="utf-8")
    for node in set(GRAPHS[name](services).get_graph().nodes) - set(LEFT_OUT):
        assert f"`{node}`" in text, f"the README does not say what {node} does"
