"""The questions that full texts are asked, made by rule."""

from __future__ import annotations

from arxivscout.bench.fulltext import Score, thinned


def test_half_a_sentence_is_every_other_word() -> None:
    assert thinned("The lead glass was cooled with liquid nitrogen.") == "The glass cooled liquid"


def test_a_score_is_told_in_plain_values() -> None:
    score = Score("from papers down", {"half a sentence": 0.91234}, 230.04, 12.34)
    assert score.to_json() == {
        "search": "from papers down",
        "recall@5, half a sentence": 0.9123,
        "vectors compared": 230.0,
        "median_ms": 12.3,
    }
