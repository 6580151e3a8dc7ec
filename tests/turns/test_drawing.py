"""The drawing of a turn in the README is the graph's own."""

from __future__ import annotations

from pathlib import Path

from arxivscout.agent.graph import build_graph
from arxivscout.agent.services import Services

README = Path(__file__).parents[2] / "README.md"
BEGIN, END = "<!-- the turn, from agent/graph.py -->", "<!-- end of the turn -->"
SHAPES = {
    "__start__": 'question(["a question"])',
    "__end__": 'answer(["an answer"])',
    "choose_reading": 'choose_reading{{"choose_reading"}}',
    "confirm_forget": 'confirm_forget{{"confirm_forget"}}',
}
ENDS = {"__start__": "question", "__end__": "answer"}


def drawing(services: Services) -> str:
    """The graph in Mermaid's words; where a person may be asked, a node has six corners."""
    graph = build_graph(services).get_graph()
    lines = ["```mermaid", "flowchart LR"]
    lines += [f"    {shape}" for name, shape in SHAPES.items() if name in graph.nodes]
    lines += [
        f"    {ENDS.get(edge.source, edge.source)} {'-.->' if edge.conditional else '-->'} "
        f"{ENDS.get(edge.target, edge.target)}"
        for edge in graph.edges
        if not {edge.source, edge.target} & {"__default_error_handler__"}
    ]
    return "\n".join([*lines, "```"])


def test_the_readme_draws_the_graph_that_runs(services: Services) -> None:
    text = README.read_text(encoding="utf-8")
    assert BEGIN in text and END in text
    drawn = text.partition(BEGIN)[2].partition(END)[0].strip()
    expected = drawing(services)
    assert drawn == expected, f"the graph has changed; put this into the README:\n{expected}"


def test_every_node_of_the_graph_is_told_of_in_the_readme(services: Services) -> None:
    text = README.read_text(encoding="utf-8")
    nodes = set(build_graph(services).get_graph().nodes) - {
        *("__start__", "__end__", "__default_error_handler__"),
    }
    for node in nodes:
        assert f"`{node}`" in text, f"the README does not say what {node} does"
