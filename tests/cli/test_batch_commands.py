"""Batches at the command line: files with mistakes, kills, Ctrl-C, what people and scripts see."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from terminal import Terminal

from arxivscout.batch.events import BatchEvent, JobBegan, JobEnded, JobStep
from arxivscout.cli.batch_lines import told_in_lines
from arxivscout.memory.batch_listing import Counts
from arxivscout.memory.job_queue import Spent

Run = Callable[..., subprocess.CompletedProcess[str]]
JOBS = [
    {"question": "What is known about quantum teleportation of mesons?", "id": "mesons"},
    {"question": "Which particles could be dark matter?", "depth": 1},
    {"question": "How is general relativity tested?", "depth": 1},
    {"question": "What do language models learn?", "depth": 1},
]


@pytest.fixture
def jobs(tmp_path: Path) -> Path:
    path = tmp_path / "jobs.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in JOBS))
    return path


def results(out: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (out / "results.jsonl").read_text("utf-8").splitlines()]


def test_a_file_with_mistakes_is_refused_with_each_of_them(scout: Run, tmp_path: Path) -> None:
    path = tmp_path / "jobs.yaml"
    path.write_text(
        "- question: ''\n- question: Why?\n  since: soon\n- {question: A?, colour: red}\n"
    )
    done = scout("batch", "run", str(path), "--out", str(tmp_path / "out"))
    assert done.returncode == 2
    first, *details = done.stderr.strip().splitlines()
    assert "3 mistakes" in first
    assert [line.strip().partition(":")[0] for line in details] == ["line 1", "line 3", "line 4"]
    assert not (tmp_path / "out").exists()


def test_a_batch_from_end_to_end(scout: Run, jobs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    planned = scout("batch", "run", str(jobs), "--out", str(out), "--dry-run")
    assert planned.returncode == 0
    assert "4 to run with extractive: no tokens billed" in planned.stdout
    assert not out.exists()

    done = scout(
        "batch", "run", str(jobs), "--out", str(out), "-c", "2", "-f", "html", "-f", "json"
    )
    assert done.returncode == 0, done.stderr
    assert "4 of 4 jobs done, 0 failed, 0 left" in done.stdout
    assert "[4/4]" in done.stderr
    assert (out / "mesons.html").exists() and (out / "index.html").exists()
    report = json.loads((out / "mesons.json").read_text("utf-8"))
    assert report["papers"][0]["arxiv_id"] == "0712.2288"

    again = scout("batch", "run", str(jobs), "--out", str(out), "--json", "-f", "html")
    told = json.loads(again.stdout)
    assert (told["done"], told["failed"], told["waiting"]) == (4, 0, 0)

    listed = json.loads(scout("batch", "list", "--json").stdout)
    assert [(batch["name"], batch["at_work"]) for batch in listed] == [(str(out), 0)]
    status = scout("batch", "status", str(out))
    assert "4 of 4 done" in status.stdout and "mesons" in status.stdout
    shown = scout("batch", "show", str(out), "mesons")
    assert shown.stdout.startswith("# What is known about quantum teleportation of mesons?")
    assert "0712.2288" in shown.stdout
    by_file = next(each.stem for each in out.glob("*.json") if each.stem[:3].isdigit())
    assert scout("batch", "show", str(out), by_file).stdout.startswith("# ")
    missing = scout("batch", "show", str(out), "5")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "has no job '5'" in missing.stderr


def test_kills_lose_and_double_nothing(
    lived_in: dict[str, str], scout: Run, jobs: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "arxivscout", "batch", "run", str(jobs), "--out", str(out)]
    for wait in (4.0, 5.5):
        worker = subprocess.Popen(command, env=lived_in, stderr=subprocess.DEVNULL)
        time.sleep(wait)
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    done = scout("batch", "run", str(jobs), "--out", str(out))
    assert done.returncode == 0, done.stderr
    lines = results(out)
    assert [line["number"] for line in lines] == [1, 2, 3, 4]
    for line in lines:
        assert line["status"] == "done"
        for name in line["files"]:  # type: ignore[attr-defined]
            assert (out / str(name)).stat().st_size > 100
    # What was asked is remembered once: three sub-questions of the first job, and one each.
    assert json.loads(scout("threads", "list", "--json").stdout) == []  # jobs bury no conversation
    threads = json.loads(scout("threads", "list", "--jobs", "--json").stdout)
    assert sum(thread["turns"] for thread in threads) == 6


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(
    lived_in: dict[str, str], scout: Run, jobs: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    worker = subprocess.Popen(
        [sys.executable, "-m", "arxivscout", "batch", "run", str(jobs), "--out", str(out)],
        env=lived_in,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert worker.stderr is not None
    line = worker.stderr.readline()
    while "[1/4]" not in line:
        assert line, "it ended before a job did"
        line = worker.stderr.readline()
    worker.send_signal(signal.SIGINT)
    _, complained = worker.communicate(timeout=30)
    assert worker.returncode == 130, complained
    assert "Traceback" not in complained
    assert "the same command goes on" in complained
    counts = json.loads(scout("batch", "status", str(out), "--json").stdout)
    assert counts["done"] >= 1 and counts["running"] == 0
    assert results(out)[0]["status"] == "done"
    again = scout("batch", "run", str(jobs), "--out", str(out))
    assert again.returncode == 0 and "4 of 4 jobs done" in again.stdout


def test_a_cancelled_batch_is_not_done(scout: Run, jobs: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    assert scout("batch", "run", str(jobs), "--out", out, "--timeout", "0.1").returncode == 7
    done_in_time = json.loads(scout("batch", "status", out, "--json").stdout)["done"]
    assert done_in_time < 4  # the first one loads the embedder
    assert scout("batch", "retry", out).returncode == 0
    assert scout("batch", "cancel", out).stdout.startswith(f"{4 - done_in_time} job")
    done = scout("batch", "run", str(jobs), "--out", out)
    assert done.returncode == 7
    ended = f"{done_in_time} of 4 jobs done, 0 failed, {4 - done_in_time} cancelled, 0 left"
    assert ended in done.stdout
    assert "batch retry" in done.stderr


def test_failed_jobs_are_told_and_retried(scout: Run, tmp_path: Path) -> None:
    path, out = tmp_path / "jobs.csv", tmp_path / "out"
    path.write_text("question,model,depth\nWhat is dark matter?,openai:none,1\n")
    refused = scout("batch", "run", str(path), "--out", str(out))
    assert refused.returncode == 3
    assert "needs a key" in refused.stderr and "(job 1)" in refused.stderr
    path.write_text("question,depth\nWhat is dark matter?,1\n")
    late = scout("batch", "run", str(path), "--out", str(out), "--timeout", "0.1")
    assert late.returncode == 7
    assert "longer than 0.1 s" in late.stderr
    assert "1 of 1 jobs failed" in late.stderr
    assert "longer than 0.1 s" in scout("batch", "status", str(out)).stdout
    retried = scout("batch", "retry", str(out))
    assert "1 job will be tried again" in retried.stdout
    done = scout("batch", "run", str(path), "--out", str(out))
    assert done.returncode == 0, done.stderr
    for command, told in (("retry", "Not tried again"), ("cancel", "Not cancelled")):
        named = scout("batch", command, str(out), "1")
        assert named.returncode == 0 and named.stdout.startswith("0 jobs ")
        assert named.stderr == f"{told}: job 1 is done.\n"
    assert "none waits or runs" in scout("batch", "cancel", str(out)).stdout


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["run", "{jobs}", "--out", "{out}", "--concurrency", "0"], "--concurrency 0"),
        (["run", "{jobs}", "--out", "{out}", "--budget", "much"], "is no budget"),
        (["run", "{jobs}", "--out", "{out}", "--format", "pdf"], "--format"),
        (["run", "{jobs}", "--out", "{jobs}"], "can't be written"),
        (["run", "{out}.yaml", "--out", "{out}"], "yaml"),
        (["run", "{jobs}", "--out", "{out}", "--remote", "here"], "is no address"),
        (["status", "nothing"], "There is no batch"),
        (["cancel", "nothing"], "There is no batch"),
    ],
)
def test_bad_input_is_one_clear_line(
    scout: Run, jobs: Path, tmp_path: Path, given: list[str], said: str
) -> None:
    filled = [each.format(jobs=jobs, out=tmp_path / "out") for each in given]
    done = scout("batch", *filled)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_on_a_terminal_bars_show_the_whole_and_the_jobs_in_hand(
    lived_in: dict[str, str],
    terminals: Callable[..., Terminal],
    jobs: Path,
    tmp_path: Path,
) -> None:
    program = ("-m", "arxivscout", "batch", "run", str(jobs), "--out", str(tmp_path / "out"))
    terminal = terminals({**lived_in, "TERM": "xterm-256color"}, *program)
    terminal.see(r"jobs +━* +0/4")
    terminal.see(r"mesons What is known about .* [1-9]/\d+ .* searching")
    terminal.see(r"4 of 4 jobs done", 90)
    assert "mesons What is known" not in terminal.text  # bars fold away


def test_without_a_terminal_a_line_tells_what_happens(capsys: pytest.CaptureFixture[str]) -> None:
    counts = Counts(3, 0, 1, 0, 0, 0, Spent())
    question = "What is \x1b[31mred?"
    events: list[BatchEvent] = [
        JobBegan(2, "002-red", question),
        JobStep(2, "plan", 2, 9),
        JobEnded(2, "002-red", "done", 61.0, 1_200, None),
    ]
    for step_s in (0.0, 60.0):
        tell = told_in_lines(counts, step_s=step_s)
        for event in events:
            tell(event)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 5  # a step that is quick is not told
    assert "\x1b" not in "".join(lines)
    assert lines[0].startswith("002-red begins: What is ")
    assert lines[1] == "002-red: searching, 2 of 9 steps"
    assert lines[2].startswith("[2/4] 002-red done, 61.0 s, 1,200 tokens, cost unknown; about ")
