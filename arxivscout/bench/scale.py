"""Ingestion and search at size: real papers and perturbed copies, through the product's own parts.

Vectors are given: what is measured is everything but embedding.
"""

from __future__ import annotations

import itertools
import resource
import statistics
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from arxivscout.bench.copied_papers import Held, copies, numbers, unit
from arxivscout.embedding import Embedder, EmbeddingIdentity
from arxivscout.ingest import ingest_papers
from arxivscout.memory.deferred_indexes import BUILDING
from arxivscout.memory.opening import open_database
from arxivscout.memory.retrieval import search_papers
from arxivscout.memory.search_statement import CANDIDATES, SETTINGS
from arxivscout.memory.vector_memory import vector_text
from arxivscout.papers import Paper

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from arxivscout.ingest import Progress
    from arxivscout.memory.postgres import Database
    from arxivscout.settings import Settings

REMEMBERED = 8 * 1_536  # vectors under way between making and storing
READ_AT_ONCE = 5_000
QUESTIONS = 200
WARM_UP = 30
DEPTH = 10

_ALL_VECTORS = "SELECT arxiv_id, embedding FROM semantic_memory WHERE embedding IS NOT NULL"
# What search asks of the index; search itself shows papers that are nearly the same as one.
_NEAREST = """
SELECT arxiv_id FROM (
    SELECT arxiv_id, embedding <=> %(vector)s::vector AS distance FROM semantic_memory
    WHERE arxiv_id IS NOT NULL ORDER BY embedding <=> %(vector)s::vector LIMIT %(candidates)s
) AS found ORDER BY distance LIMIT %(depth)s
"""
_COUNT = "SELECT count(*) FROM semantic_memory"
_SIZES = """
SELECT pg_relation_size('knowledge_base_hnsw'), pg_relation_size('kb_tsv_index'),
       pg_total_relation_size('semantic_memory')
"""


