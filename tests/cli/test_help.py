"""What is there before anything is opened: help, version, completion, and how fast."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import arxivscout

COMMANDS = [
    "chat",
    "ask",
    "retry",
    "search",
    "passages",
    "paper",
    "memory",
    "graph",
    "reflect",
    "threads",
    "feedback",
    "setup",
    "stats",
    "serve-metrics",
    "doctor",
    "ingest",
    "watch",
    "db",
    "bench",
]


def test_help_lists_every_command_with_examples(command):
    shown = command("--help")
    assert shown.returncode == 0
    assert shown.stderr == ""
    for name in COMMANDS:
        assert f"\n  {name} " in shown.stdout
    assert "Examples:\n    arxivscout chat\n" in shown.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(command, name):
    shown = command(name, "--help")
    assert shown.returncode == 0
    assert "Usage: arxivscout " + name in shown.stdout


def test_version(command):
    shown = command("--version")
    assert (shown.returncode, shown.stdout) == (0, f"arxivscout {arxivscout.__version__}\n")


def test_completion_script(command, bare_environment):
    bare_environment["_ARXIVSCOUT_COMPLETE"] = "complete_bash"
    bare_environment["COMP_WORDS"] = "arxivscout thr"
    bare_environment["COMP_CWORD"] = "1"
    assert command().stdout.split() == ["threads"]


def test_help_loads_nothing_heavy():
    """Half a second is what it may take; `bench_commands.py` measures it."""
    loaded = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, json, arxivscout.cli as cli\n"
            "try: cli.main(['--help'])\n"
            "except SystemExit: print('\\n' + json.dumps(sorted(sys.modules)))",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    modules = {name.split(".")[0] for name in json.loads(loaded.splitlines()[-1])}
    heavy = {"langchain_core", "langgraph", "openai", "numpy", "onnxruntime", "sqlalchemy"}
    assert not modules & (heavy | {"psycopg", "httpx", "prompt_toolkit", "datasets"})


def test_no_command_is_a_usage_error_with_help(command):
    shown = command()
    assert shown.returncode == 2
    assert "Usage: arxivscout" in shown.stdout + shown.stderr


@pytest.mark.parametrize("name", ["threads", "feedback", "ingest", "db"])
def test_a_group_alone_shows_its_help(command, name):
    shown = command(name)
    assert shown.returncode == 2
    assert f"Usage: arxivscout {name}" in shown.stdout + shown.stderr
    assert "error: " not in shown.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nonsense"], "No such command 'nonsense'. `arxivscout --help`"),
        (["serch"], "No such command 'serch'. Did you mean 'search', 'bench'? `arxivscout --help`"),
        (["search"], "Missing argument 'query'. `arxivscout search --help`"),
        (["chat", "--nonsense"], "No such option: --nonsense. `arxivscout chat --help`"),
        (["--nonsense"], "No such option: --nonsense. `arxivscout --help`"),
        (["db", "nonsense"], "No such command 'nonsense'. `arxivscout db --help`"),
        (["db", "backup"], "Missing argument 'FILE'. `arxivscout db backup --help`"),
        (["paper", "a", "b"], "(b). `arxivscout paper --help`"),
        (["search", "x", "--k", "\x1b[31mmany"], "`arxivscout search --help`"),
    ],
)
def test_what_is_no_command_line_is_one_line(command, arguments, says):
    shown = command(*arguments)
    assert shown.returncode == 2
    assert shown.stdout == ""
    assert shown.stderr.count("\n") == 1
    assert shown.stderr.startswith("error: ")
    assert f"{says} tells how it is used." in shown.stderr
    assert "\x1b" not in shown.stderr
