"""How fast and how good search is on a collection of papers; run by hand.

    python tests/benchmarks/bench_search.py FILE [--vectors DIR] [--home DIR] [--queries N]

FILE is what `arxivscout ingest file` takes. Vectors are taken from DIR (pieces NNNNNN.npy in the
file's order) as far as they reach; the rest are made of those by adding noise, which serves speed
and not quality: known items are asked among the papers with real vectors only. The database stays
in `--home` for the next run. Wall times on a busy machine say little, so the server's own CPU time
is printed beside them.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil

from arxivscout.embedding import load_embedder
from arxivscout.memory import vector_columns
from arxivscout.memory.knowledge import merge_papers, paper_count
from arxivscout.memory.opening import open_database
from arxivscout.memory.paper_filter import PaperFilter
from arxivscout.memory.postgres import Database
from arxivscout.memory.retrieval import search_papers
from arxivscout.papers import Paper, PaperHit
from arxivscout.settings import load_settings
from arxivscout.sources.files import read_papers

FILTERS = {
    "none": PaperFilter(),
    "category cs.*": PaperFilter(category="cs.*"),
    "category hep-th": PaperFilter(category="hep-th"),
    "since 2026": PaperFilter(since="2026"),
    "author": PaperFilter(author="Zhang"),
}


def fill(database: Database, papers: list[Paper], vectors: np.ndarray) -> None:
    noise = np.random.default_rng(1)
    with database.admin() as admin:
        vector_columns.drop_vector_indexes(admin)
    for start in range(0, len(papers), 1000):
        rows = []
        for i, paper in enumerate(papers[start : start + 1000], start):
            vector = vectors[i] if i < len(vectors) else vectors[noise.integers(len(vectors))]
            if i >= len(vectors):
                vector = vector + noise.normal(0, 0.03, vector.shape)
            rows.append((paper, (vector / np.linalg.norm(vector)).tolist()))
        with database.shared() as conn:
            merge_papers(conn, rows)
    with database.admin() as admin:
        admin.execute("SET search_path = arxivscout, public")
        vector_columns.build_vector_indexes(admin)
        admin.execute("ANALYZE semantic_memory")


def measure(database: Database, ask: Callable[[str], list[PaperHit]], texts: list[str]) -> dict:
    with database.shared() as conn:
        pid = conn.info.backend_pid
    server = psutil.Process(pid)
    before = server.cpu_times()
    seconds = []
    for text in texts:
        begun = time.perf_counter()
        ask(text)
        seconds.append(1e3 * (time.perf_counter() - begun))
    after = server.cpu_times()
    used = after.user + after.system - before.user - before.system
    return {
        "median_ms": round(statistics.median(seconds), 1),
        "p95_ms": round(statistics.quantiles(seconds, n=20)[-1], 1),
        "server_cpu_ms": round(1e3 * used / len(texts), 1),
    }


def place(hits: list[PaperHit], arxiv_id: str) -> int:
    return next((i for i, hit in enumerate(hits, 1) if hit.paper.arxiv_id == arxiv_id), 99)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--vectors", type=Path, required=True)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--queries", type=int, default=200)
    given = parser.parse_args()

    settings = load_settings({}, home=given.home, user="bench")
    embedder = load_embedder(settings)
    vectors = np.concatenate([np.load(f) for f in sorted(given.vectors.glob("??????.npy"))])
    papers = [paper for paper in read_papers(given.file) if isinstance(paper, Paper)]
    database = open_database(settings, identity=embedder.identity)
    with database.shared() as conn:
        held = paper_count(conn)
    if held < len({paper.arxiv_id for paper in papers}):
        fill(database, papers, vectors)

    def search(text: str, filters: PaperFilter = FILTERS["none"], k: int = 10) -> list[PaperHit]:
        vector = embedder.query_array(text).tolist()
        with database.shared() as conn:
            return search_papers(conn, text=text, vector=vector, filters=filters, k=k)

    pick = random.Random(1)
    known = pick.sample(papers[: len(vectors)], min(given.queries, len(vectors)))
    titles = [paper.title for paper in known]
    halves = [" ".join(t.split()[: max(3, len(t.split()) // 2)]) for t in titles]
    sentences = [paper.abstract.split(". ")[-1] for paper in known]
    speed = {
        name: measure(database, lambda text, f=f: search(text, f), sentences[:100] + halves[:100])
        for name, f in FILTERS.items()
    }
    found = {}
    for name, texts in {"title": titles, "half title": halves, "sentence": sentences}.items():
        places = [place(search(t), p.arxiv_id) for t, p in zip(texts, known, strict=True)]
        found[name] = {
            "first": round(sum(p == 1 for p in places) / len(places), 3),
            "in ten": round(sum(p <= 10 for p in places) / len(places), 3),
        }
    database.close()
    for name, row in {**speed, **found}.items():
        print(f"{name:18}", "  ".join(f"{key} {value}" for key, value in row.items()))
    print(json.dumps({"papers": len(papers), "speed": speed, "known_item": found}))


if __name__ == "__main__":
    main()
