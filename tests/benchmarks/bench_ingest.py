"""Ingestion against the bare embedder on the same texts, in one run; run by hand.

    python tests/benchmarks/bench_ingest.py FILE [--papers N] [--rounds R] [--embedding NAME]

FILE is what `arxivscout ingest file` takes. Each round embeds the texts with nothing around it,
then ingests them (reading, cleaning, embedding, storing into the indexes) into an emptied database
of a temporary home; rounds alternate, so that what else the machine does hits both alike. The
database's share is the time spent within its transactions, by the side of embedding.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from arxivscout.embedding import load_embedder
from arxivscout.ingest import ingest_papers
from arxivscout.memory.opening import open_database
from arxivscout.memory.postgres import Database
from arxivscout.papers import Paper
from arxivscout.settings import load_settings
from arxivscout.sources.files import read_papers


class Timed:
    """A database that adds up how long its transactions take."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.seconds = 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.database, name)

    @contextmanager
    def shared(self) -> Iterator[Any]:
        begun = time.perf_counter()
        with self.database.shared() as conn:
            yield conn
        self.seconds += time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--papers", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--embedding", default="minilm")
    given = parser.parse_args()

    home = Path(tempfile.mkdtemp(prefix="bench-", dir="/tmp"))
    if os.geteuid() == 0:
        home.chmod(0o711)
    settings = load_settings({}, home=home, user="bench", embedding=given.embedding)
    embedder = load_embedder(settings)
    database = open_database(settings, identity=embedder.identity)
    found = (paper for paper in read_papers(given.file) if isinstance(paper, Paper))
    texts = [paper.content for paper in islice(found, given.papers)]
    embedder.embed_array(texts[:4])
    bare, whole, share, unchanged = [], [], [], []
    for _ in range(given.rounds):
        begun = time.perf_counter()
        embedder.embed_array(texts)
        bare.append(len(texts) / (time.perf_counter() - begun))
        with database.shared() as conn:
            conn.execute("DELETE FROM semantic_memory")
        timed = Timed(database)
        report = ingest_papers(timed, embedder, islice(read_papers(given.file), given.papers))  # type: ignore[arg-type]
        whole.append(report.stored / report.seconds)
        share.append(timed.seconds / report.seconds)
        again = ingest_papers(database, embedder, islice(read_papers(given.file), given.papers))
        unchanged.append(again.unchanged / again.seconds)
    database.close()
    shutil.rmtree(home, ignore_errors=True)
    result = {
        "papers": len(texts),
        "bare_per_s": round(statistics.median(bare), 2),
        "ingest_per_s": round(statistics.median(whole), 2),
        "ratio": round(statistics.median(w / b for w, b in zip(whole, bare, strict=True)), 3),
        "database_share": round(statistics.median(share), 3),
        "unchanged_per_s": round(statistics.median(unchanged)),
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    for name, value in result.items():
        print(f"{name:16} {value}")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
