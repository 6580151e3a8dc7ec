"""The Studio door: a server without key or network, driven by LangGraph's own client."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from arxivscout.app import Scout

ROOT = Path(__file__).parents[2]
QUESTION = "What is known about quantum teleportation of neutral mesons?"


@pytest.fixture
def client(
    scout: Scout, environment: dict[str, str], tmp_path: Path
) -> Iterator[SyncLangGraphClient]:
    """A client of `langgraph dev`, which serves the checkout's graphs over the test's database."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # The server keeps its own state in the folder it is started in: not in the checkout.
    (tmp_path / "langgraph.json").write_text(
        (ROOT / "langgraph.json")
        .read_text()
        .replace('["."]', f'["{ROOT}"]')
        .replace("./graphs", f"{ROOT}/graphs")
    )
    log = (tmp_path / "server.log").open("w+")
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload"),
            *("--host", "127.0.0.1", "--port", str(port)),
        ],
        cwd=tmp_path,
        env={**environment, "LANGSMITH_TRACING": "false", "DO_NOT_TRACK": "1"},
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    try:
        url = f"http://127.0.0.1:{port}"
        for _ in range(240):
            assert server.poll() is None, (tmp_path / "server.log").read_text()[-3000:]
            try:
                if httpx.get(f"{url}/ok").status_code == 200:
                    break
            except httpx.TransportError:
                time.sleep(0.25)
        with get_sync_client(url=url) as opened:
            yield opened
    finally:
        server.terminate()
        server.wait(20)
        log.close()


def ask(client: SyncLangGraphClient, thread: str, question: str, **context: Any) -> dict[str, Any]:
    asked = {"messages": [{"role": "user", "content": question}]}
    for _ in client.runs.stream(
        thread, "scout", input=asked, stream_mode=["updates", "custom"], context=context or None
    ):
        pass
    return client.threads.get_state(thread)["values"]  # type: ignore[no-any-return,return-value]


def test_a_conversation_in_studio_is_in_memory_like_any_other(
    client: SyncLangGraphClient, scout: Scout
) -> None:
    (assistant,) = client.assistants.search()
    schemas = client.assistants.get_schemas(assistant["assistant_id"])
    assert schemas["input_schema"] and schemas["output_schema"] and schemas["context_schema"]
    assert "Chat model" in str(schemas["context_schema"])

    thread = client.threads.create()["thread_id"]
    state = ask(client, thread, QUESTION)
    assert [message["type"] for message in state["messages"]] == ["human", "ai", "tool", "ai"]
    assert state["citations"][0]["arxiv_id"] == "0712.2288"
    assert {each["segment"] for each in state["context_report"]} >= {"knowledge", "recent"}
    assert state["status"] == "answered"

    state = ask(client, thread, "and its limitations?")
    assert state["understood"].startswith(QUESTION)
    assert len(state["messages"]) >= 6

    said = [event.kind for event in scout.thread_events(thread) if event.kind != "tool"]
    assert said == ["user", "assistant"] * 2
    # It goes on in the terminal.
    answer = scout.ask("and who measured it?", thread_id=thread)
    assert answer.citations[0].arxiv_id == "0712.2288"

    # Whose memory it is comes from the server, never from a parameter.
    refused = client.threads.create()["thread_id"]
    with pytest.raises(Exception, match="UsageError"):
        ask_and_raise(client, refused, user="somebody")


def ask_and_raise(client: SyncLangGraphClient, thread: str, **context: Any) -> None:
    asked = {"messages": [{"role": "user", "content": QUESTION}]}
    for part in client.runs.stream(thread, "scout", input=asked, context=context):
        if part.event == "error":
            raise RuntimeError(str(part.data))
