"""How well search finds what is known to answer, through the product's own ingest and search."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from arxivscout.bench.collections import Asked, Collection
from arxivscout.ingest import ingest_papers
from arxivscout.memory.fit import LEAST_FIT, best_fit
from arxivscout.memory.liked_papers import read_liked
from arxivscout.memory.opening import open_database
from arxivscout.memory.paper_filter import PaperFilter
from arxivscout.memory.retrieval import search_papers
from arxivscout.papers import PaperHit

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder
    from arxivscout.ingest import Progress
    from arxivscout.memory.postgres import Database
    from arxivscout.settings import Settings

DEPTH = 10
LEGS = ("fused", "vector", "lexical")

_KNOWN = """
SELECT arxiv_id, langchain_metadata ->> 'title', rare.words, left(submission_date, 4),
       langchain_metadata -> 'authors' ->> 0
FROM (
    SELECT * FROM semantic_memory
    WHERE arxiv_id IS NOT NULL AND NOT withdrawn AND langchain_metadata ->> 'abstract' IS NOT NULL
    ORDER BY md5(arxiv_id || 'known item') LIMIT %(count)s
) AS known, LATERAL (
    SELECT string_agg(word, ' ') AS words FROM (
        SELECT word FROM unnest(regexp_split_to_array(
            lower(langchain_metadata ->> 'abstract'), '[^a-z]+')) AS word
        JOIN paper_word ON lexeme = (tsvector_to_array(to_tsvector('english', word)))[1]
        WHERE length(word) >= 5 AND papers BETWEEN 2 AND 200
        GROUP BY word, papers ORDER BY papers, word LIMIT 3
    ) AS rarest
) AS rare
"""


@dataclass(frozen=True, slots=True)
class Scores:
    """Means over the questions of a collection; milliseconds without embedding."""

    name: str
    questions: int
    ndcg: float
    recall: float
    median_ms: float
    p95_ms: float

    def to_json(self) -> dict[str, Any]:
        """Plain values, rounded."""
        return {
            "leg": self.name,
            "questions": self.questions,
            "nDCG@10": round(self.ndcg, 4),
            "recall@10": round(self.recall, 4),
            "median_ms": round(self.median_ms, 1),
            "p95_ms": round(self.p95_ms, 1),
        }


class Searches:
    """Searches of papers held, timed."""

    def __init__(self, database: Database, embedder: Embedder) -> None:
        self._database = database
        self._embedder = embedder

    def scores(self, collection: Collection) -> list[Scores]:
        """Of search, and of each of its legs alone; of questions for papers like one that is named,
        also of their words without it."""
        scores = [self._scores(leg, leg, collection.asked) for leg in LEGS]
        if any(each.like for each in collection.asked):
            by_words = [replace(each, like=()) for each in collection.asked]
            scores += [self._scores(leg, f"{leg}, no paper named", by_words) for leg in LEGS]
        return scores

    def best(self, asked: Sequence[Asked]) -> list[float]:
        """How well the best hit for each question fits."""
        return [best_fit(self.search(each)[0]) for each in asked]

    def search(self, asked: Asked, leg: str = "fused") -> tuple[list[PaperHit], float]:
        """The hits, and the milliseconds they took in the database."""
        own = self._embedder.query_array(asked.text).tolist()
        with self._database.shared() as conn:
            started = time.perf_counter()
            liked = read_liked(conn, asked.like)
            hits = search_papers(
                conn,
                text="" if leg == "vector" else asked.text,
                vector=None if leg == "lexical" else liked.with_question(own),
                filters=PaperFilter(exclude_ids=asked.without),
                like=() if leg == "vector" else liked.texts,
                k=DEPTH,
            )
            return hits, (time.perf_counter() - started) * 1000

    def known_items(self, count: int) -> dict[str, float]:
        """The share of papers that come first, or among the first five for author and year."""
        with self._database.shared() as conn:
            papers = conn.execute(_KNOWN, {"count": count}).fetchall()
        asked = {
            ("title", 1): [(paper, title) for paper, title, *_ in papers],
            ("half the title", 1): [(paper, half(title)) for paper, title, *_ in papers],
            ("three rare words", 1): [(paper, words) for paper, _, words, *_ in papers if words],
            ("author and year", 5): [
                (paper, f"{author} {year}") for paper, _, _, year, author in papers if author
            ],
        }
        return {
            name: statistics.fmean(self._is_among(paper, text, first) for paper, text in questions)
            for (name, first), questions in asked.items()
            if questions
        }

    def _is_among(self, paper: str, text: str, first: int) -> bool:
        hits, _ = self.search(Asked(text, {}))
        return paper in [hit.paper.arxiv_id for hit in hits[:first]]

    def _scores(self, leg: str, name: str, asked: Sequence[Asked]) -> Scores:
        found = [(self.search(each, leg), each.gains) for each in asked]
        ranked = [([hit.paper.arxiv_id for hit in hits], gains) for (hits, _), gains in found]
        times = sorted(ms for (_, ms), _ in found)
        return Scores(
            name,
            len(asked),
            statistics.fmean(ndcg(ids, gains) for ids, gains in ranked),
            statistics.fmean(recall(ids, gains) for ids, gains in ranked),
            statistics.median(times),
            times[int(0.95 * (len(times) - 1))],
        )


@contextmanager
def held_collection(
    settings: Settings,
    embedder: Embedder,
    collection: Collection,
    *,
    notice: Callable[[str], None],
    progress: Progress | None = None,
) -> Iterator[Searches]:
    """The collection in a database of its own below the home, where it stays for the next time."""
    alone = settings.model_copy(
        update={
            "home": settings.home / "bench" / collection.key,
            "database_url": None,
            "admin_database_url": None,
        }
    )
    alone.home.mkdir(parents=True, exist_ok=True)
    database = open_database(alone, identity=embedder.identity, notice=notice)
    try:
        stored = ingest_papers(database, embedder, collection.papers, progress=progress)
        if stored.interrupted:
            raise KeyboardInterrupt
        if stored.skipped_total:
            notice(f"{stored.skipped_total} documents could not be stored, and count as not found")
        yield Searches(database, embedder)
    finally:
        database.close()


def ndcg(ids: Sequence[str], gains: Mapping[str, float]) -> float:
    """Normalised discounted cumulative gain of the first ten; linear gains."""
    best = sum(
        gain / math.log2(place + 2)
        for place, gain in enumerate(sorted(gains.values(), reverse=True)[:DEPTH])
    )
    found = sum(
        gains.get(each, 0.0) / math.log2(place + 2) for place, each in enumerate(ids[:DEPTH])
    )
    return found / best if best else 0.0


def recall(ids: Sequence[str], gains: Mapping[str, float]) -> float:
    """The share of what answers that is among the first ten."""
    right = {each for each, gain in gains.items() if gain > 0}
    return len(right & set(ids[:DEPTH])) / len(right) if right else 0.0


def abstention(own: Sequence[float], foreign: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Whether fits tell questions on a collection's subjects from the same on other collections'.

    Returns:
        for each foreign collection the AUROC, and the share that is refused as not held; and the
        share of a collection's own questions that is kept.
    """
    found = {"own, kept": statistics.fmean(each >= LEAST_FIT for each in own)}
    for name, fits in foreign.items():
        found[f"{name}, AUROC"] = auroc(own, fits)
        found[f"{name}, refused"] = statistics.fmean(each < LEAST_FIT for each in fits)
    return found


def auroc(higher: Sequence[float], lower: Sequence[float]) -> float:
    """How often one of `higher` is above one of `lower`; ties count half."""
    above = sum((a > b) + 0.5 * (a == b) for a in higher for b in lower)
    return above / (len(higher) * len(lower))


def half(title: str) -> str:
    """The first half of a title's words, at least two."""
    words = title.split()
    return " ".join(words[: max(2, math.ceil(len(words) / 2))])