class Given(Embedder):
    """Gives the vectors that come along with the papers, in the name of the real embedder."""

    def __init__(self, identity: EmbeddingIdentity) -> None:
        super().__init__()
        self._identity = identity
        self._vectors: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    @property
    def identity(self) -> EmbeddingIdentity:
        return self._identity

    def give(self, text: str, vector: NDArray[np.float32]) -> None:
        """Remember the vector until its paper is stored."""
        self._vectors[text] = vector
        if len(self._vectors) > REMEMBERED:
            self._vectors.popitem(last=False)

    def embed_array(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The given vectors."""
        import numpy as np

        return np.stack([self._vectors[text] for text in texts])


def measure(
    settings: Settings,
    embedder: Embedder,
    held: Held,
    count: int,
    *,
    notice: Callable[[str], None],
    progress: Progress | None = None,
) -> dict[str, float]:
    """Store `count` papers in a database of its own below the home, and search them.

    What is stored there already is not stored again: then only the search is measured.
    """
    alone = settings.model_copy(
        update={
            "home": settings.home / "bench" / f"scale-{count}",
            "database_url": None,
            "admin_database_url": None,
        }
    )
    alone.home.mkdir(parents=True, exist_ok=True)
    database = open_database(alone, identity=embedder.identity, notice=notice)
    try:
        found: dict[str, float] = {"papers": count}
        with database.shared() as conn:
            (stored,) = conn.execute(_COUNT).fetchone() or (0,)
        if stored < count:
            given = Given(embedder.identity)
            papers = copies(held, count)
            found |= _store(database, given, papers, count, notice, progress)
        with database.shared() as conn:
            sizes = conn.execute(_SIZES).fetchone() or (0, 0, 0)
        names = ("vector index, MB", "word index, MB", "all of it, MB")
        found |= {name: round(size / 1e6) for name, size in zip(names, sizes, strict=True)}
        return found | _search(database, embedder, held)
    finally:
        database.close()


def _store(
    database: Database,
    given: Given,
    papers: Iterator[tuple[Paper, NDArray[np.float32]]],
    count: int,
    notice: Callable[[str], None],
    progress: Progress | None,
) -> dict[str, float]:
    building_since: list[float] = []

    def records() -> Iterator[Paper]:
        for paper, vector in papers:
            given.give(paper.content, vector)
            yield paper

    def told(text: str) -> None:
        if text == BUILDING:
            building_since.append(time.monotonic())
        notice(text)

    report = ingest_papers(
        database, given, records(), expected=count, progress=progress, notice=told
    )
    ended = time.monotonic()
    if report.interrupted:
        raise KeyboardInterrupt
    return {
        "seconds": round(report.seconds, 1),
        "rows/s, indexes ready": round(report.stored / report.seconds),
        "of it building, s": round(ended - building_since[0], 1) if building_since else 0.0,
        "our memory, MB": _peak_memory(),
    }


def _search(database: Database, embedder: Embedder, held: Held) -> dict[str, float]:
    """Recall of the index against the exact nearest, and times of whole searches."""
    texts = [_sentence(paper) for paper in held.papers[:: max(len(held.papers) // QUESTIONS, 1)]]
    texts = texts[:QUESTIONS]
    wanted = _exact(database, embedder.text_array(texts))
    kept = right = 0
    for text, best in zip(texts, wanted, strict=True):
        asked = {
            "vector": vector_text(embedder.text_array([text])[0]),
            "candidates": CANDIDATES,
            "depth": DEPTH,
        }
        with database.shared() as conn:
            conn.execute(SETTINGS)
            right += len(best & {row[0] for row in conn.execute(_NEAREST, asked)})
        kept += len(best)
    titles = [paper.title for paper in held.papers[:: max(len(held.papers) // QUESTIONS, 1)]]
    return {
        "recall@10 against exact": round(right / kept, 4),
        **_times(database, embedder, "search by a title", titles[:QUESTIONS]),
        **_times(database, embedder, "search by a sentence", texts),
    }


def _times(
    database: Database, embedder: Embedder, name: str, texts: Sequence[str]
) -> dict[str, float]:
    """How long whole searches take, the embedding of the question included."""
    milliseconds = []
    for text in [*texts[:WARM_UP], *texts]:
        begun = time.perf_counter()
        vector = embedder.embed_array([text])[0].tolist()
        with database.shared() as conn:
            search_papers(conn, text=text, vector=vector, k=DEPTH)
        milliseconds.append((time.perf_counter() - begun) * 1000)
    timed = sorted(milliseconds[WARM_UP:])
    return {
        f"{name}, median ms": round(statistics.median(timed), 1),
        f"{name}, p95 ms": round(timed[int(0.95 * (len(timed) - 1))], 1),
    }


def _exact(database: Database, questions: NDArray[np.float32]) -> list[set[str]]:
    """The nearest papers of each question, found by looking at all of them once."""
    import numpy as np

    best = np.full((len(questions), 0), 0.0, np.float32)
    ids = np.full((len(questions), 0), "", dtype="U20")
    with database.shared() as conn, conn.cursor(name="all_vectors") as cursor:
        cursor.execute(_ALL_VECTORS, binary=True)
        while rows := cursor.fetchmany(READ_AT_ONCE):
            vectors = unit(np.stack([numbers(vector) for _, vector in rows]))
            cosines = np.concatenate([best, questions @ vectors.T], axis=1)
            names = np.array([arxiv_id for arxiv_id, _ in rows])
            all_ids = np.concatenate([ids, np.tile(names, (len(questions), 1))], axis=1)
            order = np.argsort(-cosines, axis=1)[:, :DEPTH]
            best = np.take_along_axis(cosines, order, axis=1)
            ids = np.take_along_axis(all_ids, order, axis=1)
    return [set(row) for row in ids.tolist()]


def _sentence(paper: Paper) -> str:
    """What somebody might ask who knows the subject and not the paper."""
    sentences = [each for each in paper.abstract.split(". ") if len(each) > 40]
    return max(itertools.islice(sentences, 1, None), key=len, default=paper.title)[:300]


def _peak_memory() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1e6 if sys.platform == "darwin" else 1e3))
