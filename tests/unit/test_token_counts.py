"""Token counts learn a model's own tokens from the usage that its provider reports."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.agent.toolkit import TOOLS
from arxivscout.context.budget import count_tokens
from arxivscout.llm.token_counts import KEPT, Calibration, Calibrations
from arxivscout.papers import render_papers
from arxivscout.prompting import render
from arxivscout.resources import folder
from arxivscout.sources.files import read_papers

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def by_bytes(text: str) -> int:
    return round(len(text.encode()) / 3.3)


def by_words(text: str) -> int:
    """A tokenizer that cuts long words and leaves no mark out, as a word-piece one does."""
    return sum(1 + len(word) // 5 for word in text.split())


@pytest.mark.parametrize("counted", [by_bytes, by_words])
def test_after_ten_turns_the_error_is_below_five_percent(counted: object) -> None:
    assert callable(counted)
    papers = [render_papers([paper]) for paper in read_papers(folder("data") / "starter.jsonl")]
    fixed = render("system", user="x") + str([tool.definition for tool in TOOLS])
    drawn = random.Random(1)
    errors = []
    for _ in range(10):
        known = Calibration()
        for turn in range(15):
            sent = fixed + "\n".join(drawn.sample(papers, drawn.randint(1, 10)))
            estimated, reported = count_tokens(sent), counted(sent)
            if turn >= 10:
                errors.append(abs(known.predicted(estimated) - reported) / reported)
            # One turn of another script, one report that is nonsense: outliers move nothing.
            nonsense = {4: count_tokens("量子論" * 500), 6: 3 * reported}.get(turn, 0)
            known = known.learned(estimated, reported + nonsense)
    assert sum(errors) / len(errors) < 0.03
    assert max(errors) < 0.05


@given(st.lists(st.tuples(st.integers(-5, 10**7), st.integers(-5, 10**7)), max_size=40))
def test_whatever_is_reported_the_factor_stays_within_reason(calls: list[tuple[int, int]]) -> None:
    known = Calibration()
    for estimated, reported in calls:
        known = known.learned(estimated, reported)
    assert 0.2 <= known.factor <= 5
    assert len(known.calls) <= KEPT


def test_a_limit_holds_for_a_day() -> None:
    known = Calibration().refused(4_096, NOW)
    assert known.window(16_000, NOW) == 4_096
    assert known.window(2_000, NOW) == 2_000
    assert known.window(16_000, NOW + timedelta(days=2)) == 16_000
    # A clock that went backwards: the limit holds on.
    assert known.window(16_000, NOW - timedelta(days=2)) == 4_096


def test_what_was_learned_is_there_in_the_next_process(tmp_path: Path) -> None:
    Calibrations(tmp_path).learn("openai:a", 1_000, 1_200)
    Calibrations(tmp_path).learn("openai:a", 1_000, 1_200)
    Calibrations(tmp_path).refuse("openai:b", 4_096)
    assert Calibrations(tmp_path).of("openai:a").factor == pytest.approx(1.2)
    assert Calibrations(tmp_path).of("openai:b").limit == 4_096
    assert Calibrations(tmp_path).of("openai:c") == Calibration()


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"m": 3}', '{"m": {"calls": [[1]]}}', '{"m": {"calls": [], "limit": "x"}}'],
)
def test_a_broken_file_is_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "token_counts.json").write_text(text)
    kept = Calibrations(tmp_path)
    assert kept.of("m") == Calibration()
    kept.learn("m", 1_000, 900)
    assert kept.of("m").factor == pytest.approx(0.9)


def test_a_home_that_can_not_be_written_harms_nothing() -> None:
    Calibrations(Path("/nonexistent")).learn("m", 1_000, 900)
