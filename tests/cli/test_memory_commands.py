"""Memories in a person's hands at the terminal: found, changed, taken along, erased; projects."""

from __future__ import annotations

import json
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
WISH = "I do not want papers older than 2015."
QUESTION = "What is known about quantum teleportation of neutral mesons?"


def told(result: subprocess.CompletedProcess[str]) -> str:
    assert result.returncode == 0, result.stderr
    return result.stdout


def refused(result: subprocess.CompletedProcess[str], code: int) -> str:
    assert (result.returncode, result.stdout) == (code, ""), result.stdout
    assert result.stderr.splitlines()[-1].startswith("error: ")
    return result.stderr


def items(result: subprocess.CompletedProcess[str]) -> list[dict]:
    return json.loads(told(result))


def test_a_memory_is_found_edited_archived_restored_and_forgotten(scout: Run) -> None:
    scout("ask", WISH)
    (held,) = items(scout("memory", "search", "how old papers may be", "--json", "--limit", "1"))
    assert (held["text"], held["kind"], held["filed_under"]) == (WISH, "preference", "preferences")
    assert items(scout("memory", "show", "Preferences", "--json")) == [held]
    assert "No memory is '5'." in refused(scout("memory", "forget", "5", "--yes"), 1)
    assert items(scout("memory", "--category", "Preferences", "--json")) == [held]
    assert f"preferences · id {held['id'][:8]}" in told(scout("memory"))
    assert "No memory is like that." in scout("memory", "--as-of", "2020").stderr
    edited = told(scout("memory", "edit", held["id"][:8], "I want papers from 2018 on."))
    assert edited.endswith("): I want papers from 2018 on.\n")
    assert "Nobody is at the terminal" in refused(scout("memory", "archive", "from 2018"), 2)
    assert told(scout("memory", "archive", "from 2018", "--yes")).startswith("Archived: I want")
    assert items(scout("memory", "preference", "--json")) == []
    (rests,) = items(scout("memory", "--archived", "--json"))
    assert rests["archived_at"] is not None
    assert told(scout("memory", "restore", "from 2018")).startswith("Restored: I want papers")
    again = refused(scout("memory", "restore", "from 2018"), 1)
    assert "No memory in the archive is 'from 2018'." in again
    assert "Nobody is at the terminal" in refused(scout("memory", "forget", "from 2018"), 2)
    (gone,) = items(scout("memory", "forget", "from 2018", "--yes", "--json"))
    assert gone["text"] == "I want papers from 2018 on."
    assert items(scout("memory", "preference", "--json")) == []


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["gossip"], 2, "No memory is of the kind 'gossip'."),
        (["show", "--limit", "0"], 2, "--limit 0 is out of range."),
        (["--as-of", "March"], 2, "--as-of 'March' is no date."),
        (["--project", "none"], 1, "No project is called 'none'."),
        (["--category", "gossip"], 1, "There is no category 'gossip'."),
        (["restore", "nothing like it"], 1, "No memory in the archive is 'nothing like it'."),
        (["search"], 2, "Missing argument 'WORDS'"),
        (["forget", "nothing like it"], 1, "No memory is 'nothing like it'."),
        (["forget", " "], 2, "No memory is named."),
        (["edit", "x" * 10, "text"], 1, "No memory is 'xxxxxxxxxx'."),
        (["consent", "gossip"], 2, "'gossip' is no choice."),
        (["consent", "--leave-out", "gossip"], 1, "There is no category 'gossip'."),
        (["import", "/none/file"], 2, "/none/file can't be read"),
        (["export", "/none/file"], 2, "/none/file can't be written"),
        (["erase"], 2, "Nobody is at the terminal to be asked."),
    ],
)
def test_what_can_not_be_done_is_one_line(scout: Run, arguments, code: int, says: str) -> None:
    assert says in refused(scout("memory", *arguments), code)


def test_words_that_name_several_memories_change_none(scout: Run) -> None:
    scout("ask", WISH)
    scout("ask", "I prefer papers with code.")
    shown = scout("memory", "forget", "papers", "--yes")
    assert "2 memories are named by 'papers'." in shown.stderr
    assert shown.returncode == 2 and WISH in shown.stderr
    assert len(items(scout("memory", "preference", "--json"))) == 2


def test_what_is_agreed_to_is_obeyed(scout: Run) -> None:
    assert "May be remembered: everything (you have not been asked)" in told(
        scout("memory", "consent")
    )
    told(scout("memory", "consent", "facts", "--leave-out", "Small talk"))
    shown = json.loads(told(scout("memory", "consent", "--json")))
    assert shown == {"choice": "facts", "left_out": ["small talk"], "private": []}
    told(scout("memory", "consent", "everything", "--take-in", "small talk"))
    told(scout("ask", "--private", QUESTION))
    (private,) = items(scout("threads", "list", "--json"))
    assert private["thread_id"] != "default"
    assert json.loads(told(scout("memory", "consent", "--json")))["private"] == [
        private["thread_id"]
    ]
    assert items(scout("memory", "--json")) == []


