"""The door for other people's Python: what it is made of, and that scouts mind each other."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
from contextlib import ExitStack
from pathlib import Path

import arxivscout
from arxivscout import Scout, open_scout
from arxivscout.memory.postgres import Database
from arxivscout.papers import Paper
from arxivscout.settings import Settings, load_settings

PAPER = Paper(
    arxiv_id="0712.2288",
    title="CP Measurement in Quantum Teleportation of Neutral Mesons",
    abstract="Quantum teleportation with neutral mesons is verified by a measurement of CP.",
)


def test_the_door_is_small_and_known() -> None:
    assert arxivscout.__all__ == sorted(arxivscout.__all__)
    assert set(arxivscout.__all__) == {
        "Database",
        "MemoryManager",
        "Paper",
        "PaperId",
        "Scout",
        "ScoutRetriever",
        "Settings",
        "StoreManager",
        "create_conversational_history_table",
        "create_tool_log_table",
        "load_embedder",
        "load_settings",
        "open_database",
        "open_scout",
    }


def test_importing_it_prints_opens_and_reads_nothing(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "seen = []\n"
        "sys.addaudithook(lambda name, given: seen.append((name, given)))\n"
        "import arxivscout\n"
        "from arxivscout import Scout\n"
        "opened = [str(given[0]) for name, given in seen if name == 'open']\n"
        "others = [each for each in opened if not each.endswith(('.py', '.pyc', '.so'))]\n"
        "asked = [name for name, _ in seen if name.split('.')[0] in ('socket', 'subprocess')]\n"
        "import threading\n"
        "assert not others, others\n"
        "assert not [each for each in asked if 'connect' in each or 'Popen' in each], asked\n"
        "assert threading.active_count() == 1\n"
    )
    home = tmp_path / "home"
    done = subprocess.run(
        [sys.executable, "-B", "-c", code],
        env={"ARXIVSCOUT_HOME": str(home), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not home.exists()


def test_two_scouts_in_one_process_work_from_many_threads_and_close_clean(
    database: Database, settings: Settings
) -> None:
    quiet = settings.model_copy(update={"offline": True})
    other = quiet.model_copy(update={"user": "other"})
    before = set(threading.enumerate())

    found = saved_and_found(quiet, other)

    assert found == [PAPER.arxiv_id] * 8
    gc.collect()  # the embedder's threads end with it
    for left in set(threading.enumerate()) - before:
        left.join(10)
        assert not left.is_alive(), left.name


def saved_and_found(*of_each: Settings) -> list[str]:
    """What threads of two scouts find; each keeps a fact, in the name of its own person."""
    found: list[str] = []

    def work(scout: Scout, n: int) -> None:
        tools = {tool.name: tool for tool in scout.as_tools(f"thread {n}")}
        tools["save_memory"].invoke({"kind": "fact", "text": f"{scout.user} knows {n}."})
        found.extend(hit.paper.arxiv_id for hit in scout.search("neutral mesons", k=1))

    with ExitStack() as stack:
        scouts = [stack.enter_context(open_scout(settings)) for settings in of_each]
        scouts[0].ingest([PAPER])
        threads = [
            threading.Thread(target=work, args=(scout, n)) for n in range(4) for scout in scouts
        ]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        for scout in scouts:
            kept = {memory.text for memory in scout.memories("fact")}
            assert kept == {f"{scout.user} knows {n}." for n in range(4)}
    return found


def test_a_scout_is_opened_with_the_settings_of_the_environment(
    database: Database, environment: dict[str, str], settings: Settings
) -> None:
    code = "from arxivscout import open_scout\nwith open_scout() as scout: print(scout.user)"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, settings.user), done.stderr
    assert load_settings(environment).user == settings.user
