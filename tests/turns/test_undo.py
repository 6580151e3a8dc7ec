"""A turn taken back: memory is as it was, whatever the turn did, and whoever else used it since."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from turns.scripted import ScriptedModel, calls, says
from turns.settled import rows, settle

from arxivscout.app import Scout
from arxivscout.errors import NotFound, ThreadBusy
from arxivscout.memory import entity, summary, workflow

Make = Callable[..., tuple[Scout, ScriptedModel]]
QUESTION = "What is known about quantum teleportation of neutral mesons?"

# Whole rows, without the vectors (they are compared by being there or not).
PICTURES = {
    "conversational_memory": "SELECT to_jsonb(t) FROM conversational_memory AS t ORDER BY id",
    "tool_log_memory": "SELECT to_jsonb(t) FROM tool_log_memory AS t ORDER BY id",
    "turn": "SELECT to_jsonb(t) FROM turn AS t ORDER BY turn_id",
    "relation_memory": "SELECT to_jsonb(t) FROM relation_memory AS t ORDER BY id",
    "thread": "SELECT to_jsonb(t) FROM thread AS t ORDER BY thread_id",
    "thread_lease": "SELECT to_jsonb(t) FROM thread_lease AS t ORDER BY thread_id",
    **{
        table: f"SELECT to_jsonb(t) - 'embedding', embedding IS NULL, langchain_metadata::text "
        f"FROM {table} AS t ORDER BY langchain_id"
        for table in ("entity_memory", "summary_memory", "workflow_memory")
    },
}


def picture(scout: Scout) -> dict[str, list[Any]]:
    """All that a person's memory holds, once what is learned of the turns is there."""
    settle(scout)
    with scout.database.transaction(scout.user) as conn:
        return {table: conn.execute(sql).fetchall() for table, sql in PICTURES.items()}


def memories(scout: Scout, kind: str) -> list[tuple[str, str]]:
    settle(scout)
    return [(item.id, item.text) for item in scout.memories(kind)]


def test_a_turn_is_taken_back_as_if_it_had_not_been_asked(scout: Scout) -> None:
    empty = picture(scout)
    scout.ask(QUESTION)
    first = picture(scout)
    scout.ask("I prefer short answers.")
    scout.ask("Which papers deal with dark matter?")
    undone = scout.history.undo("default")
    assert (undone.question, undone.messages) == ("Which papers deal with dark matter?", 2)
    assert undone.memories >= 2  # the way of working, and the paper
    assert scout.history.undo("default").question == "I prefer short answers."
    assert picture(scout) == first
    assert scout.history.undo("default").question == QUESTION
    assert picture(scout) == empty
    assert scout.paper_count() == 5
    with pytest.raises(NotFound, match="No thread is called 'default'"):
        scout.history.undo("default")


def test_the_undo_is_recorded(scout: Scout) -> None:
    scout.ask(QUESTION)
    scout.history.undo("default")
    recorded = rows(
        scout,
        "SELECT action, before ->> 'content', reason FROM change_log "
        "WHERE table_name = 'conversational_memory' AND undone_at IS NOT NULL ORDER BY id",
    )
    assert [action for action, *_ in recorded] == ["insert", "insert", "delete", "delete"]
    assert {reason for action, _, reason in recorded if action == "delete"} == {
        f"the turn was taken back: {QUESTION}"
    }
    assert QUESTION in {text for _, text, _ in recorded}
    assert rows(scout, "SELECT count(*) FROM change_log WHERE undone_at IS NULL") == [(0,)]


def _stocked(scout: Scout) -> dict[str, UUID]:
    """Memories of all kinds that were there before, not by a turn."""
    vector = scout.embedder.embed_query
    with scout.database.transaction(scout.user) as conn:
        return {
            "kept": entity.write(
                conn, "I like tables.", vector("tables"), {"category": "preference", "b": 1, "a": 2}
            ),
            "changed": entity.write(
                conn, "Nothing before 2015.", vector("2015"), {"category": "preference"}
            ),
            "summary": summary.write(conn, "A summary.", vector("summary"), {"thread_id": "old"}),
            "workflow": workflow.write(conn, "1. search", vector("search"), {"outcome": "success"}),
        }


