"""Embedding on a real Ray cluster of this machine; not part of a run where Ray isn't installed."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from arxivscout.embedding import Embedder, load_embedder
from arxivscout.embedding.on_ray import PIECE, OnRay, at_work
from arxivscout.embedding.static import IDENTITY
from arxivscout.errors import ConfigurationError, ModelError
from arxivscout.ingest import ingest_papers
from arxivscout.memory.postgres import Database
from arxivscout.papers import Paper
from arxivscout.settings import Settings

# Ray's own warnings, of sockets and files that it leaves to its processes.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def here() -> Settings:
    return Settings(home=Path("/nonexistent"), user="tester")


@pytest.fixture(scope="module")
def on_ray(here: Settings, embedder: Embedder) -> Iterator[OnRay]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with at_work("ray", embedder, here) as workers:
            assert isinstance(workers, OnRay)
            yield workers


def test_it_gives_the_vectors_of_the_embedder_in_order(on_ray: OnRay, embedder: Embedder) -> None:
    texts = [f"{i} mesons decay " * (1 + i % 5) for i in range(2 * PIECE + 3)]
    assert on_ray.identity == embedder.identity
    assert on_ray.at_a_time >= 2 * PIECE
    assert np.array_equal(on_ray.embed_array(texts), embedder.embed_array(texts))
    assert on_ray.embed_array([]).shape == (0, 384)
    assert on_ray.embed_query("boson") == embedder.embed_query("boson")


def test_papers_are_ingested_by_it(on_ray: OnRay, database: Database) -> None:
    papers = [
        Paper(arxiv_id=f"2401.{i:05d}", title=f"Paper {i}", abstract=f"About {i}.")
        for i in range(1, 301)
    ]
    report = ingest_papers(database, on_ray, papers)
    assert (report.new, report.read) == (300, 300)
    assert ingest_papers(database, on_ray, papers).unchanged == 300


def test_workers_that_embed_otherwise_are_refused(on_ray: OnRay, here: Settings) -> None:
    static = here.model_copy(update={"embedding": "static"})
    with pytest.raises(ConfigurationError, match="embeds with other weights"):
        OnRay(on_ray._ray, on_ray._embedder, static)
    assert OnRay(on_ray._ray, load_embedder(static), static).identity == IDENTITY


def test_what_fails_in_a_worker_is_told_in_one_line(on_ray: OnRay, here: Settings) -> None:
    lost = here.model_copy(update={"embedding_dir": Path("/nonexistent")})
    with pytest.raises(ModelError, match=r"can't embed \(.*can't be read: No such file"):
        OnRay(on_ray._ray, on_ray._embedder, lost).embed_array(["a"])