def test_all_is_taken_along_brought_back_and_erased(
    scout: Run, lived_in: dict[str, str], tmp_path: Path
) -> None:
    mine, again = tmp_path / "mine.jsonl", tmp_path / "again.jsonl"
    scout("ask", QUESTION)
    scout("ask", WISH)
    before = items(scout("memory", "--json"))
    assert told(scout("memory", "export", str(mine))).startswith(f"{mine}: ")
    assert stat.S_IMODE(mine.stat().st_mode) == 0o600
    assert "is there already" in refused(scout("memory", "export", str(mine)), 2)
    assert "There are memories already" in refused(scout("memory", "import", str(mine)), 2)
    other = f"{lived_in['ARXIVSCOUT_USER']} another"
    assert "is the memory of" in refused(scout("memory", "import", str(mine), "--user", other), 2)
    told(scout("memory", "import", str(mine), "--as", other))
    assert [each["text"] for each in items(scout("memory", "--json", "--user", other))] == [
        each["text"] for each in before
    ]
    backup = tmp_path / "all.backup"
    told(scout("db", "backup", str(backup)))
    erased = json.loads(told(scout("memory", "erase", "--yes", "--json")))
    assert erased["left"] == 0 and erased["looked_through"]["tables"] > 30
    assert erased["rows"]["conversational_memory"] == 4
    assert str(backup) in erased["backups"]
    assert items(scout("memory", "--json")) == [] == items(scout("threads", "list", "--json"))
    told(scout("memory", "import", str(mine)))
    assert items(scout("memory", "--json")) == before
    told(scout("memory", "export", str(again)))
    rows, same = (file.read_text().splitlines()[1:-1] for file in (mine, again))
    assert rows == same
    shown = told(scout("memory", "erase", "--yes", "--user", other))
    assert f"rows of {other}.\n" in shown and ": 0 rows hold any." in shown
    assert "Not changed, for a backup can't be" in shown
    assert items(scout("memory", "--json")) == before


def test_a_review_lists_and_does_what_policies_propose(
    scout: Run, lived_in: dict[str, str]
) -> None:
    scout("ask", WISH)
    assert told(scout("memory", "review")) == "Nothing is proposed.\n"
    lived_in["ARXIVSCOUT_POLICIES"] = "small talk=forget it"
    assert "is no policy for 'small talk'" in refused(scout("memory", "review"), 3)
    lived_in["ARXIVSCOUT_POLICIES"] = "smalltalk=delete after 9 days"
    assert "A policy is for 'smalltalk', which is no category" in scout("memory", "review").stderr
    lived_in["ARXIVSCOUT_POLICIES"] = "preferences=delete after 1 day"
    assert told(scout("memory", "review", "--dry-run")) == "Nothing is proposed.\n"
    assert json.loads(told(scout("memory", "review", "--json"))) == {"done": 0, "proposed": []}


def test_a_project_from_its_beginning_to_its_end(scout: Run) -> None:
    assert told(scout("project", "new", "my thesis", "--goal", "CP")) == (
        "Begun: my thesis. `arxivscout chat --project 'my thesis'` works on it.\n"
    )
    assert "is called 'my thesis' already" in refused(scout("project", "new", "my thesis"), 2)
    told(scout("ask", "--project", "my thesis", "--thread", "mesons", QUESTION))
    told(scout("feedback", "save", "--thread", "mesons"))
    assert told(scout("project", "add", "my thesis", "hep-th/9901002")) == (
        "Added to my thesis: 1.\n"
    )
    assert "Nothing is to be added." in refused(scout("project", "add", "my thesis"), 2)
    (listed,) = items(scout("project", "list", "--json"))
    assert (listed["threads"], listed["papers"], listed["closed_at"]) == (1, 1, None)
    shown = told(scout("project", "show", "my thesis"))
    assert shown.startswith("my thesis · open · begun ") and "[arXiv:0712.2288]" in shown
    assert "Goal: CP" in told(scout("project", "summary", "my thesis"))
    assert "Nobody is at the terminal" in refused(scout("project", "close", "my thesis"), 2)
    closed = told(scout("project", "close", "my thesis", "--yes"))
    assert "Progress:" in closed and "memories are in the archive.\n" in closed
    assert [each["kind"] for each in items(scout("memory", "--json"))] == ["summary"]
    rests = items(scout("memory", "--archived", "--project", "my thesis", "--json"))
    assert {"finding", "paper"} <= {each["kind"] for each in rests}
    assert "is closed." in refused(scout("ask", "--project", "my thesis", "hi"), 2)
    assert "is open again" in told(scout("project", "reopen", "my thesis"))
    kinds = {each["kind"] for each in items(scout("memory", "--json"))}
    assert {"finding", "paper", "summary"} <= kinds


def test_a_thing_is_what_it_is_called_and_not_edited(scout: Run) -> None:
    scout("ask", QUESTION)
    (paper,) = items(scout("memory", "paper", "--json"))
    assert "A paper is not edited." in refused(scout("memory", "edit", paper["id"], "x"), 2)
