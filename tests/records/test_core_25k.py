"""The 25,314 real records: all are taken, none twice, and the right ones are found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from embedders import Instant, drawn

from arxivscout.embedding import Embedder, EmbeddingIdentity
from arxivscout.ingest import ingest_papers
from arxivscout.memory import vector_columns
from arxivscout.memory.knowledge import paper_count
from arxivscout.memory.paper_filter import FILTER, PaperFilter
from arxivscout.memory.paper_filter import bounds as filter_bounds
from arxivscout.memory.postgres import Database
from arxivscout.memory.retrieval import search_papers
from arxivscout.papers import Paper
from arxivscout.sources.files import read_papers

pytestmark = pytest.mark.records
_EXACT = """
SELECT arxiv_id FROM semantic_memory WHERE {filter}
ORDER BY (embedding <=> %(vector)s::vector) + 0 LIMIT 10
"""
EVERY = 80
MOST_ODD = 160


@pytest.fixture
def core(data_dir: Path) -> Path:
    return data_dir / "arxiv_meta/core_25k.jsonl.gz"


@pytest.mark.timeout(600)
def test_all_are_taken_and_a_second_run_finds_all_unchanged(
    database: Database, identity: EmbeddingIdentity, core: Path
) -> None:
    with database.admin() as admin:  # random vectors in an index would only cost time
        vector_columns.drop_vector_indexes(admin)
    first = ingest_papers(database, Instant(identity, drawn), read_papers(core))
    assert (first.read, first.new, first.skipped) == (25_314, 25_314, [])
    with database.shared() as conn:
        assert paper_count(conn) == 25_314
    second = ingest_papers(database, Instant(identity, drawn), read_papers(core))
    assert (second.read, second.unchanged) == (25_314, 25_314)


class Flat:
    """Vectors of a plane of 12 dimensions, where neighbours mean something; each another."""

    def __init__(self) -> None:
        self.chance = np.random.default_rng(1)
        self.plane = self.chance.normal(size=(12, 384))

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        points = self.chance.normal(size=(len(texts), 12)) @ self.plane
        return (points / np.linalg.norm(points, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.timeout(900)
def test_filters_leave_out_nothing_that_passes(
    database: Database, identity: EmbeddingIdentity, core: Path
) -> None:
    """Bounds that 1 in 1,000 to 1 in 2 of the real records pass, against a look at each of them."""
    embedder = Instant(identity, Flat())
    ingest_papers(database, embedder, read_papers(core))
    bounds = [PaperFilter(category=name) for name in ("cs", "hep-th", "quant-ph", "math.AG")]
    bounds += [
        PaperFilter(category="nucl-ex"),
        PaperFilter(category="q-fin"),
        PaperFilter(category="econ"),
    ]
    bounds += [PaperFilter(since=day) for day in ("2000", "2010", "2018", "2020")]
    bounds += [PaperFilter(since="2009-03", until="2009-03"), PaperFilter(author="Wang")]
    recalled = []
    for filters in bounds:
        exact = _EXACT.format(filter=FILTER)
        given = str(embedder.embed_array(["asked"])[0].tolist())
        with database.shared() as conn:
            nearest = conn.execute(exact, {**filter_bounds(filters), "vector": given}).fetchall()
            hits = search_papers(conn, text="", vector=given, filters=filters, k=10)
        assert len(hits) == len(nearest), filters
        found = {hit.paper.arxiv_id for hit in hits}
        recalled.append(len(found & {row[0] for row in nearest}) / max(1, len(nearest)))
    assert np.mean(recalled) >= 0.9


def _is_odd(paper: Paper) -> bool:
    return (
        paper.withdrawn
        or len(paper.authors) > 100
        or not paper.title.isascii()
        or "/" in paper.arxiv_id
        or paper.title.count("$") > 4
    )


@pytest.mark.timeout(600)
def test_real_papers_with_real_vectors_are_found(
    database: Database, embedder: Embedder, core: Path
) -> None:
    records = [record for record in read_papers(core) if isinstance(record, Paper)]
    odd = [paper for paper in records if _is_odd(paper)]
    odd = odd[:: max(1, len(odd) // MOST_ODD)]
    sample = list({paper.arxiv_id: paper for paper in [*records[::EVERY], *odd]}.values())
    assert "0712.2288" in {paper.arxiv_id for paper in sample}
    report = ingest_papers(database, embedder, sample)
    assert (report.new, report.skipped) == (len(sample), [])

    def search(text: str, filters: PaperFilter) -> list[str]:
        with database.shared() as conn:
            vector = embedder.embed_query(text)
            hits = search_papers(conn, text=text, vector=vector, filters=filters, k=10)
        return [hit.paper.arxiv_id for hit in hits]

    everything = PaperFilter()
    asked = "What is known about quantum teleportation of neutral mesons?"
    assert "0712.2288" in search(asked, everything)[:3]
    known = sample[::5]
    by_title = [search(p.title, everything)[0] == p.arxiv_id for p in known]
    assert sum(by_title) >= 0.97 * len(known)
    by_half = [search(_half(p.title), everything)[:5].count(p.arxiv_id) for p in known]
    assert sum(by_half) >= 0.9 * len(known)
    for paper in [paper for paper in known if paper.authors][:20]:
        only = PaperFilter(author=paper.authors[-1], category=paper.categories[0])
        assert paper.arxiv_id in search("", only)


def _half(title: str) -> str:
    words = title.split()
    return " ".join(words[: max(4, len(words) // 2)])
