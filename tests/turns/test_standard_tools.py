"""LangChain's standard suites on each of our tools."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.tools import BaseTool
from langchain_tests.integration_tests import ToolsIntegrationTests
from langchain_tests.unit_tests import ToolsUnitTests

from arxivscout.agent.services import Services
from arxivscout.agent.toolkit import TOOLS as ALL
from arxivscout.agent.tools import TurnScope

TOOLS = {tool.name: tool for tool in ALL}
TURN = "6f1d2c3b-0000-4000-8000-00000000000a"
EXAMPLES: dict[str, dict[str, Any]] = {
    "search_papers": {"query": "teleportation of mesons", "since": "2007", "k": 3},
    "search_arxiv": {"query": "teleportation of mesons"},
    "read_paper": {"arxiv_id": "https://arxiv.org/abs/0712.2288v1"},
    "search_passages": {"query": "how the mesons were measured", "k": 2},
    "compare_papers": {"arxiv_ids": ["0712.2288", "0809.4859"]},
    "recall_memory": {"kind": "entities", "query": "dates"},
    "save_memory": {"kind": "finding", "text": "CP verifies it", "arxiv_ids": ["0712.2288"]},
    "forget_memory": {"memory_id": TURN},
    "archive": {"memory_id": TURN},
    "update_memory": {"memory_id": TURN, "text": "It is otherwise."},
    "remember": {"kind": "decision", "text": "We measure CP.", "category": "active projects"},
    "correct": {"memory_id": TURN, "text": "It is otherwise.", "reason": "it was measured"},
    "merge": {"memory_ids": [TURN, TURN], "reason": "they say the same"},
    "link": {"subject": "0712.2288", "predicate": "extends", "object": "0809.4859"},
    "read_tool_logs": {"only_errors": True, "contains": "mesons"},
    "summarise_thread": {"summary": "Mesons were discussed."},
    "expand_summary": {"summary_id": TURN},
    "open_result": {"result_id": TURN},
    "neighbours": {"name": "2505.21638", "depth": 2, "predicates": ["written_by"]},
    "related": {"name": "2505.21638", "limit": 3},
    "match": {"pattern": '?p written_by ?a; ?p about "dark matter"', "wanted": "a"},
    "path": {"start": "0712.2288", "end": "2505.21638"},
    "timeline": {"about": "mesons", "as_of": "2026-03"},
    "lessons": {"query": "how long answers should be"},
    "reflect_now": {},
    "reinforce": {"lesson_id": TURN, "supports": True},
    "deep_recall": {"query": "teleportation of mesons", "k": 3},
    "drill_down": {"summary_id": TURN},
    "consolidate": {"category": "findings"},
}
# The others need a network, or a memory that is there.
ALONE = sorted(
    set(TOOLS)
    - {"search_arxiv", "forget_memory", "archive", "update_memory", "open_result", "reinforce"}
    - {"correct", "merge"}
)


def test_every_tool_is_tried() -> None:
    assert set(EXAMPLES) == set(TOOLS)


class TestUnit(ToolsUnitTests):
    @pytest.fixture(autouse=True, params=sorted(TOOLS))
    def chosen(self, request: pytest.FixtureRequest) -> None:
        self.name = request.param

    @property
    def tool_constructor(self) -> BaseTool:
        return TOOLS[self.name]

    @property
    def tool_invoke_params_example(self) -> dict[str, Any]:
        return EXAMPLES[self.name]

    @pytest.fixture
    def tool(self) -> BaseTool:
        return TOOLS[self.name]


class TestIntegration(ToolsIntegrationTests):
    @pytest.fixture(autouse=True, params=ALONE)
    def chosen(self, request: pytest.FixtureRequest) -> None:
        self.name = request.param

    @property
    def tool_constructor(self) -> BaseTool:
        return TOOLS[self.name]

    @property
    def tool_invoke_params_example(self) -> dict[str, Any]:
        return EXAMPLES[self.name]

    @pytest.fixture
    def tool(self, services: Services) -> BaseTool:
        return TOOLS[self.name].within(TurnScope(services, "tester", "t", TURN))
