"""A scout on the model server that the environment names, and the figures of its turns."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from arxivscout.agent.events import Answer, Answered, ToolStarted
from arxivscout.app import Scout, open_scout
from arxivscout.settings import Settings, load_settings

URL, MODEL = "ARXIVSCOUT_MODEL_BASE_URL", "ARXIVSCOUT_MODEL"
# What says how to reach the model and what it can bear; whose memory and where is the test's own.
TAKEN = ("MODEL", "CONTEXT_WINDOW", "ANSWER_TOKENS", "MAX_TOOL_ROUNDS", "TURN_TIMEOUT", "TOOL_TIME")
PATIENT = {"turn_timeout_s": 900.0, "model_timeout_s": 300.0}  # a small model on a processor


@dataclass
class Turn:
    """How one turn went."""

    name: str
    events: list[Any] = field(default_factory=list)
    seconds: float = 0.0
    answer: Answer | None = None

    @property
    def tools(self) -> list[str]:
        return [each.name for each in self.events if isinstance(each, ToolStarted)]

    def row(self) -> list[str]:
        answer = self.answer
        usage = answer.usage if answer else {}
        verdicts = [each.verdict for each in answer.citations] if answer else []
        return [
            self.name,
            f"{self.seconds:.1f}",
            str(usage.get("input_tokens", "?")),
            str(usage.get("output_tokens", "?")),
            ", ".join(f"{name} ×{self.tools.count(name)}" for name in dict.fromkeys(self.tools)),
            str(len(verdicts)),
            ", ".join(f"{verdicts.count(each)} {each}" for each in dict.fromkeys(verdicts)),
            (answer.status if answer else "stopped")
            + (f", {len(answer.degraded)} degraded" if answer and answer.degraded else "")
            + (f", {len(answer.problems)} problems" if answer and answer.problems else ""),
        ]


TURNS: list[Turn] = []
HEAD = ["turn", "s", "tokens in", "out", "tools", "citations", "verdicts", "ended"]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if not TURNS:
        return
    table = [HEAD, *(turn.row() for turn in TURNS)]
    widths = [max(len(row[at]) for row in table) for at in range(len(HEAD))]
    terminalreporter.section("turns of the model")
    for row in table:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        terminalreporter.write_line(" | ".join(cells).rstrip())
    total = sum(turn.seconds for turn in TURNS)
    terminalreporter.write_line(f"{len(TURNS)} turns in {total:.0f} s")


def settings_of(environ: dict[str, str], home: Path) -> Settings:
    """The model of the environment, everything else of the test's own."""
    url = environ.get(URL, "")
    if not url:
        pytest.fail(f"{URL} names no model server, so there is nothing to try", pytrace=False)
    taken = {
        name: value
        for name, value in environ.items()
        if name.startswith(tuple(f"ARXIVSCOUT_{each}" for each in TAKEN))
    }
    try:
        listed = httpx.get(f"{url.rstrip('/')}/models", timeout=30)
        names = [each["id"] for each in listed.raise_for_status().json()["data"]]
    except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
        names = [taken[MODEL]] if MODEL in taken else []
        if isinstance(error, httpx.TransportError) or not names:
            pytest.fail(f"no model server answers at {url}: {error!r}", pytrace=False)
    taken.setdefault(MODEL, names[0])
    patient = {
        name: value for name, value in PATIENT.items() if f"ARXIVSCOUT_{name.upper()}" not in taken
    }
    return load_settings(taken, home=home, user="tester", offline=True, **patient)


@pytest.fixture(scope="session")
def live(copied_home: Callable[[], AbstractContextManager[Path]]) -> Iterator[Scout]:
    """One scout for all turns, with the starter collection and a memory of its own."""
    with copied_home() as home, open_scout(settings_of(dict(os.environ), home)) as scout:
        yield scout


Take = Callable[..., Turn]


@pytest.fixture
def turn(live: Scout) -> Take:
    """Takes a turn to its end, and notes its figures: `turn(name, events)`."""

    def take(name: str, events: Iterator[Any]) -> Turn:
        taken = Turn(name)
        TURNS.append(taken)
        started = time.monotonic()
        try:
            for event in events:
                taken.events.append(event)
                if isinstance(event, Answered):
                    taken.answer = event.answer
        finally:
            taken.seconds = time.monotonic() - started
        return taken

    return take
