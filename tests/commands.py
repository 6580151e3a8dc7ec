"""What commands said that ran to their end."""

from __future__ import annotations

import subprocess

Result = subprocess.CompletedProcess[str]


def told(result: Result) -> str:
    """What a command that worked said on stdout."""
    assert (result.returncode, result.stderr) == (0, ""), result
    return result.stdout


def one_line(result: Result, code: int) -> str:
    """What a command that failed said: one line on stderr, nothing on stdout."""
    assert (result.returncode, result.stdout) == (code, ""), result
    (line,) = result.stderr.splitlines()
    return line
