"""The command line as a person meets it: another process, its streams, its exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from terminal import Terminal

Run = Callable[..., subprocess.CompletedProcess[str]]
PLAYED = Path(__file__).with_name("played_scout.py")


@pytest.fixture
def bare_environment(tmp_path: Path) -> dict[str, str]:
    """The environment without settings of whoever runs the tests, and an empty home."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("ARXIVSCOUT_")}
    return {**kept, "ARXIVSCOUT_HOME": str(tmp_path / "home"), "COLUMNS": "100"}


@pytest.fixture
def played(bare_environment: dict[str, str]) -> Run:
    """Run the command line over a played scout."""
    return _runner([sys.executable, str(PLAYED)], bare_environment)


@pytest.fixture
def command(bare_environment: dict[str, str]) -> Run:
    """Run the command line itself."""
    return _runner([sys.executable, "-m", "arxivscout"], bare_environment)


def _runner(program: list[str], environment: dict[str, str]) -> Run:
    def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*program, *arguments],
            input=stdin,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run


@pytest.fixture
def terminals(bare_environment: dict[str, str]) -> Iterator[Callable[..., Terminal]]:
    """Start programs on terminals; all are ended with the test."""
    started = []

    def start(*program: str) -> Terminal:
        started.append(Terminal([sys.executable, *program], bare_environment))
        return started[-1]

    yield start
    for terminal in started:
        terminal.close()
