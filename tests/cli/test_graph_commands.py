"""`arxivscout graph` as commands, over the starter collection and a graph that was drawn."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable

import psycopg
import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
PAPER = "astro-ph/9204001"


@pytest.fixture
def drawn(scout: Run, lived_in: dict[str, str]) -> Run:
    """The command line of somebody whose QLoRA extends LoRA, and LoRA fine-tuning."""
    from graph_world import draw

    url = scout("db", "url").stdout.strip()
    with psycopg.connect(url) as conn:
        conn.execute(
            "SELECT set_config('arxivscout.user_id', %s, true)", [lived_in["ARXIVSCOUT_USER"]]
        )
        draw(conn, [("QLoRA", "extends", "LoRA"), ("LoRA", "extends", "fine-tuning\x1b[31m")])
    return scout


def test_a_graph_is_shown_as_a_tree_a_way_a_table_and_a_list(drawn: Run) -> None:
    shown = drawn("graph", "neighbours", "lora", "--depth", "2")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith("LoRA (method)\n")
    assert "\n  extends fine-tuning (method)\n      since 20" in shown.stdout
    assert "\n  ← QLoRA (method) extends\n" in shown.stdout
    shown = drawn("graph", "path", "QLoRA", "fine tuning")
    assert shown.stdout.splitlines()[0::2] == ["QLoRA extends LoRA", "LoRA extends fine-tuning"]
    assert (
        "LoRA"
        in drawn("graph", "related", "QLoRA").stdout + drawn("graph", "related", "LoRA").stderr
    )
    assert "joined      QLoRA extends LoRA" in drawn("graph", "timeline", "LoRA").stdout
    shown = drawn("graph", "match", '?a extends "LoRA"')
    assert shown.stdout.startswith("1. ?a = QLoRA\n   QLoRA extends LoRA\n")
    assert "\x1b" not in shown.stdout


def test_json_is_all_that_is_printed_when_asked_for(drawn: Run) -> None:
    found = json.loads(drawn("graph", "neighbours", PAPER, "--json").stdout)
    assert found["of"] == [f"paper:{PAPER}"]
    assert {each["via"]["predicate"] for each in found["reached"]} == {"written_by"}
    (edge,) = json.loads(drawn("graph", "path", "QLoRA", "LoRA", "--json").stdout)
    assert (edge["subject"], edge["object"]) == ("method:QLoRA", "method:LoRA")
    found = json.loads(drawn("graph", "match", '[["?a", "extends", "LoRA"]]', "--json").stdout)
    assert found["complete"] and found["rows"][0]["bound"]["a"]["label"] == "QLoRA"
    events = json.loads(drawn("graph", "timeline", "LoRA", "--json").stdout)
    assert {"at", "what", "text", "why", "thread", "id"} == set(events[0])
    assert json.loads(drawn("graph", "timeline", "-t", "nowhere", "--json").stdout) == []
    assert json.loads(drawn("graph", "path", "QLoRA", PAPER, "--json").stdout) is None


def test_rules_are_added_and_taken_away(drawn: Run) -> None:
    added = drawn("graph", "rule", "add", "?a extends ?b => ?b grew_into ?a")
    assert added.stdout == "grew into: ?a extends ?b => ?b grew_into ?a\n3 edges inferred.\n"
    listed = json.loads(drawn("graph", "rule", "list", "--json").stdout)
    assert {each["name"]: each["edges"] for each in listed}["grew into"] == 2
    assert "inferred by the rule grew into" in drawn("graph", "path", "LoRA", "QLoRA",
                                                     "--along", "grew_into").stdout  # fmt: skip
    assert drawn("graph", "rule", "remove", "grew into").stdout == "Removed: grew into\n"
    assert drawn("graph", "rule", "remove", "grew into").returncode == 1
    assert drawn("graph", "rule", "add", "?a extends").returncode == 2


def test_what_cannot_be_is_told_in_one_line(drawn: Run) -> None:
    for code, *arguments in (
        (1, "neighbours", "qlorra"),
        (2, "neighbours", "LoRA", "--depth", "9"),
        (2, "neighbours", "LoRA", "--transitive"),
        (2, "neighbours", "LoRA", "--as-of", "soon"),
        (2, "timeline"),
        (2, "match", "?a extends"),
        (2, "match", "?p cites ?q"),
    ):
        done = drawn("graph", *arguments)
        assert (done.returncode, done.stdout) == (code, ""), arguments
        assert done.stderr.count("\n") == 1 and done.stderr.startswith("error: ")
