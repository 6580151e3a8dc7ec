"""Watches at the command line, as cron would run them, over a played arXiv."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from arxiv_server import Reply, Script, arxiv_server
from watched import ATTENTION, ETHICS, FAITHFULNESS, INTELLIGENCE, TOPIC, changed, listing

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """A home for watches alone: they store papers, and other tests count on the starter's only."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ARXIVSCOUT_")}
    home = tmp_path_factory.mktemp("watches") / "home"
    environment = {
        **kept,
        "ARXIVSCOUT_HOME": str(home),
        "ARXIVSCOUT_OFFLINE": "1",
        "COLUMNS": "100",
    }
    command = [sys.executable, "-m", "arxivscout", "db"]
    subprocess.run([*command, "start"], env=environment, check=True, capture_output=True)
    yield environment
    subprocess.run([*command, "stop", "--force"], env=environment, check=True, capture_output=True)


@pytest.fixture
def lived_in(own_home: dict[str, str], request: pytest.FixtureRequest) -> dict[str, str]:
    return {**own_home, "ARXIVSCOUT_USER": request.node.name[:100]}


@pytest.fixture
def arxiv(lived_in: dict[str, str]) -> Iterator[Script]:
    """An arXiv that the commands ask, and that the test plays."""
    with arxiv_server(listing()) as script:
        lived_in["ARXIVSCOUT_ARXIV_URL"] = script.url
        lived_in["ARXIVSCOUT_ARXIV_INTERVAL_S"] = "0"
        del lived_in["ARXIVSCOUT_OFFLINE"]
        yield script


@pytest.fixture
def watched(scout: Run, arxiv: Script) -> Run:
    """The command line of a person with one watch."""
    done = scout(
        "watch",
        "add",
        TOPIC,
        "-c",
        "cs.CL",
        "-c",
        "cs.ai",
        "--name",
        "llm",
        "--since",
        "2025-05-20",
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        f"Watch 1, llm: {TOPIC}",
        "Among the papers of cs.CL, cs.AI, submitted since 2025-05-20.",
    ]
    return scout


def test_a_watch_is_added_listed_and_removed(watched: Run) -> None:
    (listed,) = json.loads(watched("watch", "list", "--json").stdout)
    assert listed == {
        "number": 1,
        "name": "llm",
        "topic": TOPIC,
        "categories": ["cs.CL", "cs.AI"],
        "first_day": "2025-05-20",
        "read_until": None,
        "reported": 0,
    }
    shown = watched("watch", "list").stdout
    assert "llm" in shown
    assert "not yet" in shown
    assert watched("watch", "remove", "1").stdout == "No longer watched: llm\n"
    assert json.loads(watched("watch", "list", "--json").stdout) == []


def test_what_can_not_be_is_one_line(watched: Run) -> None:
    for arguments, code, said in (
        (["add", "  "], 2, "The topic is empty."),
        (["add", TOPIC, "--category", "cs.XX"], 2, "arXiv has no category 'cs.XX'."),
        (["add", TOPIC, "--name", "llm"], 2, "There is a watch named 'llm' already."),
        (["remove", "nothing"], 1, "There is no watch 'nothing'."),
        (["run", "--since", "2999"], 2, "still to come"),
        (["run", "--format", "html", "--format", "bib"], 2, "--out DIR"),
    ):
        done = watched("watch", *arguments)
        assert (done.returncode, done.stdout) == (code, ""), (arguments, done)
        assert done.stderr.startswith("error: ")
        assert said in done.stderr
        assert done.stderr.count("\n") == 1


def test_digests_are_whole_files_and_nothing_new_is_one_line(
    watched: Run, arxiv: Script, lived_in: dict[str, str], tmp_path: Path
) -> None:
    out = tmp_path / "new" / "digests"
    formats = [each for name in ("bib", "html", "json") for each in ("--format", name)]
    lived_in["ARXIVSCOUT_OFFLINE"] = "1"
    done = watched("watch", "run", "--out", str(out), *formats)
    assert (done.returncode, done.stdout, out.exists()) == (1, "", False)
    assert done.stderr.count("\n") == 1
    assert (
        "ArxivScout is offline: arXiv is not asked. Not read: llm. Nothing is lost" in done.stderr
    )

    del lived_in["ARXIVSCOUT_OFFLINE"]
    arxiv.replies[:] = [listing(changed(ATTENTION), changed(FAITHFULNESS), changed(ETHICS))]
    done = watched("watch", "run", "--out", str(out), *formats)
    assert (done.returncode, done.stderr) == (0, "")
    bib, html, text = sorted(out.iterdir())
    assert done.stdout == f"llm: 2 new: {bib}, {html}, {text}\n"
    report = json.loads(text.read_text("utf-8"))
    told = {FAITHFULNESS.arxiv_id, ETHICS.arxiv_id}
    assert {paper["arxiv_id"] for paper in report["papers"]} == told
    assert bib.read_text("utf-8").count("\n@") == 2
    assert all(f"https://arxiv.org/abs/{each}" in html.read_text("utf-8") for each in told)

    done = watched("watch", "run", "--out", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"llm: nothing new since 20\d\d-\d\d-\d\d\.\n", done.stdout)

    today = f"{datetime.now(UTC):%Y-%m-%d}"
    arxiv.replies[:] = [listing(changed(ETHICS, 2, today), changed(INTELLIGENCE, 2, today))]
    done = watched("watch", "run", "llm")
    assert (done.returncode, done.stderr) == (0, "")
    assert "# " in done.stdout
    for said in (INTELLIGENCE.title, "New versions of papers you know", "abs/2505.16036"):
        assert said in done.stdout


def test_killed_in_mid_run_and_run_twice_at_once_it_tells_all_of_it_once(
    watched: Run, arxiv: Script, lived_in: dict[str, str], tmp_path: Path
) -> None:
    pages = [
        listing(changed(INTELLIGENCE), changed(FAITHFULNESS), total=3),
        listing(changed(ETHICS), total=3),
    ]
    arxiv.replies[:] = [pages[0], Reply(pages[1].body, hang=60)]
    program = [sys.executable, "-m", "arxivscout", "watch", "run", "--out", str(tmp_path / "out")]
    running = subprocess.Popen(
        [*program, "--format", "json"], env=lived_in, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    asked_for(arxiv, 2)
    other = watched("watch", "run")
    assert (other.returncode, other.stdout) == (6, "")
    assert other.stderr.startswith("error: Another run of your watches is at work.")
    running.send_signal(signal.SIGKILL)
    assert running.communicate(timeout=30) == (b"", b"")
    assert not (tmp_path / "out").exists()
    (listed,) = json.loads(watched("watch", "list", "--json").stdout)
    assert (listed["read_until"], listed["reported"]) == (None, 0)
    arxiv.replies[:] = [*pages, listing(changed(INTELLIGENCE))]
    done = watched("watch", "run", "--out", str(tmp_path / "out"), "--format", "json")
    assert done.returncode == 0, done.stderr
    (file,) = (tmp_path / "out").iterdir()
    papers = [paper["arxiv_id"] for paper in json.loads(file.read_text("utf-8"))["papers"]]
    assert sorted(papers) == [ETHICS.arxiv_id, FAITHFULNESS.arxiv_id, INTELLIGENCE.arxiv_id]


def asked_for(arxiv: Script, pages: int) -> None:
    """Wait until arXiv was asked for so many pages."""
    until = time.monotonic() + 60
    while len(arxiv.asked) < pages:
        assert time.monotonic() < until, arxiv.asked
        time.sleep(0.05)
