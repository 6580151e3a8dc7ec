"""The bench of retrieval over papers held: each is asked for by what a person may remember."""

from __future__ import annotations

from dataclasses import replace

from arxivscout.bench.collections import Asked, Collection
from arxivscout.bench.retrieval import LEGS, Searches
from arxivscout.embedding import Embedder
from arxivscout.ingest import ingest_papers
from arxivscout.memory.postgres import Database
from arxivscout.papers import Paper

NAMES = "axion photon graviton lepton boson quark gluon muon".split()
AUTHORS = "Anna Abel,Berta Bose,Carla Curie,Dora Dirac,Elsa Euler,Fanny Fermi".split(",")


def papers() -> list[Paper]:
    """Each word stands in several abstracts, three of them together in one alone."""
    return [
        Paper(
            arxiv_id=f"24{n + 1:02d}.00001",
            title=f"Observation of {NAMES[n]} decay in cold {NAMES[n + 2]} matter",
            abstract=f"{NAMES[n]} {NAMES[n + 1]} {NAMES[n + 2]}.",
            authors=(AUTHORS[n],),
            published=f"20{n + 10}-05-01",
        )
        for n in range(6)
    ]


def test_papers_are_found_by_what_is_known_of_them(database: Database, embedder: Embedder) -> None:
    ingest_papers(database, embedder, papers())
    found = Searches(database, embedder).known_items(6)
    assert found["title"] == found["author and year"] == 1
    # the titles and abstracts of neighbours share two words of three
    assert found["half the title"] >= 0.5
    assert found["three rare words"] >= 0.5


def test_what_is_not_held_is_found_by_nothing(database: Database, embedder: Embedder) -> None:
    assert Searches(database, embedder).known_items(6) == {}


def test_questions_for_papers_like_one_are_asked_with_and_without_it(
    database: Database, embedder: Embedder
) -> None:
    held = papers()
    ingest_papers(database, embedder, held)
    first, second = held[0].arxiv_id, held[1].arxiv_id
    asked = Asked("decay in cold matter", {second: 1.0}, like=(first,), without=(first,))
    searches = Searches(database, embedder)
    for each in (asked, replace(asked, like=())):
        hits, _ = searches.search(each)
        assert {hit.paper.arxiv_id for hit in hits} == {paper.arxiv_id for paper in held[1:]}
    told = [each.name for each in searches.scores(Collection("of mesons", held, [asked]))]
    assert told == [*LEGS, *(f"{leg}, no paper named" for leg in LEGS)]
    plain = Collection("of mesons", held, [Asked("photons", {second: 1.0})])
    assert [each.name for each in searches.scores(plain)] == list(LEGS)