@pytest.mark.parametrize(
    "tool",
    [
        lambda ids: ("save_memory", {"kind": "finding", "text": "Mesons teleport."}),
        lambda ids: ("save_memory", {"kind": "preference", "text": "I like tables."}),
        lambda ids: (
            "update_memory",
            {"memory_id": str(ids["changed"]), "text": "Nothing before 2018.", "reason": "newer"},
        ),
        lambda ids: ("update_memory", {"memory_id": str(ids["summary"]), "text": "Another one."}),
        lambda ids: ("forget_memory", {"memory_id": str(ids["kept"])}),
        lambda ids: ("forget_memory", {"memory_id": str(ids["summary"])}),
        lambda ids: ("forget_memory", {"memory_id": str(ids["workflow"])}),
        lambda ids: ("summarise_thread", {"summary": "We spoke of mesons."}),
        lambda ids: ("summarise_thread", {"summary": "A summary."}),
    ],
)
def test_what_the_model_did_with_its_tools_is_taken_back(
    scripted: Make, tool: Callable[[dict[str, UUID]], tuple[str, dict[str, Any]]]
) -> None:
    asked: dict[str, UUID] = {}
    scout, _ = scripted(
        says("Yes. [arXiv:0712.2288]"),
        lambda messages: calls(tool(asked)),
        says("Done. [arXiv:0712.2288] [arXiv:2506.04108]"),
    )
    asked |= _stocked(scout)
    scout.ask(QUESTION)
    before = picture(scout)
    said = "Forget everything, all of it, please; and keep what I said. I prefer German."
    list(scout.stream(said, decide=lambda choice: choice.options[0]))
    after = picture(scout)
    assert after["entity_memory"] != before["entity_memory"]
    status = [each[0]["status"] for each in after["tool_log_memory"]]
    assert status == ["success"]
    scout.history.undo("default")
    assert picture(scout) == before
    with scout.database.transaction(scout.user) as conn:
        found = workflow.search(conn, scout.embedder.embed_query("search"), 5)
    assert "1. search" in {each.content for each in found}  # what came back is found again


def test_a_paper_that_another_turn_cites_stays_until_that_one_is_taken_back(
    scripted: Make,
) -> None:
    scout, _ = scripted(says("Yes. [arXiv:0712.2288]"))
    empty = picture(scout)
    for thread in ("one", "two", "three"):
        scout.ask(QUESTION, thread_id=thread)
    for thread, left in (("one", 2), ("three", 1), ("two", 0)):
        scout.history.undo(thread)
        assert rows(scout, "SELECT count(*) FROM relation_memory") == [(left,)]
        assert len(memories(scout, "paper")) == bool(left)
    assert picture(scout) == empty


@pytest.mark.parametrize("order", [("one", "two"), ("two", "one")])
def test_a_preference_that_was_said_twice_stays_while_one_of_them_stands(
    scripted: Make, order: tuple[str, str]
) -> None:
    scout, _ = scripted(says("All right."))
    empty = picture(scout)
    for thread in ("one", "two"):
        scout.ask("I prefer short answers.", thread_id=thread)
    for left, thread in zip((1, 0), order, strict=True):
        scout.history.undo(thread)
        assert len(memories(scout, "preference")) == left
    assert picture(scout) == empty


@pytest.mark.parametrize("order", [("one", "two"), ("two", "one")])
def test_of_two_corrections_the_older_can_be_taken_back_first(
    scripted: Make, order: tuple[str, str]
) -> None:
    """Never do two versions hold at once, and in the end the first one does again."""

    def corrects(text: str) -> Callable[..., Any]:
        return lambda _: calls(
            ("update_memory", {"memory_id": memories(scout, "preference")[0][0], "text": text})
        )

    scout, _ = scripted(
        corrects("Nothing before 2018."), says("Done."), corrects("Nothing before 2020."), says("!")
    )
    _stocked(scout)
    with scout.database.transaction(scout.user) as conn:
        conn.execute("DELETE FROM entity_memory WHERE content LIKE '%tables%'")
    before = picture(scout)
    scout.ask("it is 2018 now", thread_id="one")
    scout.ask("it is 2020 now", thread_id="two")
    scout.history.undo(order[0])
    left = "Nothing before 2020." if order[0] == "one" else "Nothing before 2018."
    assert [text for _, text in memories(scout, "preference")] == [left]
    scout.history.undo(order[1])
    assert picture(scout) == before


def test_what_a_person_changed_since_stays_theirs(scripted: Make) -> None:
    scout, _ = scripted(
        calls(("save_memory", {"kind": "finding", "text": "Mesons teleport."})), says("Done.")
    )
    scout.ask(QUESTION)
    ((memory_id, _),) = memories(scout, "finding")
    with scout.database.transaction(scout.user) as conn:
        entity.update(conn, memory_id, None, None, {"note": "checked by hand"})
    scout.history.undo("default")
    assert [text for _, text in memories(scout, "finding")] == ["Mesons teleport."]


