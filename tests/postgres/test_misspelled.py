"""Misspelled titles and names find what is meant, and it is said; nothing else is changed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arxivscout.embedding import Embedder
from arxivscout.ingest import ingest_papers
from arxivscout.memory.paper_filter import PaperFilter
from arxivscout.memory.paper_search import find_papers
from arxivscout.memory.postgres import Database
from arxivscout.memory.spelling import has_trigrams, meant
from arxivscout.papers import Paper, PaperHit

PAPERS = [
    Paper(
        arxiv_id="1706.03762", title="Attention Is All You Need",
        abstract="The Transformer, a network based on attention alone, translates languages.",
        authors=("Ashish Vaswani",), categories=("cs.CL",), published="2017-06-12",
    ),
    Paper(
        arxiv_id="1404.7828", title="Deep Learning in Neural Networks: An Overview",
        abstract="Deep networks have won contests in recognition.",
        authors=("Jürgen Schmidhuber",), categories=("cs.NE",), published="2014-04-30",
    ),
    Paper(
        arxiv_id="quant-ph/9904051", title="Teleportation of photons",
        abstract="A quantum state of light is teleported between two laboratories.",
        authors=("Anton Zeilinger", "Erwin Schrödinger"), categories=("quant-ph",),
        published="1999-04",
    ),
]  # fmt: skip
ATTENTION, DEEP, PHOTONS = (paper.arxiv_id for paper in PAPERS)
Find = Callable[..., list[PaperHit]]


@pytest.fixture
def find(database: Database, embedder: Embedder) -> Find:
    ingest_papers(database, embedder, PAPERS)
    return lambda query, **more: find_papers(database, embedder, query, **more)


@pytest.mark.parametrize(
    ("query", "first", "mended"),
    [
        ("atention is all you need", ATTENTION, {"atention": "attention"}),
        ("Teleportaton of fotons", PHOTONS, {"Teleportaton": "teleportation"}),
        ("Schmidhubr deep learning", DEEP, {"Schmidhubr": "schmidhuber"}),
        ("schmidhubr deep learning", DEEP, {"schmidhubr": "schmidhuber"}),
        ("what has Schmidhubr to say of recognition?", DEEP, {"Schmidhubr": "schmidhuber"}),
        ("author:Schmidhubr", DEEP, {"Schmidhubr": "schmidhuber"}),
        ("author:Schroedingr photons", PHOTONS, {"Schroedingr": "schrodinger"}),
        ("author:Schrodingr", PHOTONS, {"Schrodingr": "schrodinger"}),
        ("title:atention", ATTENTION, {"atention": "attention"}),
        ('title:"neurel networks" deep', DEEP, {"neurel": "neural"}),
    ],
)
def test_what_is_meant_is_found_and_told(
    find: Find, query: str, first: str, mended: dict[str, str]
) -> None:
    hits = find(query)
    assert hits[0].paper.arxiv_id == first
    assert dict(hits[0].mended) == mended


@pytest.mark.parametrize(
    "query",
    [
        "attention is all you need",
        "Vaswani",  # a name, in no text
        "teleportieren",  # too far
        "author:vaswani",
        "zorblaxian networks",
        "which networks are there for a vaswanu in the kitchen?",  # no name within a question
        "1706.03762",
        "che cosa si sa del teletrasporto quantistico?",
        "networks -atention",
        "",
        "GPT-77b",
    ],
)
def test_what_is_spelled_right_or_unheard_of_stays(find: Find, query: str) -> None:
    assert all(hit.mended == () for hit in find(query))


def test_an_umlaut_that_is_written_as_two_letters_is_no_slip(find: Find) -> None:
    (hit,) = find("author:Schroedinger photons")
    assert (hit.paper.arxiv_id, hit.mended) == (PHOTONS, ())


def test_a_bound_of_the_call_is_mended_too(find: Find) -> None:
    hits = find("networks", filters=PaperFilter(author="Schmidhubr"))
    assert [hit.paper.arxiv_id for hit in hits] == [DEEP]


def test_a_search_that_finds_nothing_still_finds_nothing(find: Find) -> None:
    assert find("author:Nobody") == []
    assert find("photons cat:math") == []


def test_without_trigrams_nothing_is_mended(find: Find, database: Database) -> None:
    with database.admin() as conn:
        conn.execute("DROP EXTENSION pg_trgm CASCADE")
    with database.shared() as conn:
        assert not has_trigrams(conn)
        assert meant(conn, "atention") == {}
    assert find("atention is all you need")[0].mended == ()
