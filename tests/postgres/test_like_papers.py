"""`like:` finds papers like one that is held, and words beside it say in what."""

from __future__ import annotations

import pytest

from arxivscout.embedding import Embedder
from arxivscout.errors import NotFound
from arxivscout.ingest import ingest_papers
from arxivscout.memory.paper_search import find_papers
from arxivscout.memory.postgres import Database
from arxivscout.papers import Paper

PAPERS = [
    Paper(
        arxiv_id="2001.00001", title="Clouds on hot Jupiters seen by infrared telescopes",
        abstract="We observe clouds of giant planets close to their stars with infrared "
        "telescopes, and fit the spectra by Bayesian retrieval.",
    ),
    Paper(
        arxiv_id="2001.00002", title="Weather of giant planets near their stars",
        abstract="Winds and clouds of hot Jupiters are simulated on a sphere.",
    ),
    Paper(
        arxiv_id="2001.00003", title="Bayesian retrieval of spectra with nested sampling",
        abstract="A sampler that fits spectra, tested on laboratory gases and on planets.",
    ),
    Paper(
        arxiv_id="2001.00004", title="A bound on prime gaps",
        abstract="We bound the gaps between primes by sieves.",
    ),
]  # fmt: skip
ASKED, WEATHER, SAMPLER, PRIMES = (paper.arxiv_id for paper in PAPERS)


@pytest.fixture
def held(database: Database, embedder: Embedder) -> Database:
    ingest_papers(database, embedder, PAPERS)
    return database


def found(database: Database, embedder: Embedder, query: str) -> list[str]:
    return [hit.paper.arxiv_id for hit in find_papers(database, embedder, query)]


def test_a_paper_finds_others_like_it_and_not_itself(held: Database, embedder: Embedder) -> None:
    assert found(held, embedder, f"like:{ASKED}v2") == [WEATHER, SAMPLER, PRIMES]


def test_words_say_in_what_others_are_to_be_like(held: Database, embedder: Embedder) -> None:
    query = f"like:{ASKED} fitting spectra with samplers"
    assert found(held, embedder, query)[0] == SAMPLER


def test_words_beside_a_paper_name_no_title(held: Database, embedder: Embedder) -> None:
    (named, *_) = find_papers(held, embedder, "Weather of giant planets")
    assert (named.paper.arxiv_id, named.exact) == (WEATHER, "part of the title")
    hits = find_papers(held, embedder, f"like:{SAMPLER} Weather of giant planets")
    assert {hit.exact for hit in hits} == {None}


def test_bounds_hold_beside_it(held: Database, embedder: Embedder) -> None:
    assert found(held, embedder, f"like:{ASKED} -winds") == [SAMPLER, PRIMES]


def test_misspelled_words_are_mended_beside_it(held: Database, embedder: Embedder) -> None:
    (first, *_) = find_papers(held, embedder, f"like:{ASKED} retreival of spectra")
    assert first.paper.arxiv_id == SAMPLER and first.mended == (("retreival", "retrieval"),)


def test_a_paper_that_is_not_held_is_named(held: Database, embedder: Embedder) -> None:
    with pytest.raises(NotFound, match=r"2301\.00001 is not held.*--ids 2301\.00001"):
        find_papers(held, embedder, f"like:{ASKED} like:2301.00001")
