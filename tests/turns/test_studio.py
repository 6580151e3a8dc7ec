"""The Studio door: a server without key or network, driven by LangGraph's own client."""

from __future__ import annotations

import time
from typing import Any

import pytest
from langgraph_sdk.client import SyncLangGraphClient
from turns.settled import rows

from arxivscout.app import Scout
from arxivscout.errors import ThreadBusy
from arxivscout.memory import conversation

QUESTION = "What is known about quantum teleportation of neutral mesons?"


def run(client: SyncLangGraphClient, thread: str, **given: Any) -> dict[str, Any]:
    """Run to the end or to a choice; the state then. What fails says so in the state."""
    for part in client.runs.stream(thread, "scout", stream_mode=["updates", "custom"], **given):
        assert part.event != "error", part.data
    return client.threads.get_state(thread)  # type: ignore[return-value]


def ask(
    client: SyncLangGraphClient, run_thread: str, question: str, **context: Any
) -> dict[str, Any]:
    asked = {"messages": [{"role": "user", "content": question}]}
    state = run(client, run_thread, input=asked, context=context or None)
    return state["values"]  # type: ignore[no-any-return]


def waiting(client: SyncLangGraphClient, thread: str) -> dict[str, Any] | None:
    """What the thread waits for, if it does."""
    found = client.threads.get_state(thread)["interrupts"]
    return found[0]["value"] if found else None


def new_thread(client: SyncLangGraphClient) -> str:
    return str(client.threads.create()["thread_id"])


def said(scout: Scout, thread: str) -> list[str]:
    with scout.database.transaction(scout.user) as conn:
        return [message.content for message in conversation.recent(conn, thread, 50)]


def test_a_conversation_in_studio_is_in_memory_like_any_other(
    client: SyncLangGraphClient, scout: Scout
) -> None:
    thread = new_thread(client)
    state = ask(client, thread, QUESTION)
    assert [message["type"] for message in state["messages"]] == ["human", "ai", "tool", "ai"]
    assert state["citations"][0]["arxiv_id"] == "0712.2288"
    assert {each["segment"] for each in state["context_report"]} >= {"knowledge", "recent"}
    assert state["memory"]["knowledge"]
    assert [each["tool_name"] for each in state["tool_log"]] == ["search_papers"]
    assert state["tool_log"][0]["status"] == "success"
    assert state["status"] == "answered"

    state = ask(client, thread, "and its limitations?")
    assert state["understood"].startswith(QUESTION)
    assert len(state["messages"]) >= 6
    assert len(said(scout, thread)) == 4

    # Begun in Studio, it goes on in the terminal …
    answer = scout.ask("and who measured it?", thread_id=thread)
    assert answer.citations[0].arxiv_id == "0712.2288"
    # … and back.
    state = ask(client, thread, "and why is that?")
    assert [text for _, text, *_ in state["recent"]][-2] == "and who measured it?"
    assert state["understood"].startswith(QUESTION)

    # Begun in the terminal, it goes on in Studio under its name.
    scout.ask("Which papers are about modified Newtonian dynamics?", thread_id="galaxies")
    state = ask(client, new_thread(client), "and its limitations?", thread="galaxies")
    assert state["understood"].startswith("Which papers are about modified Newtonian dynamics?")
    assert len(said(scout, "galaxies")) == 4

    # What all these turns teach is asked of the other machine.
    done = client.runs.wait(None, "reflection", input={"dry_run": True})
    assert isinstance(done, dict) and (done["status"], done["reviewed"]) == ("dry run", 6)


def test_studio_has_forms_and_says_what_is_wrong(client: SyncLangGraphClient, scout: Scout) -> None:
    (assistant,) = client.assistants.search(graph_id="scout")
    assert str(assistant.get("description")).startswith("One turn of ArxivScout")
    schemas = client.assistants.get_schemas(assistant["assistant_id"])
    context = schemas["context_schema"]
    assert context and context["additionalProperties"] is False
    assert set(context["properties"]) == {
        *("user", "thread", "model", "ask", "max_tool_rounds", "context_window"),
        *("category", "since", "until", "author"),
        *("answer_tokens", "turn_timeout_s", "tool_timeout_s"),
    }
    assert all(field["description"] for field in context["properties"].values())
    assert context["properties"]["max_tool_rounds"]["anyOf"][0] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 20,
    }
    assert schemas["input_schema"]["required"] == ["messages"]  # type: ignore[index]
    output = schemas["output_schema"]
    assert output and {"answer", "citations", "status", "error"} <= set(output["properties"])
    assert all(
        field["description"] for field in output["properties"].values() if "$ref" not in field
    )

    # Whose memory it is comes from the server, never from a parameter.
    state = ask(client, new_thread(client), QUESTION, user="somebody")
    assert state["error"]["type"] == "UsageError"
    assert state["messages"][-1]["content"].startswith("This server knows its users")
    state = ask(client, new_thread(client), QUESTION, model="nonsense")
    assert state["error"]["cause"] == "No model is called 'nonsense'."
    assert rows(scout, "SELECT count(*) FROM turn") == [(0,)]
    # A context that can't be read ends in one line before the run begins.
    with pytest.raises(RuntimeError, match="max_tool_rounds=99 can't be used"):
        ask_and_raise(client, new_thread(client), max_tool_rounds=99)
    # The budgets do what they say.
    state = ask(client, new_thread(client), QUESTION, context_window=1_024)
    assert "A context window of 1,024 tokens" in state["error"]["cause"]
    state = ask(client, new_thread(client), QUESTION, context_window=5_000)
    budget = sum(each["tokens"] for each in state["context_report"])
    assert budget < 5_000


