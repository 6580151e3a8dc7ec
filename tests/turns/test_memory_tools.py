"""What the memory tools change in the database, and what they leave alone."""

from __future__ import annotations

import re
from typing import Any

import pytest

from arxivscout.agent.services import Services
from arxivscout.agent.tools import Call, TurnScope, run_calls
from arxivscout.app import Scout

TURN = "6f1d2c3b-0000-4000-8000-00000000000b"


def use(services: Services, tool: str, user: str = "tester", **arguments: Any) -> str:
    scope = TurnScope(services, user, "t", TURN)
    call = Call("1", tool, arguments)
    (outcome,) = run_calls([call], services.tools, scope, 10)
    return outcome.content


def saved(services: Services, text: str, **more: Any) -> str:
    found = re.search(
        r"id ([0-9a-f-]{36})", use(services, "save_memory", kind="fact", text=text, **more)
    )
    assert found
    return found[1]


def test_a_finding_rests_on_papers_that_are_held(services: Services) -> None:
    said = use(services, "save_memory", kind="finding", text="It holds", arxiv_ids=["0712.2288v1"])
    assert "It holds [arXiv:0712.2288]" in said
    (finding,) = Scout(services, "tester").memories("finding")
    assert finding.text == "It holds [arXiv:0712.2288]"


def test_what_is_corrected_is_superseded_and_the_old_one_is_no_longer_read(
    services: Services,
) -> None:
    old = saved(services, "The field of work is optics")
    said = use(
        services,
        "update_memory",
        memory_id=old,
        text="The field of work is acoustics",
        reason="changed jobs",
    )
    assert "acoustics" in said
    (item,) = Scout(services, "tester").memories()
    assert (item.text, item.reason) == ("The field of work is acoustics", "changed jobs")
    with services.database.transaction("tester") as conn:
        before = conn.execute("SELECT before ->> 'content' FROM change_log").fetchall()
    assert ("The field of work is optics",) in before
    assert "There is no memory" in use(services, "forget_memory", memory_id=old)


def test_what_is_forgotten_is_no_longer_read(services: Services) -> None:
    kept = saved(services, "The field of work is optics")
    assert "Forgotten" in use(services, "forget_memory", memory_id=kept)
    assert Scout(services, "tester").memories() == []
    assert "Nothing was found" in use(services, "recall_memory", kind="entities", query="optics")


@pytest.mark.parametrize("tool", ["forget_memory", "update_memory"])
def test_nobody_changes_the_memory_of_another(services: Services, tool: str) -> None:
    kept = saved(services, "The field of work is optics")
    more = {"text": "stolen"} if tool == "update_memory" else {}
    assert "status: error" in use(services, tool, user="other", memory_id=kept, **more)
    (item,) = Scout(services, "tester").memories()
    assert item.text == "The field of work is optics"


def test_the_same_words_are_remembered_once(services: Services) -> None:
    assert saved(services, "The field of work is optics") == saved(
        services, "The field of work is optics", reason="said again"
    )


def test_a_thread_is_condensed_linked_and_brought_back(services: Services) -> None:
    scout = Scout(services, "tester")
    scout.ask("What is known about quantum teleportation of neutral mesons?", thread_id="t")
    scout.ask("I decided to measure CP first.", thread_id="t")
    said = use(services, "summarise_thread")
    assert "[arXiv:0712.2288]" in said
    assert "I decided to measure CP first." in said
    found = re.search(r"id ([0-9a-f-]{36})", said)
    assert found
    back = use(services, "expand_summary", summary_id=found[1])
    assert "4 messages" in back
    assert "user: I decided to measure CP first." in back
    assert "nothing in this thread to condense" in use(services, "summarise_thread")


def test_the_tool_log_is_read_by_word_and_by_failure(services: Services) -> None:
    scout = Scout(services, "tester")
    scout.ask("What is known about quantum teleportation of neutral mesons?", thread_id="t")
    assert "search_papers" in use(services, "read_tool_logs", contains="mesons")
    assert "Nothing was found" in use(services, "read_tool_logs", only_errors=True)
    assert "Nothing was found" in use(services, "read_tool_logs", contains="graphene")


def test_a_call_that_takes_too_long_is_left_behind(services: Services) -> None:
    import time

    def slow(scope: Any, **arguments: Any) -> Any:
        time.sleep(3)

    services.tools["slow"] = services.tools["search_papers"].model_copy(
        update={"name": "slow", "function": slow}
    )
    scope = TurnScope(services, "tester", "t", TURN)
    calls = [Call("1", "slow", {"query": "x"}), Call("2", "read_paper", {"arxiv_id": "0712.2288"})]
    outcomes = {each.call.id: each for each in run_calls(calls, services.tools, scope, 0.8)}
    assert outcomes["1"].status == "timeout"
    assert outcomes["2"].status == "success"


def test_a_preference_that_the_person_contradicts_is_replaced(services: Services) -> None:
    def said(question: str, text: str) -> str:
        scope = TurnScope(services, "tester", "t", TURN, question)
        call = Call("1", "save_memory", {"kind": "preference", "text": text})
        (outcome,) = run_calls([call], services.tools, scope, 10)
        return outcome.content

    def kept() -> set[str]:
        return {each.text for each in Scout(services, "tester").memories("preference")}

    short, dates = "I prefer short answers.", "I do not want papers older than 2015"
    said(short, short)
    said(dates, dates)
    longer = "Actually, I prefer long answers."
    assert "It replaces: “I prefer short answers.”" in said(longer, longer)
    assert kept() == {dates, longer}
    # What a paper makes a model save takes nothing of the person's away.
    assert "replaces" not in said("What is known about kaons?", "I want papers from 1990 only")
    assert dates in kept()
    newer = "I do not want papers older than 2000 any more, forget the 2015 limit"
    said(newer, newer)
    assert dates not in kept() and newer in kept()


def test_the_library_and_the_findings_are_recalled_by_kind(services: Services) -> None:
    assert "papers are held." in use(services, "recall_memory", kind="papers")
    assert "Nothing was found" in use(services, "recall_memory", kind="findings")
    use(services, "save_memory", kind="finding", text="It holds", arxiv_ids=["0712.2288"])
    Scout(services, "tester").library.read("0712.2288", "read")
    assert "(read): [arXiv:0712.2288]" in use(services, "recall_memory", kind="papers")
    found = use(services, "recall_memory", kind="findings", query="which?")
    assert re.search(r"- [\d-]+ \(id [0-9a-f-]+, finding, thread t\): It holds", found)
