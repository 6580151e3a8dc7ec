"""The command line as a person meets it: another process, its streams, its exit code.

The fixtures that run a command to its end fork it from one that is warm (`warm.py`); terminals,
kills, the wheel and `ask` of the README are processes from their first import on.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from terminal import Terminal
from warm import WarmCommands

Run = Callable[..., subprocess.CompletedProcess[str]]
QUESTION = "What is known about quantum teleportation of neutral mesons?"
PLAYED = Path(__file__).with_name("played_scout.py")


@dataclass(frozen=True)
class FirstStart:
    """What the first command in an empty home left behind."""

    environment: dict[str, str]
    result: subprocess.CompletedProcess[str]


@pytest.fixture
def bare_environment(tmp_path: Path) -> dict[str, str]:
    """The environment without settings of whoever runs the tests, and an empty home."""
    return _environment(tmp_path / "home")


@pytest.fixture(scope="session")
def first_start(
    tmp_path_factory: pytest.TempPathFactory, warm: WarmCommands
) -> Iterator[FirstStart]:
    """A home in which one question was asked, with the server kept up; what that question gave."""
    environment = _environment(tmp_path_factory.mktemp("lived-in") / "home")
    run = _runner(warm, ["-m", "arxivscout"], environment)
    first = run("ask", "--json", "--user", "first", QUESTION)
    kept = run("db", "start")
    assert kept.returncode == 0, kept.stderr
    yield FirstStart(environment, first)
    stopped = run("db", "stop", "--force")
    assert stopped.returncode == 0, stopped.stderr


@pytest.fixture
def lived_in(first_start: FirstStart, request: pytest.FixtureRequest) -> dict[str, str]:
    """The environment of `first_start`, for a person of this test's own."""
    return {**first_start.environment, "ARXIVSCOUT_USER": request.node.name[:100]}


@pytest.fixture
def played(bare_environment: dict[str, str], warm: WarmCommands) -> Run:
    """Run the command line over a played scout."""
    return _runner(warm, [str(PLAYED)], bare_environment)


@pytest.fixture
def command(bare_environment: dict[str, str], warm: WarmCommands) -> Run:
    """Run the command line itself in an empty home."""
    return _runner(warm, ["-m", "arxivscout"], bare_environment)


@pytest.fixture
def scout(lived_in: dict[str, str], warm: WarmCommands) -> Run:
    """Run the command line itself where the starter collection is stored."""
    return _runner(warm, ["-m", "arxivscout"], lived_in)


def _environment(home: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("ARXIVSCOUT_") and k != "TERM"}
    return {
        **kept,
        "ARXIVSCOUT_HOME": str(home),
        "ARXIVSCOUT_OFFLINE": "1",
        "COLUMNS": "100",
        "PYTHONWARNINGS": "default",
    }


def _runner(warm: WarmCommands, program: list[str], environment: dict[str, str]) -> Run:
    def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return warm.run([*program, *arguments], environment, stdin)

    return run


@pytest.fixture
def terminals() -> Iterator[Callable[..., Terminal]]:
    """Start programs on terminals; all are ended with the test."""
    started = []

    def start(
        environment: dict[str, str], *program: str, size: tuple[int, int] = (100, 60)
    ) -> Terminal:
        started.append(Terminal([sys.executable, *program], environment, size))
        return started[-1]

    yield start
    for terminal in started:
        terminal.close()
