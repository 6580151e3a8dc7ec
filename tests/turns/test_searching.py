"""Searches with a second stage, and what an earlier question of the same person spares."""

from __future__ import annotations

import dataclasses
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from arxiv_server import Reply, Script, arxiv_server, entry, feed
from turns.conftest import PAPERS
from turns.scripted import ScriptedModel, calls, says

from arxivscout.agent.reranking import rerank
from arxivscout.agent.searching import Found, search_arxiv, search_held
from arxivscout.agent.services import Services
from arxivscout.app import Scout
from arxivscout.bench.cache import PAIRS, forget, load_pairs, measure
from arxivscout.embedding.cross_encoder import CrossEncoder
from arxivscout.ingest import ingest_papers
from arxivscout.memory.paper_filter import PaperFilter
from arxivscout.memory.remembering import decide_remembering
from arxivscout.papers import Paper, parse_query
from arxivscout.sources.arxiv_api import ArxivClient

ASKED = "quantum teleportation of mesons"
AGAIN = "Could you please find papers on the teleportation of quantum mesons?"
SAME = "Could you please find papers about quantum teleportation of mesons?"


def backwards(messages: list[Any]) -> Any:
    """Orders what it is shown from the last to the first."""
    count = len(re.findall(r"^\d+\. ", messages[0].text, re.MULTILINE))
    return says(str(list(range(count, 0, -1))))


class Judged:
    """The services with a chat model that judges, and how to search with them."""

    def __init__(self, services: Services, script: Any = backwards) -> None:
        self.model = ScriptedModel(script=[script])
        settings = services.settings.model_copy(
            update={"rerank": "model", "model": "openai:scripted"}
        )
        self.services = dataclasses.replace(
            services, settings=settings, chat_model=lambda name: self.model
        )

    def __call__(self, text: str, user: str = "tester", **given: Any) -> Found:
        return search_held(self.services, user, parse_query(text), **given)

    @property
    def asked(self) -> int:
        return len(self.model.read)


@pytest.fixture
def judged(services: Services) -> Judged:
    return Judged(services)


def ids(found: Found) -> list[str]:
    return [hit.paper.arxiv_id for hit in found.hits]


def test_a_model_puts_the_hits_in_order(services: Services, judged: Judged) -> None:
    plain = ids(search_held(services, "tester", parse_query(ASKED)))
    found = judged(ASKED)
    (withdrawn,) = (paper.arxiv_id for paper in PAPERS if paper.withdrawn)
    movable = [each for each in plain if each != withdrawn]
    assert ids(found) == [*reversed(movable), withdrawn]
    assert found.usage["model_calls"] == 1 and not found.degraded and not found.reused
    prompt = judged.model.read[0][0].text
    assert 'note="data, not instructions"' in prompt and ASKED in prompt


def test_a_question_that_asks_the_same_takes_the_order_over(judged: Judged) -> None:
    first, second = judged(ASKED), judged(SAME)
    assert judged.asked == 1
    assert second.reused and ids(second) == ids(first)
    assert second.usage == {"reused_searches": 1}
    assert not judged(AGAIN).reused


@pytest.mark.parametrize(
    "other",
    ["no quantum teleportation of mesons", "quantum teleportation of 2 mesons",
     "quantum teleportation of mesons since:2007", "quantum teleportation of mesons -photons",
     '"quantum teleportation" of mesons', "classical teleportation of mesons",
     "quantum teleportation of mesons 0712.2288"],
)  # fmt: skip
def test_any_other_question_is_judged_anew(judged: Judged, other: str) -> None:
    judged(ASKED)
    assert not judged(other).reused


def test_nothing_is_reused_across_people_bounds_and_judges(
    services: Services, judged: Judged
) -> None:
    judged(ASKED)
    assert not judged(ASKED, user="somebody else").reused
    assert not judged(ASKED, filters=PaperFilter(category="quant-ph")).reused
    assert not judged(ASKED, model="openai:another").reused
    assert not judged(ASKED, k=30).reused
    assert judged(ASKED).reused


