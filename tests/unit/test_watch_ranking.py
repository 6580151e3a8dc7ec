"""What of arXiv's changes is news, how well it fits, in which order."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from watched import ENGINEERING, ETHICS, FAITHFULNESS, GRAVITY, TOPIC

from arxivscout.memory.watches import Candidate, Interest, Known
from arxivscout.papers import Paper
from arxivscout.papers.taxonomy import known_category
from arxivscout.preferences import Wishes
from arxivscout.watching.ranking import Picked, fits, is_news, pick

FIRST = date(2025, 5, 20)


def at(day: int, month: int = 6) -> datetime:
    return datetime(2025, month, day, tzinfo=UTC)


def candidate(paper: Paper, cosine: float = 0.5, *, stored: int = 5, **record: object) -> Candidate:
    known = {**paper.to_metadata(), "updated": paper.published, "version": 1, **record}
    return Candidate(Paper.from_metadata(paper.arxiv_id, known), cosine, at(stored))


@pytest.mark.parametrize(
    ("record", "known", "news"),
    [
        ({}, None, True),
        ({"published": "2025-05-20"}, None, True),
        ({"published": "2025-05-19", "version": 3, "updated": "2025-06-04"}, None, False),
        ({"published": "2025-05"}, None, True),  # its day is not known
        ({"published": None}, None, True),
        ({}, Known(1, at(1), None), False),
        ({"version": 2}, Known(1, at(1), None), True),
        ({"version": 2}, Known(2, at(1), None), False),
        # Looked at on 1 June: the record was of then, or is newer.
        ({}, Known(None, at(1), at(1)), False),
        ({"version": 2, "updated": "2025-06-04"}, Known(None, at(1), at(1)), True),
        (
            {"version": 2, "updated": "2025-05-30"},
            Known(None, at(1), at(1)),
            True,
        ),  # announced late
        ({"version": 2, "updated": "2025-05-20"}, Known(None, at(1), at(1)), False),
        ({"version": 2, "updated": "2025-06-04"}, Known(None, at(1), at(6)), False),
        ({"version": 2, "updated": None}, Known(None, at(1), at(1)), True),
        ({"version": 2, "updated": "2025-06-04"}, Known(1, at(1), at(6)), False),
    ],
)
def test_what_is_news(record: dict[str, object], known: Known | None, news: bool) -> None:
    assert is_news(candidate(ETHICS, **record), known, FIRST) is news


def test_rare_words_of_the_topic_count_more() -> None:
    both = [candidate(ETHICS), candidate(FAITHFULNESS), candidate(GRAVITY)]
    ethics, faithfulness, gravity = fits("ethical evaluation of language models", both)
    assert ethics > faithfulness > gravity == pytest.approx(0.5)


def picked(**given: object) -> Picked:
    of = {"known": {}, "interests": {}, "wishes": Wishes(), "first_day": FIRST, **given}
    found = [candidate(ETHICS, 0.61), candidate(FAITHFULNESS, 0.6), candidate(ENGINEERING, 0.7)]
    return pick(TOPIC, found, **of)  # type: ignore[arg-type]


def ids(found: Picked) -> list[str]:
    return [each.paper.arxiv_id for each in found.picks]


def test_interests_and_wishes_order_what_fits() -> None:
    assert ids(picked()) == [ETHICS.arxiv_id, FAITHFULNESS.arxiv_id]
    near = {FAITHFULNESS.arxiv_id: Interest("finding", "Inferences are not faithful.", 0.7)}
    first, second = picked(interests=near).picks
    assert first.paper.arxiv_id == FAITHFULNESS.arxiv_id
    assert first.why == "fits the topic; near to “Inferences are not faithful.”, which you found"
    assert second.why == "fits the topic"
    assert 0 < first.fit < second.fit <= 1
    liked = Wishes(categories_wanted=("cs.AI",), authors_wanted=("Jian Li",))
    first, _ = picked(wishes=liked).picks
    assert first.why == "fits the topic; by Jian Li, whom you prefer; in cs.AI, which you prefer"


def test_what_is_unwanted_or_does_not_fit_is_left_out() -> None:
    found = picked(wishes=Wishes(unwanted=("ethics",), since="2025-05-25"))
    assert ids(found) == [FAITHFULNESS.arxiv_id]
    assert found.left_out == {"published 2025-05-21, before 2025-05-25": 1}
    off = pick(
        "cooking with garlic",
        [candidate(ETHICS, 0.3)],
        known={},
        interests={},
        wishes=Wishes(),
        first_day=FIRST,
    )
    assert off == Picked((), {})


def test_categories_that_arxiv_has() -> None:
    for said in ("cs.CL", " CS.cl ", "quant-ph", "astro-ph", "cond-mat.Mtrl-Sci", "q-bio.QM"):
        assert known_category(said)
    assert known_category("CS.cl") == "cs.CL"
    for said in ("", "cs.", "cs.ZZ", "physics.xx", "dark matter", "cs.CL OR cat:cs.AI"):
        assert known_category(said) is None
