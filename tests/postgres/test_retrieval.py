"""Hybrid search on a real server: the right paper first, filters that lose nothing, any text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from arxivscout.embedding import Embedder
from arxivscout.ingest import ingest_papers
from arxivscout.memory.knowledge import merge_papers
from arxivscout.memory.paper_filter import PaperFilter
from arxivscout.memory.postgres import Database
from arxivscout.memory.retrieval import (
    SETTINGS,
    hits_from_rows,
    search_papers,
    search_statement,
)
from arxivscout.papers import Paper, PaperHit

Search = Callable[..., list[PaperHit]]


def paper(arxiv_id: str, title: str, abstract: str, **fields: object) -> Paper:
    return Paper(arxiv_id=arxiv_id, title=title, abstract=abstract, **fields)  # type: ignore[arg-type]


PAPERS = [
    paper(
        "0712.2288", "CP Measurement in Quantum Teleportation of Neutral Mesons",
        "Teleportation using neutral pseudoscalar mesons shows novel connections between particle "
        "physics and quantum information.",
        authors=("Yu Shi",), categories=("quant-ph", "hep-ph"), published="2007-12-14",
    ),
    paper(
        "quant-ph/9904051", "Teleportation of photons",
        "A quantum state of light is teleported between two laboratories.",
        authors=("Anton Zeilinger", "Erwin Schrödinger"), categories=("quant-ph",),
        published="1999-04",
    ),
    paper(
        "1706.03762", "Attention Is All You Need",
        "The Transformer, a network based on attention alone, translates languages.",
        authors=("Ashish Vaswani",), categories=("cs.CL", "cs.LG"), published="2017-06-12",
    ),
    paper(
        "1902.01046", "Training networks on many phones",
        "Deep networks are trained where the data is, on telephones.",
        authors=("Jan Nørgård",), categories=("cs.LG", "stat.ML"), published="2019-02-04",
    ),
    paper(
        "0901.0001", "Teleportation of neutral mesons through walls",
        "We teleport neutral mesons through a wall. This paper has been withdrawn by its author "
        "because of an error in the measurement.",
        authors=("Nobody Known",), categories=("quant-ph",), published="2009-01-02",
        withdrawn=True,
    ),
    paper(
        "math/0211159", "The entropy formula for the Ricci flow",
        "A monotonic expression for the Ricci flow is presented.",
        authors=("Grisha Perelman",), categories=("math.DG",), published="2002-11-11",
    ),
]  # fmt: skip


@pytest.fixture
def search(database: Database, embedder: Embedder) -> Search:
    ingest_papers(database, embedder, PAPERS)

    def ask(
        text: str, k: int = 10, phrases: tuple[str, ...] = (), **filters: object
    ) -> list[PaperHit]:
        with database.shared() as conn:
            return search_papers(
                conn,
                text=text,
                vector=embedder.embed_query(text),
                filters=PaperFilter(**filters),  # type: ignore[arg-type]
                phrases=phrases,
                k=k,
            )

    return ask


def ids(hits: list[PaperHit]) -> list[str]:
    return [hit.paper.arxiv_id for hit in hits]


def test_the_right_paper_comes_first(search: Search) -> None:
    for text, expected in {
        "What is known about quantum teleportation of neutral mesons?": "0712.2288",
        "networks that translate between languages": "1706.03762",
        "federated learning on mobile devices": "1902.01046",
        "who proved something about Ricci flow": "math/0211159",
        "attention is all you need": "1706.03762",
        "Have you read “Attention Is All You Need”?": "1706.03762",
        "arXiv:quant-ph/9904051v2, please": "quant-ph/9904051",
        "https://arxiv.org/abs/1902.01046": "1902.01046",
    }.items():
        assert ids(search(text))[0] == expected, text


def test_a_hit_says_why_it_is_there(search: Search) -> None:
    (first, *others) = search("the entropy formula for the ricci flow")
    assert first.paper == PAPERS[5].cleaned()
    assert first.score == 1 and first.legs["exact"] == 1
    assert 0 < first.legs["lexical"] <= 1 and 0 < first.legs["vector"] <= 1
    assert all(0 <= hit.score < 1 for hit in others)
    assert [hit.score for hit in others] == sorted((h.score for h in others), reverse=True)


def test_a_withdrawn_paper_sinks_and_says_so(search: Search) -> None:
    hits = search("teleportation of neutral mesons")
    assert ids(hits).index("0712.2288") < ids(hits).index("0901.0001")
    assert [hit.paper.arxiv_id for hit in hits if hit.paper.withdrawn] == ["0901.0001"]
    assert ids(search("CP measurement", phrases=("neutral mesons",)))[0] == "0712.2288"
    assert "0901.0001" not in ids(search("teleportation", exclude_withdrawn=True))
    assert ids(search("0901.0001"))[0] == "0901.0001"


FILTERED: list[tuple[dict[str, Any], set[str]]] = [
    ({"category": "cs"}, {"1706.03762", "1902.01046"}),
    ({"category": "cs.*"}, {"1706.03762", "1902.01046"}),
    ({"category": "cs.CL"}, {"1706.03762"}),
    ({"category": "hep-ph"}, {"0712.2288"}),
    ({"category": "c"}, set()),
    ({"since": "2009"}, {"0901.0001", "1706.03762", "1902.01046"}),
    ({"since": "2017-06-13"}, {"1902.01046"}),
    ({"since": "2017-06-12", "until": "2017-06-12"}, {"1706.03762"}),
    ({"until": "2002"}, {"quant-ph/9904051", "math/0211159"}),
    ({"until": "2002-11"}, {"quant-ph/9904051", "math/0211159"}),
    ({"until": "2002-11-10"}, {"quant-ph/9904051"}),
    ({"since": "1999-04-20", "until": "1999-12-31"}, {"quant-ph/9904051"}),  # day not known
    ({"author": "schrodinger"}, {"quant-ph/9904051"}),
    ({"author": "Erwin SCHRÖDINGER"}, {"quant-ph/9904051"}),
    ({"author": "Norgard"}, {"1902.01046"}),
    ({"author": "Erwin Shi"}, set()),
    ({"author": "Yu", "category": "quant-ph", "since": "2007"}, {"0712.2288"}),
    (
        {"category": "quant-ph", "exclude_ids": ("0712.2288",)},
        {"quant-ph/9904051", "0901.0001"},
    ),
    ({"author": "'; DROP TABLE semantic_memory; --"}, set()),
    ({"since": "yesterday"}, set()),
]


def test_filters(search: Search) -> None:
    for filters, expected in FILTERED:
        for text in ("teleportation", "0712.2288 attention is all you need"):
            assert set(ids(search(text, **filters))) == expected, filters


ODD_TEXTS = [
    "",
    " \n\t",
    "the of and",
    "?!",
    "' OR 1=1; DROP TABLE semantic_memory; --",
    "foo & | ! <-> :* ( ) \\ ' \" %s %(x)s {filter}",
    "a\x00b\ud800",
    "quantum " * 12_500,
    "http://a.b/c\\d?e='f' user@host.org /usr/share/x\\y 1.5e-3",
    "量子隐形传态 😀",
    "x" * 3_000,
]


def test_no_text_breaks_it(search: Search) -> None:
    for text in ODD_TEXTS:
        assert len(search(text)) == 6, text[:80]
        assert len(search(text, k=2)) == 2, text[:80]
        assert search(text, k=0) == []
        assert len(search(text, category="cs")) == 2, text[:80]


def test_an_empty_knowledge_base(database: Database, embedder: Embedder) -> None:
    with database.shared() as conn:
        assert search_papers(conn, text="dark matter", vector=embedder.embed_query("dark")) == []


# Counts and recall under filters, against an exact search over all vectors -------------------

ROWS = 3_000
SHARES = {"a.ALL": 1, "a.TENTH": 10, "a.HUNDREDTH": 100, "a.RARE": 600}


@pytest.mark.parametrize("way", ["exact", "index"])
def test_filters_find_all_there_is_and_the_nearest(database: Database, way: str) -> None:
    chance = np.random.default_rng(7)
    points = chance.normal(size=(ROWS, 12)) @ chance.normal(size=(12, 384))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    papers = [
        paper(
            f"2401.{i + 1:05d}", f"Paper {i}", "About it.",
            categories=tuple(name for name, n in SHARES.items() if i % n == 0),
        )
        for i in range(ROWS)
    ]  # fmt: skip
    with database.shared() as conn:
        rows = [(p.cleaned(), v.tolist()) for p, v in zip(papers, points, strict=True)]
        merge_papers(conn, rows)
    recalled = []
    for category, n in SHARES.items():
        passing = np.arange(0, ROWS, n)
        for asked in points[chance.integers(ROWS, size=5)]:
            nearest = passing[np.argsort(-(points[passing] @ asked))][:20]
            query, parameters = search_statement(
                text="", vector=asked.tolist(), filters=PaperFilter(category=category), k=20
            )
            if way == "index":
                parameters["exact_up_to"] = -1
            with database.shared() as conn:
                conn.execute("SET LOCAL enable_seqscan = off")
                conn.execute(SETTINGS)
                found = hits_from_rows(conn.execute(query, parameters).fetchall())[:20]
            assert len(found) == len(nearest)
            recalled.append(
                len({f"2401.{i + 1:05d}" for i in nearest} & set(ids(found))) / len(nearest)
            )
    assert np.mean(recalled) == 1 if way == "exact" else np.mean(recalled) >= 0.97
