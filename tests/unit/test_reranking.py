"""The second stage of a search: orders that can be read, hits in a new order, judges that fail."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from turns.scripted import ScriptedModel, says

from arxivscout.agent.reranking import CANDIDATES, in_order, movable
from arxivscout.embedding.cross_encoder import CrossEncoder, load_cross_encoder
from arxivscout.errors import ConfigurationError, ModelError, NotReranked
from arxivscout.llm.reranking import ask_order, order_in
from arxivscout.papers import Paper, PaperHit
from arxivscout.settings import load_settings

ORDERS = st.integers(1, 30).flatmap(lambda count: st.permutations(range(count)))


def hit(number: int, *, exact: str | None = None, withdrawn: bool = False) -> PaperHit:
    paper = Paper(
        arxiv_id=f"1501.{number:05d}", title=f"Paper {number}", abstract="…", withdrawn=withdrawn
    )
    return PaperHit(paper=paper, score=1 / number, exact=exact)


def ids(hits: Sequence[PaperHit]) -> list[int]:
    return [int(each.paper.arxiv_id[-5:]) for each in hits]


@given(ORDERS, st.sampled_from(["[{}]", "{}", "```json\n[{}]\n```", "[{}]\n"]))
def test_an_order_is_read_however_it_is_wrapped(places: list[int], form: str) -> None:
    text = form.format(", ".join(str(place + 1) for place in places))
    assert order_in(text, len(places)) == places


def test_an_order_may_have_signs_between_its_numbers() -> None:
    assert order_in("[2] > [3] > [1]", 3) == [1, 2, 0]


@pytest.mark.parametrize(
    "text",
    ["", "[1, 2]", "[1, 2, 2]", "[0, 1, 2]", "[1, 2, 4]", "[1, 2, 3, 4]", "paper 2, then 3 and 1",
     "1. 3\n2. 1\n3. 2", "[1, 2, 3000000000]", "no", "[-1, 2, 3]", "[1.5, 2, 3]"],
)  # fmt: skip
def test_what_does_not_have_each_number_once_is_no_order(text: str) -> None:
    assert order_in(text, 3) is None


@given(st.text(max_size=60), st.integers(0, 5))
def test_any_reply_is_an_order_or_none(text: str, count: int) -> None:
    places = order_in(text, count)
    assert places is None or sorted(places) == list(range(count))


def test_what_the_question_names_stays_first_and_withdrawn_papers_last() -> None:
    hits = [hit(1, exact="id"), hit(2), hit(3, withdrawn=True), hit(4), hit(5)]
    assert ids(movable(hits)) == [2, 4, 5]
    changed = in_order(hits, [f"1501.{number:05d}" for number in (5, 2, 4)])
    assert ids(changed) == [1, 5, 2, 4, 3]
    assert [each.ranks.get("reranked") for each in changed] == [None, 1, 2, 3, None]


@given(st.integers(0, 40), st.randoms())
def test_no_paper_is_lost_or_doubled_in_a_new_order(count: int, chance: Any) -> None:
    hits = [hit(number, withdrawn=chance.random() < 0.2) for number in range(1, count + 1)]
    order = [each.paper.arxiv_id for each in hits]
    chance.shuffle(order)
    changed = in_order(hits, order[: chance.randint(0, count)])
    assert sorted(ids(changed)) == sorted(ids(hits))
    assert changed[CANDIDATES:] == hits[CANDIDATES:]


def test_a_model_that_fails_or_says_something_else_gives_no_order() -> None:
    with pytest.raises(ModelError):
        ask_order(ScriptedModel(script=[RuntimeError("down")]), "…", 3, seconds=5)

    assert ask_order(ScriptedModel(script=[says("I can't.")]), "…", 3, seconds=5).places is None


class Encoder:
    """Scores a text by its length."""

    def __init__(self, scores: list[float] | None = None) -> None:
        self.scores = scores

    def predict(self, pairs: list[tuple[str, str]]) -> list[float]:
        return self.scores or [float(len(text)) for _, text in pairs]


def test_a_cross_encoder_is_loaded_once_at_its_first_use() -> None:
    loaded = []

    def load(name: str) -> Encoder:
        loaded.append(name)
        return Encoder()

    encoder = CrossEncoder("a/model", load)
    assert not encoder.loaded and not loaded
    assert encoder.scores("?", ["a", "abc", "ab"]) == [1, 3, 2]
    assert encoder.scores("?", []) == []
    assert loaded == ["a/model"] and encoder.loaded
    assert load_cross_encoder("") is load_cross_encoder("")


@pytest.mark.parametrize("scores", [[1.0], [1.0, math.nan], [1.0, math.inf]])
def test_scores_that_are_none_are_refused(scores: list[float]) -> None:
    encoder = CrossEncoder("a/model", lambda name: Encoder(scores))
    with pytest.raises(NotReranked):
        encoder.scores("?", ["a", "b"])


@pytest.mark.parametrize("way", ["off", "model", "cross-encoder", "cross-encoder:a/b"])
def test_the_ways_to_re_rank(way: str, tmp_path: Any) -> None:
    assert load_settings({"ARXIVSCOUT_RERANK": way}, home=tmp_path, user="u").rerank == way


@pytest.mark.parametrize("way", ["on", "models", "cross-encoder:", "cross"])
def test_any_other_way_is_an_error(way: str, tmp_path: Any) -> None:
    with pytest.raises(ConfigurationError, match="cross-encoder:NAME"):
        load_settings({"ARXIVSCOUT_RERANK": way}, home=tmp_path, user="u")
