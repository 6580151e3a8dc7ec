"""Queries as people write them, over stored papers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arxivscout.embedding import Embedder
from arxivscout.ingest import ingest_papers
from arxivscout.memory.fit import fits
from arxivscout.memory.paper_filter import PaperFilter
from arxivscout.memory.postgres import Database
from arxivscout.memory.retrieval import search_papers
from arxivscout.papers import Paper, parse_query

PAPERS = [
    Paper(
        arxiv_id="1905.00001", title="Dark matter halos of dwarf galaxies",
        abstract="We weigh the halos of small galaxies by their stars.",
        authors=("Anna Müller", "Yu Shi"), categories=("astro-ph.GA",), published="2019-05-02",
    ),
    Paper(
        arxiv_id="2101.00002", title="Simulation of galaxy clusters",
        abstract="A simulation in which dark matter and gas fall together in halos.",
        authors=("Anna Muller",), categories=("astro-ph.CO", "physics.comp-ph"),
        published="2021-01-05", doi="10.1000/Clusters.7",
    ),
    Paper(
        arxiv_id="2306.00003", title="A matter of taste: cooking with machine learning",
        abstract="Recipes in the dark kitchen are ranked by learned taste.",
        authors=("Berta van der Berg", "An.A.Ovchinnikov"), categories=("cs.LG",),
        published="2023-06-30",
    ),
    Paper(
        arxiv_id="hep-th/9901001", title="Strings and halos",
        abstract="String theory near black holes with halos of charge.",
        authors=("Carl Shi", "김철수"), categories=("hep-th",), published="1999-01",
    ),
]  # fmt: skip
HALOS, CLUSTERS, COOKING, STRINGS = (paper.arxiv_id for paper in PAPERS)
Found = Callable[..., list[str]]


@pytest.fixture
def found(database: Database, embedder: Embedder) -> Found:
    ingest_papers(database, embedder, PAPERS)

    def find(query: str, filters: PaperFilter = PaperFilter()) -> list[str]:  # noqa: B008
        asked = parse_query(query)
        vector = embedder.embed_query(asked.text) if asked.text else None
        with database.shared() as conn:
            hits = search_papers(
                conn,
                text=asked.text,
                vector=vector,
                filters=filters.narrowed(asked),
                phrases=asked.phrases,
            )
        return [hit.paper.arxiv_id for hit in hits]

    return find


@pytest.mark.parametrize(
    ("query", "papers"),
    [
        ("galaxies author:müller", {HALOS, CLUSTERS}),
        ("galaxies author:Mueller", {HALOS, CLUSTERS}),
        ('author:"Anna Shi"', set()),  # of two authors
        ('author:"A. Muller"', {HALOS, CLUSTERS}),
        ('author:"Shi, Y."', {HALOS}),
        ("author:O'Shi", set()),
        ("author:ovchinnikov", {COOKING}),
        ("author:김철수", {STRINGS}),
        ('author:"A.A. Ovchinnikov"', {COOKING}),
        ("halos author:shi -author:müller", {STRINGS}),
        ('halos -author:"Anna Muller" -au:"Carl Shi"', {COOKING}),
        ('galaxies -author:"Anna Shi"', {HALOS, CLUSTERS, COOKING, STRINGS}),
        ("halos -title:halos", {CLUSTERS, COOKING}),
        ('halos -title:"dark matter" -cat:cs.*', {CLUSTERS, STRINGS}),
        ("halos -cat:astro-ph -cat:hep-th", {COOKING}),
        ("-id:2101.00002 -id:hep-th/9901001", {HALOS, COOKING}),
        ("-cat:cs.LG author:shi AND title:halos", {HALOS, STRINGS}),
        ("galaxies author:muller author:shi", {HALOS}),
        ('au:"van der Berg" taste', {COOKING}),
        ("title:halos galaxies", {HALOS, STRINGS}),
        ('title:"dark matter" galaxies', {HALOS}),
        ("title:the galaxies", {HALOS, CLUSTERS, COOKING, STRINGS}),
        ("galaxies cat:astro-ph.*", {HALOS, CLUSTERS}),
        ("galaxies cat:ASTRO-PH.ga", {HALOS}),
        ("galaxies cat:astro-ph cat:physics", {CLUSTERS}),
        ("galaxies year:2019..2021", {HALOS, CLUSTERS}),
        ("galaxies since:2023-06", {COOKING}),
        ("galaxies until:1999-01", {STRINGS}),
        ("halos -strings", {HALOS, CLUSTERS, COOKING}),
        ('halos -"dark matter" -recipes', {STRINGS}),
        ("galaxies id:2101.00002v3", {CLUSTERS}),
    ],
)
def test_operators_narrow(found: Found, query: str, papers: set[str]) -> None:
    assert set(found(query)) == papers


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ('halos "black holes"', STRINGS),
        ('"fall together in halos" galaxies', CLUSTERS),
        ("doi:10.1000/clusters.7", CLUSTERS),
        ("see https://doi.org/10.1000/CLUSTERS.7.", CLUSTERS),
        ("Yu Shi", HALOS),
        ("Shi 1999", STRINGS),
        ("Shi, 1999", STRINGS),
        ("Carl Shi", STRINGS),
        ("Y. Shi", HALOS),
        ("C. Shi 1999", STRINGS),
        ("van der Berg", COOKING),
        ("what of 2306.00003?", COOKING),
        ("was hat Berta van der Berg über Galaxien geschrieben?", COOKING),
        ("articoli di Carl Shi sulle galassie", STRINGS),
        ("dark matter halos of Y. Shi", HALOS),
    ],
)
def test_what_is_named_comes_first(found: Found, query: str, first: str) -> None:
    assert found(query)[0] == first


def test_an_author_named_beside_other_words_is_no_answer_to_them(
    database: Database, embedder: Embedder, found: Found
) -> None:
    asked = "What does Carl Shi say about penguins?"
    assert found(asked)[0] == STRINGS
    with database.shared() as conn:
        hits = search_papers(conn, text=asked, vector=embedder.embed_query(asked))
    assert hits[0].exact == "author named"
    assert not fits(hits)


def test_operators_alone_list_the_newest_first(found: Found) -> None:
    assert found("cat:astro-ph.*") == [CLUSTERS, HALOS]
    assert found("author:shi") == [HALOS, STRINGS]


def test_an_author_without_letters_is_nobody(found: Found) -> None:
    assert found("galaxies", PaperFilter(author="!")) == []


def test_operators_and_given_bounds_hold_together(found: Found) -> None:
    bounds = PaperFilter(category="astro-ph", since="2019", until="2020-12-31")
    assert found("galaxies since:2000 until:2022", bounds) == [HALOS]
    assert found("galaxies cat:cs.LG", bounds) == []


def test_a_phrase_that_stands_nowhere_hides_nothing(found: Found) -> None:
    assert set(found('halos "zero point energy"')) == {HALOS, CLUSTERS, COOKING, STRINGS}