def test_the_running_messages_forget_the_turn(scripted: Make) -> None:
    scout, _ = scripted(says("One."), says("Two."), says("Three."))
    for question in ("first?", "second?", "third?"):
        scout.ask(question)
    scout.history.undo("default")
    assert [each.text.strip() for each in scout._held.of("default").messages] == [
        "first?",
        "One.",
        "second?",
        "Two.",
    ]
    scout.history.undo("default")
    scout.history.undo("default")
    assert scout._held.of("default").messages == []


def test_another_process_does_not_see_it_either(scripted: Make) -> None:
    scout, _ = scripted(says("The answer is 42."), says("Nothing."))
    other, model = scripted(says("Fine."))
    scout.ask("What is the answer?")
    other.history.undo("default")
    scout.ask("What did I ask?")
    other.ask("And I?")
    assert "42" not in str(model.read[0])
    assert [e.text for e in scout.history.events("default")][:2] == [
        "What did I ask?",
        "Nothing. ",
    ]


def test_a_turn_at_work_is_not_taken_back(scripted: Make) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(_: Any) -> Any:
        begun.set()
        assert go_on.wait(20)
        return says("Late.")

    scout, _ = scripted(says("Early."), slow)
    scout.ask("first?")
    thread = threading.Thread(target=scout.ask, args=("second?",))
    thread.start()
    assert begun.wait(20)
    other, _ = scripted(says("x"))
    history = other.history
    for refused in (
        lambda: history.undo("default"),
        lambda: history.rename("default", "new"),
        lambda: history.delete("default"),
        lambda: history.feedback("default", True),
        lambda: history.correct("default", "no"),
        lambda: history.saved("default"),
    ):
        with pytest.raises(ThreadBusy):
            refused()
    assert history.fork("default") == "default-2"  # what has been answered so far
    go_on.set()
    thread.join()
    assert [each.text for each in history.events("default-2")] == ["first?", "Early. "]
    assert history.undo("default").question == "second?"


def test_two_undos_at_once_take_two_turns_back(scripted: Make) -> None:
    scout, _ = scripted(says("Yes. [arXiv:0712.2288]"))
    for number in range(4):
        scout.ask(f"question {number}?")
    taken: list[str] = []
    together = threading.Barrier(3)

    def undo() -> None:
        together.wait()
        taken.append(scout.history.undo("default").question)

    threads = [threading.Thread(target=undo) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == ["question 1?", "question 2?", "question 3?"]
    assert scout.history.events("default")[0].text == "question 0?"
    assert len(scout.history.events("default")) == 2


def test_nobody_takes_back_anothers_turn(scripted: Make) -> None:
    scout, _ = scripted(says("Mine."))
    other, _ = scripted(says("Theirs."), user="other")
    scout.ask("mine?")
    before = picture(scout)
    with pytest.raises(NotFound):
        other.history.undo("default")
    other.ask("theirs?")
    other.history.undo("default")
    assert picture(scout) == before


def test_a_turn_that_failed_is_taken_back_and_its_question_is_gone(scripted: Make) -> None:
    scout, _ = scripted(says("One."), RuntimeError("broken"))
    scout.ask("first?")
    before = picture(scout)
    with pytest.raises(Exception, match="broken"):
        scout.ask("second?")
    assert scout.unanswered("default") == "second?"
    assert scout.history.undo("default").messages == 1
    assert picture(scout) == before
    assert scout.unanswered("default") is None


def test_vectors_come_from_the_embedder_that_is_bound_now(scripted: Make) -> None:
    scout, _ = scripted(
        lambda _: calls(("forget_memory", {"memory_id": str(ids["summary"])})), says("Done.")
    )
    ids = _stocked(scout)
    scout.ask("Forget everything, please.")
    with scout.database.transaction(scout.user) as conn:
        conn.execute(
            "UPDATE change_log SET before = jsonb_set(before, '{embedding}', '\"[1,2,3]\"') "
            "WHERE table_name = 'summary_memory'"
        )
    scout.history.undo("default")
    with scout.database.transaction(scout.user) as conn:
        (found,) = summary.search(conn, scout.embedder.embed_query("A summary."), 1)
    assert found.id == ids["summary"]
    assert found.distance < 1e-5
