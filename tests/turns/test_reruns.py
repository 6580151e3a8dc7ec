"""A turn run again from any of its checkpoints, as Studio does: no memory is written twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from turns.scripted import ScriptedModel, calls, says
from turns.settled import rows

from arxivscout.agent.context import ScoutContext
from arxivscout.agent.graph import build_graph
from arxivscout.app import Scout

Make = Callable[..., tuple[Scout, ScriptedModel]]
QUESTION = "What is known about quantum teleportation of neutral mesons?"
TURN = "6f1d2c3b-0000-4000-8000-000000000003"
TABLES = (
    "conversational_memory",
    "turn",
    "workflow_memory",
    "entity_memory",
    "relation_memory",
    "summary_memory",
    "tool_log_memory",
    "semantic_memory",
    "thread_lease",
)


def counts(scout: Scout) -> dict[str, int]:
    return {table: rows(scout, f"SELECT count(*) FROM {table}")[0][0] for table in TABLES}


def works_with_tools(messages: list[Any]) -> AIMessage:
    """Two rounds of tools, then an answer; each call under a new id, as models do."""
    done = len([each for each in messages if isinstance(each, ToolMessage)])
    if done == 0:
        return calls(("search_papers", {"query": "mesons"}), ("search_papers", {"query": "CP"}))
    if done == 2:
        finding = {"kind": "finding", "text": "CP verifies it.", "arxiv_ids": ["0712.2288"]}
        return calls(("save_memory", finding), ("read_paper", {"arxiv_id": "9999.99999"}))
    return says("CP measurement verifies teleportation [arXiv:0712.2288].")


class Studio:
    """The graph with a checkpointer of its own, as LangGraph's server runs it."""

    def __init__(self, scout: Scout, thread: str = "studio") -> None:
        self.graph = build_graph(scout._services, InMemorySaver())
        self.context = ScoutContext(user=scout.user, thread=thread)
        self.place: Any = {"configurable": {"thread_id": thread}}

    def run(self, start: Any, place: Any = None) -> dict[str, Any]:
        return self.graph.invoke(start, place or self.place, context=self.context)  # type: ignore[no-any-return]

    def ask(self, question: str, turn: str | None = None) -> dict[str, Any]:
        return self.run({"messages": [HumanMessage(question, id=turn)]})

    def checkpoints(self) -> list[Any]:
        """Every place from which the thread can go on, the newest first."""
        return [each for each in self.graph.get_state_history(self.place) if each.next]


def test_a_turn_run_again_from_any_checkpoint_writes_no_memory_twice(scripted: Make) -> None:
    scout, _ = scripted(works_with_tools)
    studio = Studio(scout)
    first = studio.ask(QUESTION, TURN)
    assert first["status"] == "answered"
    once = counts(scout)
    assert once["tool_log_memory"] == 4
    assert once["workflow_memory"] == once["turn"] == 1
    looked = "SELECT count(*) FROM relation_memory WHERE predicate = 'looked_at'"
    assert rows(scout, looked) == [(1,)]
    said = rows(scout, "SELECT role, content, timestamp FROM conversational_memory ORDER BY seq")
    places = studio.checkpoints()
    assert {node for each in places for node in each.next} >= {
        *("understand", "load_memory", "assemble_context", "reason", "run_tools", "persist")
    }
    for place in places:
        again = studio.run(None, place.config)
        assert again["answer"] == first["answer"], place.next
        assert counts(scout) == once, place.next
    assert said == rows(
        scout, "SELECT role, content, timestamp FROM conversational_memory ORDER BY seq"
    )


def test_other_words_from_a_checkpoint_replace_the_turn(scripted: Make) -> None:
    scout, model = scripted(works_with_tools)
    studio = Studio(scout)
    studio.ask(QUESTION, TURN)
    once = counts(scout)
    (place,) = [each for each in studio.checkpoints() if each.next == ("persist",)]
    changed = studio.graph.update_state(place.config, {"answer": "Edited in Studio."}, "reason")
    model.script[:] = [says("Other words [arXiv:0712.2288].")]
    assert studio.run(None, changed)["answer"]
    (place,) = [each for each in studio.checkpoints() if each.next == ("understand",)][:1]
    again = studio.run(None, place.config)
    assert again["answer"].startswith("Other words")
    assert counts(scout)["conversational_memory"] == once["conversational_memory"]
    assert counts(scout)["turn"] == 1
    said = rows(scout, "SELECT content FROM conversational_memory ORDER BY seq")
    assert [text.strip() for (text,) in said] == [QUESTION, "Other words [arXiv:0712.2288]."]


@pytest.mark.parametrize(
    ("written_as", "then"),
    [
        ("understand", "load_memory"),
        ("assemble_context", "reason"),
        ("check", "persist"),
    ],
)
def test_nobody_is_made_another_by_what_is_written_into_a_state(
    scripted: Make, written_as: str, then: str
) -> None:
    scout, _ = scripted(works_with_tools)
    studio = Studio(scout)
    studio.ask(QUESTION, TURN)
    once = counts(scout)
    place = next(each for each in studio.checkpoints() if each.next == (then,))
    forged = studio.graph.update_state(place.config, {"user": "victim"}, written_as)
    ended = studio.run(None, forged)
    assert ended["error"]["type"] == "WrongPerson"
    assert counts(scout) == once
    with scout.database.transaction("victim") as conn:
        assert conn.execute("SELECT count(*) FROM turn").fetchone() == (0,)


