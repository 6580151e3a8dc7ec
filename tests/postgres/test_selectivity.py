"""A filter never makes a search return fewer papers than pass it, nor others than the nearest:
against an exact search over 20,000, where 1 in 1,000, in 100, in 10 and in 2 pass."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from arxivscout.embedding import EmbeddingIdentity
from arxivscout.memory import vector_columns
from arxivscout.memory.paper_filter import PaperFilter
from arxivscout.memory.postgres import Database
from arxivscout.memory.retrieval import SETTINGS, hits_from_rows, search_papers, search_statement
from arxivscout.memory.search_statement import EXACT_UP_TO

ROWS, DIMENSION, K = 20_000, 8, 10
SHARES = {"a.THOUSANDTH": 1000, "a.HUNDREDTH": 100, "a.TENTH": 10, "a.HALF": 2}
QUESTIONS = 12

_COPY = """
COPY semantic_memory (arxiv_id, content, embedding, content_tsv, category_keys, submission_date)
FROM STDIN
"""


@pytest.fixture
def points() -> np.ndarray:
    chance = np.random.default_rng(5)
    points = chance.normal(size=(ROWS, DIMENSION))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


@pytest.fixture
def database(make_database: Callable[..., Database], points: np.ndarray) -> Database:
    identity = EmbeddingIdentity(name="small", dimension=DIMENSION, fingerprint="small")
    database = make_database(identity)
    with database.admin() as conn:
        vector_columns.drop_vector_indexes(conn)
        with conn.cursor().copy(_COPY) as copy:
            for place, point in enumerate(points):
                categories = [name for name, every in SHARES.items() if place % every == 0]
                reached = place % 2 == 0 or place % 3 == 0
                categories += [] if reached else ["a.BEYOND"]
                copy.write_row(
                    (
                        arxiv_id(place),
                        f"Paper {place}",
                        str(point.round(6).tolist()) if reached else None,
                        f"'common':1A 'word{place % 50}':2B",
                        categories,
                        "2024-01-01",
                    )
                )
        vector_columns.build_vector_indexes(conn)
    with database.admin() as conn:
        conn.execute("ANALYZE semantic_memory")
    return database


def arxiv_id(place: int) -> str:
    return f"2401.{place + 1:05d}"


def test_counts_and_recall_are_those_of_an_exact_search(
    database: Database, points: np.ndarray
) -> None:
    chance = np.random.default_rng(6)
    for category, every in SHARES.items():
        passing = np.arange(0, ROWS, every)
        shares = {"as it decides": [], "by the index": []}
        for asked in chance.normal(size=(QUESTIONS, DIMENSION)):
            vector = (asked / np.linalg.norm(asked)).tolist()
            nearest = passing[np.argsort(-(points[passing] @ vector))][:K]
            query, parameters = search_statement(
                text="", vector=vector, filters=PaperFilter(category=category), k=K
            )
            for way, up_to in (("as it decides", parameters["exact_up_to"]), ("by the index", -1)):
                with database.shared() as conn:
                    conn.execute(SETTINGS)
                    rows = conn.execute(query, {**parameters, "exact_up_to": up_to}).fetchall()
                found = {hit.paper.arxiv_id for hit in hits_from_rows(rows)[:K]}
                assert len(found) == min(K, len(passing)), (category, way)
                shares[way].append(len(found & set(map(arxiv_id, nearest))) / len(nearest))
        assert np.mean(shares["as it decides"]) >= (1 if every > 2 else 0.98), category
        assert np.mean(shares["by the index"]) >= 0.95, category
    counts_are_those_of_what_passes(database)
    what_the_index_never_meets_is_found(database)


def counts_are_those_of_what_passes(database: Database) -> None:
    vector = np.ones(DIMENSION).tolist()
    for text in ("", "common", "word7 common", "unheard"):
        for k in (1, 60):
            for category, every in SHARES.items():
                with database.shared() as conn:
                    hits = search_papers(
                        conn, text=text, vector=vector, filters=PaperFilter(category=category), k=k
                    )
                assert len(hits) == min(k, ROWS // every), (category, text)


def what_the_index_never_meets_is_found(database: Database) -> None:
    """As where millions are held, and it gives up before: here by papers without vectors."""
    assert sum(place % 2 > 0 and place % 3 > 0 for place in range(ROWS)) > EXACT_UP_TO
    for beyond in (
        PaperFilter(category="a.BEYOND"),
        PaperFilter(category="a.BEYOND", since="2024", without=("word7",)),
    ):
        with database.shared() as conn:
            hits = search_papers(
                conn, text="", vector=np.ones(DIMENSION).tolist(), filters=beyond, k=30
            )
        assert len(hits) == 30
