"""Every command that the README names is run, as it is written there or with a person's words."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arxivscout.cli.chat.commands import COMMANDS

Run = Callable[..., subprocess.CompletedProcess[str]]
ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MESONS, STRINGS = "0712.2288", "hep-th/9901002"

# What each of the commands is run with, and how it ends; they follow one another in one home.
RUNS: dict[str, tuple[list[str], int]] = {
    "db start": ([], 0),  # and up it stays: the others need not start it
    "ask": (["What is known about quantum teleportation of neutral mesons?"], 0),
    "retry": ([], 2),  # it was answered
    "context": ([], 0),
    "why": ([MESONS], 0),
    "search": (["dark matter", "--since", "2005", "--k", "3", "--json"], 0),
    "paper": ([MESONS], 0),
    "cite": ([MESONS, "--format", "ris"], 0),
    "similar": ([MESONS], 0),
    "compare": ([MESONS, STRINGS], 0),
    "library tag": ([MESONS, "mesons", "cp"], 0),
    "library note": ([MESONS, "The basis is fixed by conservation laws."], 0),
    "library read": ([MESONS, "--status", "reading"], 0),
    "library list": ([], 0),
    "library export": (["--tag", "mesons"], 0),
    "library import": (["{folder}/mine.bib"], 0),
    "library remove": ([MESONS], 0),
    "ingest file": (["{folder}/papers.jsonl"], 0),
    "ingest arxiv": (["--ids", "2401.00001"], 1),  # no network is asked here
    "ingest hf": (["{folder}/nothing"], 1),
    "ingest fulltext": (["{folder}/texts.jsonl"], 0),
    "ingest pdf": (["2212.11867"], 1),  # no network is asked here
    "passages": (["neutral mesons", "--json"], 0),
    "threads list": ([], 0),
    "threads show": (["default"], 0),
    "threads title": (["default", "Mesons"], 0),
    "threads fork": (["default", "copy"], 0),
    "threads rename": (["copy", "other"], 0),
    "threads export": (["default", "--format", "html"], 0),
    "feedback good": ([], 0),
    "feedback bad": ([], 0),
    "feedback correct": (["It is about CP."], 0),
    "feedback save": ([], 0),
    "memory show": ([], 0),
    "memory search": (["CP"], 0),
    "memory edit": (["It is about CP.", "It is about CP violation."], 0),
    "memory archive": (["It is about CP violation.", "--yes"], 0),
    "memory restore": (["It is about CP violation."], 0),
    "memory forget": (["It is about CP violation.", "--yes"], 0),
    "memory categories": ([], 0),
    "memory review": (["--dry-run"], 0),
    "memory log": (["--since", "2026"], 0),
    "memory undo": (["999999"], 1),
    "memory consent": ([], 0),
    "memory export": (["{folder}/mine.jsonl"], 0),
    "memory import": (["{folder}/mine.jsonl"], 2),  # something is remembered
    "memory erase": ([], 2),  # nobody is at a terminal to be asked
    "project new": (["thesis"], 0),
    "project list": ([], 0),
    "project add": (["thesis", MESONS], 0),
    "project show": (["thesis"], 0),
    "project summary": (["thesis"], 0),
    "project close": (["thesis", "--yes"], 0),
    "project reopen": (["thesis"], 0),
    "threads undo": (["default"], 0),
    "threads delete": (["other", "--yes"], 0),
    "memory": ([], 0),
    "graph neighbours": ([MESONS], 0),
    "graph path": ([MESONS, "Yu Shi"], 0),
    "graph related": ([MESONS], 0),
    "graph timeline": (["mesons"], 0),
    "graph match": (["?p written_by ?a; ?p cites ?q; ?p about mesons"], 0),
    "graph rule": (["add", "?a extends ?b => ?b grew_into ?a"], 0),
    "reflect": ([], 0),
    "chat": ([], 0),
    "setup": ([], 2),  # nobody is at a terminal to be asked
    "bench trust": (["--cases", "{folder}/cases.jsonl"], 0),
    "bench retrieval": (["--dataset", "tiny", "--data", "{folder}"], 2),  # none comes along
    "bench context": (["--data", "{folder}/nothing"], 2),
    "bench batch": (
        [
            "--jobs",
            "1",
            "--concurrency",
            "1",
            "--kills",
            "0",
            "--database-kills",
            "0",
            "--slow",
            "0",
        ],
        0,
    ),
    "bench dedup": (["--half", "dev"], 0),
    "bench memory": (["--data", "{folder}/nothing"], 2),
    "bench graph": (["--entities", "2000", "--relations", "4000"], 0),
    "batch run": (["{folder}/jobs.yaml", "--out", "{folder}/reports"], 0),
    "batch list": ([], 0),
    "batch status": (["{folder}/reports"], 0),
    "batch show": (["{folder}/reports", "1"], 0),
    "batch cancel": (["{folder}/reports"], 0),
    "batch retry": (["{folder}/reports"], 0),
    "watch add": (["dark matter", "--category", "hep-ph"], 0),
    "watch list": ([], 0),
    "watch run": ([], 1),  # no network is asked here
    "watch remove": (["1"], 0),
    "stats": ([], 0),
    "serve-metrics": (["--dashboard"], 0),
    "doctor": ([], 0),
    "mcp": ([], 0),  # and its client has nothing to say
    "db status": ([], 0),
    "db url": ([], 0),
    "db migrate": ([], 0),
    "db backup": (["{folder}/all.backup"], 0),
    "db reembed": ([], 0),
    "db reset": (["--yes"], 0),
    "db restore": (["{folder}/all.backup"], 0),
    "db stop": (["--force"], 0),
}
# The same for the chat, in one sitting; what it answers when there is nothing to do is fine too.
CHAT = [
    "What is known about quantum teleportation of neutral mesons?",
    "/why 1", "/cite", "/cite csl 1", "/good", "/bad", "/correct It is about CP.", "/save",
    "/retry", "/papers", "/search dark matter", f"/paper {MESONS}", "/similar 1",
    f"/compare 1 {STRINGS}", "/read 1 reading", "/tag 1 mesons", "/note 1 Read section 3.",
    "/memory", "/private", "/private off", "/project", "/context", "/model", "/threads",
    "/resume", "/fork", "/rename elsewhere",
    "/export md", "/undo", "/new", "/help", "/quit",
]  # fmt: skip


def section(title: str) -> str:
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def named_commands() -> set[str]:
    """`arxivscout x a|b` of the table of commands, as `x a` and `x b`."""
    names = set()
    for row in re.findall(r"^\| (`.*?) \| ", section("Commands").replace(r"\|", "¦"), re.M):
        for code in re.findall(r"`([^`]+)`", row):
            words = code.removeprefix("arxivscout ").split()
            named = [word for word in words[:2] if re.fullmatch(r"[a-z¦-]+", word)]
            names |= {" ".join([*named[:-1], last]) for last in named[-1].split("¦")}
    listed = re.findall(
        r"`(\w+)`", section("Commands").split("`arxivscout db …`")[1].split("\n")[0]
    )
    return (names - {"db"}) | {f"db {name}" for name in listed}


def test_the_table_of_commands_is_whole(command: Run) -> None:
    assert named_commands() == set(RUNS)
    helped = set(re.findall(r"^  ([a-z-]+) ", command("--help").stdout.split("Commands:")[1], re.M))
    assert {name.split()[0] for name in RUNS} == helped


def test_every_command_of_the_readme_runs(command: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.bib").write_text(f"@misc{{a, title={{T}}, eprint={{{MESONS}}}}}\n")
    record = {"id": "2401.00009", "title": "On T", "abstract": "We study T.", "authors": "A. B."}
    (tmp_path / "papers.jsonl").write_text(json.dumps(record) + "\n")
    text = {**record, "paragraphs": [{"section": "Introduction", "text": "Mesons are neutral."}]}
    (tmp_path / "texts.jsonl").write_text(json.dumps(text) + "\n")
    cases = (ROOT / "tests/benchmarks/trust/cases.jsonl").read_text(encoding="utf-8")
    (tmp_path / "cases.jsonl").write_text("\n".join(cases.splitlines()[:3]) + "\n")
    (tmp_path / "nothing").mkdir()
    (jobs,) = re.findall(r"```yaml\n# questions.yaml\n(.*?)```", README, re.S)
    (tmp_path / "jobs.yaml").write_text(jobs, encoding="utf-8")
    for name, (arguments, code) in RUNS.items():
        given = [each.replace("{folder}", str(tmp_path)) for each in arguments]
        done = command(*name.split(), *given)
        assert done.returncode == code, f"{name}: {done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr, name


def test_every_command_of_the_chat_runs(scout: Run, tmp_path: Path) -> None:
    slashed = set(re.findall(r"`(/[a-z]+)", section("In the chat")))
    run = {line.split()[0] for line in CHAT if line.startswith("/")}
    assert slashed <= run
    assert run == set(COMMANDS)
    said = [f"{each} {tmp_path / 'thread.md'}" if each == "/export md" else each for each in CHAT]

    done = scout("chat", stdin="\n".join(said) + "\n")

    assert done.returncode == 0, done.stderr
    told = done.stdout + done.stderr
    assert "Traceback" not in told
    for wrong in ("There is no command", "needs more", "takes nothing", "Usage:"):
        assert wrong not in told
    assert (tmp_path / "thread.md").read_text(encoding="utf-8").startswith("# ")


# Each example of the README, and what it prints among other things.
PYTHON = (
    f"{MESONS} CP Measurement in Quantum Teleportation of Neutral Mesons",
    "Answered\n",
    "Prefers papers after 2010.",
)


@pytest.mark.parametrize("number", range(len(PYTHON)))
def test_the_python_of_the_readme_runs(number: int, lived_in: dict[str, str]) -> None:
    snippets = re.findall(r"```python\n(.*?)```", README, re.S)
    assert len(snippets) == len(PYTHON)
    snippet = snippets[number]
    done = subprocess.run(
        [sys.executable, "-c", snippet],
        env=lived_in, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert PYTHON[number] in done.stdout


@pytest.mark.parametrize("block", re.findall(r"```\n(arxivscout library.*?)```", README, re.S))
def test_the_library_of_the_readme_runs_as_it_is_written(
    block: str, lived_in: dict[str, str], tmp_path: Path
) -> None:
    line = block.replace("arxivscout", f"{sys.executable} -m arxivscout")
    done = subprocess.run(
        ["bash", "-ec", line],
        env=lived_in, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"eprint        = {{{MESONS}}}" in (tmp_path / "mesons.bib").read_text()
