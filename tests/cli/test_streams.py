"""Standard streams that are closed, full or cut off, homes of no name, and narrow terminals."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PLAYED = shlex.join([sys.executable, str(Path(__file__).with_name("played_scout.py"))])
FULL = "error: Standard output takes no more: No space left on device.\n"
Shell = Callable[[str], subprocess.CompletedProcess[str]]


@pytest.fixture
def shell(bare_environment: dict[str, str]) -> Shell:
    """Run a line of bash in which $S is the command line over a played scout."""

    def run(line: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            ["bash", "-c", line.replace("$S", PLAYED)],
            env=bare_environment, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr
        return done

    return run


def test_a_closed_stream_is_as_good_as_none(shell: Shell) -> None:
    assert shell("$S search x >&-").returncode == 0
    told = shell("$S search x 2>&-")
    assert told.returncode == 0 and "0712.2288" in told.stdout
    assert shell("$S search x <&- >&- 2>&-").returncode == 0
    assert shell("$S --version >&-").returncode == 0
    asked = shell("$S ask <&-")
    assert asked.returncode == 2 and "The question is empty." in asked.stderr


@pytest.mark.parametrize("command", ["search x", "search x --json", "ask x", "--help"])
def test_a_full_standard_output_is_one_line(shell: Shell, command: str) -> None:
    told = shell(f"$S {command} >/dev/full")
    assert told.returncode == 1 and told.stderr.endswith(FULL)
    assert shell(f"$S {command} >/dev/full 2>&-").returncode == 1
    assert shell(f"$S {command} >/dev/full 2>&1").returncode == 1


def test_a_full_standard_error_is_nobodys_business(shell: Shell) -> None:
    told = shell("$S search x 2>/dev/full")
    assert told.returncode == 0 and "0712.2288" in told.stdout


def test_a_reader_that_leaves_is_no_error_and_the_answer_is_kept(shell: Shell) -> None:
    told = shell("$S ask slow question | head -c 5; echo : ${PIPESTATUS[0]}")
    assert told.stdout == "word0: 141\n"
    assert "error" not in told.stderr
    assert "(interrupted)" in shell("$S threads show default").stdout


def test_a_document_is_printed_where_signs_are_missing(shell: Shell) -> None:
    program = (
        "from arxivscout.cli import render; "
        "render.document('Mesonen \\u00fcber \\u4ecb\\u5b50\\n\\n- \\u2588')"
    )
    told = shell(f'PYTHONIOENCODING=latin-1 {sys.executable} -c "{program}" | iconv -f latin1')
    assert told.stdout == "Mesonen \u00fcber ??\n\n- ?\n"


def test_a_home_that_can_not_be_one_is_one_line(shell: Shell) -> None:
    for line, says in [
        ("$S --home '' search x", "--home names no folder."),
        (r"$S --home $'/tmp/a\xff' search x", r"no UTF-8: /tmp/a\xff."),
        (r"ARXIVSCOUT_HOME=$'/tmp/a\xff' $S search x", r"no UTF-8: /tmp/a\xff."),
    ]:
        told = shell(line)
        assert told.returncode == 3 and told.stderr.count("\n") == 1 and says in told.stderr


@pytest.mark.parametrize("columns", [1, 8, 20, 30, 50, 62, 63, 70, 200])
def test_no_cell_of_a_table_is_cut(
    shell: Shell, bare_environment: dict[str, str], columns: int
) -> None:
    bare_environment["COLUMNS"] = str(columns)
    told = shell("$S search x").stdout
    for cell in ("0.50", "0712.2288", "2007-12-14", "quant-ph hep-ph"):
        assert cell in told
    assert "…" not in told
    assert "CP Measurement in Quantum Teleportation of Neutral Mesons".split() == [
        word for word in told.split() if word in "CP Measurement in Quantum Teleportation of "
        "Neutral Mesons".split()
    ]  # fmt: skip
    if columns >= 20:
        assert all(len(line.rstrip()) <= columns for line in told.splitlines())
