"""What a run's context says of its budgets is what the turn keeps to."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from turns.scripted import ScriptedModel, calls, says

from arxivscout.agent.context import ScoutContext
from arxivscout.agent.graph import build_graph
from arxivscout.app import Scout

Make = Callable[..., tuple[Scout, ScriptedModel]]
QUESTION = "What is known about quantum teleportation of neutral mesons?"
SEARCHES = calls(("search_papers", {"query": "mesons"}))


def ask(scout: Scout, **context: Any) -> dict[str, Any]:
    graph = build_graph(scout._services)
    asked = {"messages": [HumanMessage(QUESTION)]}
    given = ScoutContext(user=scout.user, thread="t", **context)
    return graph.invoke(asked, context=given)  # type: ignore[return-value,call-overload,no-any-return]


@pytest.mark.parametrize("rounds", [1, 3, 7])
def test_tools_are_called_in_so_many_rounds(scripted: Make, rounds: int) -> None:
    scout, model = scripted(SEARCHES)
    ended = ask(scout, max_tool_rounds=rounds)
    assert ended["status"] == "answered"
    assert len(model.read) == rounds + 1
    assert model.bound[-1]["tool_choice"] == "none"


def test_the_window_is_as_large_as_it_is_said(scripted: Make) -> None:
    scout, model = scripted(says("It is so [arXiv:0712.2288]."))
    sizes = []
    for window in (3_500, 16_000):
        ask(scout, context_window=window, answer_tokens=500)
        sizes.append(sum(len(str(message.content)) for message in model.read[-1]))
    assert sizes[0] < sizes[1]


def test_a_tool_may_take_so_long(scripted: Make) -> None:
    scout, _ = scripted(SEARCHES, says("Nothing came [arXiv:0712.2288]."))

    def slow(scope: Any, **arguments: Any) -> Any:
        time.sleep(1.5)

    services = scout._services
    slowed = services.tools["search_papers"].model_copy(update={"function": slow})
    services.tools = {**services.tools, "search_papers": slowed}
    started = time.monotonic()
    ended = ask(scout, tool_timeout_s=0.3)
    assert ended["status"] == "answered"
    assert time.monotonic() - started < 10
    with scout.database.transaction(scout.user) as conn:
        assert conn.execute("SELECT status FROM tool_log_memory").fetchall() == [("timeout",)]


def test_a_turn_may_take_so_long(scripted: Make) -> None:
    def slowly(messages: Any) -> Any:
        time.sleep(4)
        return says("Too late.")

    scout, _ = scripted(slowly)
    ended = ask(scout, turn_timeout_s=0.5)
    assert ended["status"] == "failed" or ended["degraded"]
    assert "Too late" not in ended["answer"]


def test_who_has_no_model_of_that_name_is_told_so_before_anything_is_begun(scripted: Make) -> None:
    scout, _ = scripted(says("It is so."))
    ended = ask(scout, model="nonsense")
    assert ended["status"] == "refused"
    assert "No model is called 'nonsense'" in str(ended["messages"][-1].content)
    with scout.database.transaction(scout.user) as conn:
        assert conn.execute("SELECT count(*) FROM turn").fetchall() == [(0,)]
