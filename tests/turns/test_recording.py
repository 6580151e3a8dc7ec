"""What a turn leaves of itself in numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from turns.scripted import ScriptedModel, calls, says
from turns.settled import settle

from arxivscout.agent.recording import record
from arxivscout.app import Scout
from arxivscout.errors import ModelError

Make = Callable[..., tuple[Scout, ScriptedModel]]
QUESTION = "What is known about quantum teleportation of neutral mesons?"
CITED = says("CP measurement verifies teleportation [arXiv:0712.2288].")


def measures(scout: Scout) -> list[dict[str, Any]]:
    """The measures of the person's turns, once the background is done with them."""
    settle(scout)
    with scout.database.transaction(scout.user) as conn:
        rows = conn.execute("SELECT row_to_json(m) FROM turn_measure AS m ORDER BY ended_at")
        return [row[0] for row in rows]


def total(scout: Scout, name: str, **labels: str) -> float:
    with scout.database.transaction(scout.user) as conn:
        (found,) = conn.execute(
            "SELECT COALESCE(sum(value), 0) FROM measure_total WHERE name = %s AND labels @> %s",
            (name, json.dumps(labels)),
        ).fetchone() or (0.0,)
    return float(found)


def test_a_turn_is_measured_when_it_is_over(scripted: Make) -> None:
    scout, _ = scripted(calls(("search_papers", {"query": "meson teleportation"})), CITED)
    turn = scout.ask(QUESTION)
    (measure,) = measures(scout)
    assert measure["turn_id"] == turn.turn_id
    assert (measure["status"], measure["outcome"]) == ("answered", "success")
    assert measure["papers_cited"] == 1 <= measure["papers"]
    assert (measure["calls"], measure["failed_calls"], measure["searches"]) == (1, 0, 1)
    assert measure["cost"] is None  # nobody said what the model costs
    nodes = {"understand", "load_memory", "assemble_context", "reason", "run_tools", "persist"}
    assert nodes <= set(measure["parts_ms"])
    assert {"recall.knowledge", "recall.earlier", "recall.summaries"} <= set(measure["parts_ms"])
    assert measure["turn_ms"] >= measure["parts_ms"]["reason"]
    assert measure["segments"]["knowledge"] > 0
    assert not {"answer", "margin", "results"} & set(measure["segments"])
    assert not measure["abstained"]


def test_no_word_of_a_turn_stands_in_its_numbers(scripted: Make) -> None:
    scout, _ = scripted(calls(("search_papers", {"query": "meson teleportation"})), CITED)
    scout.ask(QUESTION)
    kept = json.dumps(measures(scout))
    with scout.database.transaction(scout.user) as conn:
        kept += str(conn.execute("SELECT name, labels FROM measure_total").fetchall())
    assert "teleportation" not in kept


def test_an_answer_that_cites_nothing_after_a_search_abstains(scripted: Make) -> None:
    scout, _ = scripted(
        calls(("search_papers", {"query": "unicorn farming"})), says("Nothing was found.")
    )
    scout.ask("What is known about unicorn farming?")
    scout.ask("hello")
    first, second = measures(scout)
    assert (first["abstained"], second["abstained"]) == (True, False)


def test_a_turn_is_counted_once_however_often_it_is_looked_for(scripted: Make) -> None:
    scout, _ = scripted(CITED)
    turn = scout.ask(QUESTION)
    assert len(measures(scout)) == 1
    record(scout._services, scout.user, turn.turn_id, 1.0)
    assert len(measures(scout)) == 1
    assert total(scout, "turns", status="answered") == 1


def test_what_another_process_left_unmeasured_is_measured_with_the_next_turn(
    scripted: Make,
) -> None:
    scout, _ = scripted(CITED)
    scout.ask(QUESTION)
    measures(scout)
    with scout.database.transaction(scout.user) as conn:
        conn.execute("DELETE FROM turn_measure")
    scout.ask("And with violated CP?")
    assert len(measures(scout)) == 2


def test_a_failed_turn_is_measured_too(scripted: Make) -> None:
    scout, _ = scripted(RuntimeError("no"))
    with pytest.raises(ModelError):
        scout.ask(QUESTION)
    (measure,) = measures(scout)
    assert measure["status"] == "failed"
    assert total(scout, "turns", status="failed") == 1


def test_a_tool_that_a_model_made_up_has_no_label_of_its_own(scripted: Make) -> None:
    scout, _ = scripted(calls(("made_up_by_a_paper", {})), CITED)
    scout.ask(QUESTION)
    (measure,) = measures(scout)
    assert measure["failed_calls"] == 1
    assert total(scout, "tool_calls", tool="other", status="error") == 1
    assert total(scout, "tool_calls", tool="made_up_by_a_paper") == 0


def test_numbers_older_than_wanted_go_and_their_sums_stay(scripted: Make) -> None:
    scout, _ = scripted(CITED)
    old = scout.ask(QUESTION)
    measures(scout)
    with scout.database.transaction(scout.user) as conn:
        conn.execute("UPDATE turn SET ended_at = ended_at - interval '366 days'")
        conn.execute("UPDATE turn_measure SET ended_at = ended_at - interval '366 days'")
    new = scout.ask("And with violated CP?")
    assert [each["turn_id"] for each in measures(scout)] == [new.turn_id] != [old.turn_id]
    assert total(scout, "turns") == 2


def test_who_wants_no_numbers_has_none(scripted: Make) -> None:
    scout, _ = scripted(CITED)
    services = scout._services
    services.settings = services.settings.model_copy(update={"monitoring_days": 0})
    scout.ask(QUESTION)
    assert measures(scout) == []
    assert total(scout, "turns") == 0


def test_numbers_are_a_persons_own_and_go_with_their_turn(scripted: Make) -> None:
    scout, _ = scripted(CITED)
    other, _ = scripted(CITED, user="somebody")
    scout.ask(QUESTION)
    other.ask(QUESTION)
    assert len(measures(scout)) == len(measures(other)) == 1
    scout.history.undo("default")
    assert measures(scout) == []
    assert len(measures(other)) == 1


def test_the_turns_of_a_fork_are_not_counted_again(scripted: Make) -> None:
    scout, _ = scripted(CITED)
    scout.ask(QUESTION)
    measures(scout)
    scout.history.fork("default", "copy")
    scout.ask("And with violated CP?", thread_id="copy")
    assert len(measures(scout)) == 2


def test_numbers_that_cannot_be_stored_fail_no_turn(scripted: Make) -> None:
    scout, _ = scripted(CITED)
    with scout.database.admin() as conn:
        conn.execute("DROP TABLE turn_measure")
    assert scout.ask(QUESTION).status == "answered"
    settle(scout)
