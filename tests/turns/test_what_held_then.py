"""What the person held at an earlier time is told from then, not from now."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from arxivscout.app import Scout
from arxivscout.memory import gate
from arxivscout.memory.candidate import Candidate

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
          "October", "November", "December")  # fmt: skip


def ago(days: int) -> datetime:
    return datetime.now(UTC) - timedelta(days=days)


@pytest.fixture
def changed(scout: Scout) -> Scout:
    """Somebody who thought otherwise a hundred days ago."""
    with scout.database.transaction(scout.user) as conn:
        for text, days in (
            ("The baseline is BERT.", 100),
            ("I want the arXiv id each time.", 90),
            ("The baseline is now RoBERTa.", 30),
        ):
            vectors = [scout.embedder.embed_query(text)]
            gate.remember(conn, [Candidate("fact", text)], [], vectors, at=ago(days))
    return scout


def test_a_question_of_a_month_is_answered_from_then(changed: Scout) -> None:
    month = ago(65)
    then = changed.ask(f"What did I think in {MONTHS[month.month - 1]}?").answer
    assert "The baseline is BERT." in then
    assert "RoBERTa" not in then
    now = changed.ask(f"What did I believe on {datetime.now(UTC):%Y-%m-%d}?").answer
    assert "RoBERTa" in now
    assert "The baseline is BERT." not in now


def test_of_a_time_before_anything_was_said_nothing_is_told(changed: Scout) -> None:
    answer = changed.ask("What did I believe on 2001-01-01?")
    assert "Nothing that you told me held then" in answer.answer
