"""`context` and `why` as a person and a script use them."""

from __future__ import annotations

import json

from commands import one_line, told

QUESTION = "What is known about quantum teleportation of neutral mesons?"


def test_what_a_turn_was_given_is_drawn_listed_and_explained(scout):
    assert "No question has been asked yet." in one_line(scout("context"), 1)
    answer = json.loads(scout("ask", QUESTION, "--json").stdout)
    shown = told(scout("context"))
    assert shown.startswith(QUESTION)
    bar = next(line for line in shown.splitlines() if line.startswith("["))
    assert bar.index("]") == 61 and "of 16,000 tokens" in bar
    for segment in ("rules", "awareness", "tools", "knowledge", "recent", "answer", "margin"):
        assert f" {segment} " in shown
    whole = json.loads(told(scout("context", answer["turn_id"][:8], "--json")))
    assert whole["turn_id"] == answer["turn_id"] and whole["window"] == 16_000
    assert sum(each["tokens"] for each in whole["segments"]) < 16_000
    paper = answer["citations"][0]["arxiv_id"]
    assert paper in told(scout("context", "--items"))
    (use,) = json.loads(told(scout("why", paper, "--json")))
    assert (use["turn_id"], use["segment"], use["used"]) == (answer["turn_id"], "knowledge", True)
    said = told(scout("why", paper))
    assert QUESTION in said and "as knowledge · fits 0." in said
    unknown = scout("why", "9999.99999")
    assert unknown.returncode == 0 and "was in no turn's context" in unknown.stderr


def test_what_names_no_turn_is_told_in_one_line(scout):
    assert "is no turn's id" in one_line(scout("context", "first"), 2)
    assert "There is no turn 0000." in one_line(scout("context", "0000"), 1)
    assert "in the thread 'x' yet" in one_line(scout("context", "--thread", "x"), 1)
    assert "--limit 0 is out of range" in one_line(scout("why", "x", "--limit", "0"), 2)