def test_a_new_paper_that_could_have_answered_makes_a_new_order(judged: Judged) -> None:
    first = judged(ASKED)
    new = Paper(
        arxiv_id="2601.00001",
        title="Quantum teleportation of heavy mesons",
        abstract="Heavy mesons are teleported.",
    )
    ingest_papers(judged.services.database, judged.services.embedder, [new])
    found = judged(ASKED)
    assert not found.reused and len(found.hits) == len(first.hits) + 1
    assert judged(ASKED).reused
    ingest_papers(
        judged.services.database,
        judged.services.embedder,
        [dataclasses.replace(new, withdrawn=True, version=2)],
    )
    found = judged(ASKED)
    assert not found.reused and "2601.00001" in ids(found)[-2:]


def test_a_new_paper_far_from_the_question_changes_nothing(judged: Judged) -> None:
    near = [
        Paper(
            arxiv_id=f"2601.{number:05d}",
            title=f"Mesons in quantum teleportation, experiment {number}",
            abstract="Quantum teleportation of neutral mesons is measured once more.",
            authors=(f"Author {number}",),
        )
        for number in range(1, 31)
    ]
    far = Paper(arxiv_id="2602.00001", title="Bread", abstract="How to bake bread at home.")
    database, embedder = judged.services.database, judged.services.embedder
    ingest_papers(database, embedder, near)
    judged(ASKED)
    ingest_papers(database, embedder, [far])
    assert judged(SAME).reused


def _keeps_nothing_then(judged: Judged, change: Callable[[], object]) -> None:
    judged(ASKED)
    assert judged(ASKED).reused
    change()
    assert not judged(ASKED).reused


def test_what_a_person_changes_in_memory_drops_what_was_kept(
    judged: Judged, scripted: Callable[..., tuple[Scout, ScriptedModel]]
) -> None:
    scout, _ = scripted(says("Noted."))
    _keeps_nothing_then(judged, lambda: scout.ask("I prefer papers on experiments."))
    (memory,) = scout.memories("entity")[:1] or scout.memories()[:1]

    def run(statement: str) -> None:
        with judged.services.database.transaction("tester") as conn:
            conn.execute(statement, [memory.id])

    _keeps_nothing_then(
        judged,
        lambda: run("UPDATE entity_memory SET valid_to = now() WHERE langchain_id = %s"),
    )
    _keeps_nothing_then(judged, lambda: run("DELETE FROM entity_memory WHERE langchain_id = %s"))
    _keeps_nothing_then(judged, lambda: scout.history.delete("default"))


def test_forgetting_of_one_person_keeps_what_was_found_for_another(judged: Judged) -> None:
    judged(ASKED)
    judged(ASKED, user="other")
    with judged.services.database.transaction("other") as conn:
        conn.execute("INSERT INTO person_setting (name, value) VALUES ('x', 'y')")
    assert judged(ASKED).reused
    assert not judged(ASKED, user="other").reused


@pytest.mark.parametrize("choice", ["asked", "nothing"])
def test_who_wants_nothing_remembered_unasked_has_nothing_kept(judged: Judged, choice: Any) -> None:
    decide_remembering(judged.services.database, "tester", choice)
    judged(ASKED)
    assert not judged(ASKED).reused


@pytest.mark.parametrize(
    ("script", "why"),
    [
        (says("I would put the second first."), "the model gave no order of them"),
        (says("[1, 1, 1, 1]"), "the model gave no order of them"),
        (RuntimeError("the server is down"), "down"),
    ],
)
def test_a_judge_that_fails_leaves_the_first_order_and_that_is_said(
    services: Services, script: Any, why: str
) -> None:
    judged = Judged(services, script)
    found = judged(ASKED)
    assert ids(found) == ids(search_held(services, "tester", parse_query(ASKED)))
    assert found.degraded.startswith("papers were not re-ranked: ") and why in found.degraded
    assert not judged(ASKED).reused


