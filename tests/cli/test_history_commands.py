"""`threads` and `feedback` as a person and a script use them."""

from __future__ import annotations

import json

import pytest
from commands import one_line, told

QUESTION = "What is known about quantum teleportation of neutral mesons?"


def test_a_thread_is_titled_renamed_forked_and_taken_back(scout):
    scout("ask", QUESTION)
    scout("ask", "I prefer short answers.")
    (listed,) = json.loads(told(scout("threads", "list", "--json")))
    assert listed["thread_id"] == "default"
    assert listed["title"] == "Quantum teleportation of neutral mesons"
    assert "Quantum teleportation of neutral mesons · I prefer" in told(scout("threads", "list"))
    assert told(scout("threads", "title", "default", "Mesons")) == "default is titled “Mesons”.\n"
    assert told(scout("threads", "title", "default")) == "default is titled “Mesons”.\n"
    shown = json.loads(told(scout("threads", "title", "default", "-", "--json")))
    assert shown["title"] == "Quantum teleportation of neutral mesons"
    assert told(scout("threads", "rename", "default", "mesons")) == "Renamed default to mesons.\n"
    assert "No thread is called 'default'." in one_line(scout("threads", "show", "default"), 1)
    forked = json.loads(told(scout("threads", "fork", "mesons", "--json")))
    assert forked == {"thread_id": "mesons-2", "forked_from": "mesons"}
    events = json.loads(told(scout("threads", "show", "mesons", "--last", "1", "--json")))
    assert [event["kind"] for event in events] == ["assistant"]
    assert "A thread is called 'mesons-2' already." in one_line(
        scout("threads", "rename", "mesons", "mesons-2"), 2
    )
    undone = json.loads(told(scout("threads", "undo", "mesons", "--json")))
    assert undone["question"] == "I prefer short answers."
    assert undone["messages"] == 2
    assert undone["memories"] >= 1
    assert json.loads(told(scout("memory", "preference", "--json"))) == []
    assert told(scout("threads", "undo", "mesons")).startswith(f"Taken back: {QUESTION}\n")
    (left,) = json.loads(told(scout("threads", "list", "--json")))
    assert (left["thread_id"], left["turns"]) == ("mesons-2", 2)


def test_an_answer_is_judged_corrected_and_kept(scout):
    assert "No correction is remembered yet." in scout("memory", "correction").stderr
    scout("ask", QUESTION)
    assert told(scout("feedback", "bad", "off", "topic")) == (
        "The last answer of default is judged bad.\n"
    )
    assert json.loads(told(scout("feedback", "good", "--json"))) == {
        "thread_id": "default",
        "feedback": "good",
        "note": None,
    }
    assert told(scout("feedback", "correct", "It was shown in 2007.")).startswith("Remembered")
    assert told(scout("feedback", "save")).startswith("Kept as a finding")
    kinds = [item["kind"] for item in json.loads(told(scout("memory", "--json")))]
    assert {"correction", "finding"} <= set(kinds)
    assert "It was shown in 2007." in told(scout("memory", "correction"))
    worked = told(scout("memory", "workflow"))
    assert worked.startswith(f"“{QUESTION}”\n    searching the papers held: quantum teleport")
    assert "->" not in worked
    assert "The correction is empty. Say what is" in one_line(scout("feedback", "correct", " "), 2)


@pytest.mark.parametrize(
    "arguments",
    [
        ["retry", "--thread", "none"],
        *(["threads", each, "none"] for each in ("show", "title", "fork", "undo", "export")),
        ["threads", "rename", "none", "new"],
        ["threads", "delete", "none", "--yes"],
        *(["feedback", each, "--thread", "none"] for each in ("good", "bad", "save")),
        ["feedback", "correct", "it was 2007", "--thread", "none"],
    ],
)
def test_a_thread_that_is_not_there_is_told_in_the_same_words(scout, arguments):
    assert one_line(scout(*arguments), 1) == (
        "error: No thread is called 'none'. `arxivscout threads list` has yours."
    )


def test_a_thread_is_exported(scout, tmp_path):
    scout("ask", QUESTION)
    markdown = told(scout("threads", "export"))
    assert markdown.startswith("# Quantum teleportation of neutral mesons\n")
    assert "## Sources\n" in markdown
    assert json.loads(told(scout("threads", "export", "default", "--format", "json")))["turns"]
    assert "@" in told(scout("threads", "export", "default", "-f", "bib"))
    page = tmp_path / "thread.html"
    wrote = scout("threads", "export", "--output", str(page))
    assert (wrote.returncode, wrote.stdout) == (0, "")
    assert page.read_text().startswith("<!doctype html>")
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".html"] == [page.name]
    assert "--force replaces it." in one_line(scout("threads", "export", "-o", str(page)), 2)
    assert scout("threads", "export", "-o", str(page), "--force").returncode == 0
    assert "can't be written" in one_line(scout("threads", "export", "-o", "/none/x.md"), 2)
    assert "No format is called 'pdf'." in one_line(scout("threads", "export", "-f", "pdf"), 2)
    assert "No thread is called 'none'." in one_line(scout("threads", "export", "none"), 1)


@pytest.mark.parametrize(
    "arguments",
    [
        ["threads", name]
        for name in ("list", "show", "title", "rename", "fork", "export", "undo", "delete")
    ]
    + [["feedback", name] for name in ("good", "bad", "correct", "save")],
)
def test_each_has_help(command, arguments):
    shown = command(*arguments, "--help")
    assert shown.returncode == 0
    assert f"Usage: arxivscout {' '.join(arguments)}" in shown.stdout
