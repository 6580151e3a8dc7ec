"""Conversations with questions are read in LoCoMo's form, and refused in any other."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from arxivscout.bench.conversations import load_conversations
from arxivscout.errors import UsageError

TURN = {"conv": "c1", "session": 1, "date_time": "1:56 pm on 8 May, 2023", "dia_id": "D1:1"}
TURNS = [
    {**TURN, "speaker": "Ada", "text": "I saw a comet.", "image_caption": "a comet"},
    {**TURN, "dia_id": "D1:2", "speaker": "Grace", "text": "Where?"},
]
ASKED = {"conv": "c1", "question": "What did Ada see?", "category": 4, "evidence": ["D1:1"]}


def write(folder: Path, turns: list[Any], asked: list[Any]) -> None:
    with gzip.open(folder / "turns.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(each) + "\n" for each in turns)
    lines = "".join(json.dumps(each) + "\n" for each in asked)
    (folder / "qa.jsonl").write_text(lines, "utf-8")


def test_messages_and_questions_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "locomo"
    folder.mkdir()
    unanswered = {**ASKED, "category": 5}
    elsewhere = {**ASKED, "evidence": ["D9:9"]}
    write(folder, TURNS, [ASKED, unanswered, elsewhere])
    (conversation,) = load_conversations(tmp_path)
    assert [each.text for each in conversation.said] == [
        "I saw a comet. [photo: a comet]",
        "Where?",
    ]
    assert conversation.ended.isoformat() == "2023-05-08T13:56:00+00:00"
    assert [each.evidence for each in conversation.asked] == [("D1:1",)]


def test_what_is_no_such_folder_is_refused_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no conversations"):
        load_conversations(tmp_path)
    write(tmp_path, [{"conv": "c1"}], [])
    with pytest.raises(UsageError, match="LoCoMo's form"):
        load_conversations(tmp_path)