def test_choices_are_answered_in_studio(client: SyncLangGraphClient, scout: Scout) -> None:
    thread = new_thread(client)
    ask(client, thread, "I prefer short answers.")
    ask(client, thread, "I do not want papers older than 2015.")
    alive = (
        "SELECT content FROM entity_memory WHERE category = 'preference' AND valid_to IS NULL "
        "ORDER BY content"
    )
    both = [("I do not want papers older than 2015.",), ("I prefer short answers.",)]
    assert rows(scout, alive) == both

    wish = "Forget that I prefer short answers."
    ask(client, thread, wish)
    assert waiting(client, thread) == {
        "kind": "confirm_forget",
        "text": "Forget: “preference: I prefer short answers.”?",
        "options": ["forget", "keep"],
    }
    assert rows(scout, alive) == both
    # While it waits the thread is taken, in the terminal too.
    with pytest.raises(ThreadBusy):
        scout.ask(QUESTION, thread_id=thread)
    state = run(client, thread, command={"resume": "keep"})
    assert state["values"]["error"] is None
    assert rows(scout, alive) == both

    ask(client, thread, wish)
    state = run(client, thread, command={"resume": "forget"})
    assert state["values"]["status"] == "answered"
    logged = [(each["tool_name"], each["status"]) for each in state["values"]["tool_log"]]
    assert ("forget_memory", "success") in logged
    assert rows(scout, alive) == both[:1]

    # Another question in place of an answer: the turn that waited counts as interrupted.
    ask(client, thread, "Forget that I do not want papers older than 2015.")
    assert waiting(client, thread)
    assert ask(client, thread, QUESTION)["status"] == "answered"
    assert rows(scout, alive) == both[:1]
    statuses = rows(scout, "SELECT status FROM turn ORDER BY started_at DESC LIMIT 2")
    assert statuses == [("answered",), ("interrupted",)]
    # Nobody to ask, but plainly asked for.
    wish = "Forget that I do not want papers older than 2015."
    assert ask(client, new_thread(client), wish, ask=False)["status"] == "answered"
    assert rows(scout, alive) == []


def learned(scout: Scout, sql: str) -> list[tuple[Any, ...]]:
    """The rows, when the server's process has learned from all turns."""
    for _ in range(200):
        if not rows(scout, "SELECT FROM turn WHERE learned_at IS NULL"):
            break
        time.sleep(0.1)
    return rows(scout, sql)


def test_running_again_from_a_checkpoint_in_studio_writes_no_memory_twice(
    client: SyncLangGraphClient, scout: Scout
) -> None:
    thread = new_thread(client)
    first = ask(client, thread, QUESTION)
    tables = (
        *("conversational_memory", "turn", "workflow_memory", "entity_memory"),
        *("relation_memory", "tool_log_memory"),
    )
    counted = " UNION ALL ".join(f"SELECT '{each}', count(*) FROM {each}" for each in tables)
    once = learned(scout, counted)
    history = [each for each in client.threads.get_history(thread, limit=50) if each["next"]]
    assert len(history) >= 6
    for place in history:
        state = run(client, thread, input=None, checkpoint_id=place["checkpoint"]["checkpoint_id"])
        assert state["values"]["answer"] == first["answer"]
        assert learned(scout, counted) == once, place["next"]
    # The question edited before a fork is another question of the same turn.
    start = next(each for each in history if "understand" in each["next"])
    message = {**start["values"]["messages"][-1], "content": "What is modified Newtonian dynamics?"}
    forked = client.threads.update_state(
        thread, {"messages": [message]}, checkpoint_id=start["checkpoint"]["checkpoint_id"]
    )
    run(client, thread, input=None, checkpoint_id=forked["checkpoint"]["checkpoint_id"])
    assert said(scout, thread)[0] == "What is modified Newtonian dynamics?"
    assert len(said(scout, thread)) == 2


def ask_and_raise(client: SyncLangGraphClient, thread: str, **context: Any) -> None:
    asked = {"messages": [{"role": "user", "content": QUESTION}]}
    for part in client.runs.stream(thread, "scout", input=asked, context=context):
        if part.event == "error":
            raise RuntimeError(str(part.data))
