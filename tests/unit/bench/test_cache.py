"""Pairs of questions as they are read, and what is told of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from arxivscout.bench.cache import CacheScores, ClassScores, Pair, load_pairs
from arxivscout.errors import UsageError


def test_pairs_are_read_from_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"a": "x", "b": "y", "same": false, "class": "number"}\n', "utf-8")
    assert load_pairs(path) == [Pair("x", "y", False, "number")]


@pytest.mark.parametrize("text", ["{", "[]", '{"a": "x"}', "3"])
def test_what_holds_no_pairs_is_told_in_a_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError, match="holds no pairs"):
        load_pairs(path)
    with pytest.raises(UsageError, match="holds no pairs"):
        load_pairs(tmp_path / "none")


def test_wrong_hits_and_the_hit_rate_are_told_apart() -> None:
    scores = CacheScores(
        [
            ClassScores("number", False, 10, 9, 1),
            ClassScores("frame", True, 10, 8, 6),
            ClassScores("synonym", True, 10, 4, 0),
        ],
        look_up_ms=1.0,
        search_ms=9.0,
    ).to_json()
    assert scores["wrong hits"] == 1 and scores["wrong by cosine alone"] == 9
    assert scores["hit rate"] == 0.3 and scores["hit rate by cosine alone"] == 0.6
