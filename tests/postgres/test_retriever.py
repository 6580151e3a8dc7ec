"""LangChain's standard suite on the retriever, and what its documents carry."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.retrievers import BaseRetriever
from langchain_tests.integration_tests import RetrieversIntegrationTests

from arxivscout.embedding import Embedder
from arxivscout.ingest import ingest_papers
from arxivscout.memory.paper_filter import PaperFilter
from arxivscout.memory.paper_search import find_papers
from arxivscout.memory.postgres import Database
from arxivscout.papers import Paper, PaperHit, parse_query
from arxivscout.retriever import ScoutRetriever

PAPERS = tuple(
    Paper(
        arxiv_id=f"0712.000{n}",
        title=f"Neutral {name}",
        abstract=f"We measure how neutral {name} decay.",
        authors=("Ada Byron",),
        categories=("hep-ph",),
        published=f"200{n}-12-01",
    )
    for n, name in enumerate(("mesons", "kaons", "pions", "atoms", "currents"), 1)
)


class Searching:
    """The search of a scout, with nothing else of one."""

    def __init__(self, database: Database, embedder: Embedder) -> None:
        self._database, self._embedder = database, embedder

    def __call__(
        self, query: str, *, k: int, diverse: float | bool, **bounds: Any
    ) -> list[PaperHit]:
        return find_papers(
            self._database,
            self._embedder,
            parse_query(query),
            filters=PaperFilter(**bounds),
            k=k,
            diverse=diverse,
        )


@pytest.fixture
def searching(database: Database, embedder: Embedder) -> Searching:
    ingest_papers(database, embedder, PAPERS)
    return Searching(database, embedder)


class TestStandard(RetrieversIntegrationTests):
    @pytest.fixture(autouse=True)
    def held(self, searching: Searching) -> None:
        self.search = searching

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return ScoutRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"search": self.search}

    @property
    def retriever_query_example(self) -> str:
        return "decays of neutral mesons"


def test_a_document_is_a_paper_with_its_facts(searching: Searching) -> None:
    (document,) = ScoutRetriever(search=searching, k=1).invoke("neutral kaons")
    assert document.id == document.metadata["arxiv_id"] == "0712.0002"
    assert document.page_content == "Neutral kaons\n\nWe measure how neutral kaons decay."
    assert document.metadata["authors"] == ["Ada Byron"]
    assert document.metadata["source"] == "https://arxiv.org/abs/0712.0002"
    assert 0 < document.metadata["score"] <= 1


def test_its_bounds_hold(searching: Searching) -> None:
    bounded = ScoutRetriever(search=searching, since="2003", until="2004")
    assert {each.id for each in bounded.invoke("neutral mesons")} == {"0712.0003", "0712.0004"}