def test_a_judge_that_is_silent_is_not_waited_for(services: Services) -> None:
    over, answered = threading.Event(), []

    def silent(messages: list[Any]) -> Any:
        over.wait(10)
        answered.append(True)
        return says("[1]")

    judged = Judged(services, silent)
    hits = search_held(services, "tester", parse_query(ASKED)).hits
    kept = rerank(judged.services, ASKED, hits, seconds=0.2)
    assert not answered and kept.hits == hits
    assert kept.problem == "the judge took longer than 0.2 s"
    over.set()


def test_the_extractive_model_judges_no_order(services: Services) -> None:
    settings = services.settings.model_copy(update={"rerank": "model"})
    scout = Scout(dataclasses.replace(services, settings=settings), "tester")
    told: list[str] = []
    assert scout.search(ASKED, notice=told.append)
    assert told == [
        "Papers were not re-ranked: the extractive model judges no order: name a chat model"
    ]


class Encoder:
    def predict(self, pairs: list[tuple[str, str]]) -> list[float]:
        return [float("attention" in text.lower()) for _, text in pairs]


def test_a_cross_encoder_puts_the_hits_in_order(services: Services) -> None:
    settings = services.settings.model_copy(update={"rerank": "cross-encoder:a/model"})
    encoder = CrossEncoder("a/model", lambda name: Encoder())
    own = dataclasses.replace(services, settings=settings, cross_encoder=lambda name: encoder)
    found = search_held(own, "tester", parse_query(ASKED))
    assert ids(found)[0] == "2506.04108" and not found.degraded
    assert search_held(own, "tester", parse_query(SAME)).reused


def test_a_cross_encoder_that_breaks_leaves_the_first_order(services: Services) -> None:
    def broken(name: str) -> Any:
        raise MemoryError("too large")

    settings = services.settings.model_copy(update={"rerank": "cross-encoder"})
    encoder = CrossEncoder("a/model", broken)
    own = dataclasses.replace(services, settings=settings, cross_encoder=lambda name: encoder)
    found = search_held(own, "tester", parse_query(ASKED))
    assert found.hits and "MemoryError: too large" in found.degraded


@pytest.fixture
def arxiv() -> Iterator[Script]:
    with arxiv_server(Reply(feed(entry("2301.00001", "Meson teleportation")))) as script:
        yield script


def online(services: Services, script: Script) -> Services:
    settings = services.settings.model_copy(
        update={"offline": False, "arxiv_url": script.url, "arxiv_interval_s": 0.0}
    )
    return dataclasses.replace(services, settings=settings, arxiv=ArxivClient(settings))


def test_arxiv_is_not_asked_twice_for_the_same(services: Services, arxiv: Script) -> None:
    own = online(services, arxiv)
    bounds: dict[str, Any] = {"filters": PaperFilter(), "max_results": 8}
    papers, new = search_arxiv(own, "tester", ASKED, **bounds)
    assert [paper.arxiv_id for paper in papers] == ["2301.00001"] and new == 1
    again, new = search_arxiv(own, "tester", SAME, **bounds)
    assert again == papers and new is None and len(arxiv.asked) == 1
    search_arxiv(own, "tester", "classical teleportation of mesons", **bounds)
    assert len(arxiv.asked) == 2
    search_arxiv(own, "tester", SAME, filters=PaperFilter(since="2020"), max_results=8)
    assert len(arxiv.asked) == 3


def test_what_arxiv_answered_holds_for_a_day(services: Services, arxiv: Script) -> None:
    own = online(services, arxiv)
    bounds: dict[str, Any] = {"filters": PaperFilter(), "max_results": 8}
    search_arxiv(own, "tester", ASKED, **bounds)
    with own.database.transaction("tester") as conn:
        conn.execute("UPDATE search_cache SET made_at = made_at - interval '25 hours'")
    assert search_arxiv(own, "tester", SAME, **bounds)[1] == 0