def test_an_earlier_turn_run_again_stays_in_its_place(scripted: Make) -> None:
    scout, model = scripted(says("First [arXiv:0712.2288]."))
    studio = Studio(scout)
    studio.ask(QUESTION, TURN)
    place = studio.checkpoints()[-1]
    model.script[:] = [says("Second [arXiv:0809.4859].")]
    studio.ask("What steers quantum states?")
    once = counts(scout)
    model.script[:] = [says("First [arXiv:0712.2288].")]
    studio.run(None, place.config)
    assert counts(scout) == once
    said = rows(scout, "SELECT content FROM conversational_memory ORDER BY seq")
    assert [text.split()[0] for (text,) in said] == ["What", "First", "What", "Second"]
    assert not any("Second" in str(each.content) for each in model.read[-1])


def test_a_choice_taken_again_from_its_checkpoint(scripted: Make) -> None:
    scout, model = scripted(says("Noted."))
    scout.ask("I prefer short answers.")
    ((memory_id,),) = rows(scout, "SELECT langchain_id FROM entity_memory WHERE valid_to IS NULL")
    call = calls(("forget_memory", {"memory_id": str(memory_id)}))

    def insists(messages: list[Any]) -> AIMessage:
        done = any(isinstance(each, ToolMessage) for each in messages)
        return says("As you wish.") if done else call

    model.script[:] = [insists]
    studio = Studio(scout)
    waiting = studio.ask("Drop that.", TURN)
    (asked,) = waiting["__interrupt__"]
    assert asked.value == {
        "kind": "confirm_forget",
        "text": "Forget: “preference: I prefer short answers.”?",
        "options": ["forget", "keep"],
    }
    (place,) = [each for each in studio.checkpoints() if each.next == ("confirm_forget",)]
    alive = "SELECT count(*) FROM entity_memory WHERE category = 'preference' AND valid_to IS NULL"
    assert studio.run(Command(resume="keep"))["answer"] == "As you wish. "
    assert rows(scout, alive) == [(1,)]
    again = studio.run(None, place.config)  # from there the person is asked once more
    assert again["__interrupt__"]
    assert studio.run(Command(resume={"unexpected": 1}))["status"] == "answered"
    assert rows(scout, alive) == [(1,)]
    studio.run(None, place.config)
    assert studio.run(Command(resume="forget"))["status"] == "answered"
    assert rows(scout, alive) == [(0,)]
    once = counts(scout)
    assert once["turn"] == 2
    assert once["tool_log_memory"] == 1
    assert once["thread_lease"] == 0


def test_a_question_asked_in_place_of_an_answer_begins_a_new_turn(scripted: Make) -> None:
    scout, model = scripted(says("Noted."))
    scout.ask("I prefer short answers.")
    ((memory_id,),) = rows(scout, "SELECT langchain_id FROM entity_memory WHERE valid_to IS NULL")
    model.script[:] = [
        calls(("forget_memory", {"memory_id": str(memory_id)})),
        says("Known [arXiv:0712.2288]."),
    ]
    studio = Studio(scout)
    studio.ask("Drop that.", TURN)
    answered = studio.ask(QUESTION)
    assert answered["status"] == "answered"
    statuses = rows(scout, "SELECT status FROM turn WHERE thread_id = 'studio' ORDER BY started_at")
    assert statuses == [("interrupted",), ("answered",)]


@pytest.mark.parametrize("where", ["understand", "reason"])
def test_an_error_is_told_in_the_state(scripted: Make, where: str) -> None:
    scout, _ = scripted(RuntimeError("out of order"))
    studio = Studio(scout)
    ended = studio.ask("   " if where == "understand" else QUESTION)
    assert ended["error"]["type"] == ("UsageError" if where == "understand" else "ModelError")
    assert str(ended["messages"][-1].content).startswith(ended["error"]["cause"])
    assert ended["status"] == ("refused" if where == "understand" else "failed")
    once = counts(scout)
    assert once["turn"] == (0 if where == "understand" else 1)
    assert once["thread_lease"] == 0


class Forgetful:
    """An embedder that breaks where the check needs it."""

    def __init__(self, embedder: Any) -> None:
        self._embedder = embedder

    def __getattr__(self, name: str) -> Any:
        if name == "text_array":
            raise RuntimeError("out of order")
        return getattr(self._embedder, name)


def test_a_check_that_breaks_costs_no_answer(scripted: Make) -> None:
    scout, _ = scripted(says("CP measurement verifies teleportation [arXiv:0712.2288]."))
    scout._services.embedder = Forgetful(scout.embedder)  # type: ignore[assignment]
    answer = scout.ask(QUESTION)
    assert answer.status == "answered"
    assert answer.citations[0].verdict == "unchecked"
    assert answer.degraded[-1].startswith("the answer was not checked: A defect: RuntimeError")
