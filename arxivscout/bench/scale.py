"""Ingestion and search at size: real papers and perturbed copies, through the product's own parts.

A copy lies as near to its paper as the nearest of so many papers does: among those held that is
measured, on all of them and on a quarter, and goes on in proportion to the logarithm of their
number (.70 among 25,314, .82 among a million). It lies in a direction in which neighbours differ,
a random mixture of the differences of 400 papers from their nearest. Nearer copies would be forty
versions of one paper, which have no neighbours but each other, and noise in all directions alike
would be nobody's neighbour: an index finds either worse than papers. In a copy's text one word in
three is replaced by a word of another paper. Vectors are given: what is measured is everything but
embedding.
"""

from __future__ import annotations

import itertools
import math
import resource
import statistics
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from arxivscout.bench.collections import numbered_id
from arxivscout.embedding import Embedder, EmbeddingIdentity
from arxivscout.errors import UsageError
from arxivscout.ingest import ingest_papers
from arxivscout.memory.deferred_indexes import BUILDING
from arxivscout.memory.knowledge import paper_from_row
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

LEAST_HELD = 100
REPLACED = 1 / 3  # of the words
WORDS_TAKEN = 12  # of each paper, to replace them by
ASKED_FOR = 400  # papers whose nearest are looked for
NEAREST = 0.95  # a copy is never nearer
AT_A_TIME = 1_000
REMEMBERED = 8 * 1_536  # vectors under way between making and storing
QUESTIONS = 200
WARM_UP = 30
DEPTH = 10

_HELD = """
SELECT arxiv_id, langchain_metadata, embedding FROM semantic_memory
WHERE arxiv_id IS NOT NULL AND embedding IS NOT NULL
  AND langchain_metadata ->> 'abstract' IS NOT NULL
ORDER BY arxiv_id LIMIT %(most)s
"""
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


@dataclass(frozen=True, slots=True)
class Held:
    """Real papers, with their vectors: float32 of shape (len(papers), dimension)."""

    papers: list[Paper]
    vectors: NDArray[np.float32]

    @property
    def words(self) -> list[str]:
        """What replaces others."""
        return [word for each in self.papers for word in each.abstract.split()[:WORDS_TAKEN]]


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


def held_papers(database: Database, most: int) -> Held:
    """The papers that the home holds, up to `most`.

    Raises:
        UsageError: too few to say anything.
    """
    import numpy as np

    with database.shared() as conn:
        rows = conn.execute(_HELD, {"most": most}, binary=True).fetchall()
    if len(rows) < LEAST_HELD:
        raise UsageError(
            f"Copies are made of the papers held, and there are {len(rows):,}.",
            f"Store at least {LEAST_HELD} first: arxivscout ingest file PATH.",
        )
    papers = [paper_from_row(arxiv_id, metadata) for arxiv_id, metadata, _ in rows]
    return Held(papers, _unit(np.stack([_numbers(vector) for *_, vector in rows])))


def copies(held: Held, count: int) -> Iterator[tuple[Paper, NDArray[np.float32]]]:
    """`count` papers: those held, then copies of them, all renumbered; the same every time."""
    import numpy as np

    # Words are replaced by the standard library's numbers: numpy's lets other threads in at each.
    random, words = Random(1), held.words
    normal = np.random.default_rng(1).normal
    moves, near = _neighbours(held.vectors, count)
    for start in range(0, count, AT_A_TIME):
        places = np.arange(start, min(start + AT_A_TIME, count))
        vectors = held.vectors[places % len(held.papers)]
        if start >= len(held.papers):
            away = normal(size=(len(vectors), len(moves))).astype(np.float32) @ moves
            away = _unit(away - (away * vectors).sum(axis=1, keepdims=True) * vectors)
            vectors = near * vectors + (1 - near**2) ** 0.5 * away
        for place, vector in zip(places.tolist(), vectors, strict=True):
            paper = held.papers[place % len(held.papers)]
            if place >= len(held.papers):
                paper = _copy(paper, words, random)
            yield replace(paper, arxiv_id=numbered_id(place)), vector


def _neighbours(vectors: NDArray[np.float32], count: int) -> tuple[NDArray[np.float32], float]:
    """How some papers differ from their nearest, and the cosine of the nearest of `count` papers.

    The cosine is a median, and grows by the same with each doubling of the papers.
    """
    import numpy as np

    some = np.arange(0, len(vectors), max(len(vectors) // ASKED_FOR, 1))[:ASKED_FOR]
    cosines = vectors[some] @ vectors.T
    cosines[np.arange(len(some)), some] = -1
    moves = vectors[cosines.argmax(axis=1)] - vectors[some]
    of_all = float(np.median(cosines.max(axis=1)))
    of_a_quarter = float(np.median(cosines[:, 1::4].max(axis=1)))
    doublings = math.log2(max(count / len(vectors), 1))
    return moves, min(of_all + doublings * (of_all - of_a_quarter) / 2, NEAREST)


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    lengths: NDArray[np.float32] = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / lengths


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
    milliseconds = []
    for text in texts[:WARM_UP] + texts:
        begun = time.perf_counter()
        vector = embedder.embed_array([text])[0].tolist()
        with database.shared() as conn:
            search_papers(conn, text=text, vector=vector, k=DEPTH)
        milliseconds.append((time.perf_counter() - begun) * 1000)
    timed = sorted(milliseconds[WARM_UP:])
    return {
        "recall@10 against exact": round(right / kept, 4),
        "search, median ms": round(statistics.median(timed), 1),
        "search, p95 ms": round(timed[int(0.95 * (len(timed) - 1))], 1),
    }


def _exact(database: Database, questions: NDArray[np.float32]) -> list[set[str]]:
    """The nearest papers of each question, found by looking at all of them once."""
    import numpy as np

    best = np.full((len(questions), 0), 0.0, np.float32)
    ids = np.full((len(questions), 0), "", dtype="U20")
    with database.shared() as conn, conn.cursor(name="all_vectors") as cursor:
        cursor.execute(_ALL_VECTORS, binary=True)
        while rows := cursor.fetchmany(5 * AT_A_TIME):
            vectors = _unit(np.stack([_numbers(vector) for _, vector in rows]))
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


def _copy(paper: Paper, words: Sequence[str], random: Random) -> Paper:
    return replace(
        paper,
        title=_perturbed(paper.title, words, random),
        abstract=_perturbed(paper.abstract, words, random),
    )


def _perturbed(text: str, words: Sequence[str], random: Random) -> str:
    given = text.split()
    many = round(len(given) * REPLACED)
    for place, other in zip(
        random.choices(range(len(given)), k=many), random.choices(words, k=many), strict=True
    ):
        given[place] = other
    return " ".join(given)


def _numbers(vector: bytes) -> NDArray[np.float32]:
    """pgvector's binary form: the number of dimensions, an unused one, then the numbers."""
    import numpy as np

    return np.frombuffer(vector, ">f4", offset=4).astype(np.float32)


def _peak_memory() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1e6 if sys.platform == "darwin" else 1e3))