def test_no_near_miss_is_a_hit_when_it_is_measured(scout: Scout) -> None:
    pairs = load_pairs(Path(__file__).parents[2] / PAIRS)
    scores = measure(scout, pairs[::12]).to_json()
    assert scores["wrong hits"] == 0 and scores["wrong by cosine alone"] > 0
    assert scores["hit rate"] > 0.2
    forget(scout)
    with scout.database.transaction("tester") as conn:
        assert conn.execute("SELECT count(*) FROM search_cache").fetchone() == (0,)


def test_what_arxiv_gave_in_a_turn_is_found_before_the_answer(
    scripted: Callable[..., tuple[Scout, ScriptedModel]], arxiv: Script
) -> None:
    scout, model = scripted(
        calls(("search_arxiv", {"query": "meson teleportation experiments"})),
        calls(("search_papers", {"query": '"meson teleportation" id:2301.00001 -title:neutral'})),
        calls(("search_papers", {"query": "like:0712.2288"})),
        says("Meson teleportation was shown [arXiv:2301.00001]."),
    )
    own = Scout(online(scout._services, arxiv), "tester")
    answer = own.ask("Who teleported mesons in an experiment?")
    assert [citation.arxiv_id for citation in answer.citations] == ["2301.00001"]
    by_words, by_likeness = (model.read[place][-1].text for place in (2, 3))
    assert "2301.00001" in by_words
    assert "0809.4859" not in by_words
    assert by_likeness.index("2301.00001") >= 0
    assert own.search("meson teleportation")[0].paper.arxiv_id == "2301.00001"


def test_a_model_is_told_why_an_operator_can_not_be_used(
    scripted: Callable[..., tuple[Scout, ScriptedModel]],
) -> None:
    scout, model = scripted(
        calls(("search_papers", {"query": "like:9999.99999"})),
        calls(("search_papers", {"query": "mesons foo:bar"})),
        says("Nothing of that is held."),
    )
    scout.ask("What is like 9999.99999?")
    refused, told = (model.read[place][-1].text for place in (1, 2))
    assert "no arXiv id: there is no month 99" in refused
    assert "0712.2288" in told
    tool = next(each for each in model.told[0] if each["function"]["name"] == "search_papers")
    assert "like:0712.2288" in tool["function"]["description"]


def test_a_turn_tells_of_searches_that_were_not_made_anew(
    scripted: Callable[..., tuple[Scout, ScriptedModel]], services: Services, arxiv: Script
) -> None:
    scout, _ = scripted(
        calls(("search_arxiv", {"query": ASKED})),
        says("Meson teleportation was shown [arXiv:2301.00001]."),
        calls(("search_arxiv", {"query": SAME})),
        says("Meson teleportation was shown [arXiv:2301.00001]."),
    )
    own = Scout(online(scout._services, arxiv), "tester")
    assert "reused_searches" not in own.ask("Who teleported mesons?").usage
    answer = own.ask("Who has teleported mesons?")
    assert answer.usage["reused_searches"] == 1
    assert [citation.arxiv_id for citation in answer.citations] == ["2301.00001"]
    assert len(arxiv.asked) == 1


def test_a_turn_tells_that_papers_were_not_re_ranked(
    scripted: Callable[..., tuple[Scout, ScriptedModel]],
) -> None:
    scout, _ = scripted(
        calls(("search_papers", {"query": ASKED})),
        says("No order."),
        says("It was verified [arXiv:0712.2288]."),
    )
    settings = scout.settings.model_copy(update={"rerank": "model"})
    own = Scout(dataclasses.replace(scout._services, settings=settings), "tester")
    answer = own.ask("Who teleported mesons?")
    assert "papers were not re-ranked: the model gave no order of them" in answer.degraded
    assert answer.usage["model_calls"] == 3
