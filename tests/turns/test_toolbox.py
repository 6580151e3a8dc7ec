"""Among a hundred tools the one that a request needs is bound."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from turns.toolbox_data import OTHER_TOOLS, REQUESTS

from arxivscout.agent.binding import CORE, MAX_PICKED, bind_tools, pick_tools
from arxivscout.agent.paper_tools import PAPER_TOOLS
from arxivscout.agent.services import Services
from arxivscout.agent.tools import ToolResult
from arxivscout.memory import toolbox
from arxivscout.memory.recall import recall


def test_the_right_tool_is_bound_for_at_least_95_of_100_requests(services: Services) -> None:
    template = services.tools["search_papers"]
    for name, description in OTHER_TOOLS:
        services.tools[name] = template.model_copy(
            update={"name": name, "description": description, "function": _nothing}
        )
    assert len(services.tools) >= 100
    with services.database.shared() as conn:
        toolbox.register_shared(
            conn,
            [(tool.name, tool.description) for tool in services.tools.values()],
            services.embedder.embed_documents,
        )
    missed = []
    for request, wanted in REQUESTS:
        found = recall(
            services.database,
            user="tester",
            thread_id="t",
            turn_id=None,
            question=request,
            vector=services.vector(request),
        )
        if (
            wanted
            not in bind_tools(services.tools, pick_tools(services.tools, found.tools, ())).names
        ):
            missed.append((request, wanted, found.tools))
    assert len(REQUESTS) >= 60
    assert len(missed) <= 0.05 * len(REQUESTS), missed


def _nothing(*args: object, **kwargs: object) -> ToolResult:
    return ToolResult("", "")


NAMES = [*CORE, *(f"t{number}" for number in range(40))]


@given(st.lists(st.lists(st.sampled_from(NAMES), max_size=8), max_size=12))
def test_a_thread_keeps_its_tools_while_there_is_room(turns: list[list[str]]) -> None:
    tools = dict.fromkeys(NAMES, PAPER_TOOLS[0])
    picked: list[str] = []
    for found in turns:
        before = picked
        picked = pick_tools(tools, found, before)
        best = set(found[:2]) - set(CORE)
        assert best <= set(picked)
        new = set(picked) - set(before)
        lost = set(before) - set(picked)
        assert len(lost) <= len(best)  # what else was found takes nobody's place
        assert not lost or len(picked) == MAX_PICKED
        assert not new or new <= set(found)
        bound = bind_tools(tools, picked).names
        assert bound == [name for name in tools if name in bound]
        assert len(set(picked)) == len(picked)
        assert not set(picked) & set(CORE)
        assert len(bound) <= len(CORE) + 12
