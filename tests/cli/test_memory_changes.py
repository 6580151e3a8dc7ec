"""`arxivscout memory log` and `undo` at the terminal."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_a_change_is_listed_and_taken_back(scout: Run) -> None:
    scout("ask", "I prefer short answers.")
    scout("ask", "From now on I prefer long answers.")
    listed = json.loads(scout("memory", "log", "--kind", "preference", "--json").stdout)
    (superseding,) = [each for each in listed if each["change"] == "supersede"]
    assert (superseding["before"], superseding["after"]) == (
        "I prefer short answers.",
        "From now on I prefer long answers.",
    )
    shown = scout("memory", "log", "--change", "supersede").stdout
    assert "was: I prefer short answers." in shown
    assert (
        scout("memory", "log", "--since", "2999").stderr.strip() == "No such change is in the log."
    )
    undone = scout("memory", "undo", str(superseding["id"]))
    assert undone.stdout == f"Change {superseding['id']} is taken back.\n"
    held = json.loads(scout("memory", "preference", "--json").stdout)
    assert [each["text"] for each in held] == ["I prefer short answers."]
    again = scout("memory", "undo", str(superseding["id"]))
    assert again.returncode != 0
    assert "is taken back already" in again.stderr


def test_what_is_no_change_is_refused(scout: Run) -> None:
    assert "There is no change 999999." in scout("memory", "undo", "999999").stderr
    assert "No change is called 'gossip'." in scout("memory", "log", "--change", "gossip").stderr
    assert "--limit 0 is out of range." in scout("memory", "log", "--limit", "0").stderr
    assert "is no date" in scout("memory", "log", "--since", "soon").stderr
    for id_of_a_memory in ("zzz", "8a3a74cc", "٣"):
        refused = scout("memory", "undo", id_of_a_memory)
        assert refused.returncode == 2 and "is no number of a change" in refused.stderr
