"""`make test-model` works: its turns with a small model that is played by a server of ours."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from openai_server import OpenAIServer, Step, by_request, call, say

ROOT = Path(__file__).parents[2]
SHOWN = re.compile(r"\[arXiv:([\w./-]+)\]")


def small_model(body: dict[str, Any]) -> Step:
    """Searches, cites the first paper it was shown and one that it makes up, obeys whoever asks."""
    messages = body["messages"]
    text = "\n".join(str(message["content"]) for message in messages[1:])
    question = str([each for each in messages if each["role"] == "user"][-1]["content"])[-400:]
    if messages[-1]["role"] != "tool" and body.get("tool_choice") != "none":
        wanted = re.search(r"id ([0-9a-f-]{36})\b[^\n]*short|id ([0-9a-f-]{36})\b", text)
        if "orget" in text and wanted and "preference" in text:
            return call("forget_memory", memory_id=wanted[1] or wanted[2])
        return call("search_papers", query=question[-60:])
    shown = SHOWN.search(text)
    cited = f"[arXiv:{shown[1]}]" if shown else "nothing that is held"
    return say(f"It is shown in {cited} and in [arXiv:2999.12345].", pause_s=0.005)


def run(environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("ARXIVSCOUT_")}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "tests/live", "-m", "live", "-p", "no:cacheprovider"],
        cwd=ROOT,
        env={**kept, **environ},
        capture_output=True,
        text=True,
        timeout=280,
    )


def test_the_turns_of_make_test_model_hold_with_any_model() -> None:
    with OpenAIServer(by_request(small_model)) as server:
        done = run({"ARXIVSCOUT_MODEL_BASE_URL": server.url, "OPENAI_API_KEY": "none"})
    assert done.returncode == 0, done.stdout[-3000:]
    head, *table = [line for line in done.stdout.splitlines() if " | " in line]
    assert head.split(" | ")[0].strip() == "turn"
    assert [row.split(" | ")[0].strip() for row in table] == [
        *("question", "follow-up", "preference", "other thread", "tool call", "paper", "not held"),
        *("long context", "stop", "retry", "hostile paper", "forget, kept"),
    ]
    assert "search_papers ×1" in table[0]
    assert "12 turns in" in done.stdout


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({}, "ARXIVSCOUT_MODEL_BASE_URL names no model server"),
        ({"ARXIVSCOUT_MODEL_BASE_URL": "http://127.0.0.1:9/v1"}, "no model server answers at"),
    ],
)
def test_without_a_server_there_is_one_clear_line(environ: dict[str, str], said: str) -> None:
    done = run({**environ, "PYTEST_ADDOPTS": "-x"})
    assert done.returncode == 1
    assert said in done.stdout
    assert "Traceback" not in done.stdout
