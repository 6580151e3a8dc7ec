"""Whether going down from papers finds the passages that comparing all of them finds, for less.

Questions are made of the passages by rule: a sentence with every other word left out, and a heading
with the rarest words below it. What they were made of is what is to be found: it, or another
passage that has the same sentence or words. Of an abstract's sentence any passage of its paper is.
"""

from __future__ import annotations

import hashlib
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arxivscout.errors import UsageError
from arxivscout.ingest_fulltext import ingest_full_texts
from arxivscout.memory.knowledge import papers_by_ids
from arxivscout.memory.opening import open_database
from arxivscout.memory.passage_search import DOWN, FLAT, Breadth, PassageHit, search_passages
from arxivscout.papers import Skipped
from arxivscout.papers.sentences import split_sentences
from arxivscout.sources.documents import Document, read_full_texts

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder
    from arxivscout.ingest import Progress
    from arxivscout.memory.postgres import Database
    from arxivscout.settings import Settings

DEPTH = 5
LEAST_WORDS = 14  # of a sentence that a question is made of
RARE_WORDS = 3
# How far down, and whether words count or meaning alone.
WAYS = {
    "from papers down": (DOWN, True),
    "all passages": (FLAT, True),
    "from papers down, by meaning alone": (DOWN, False),
    "all passages, by meaning alone": (FLAT, False),
}

_PASSAGES = """
SELECT arxiv_id, position, path, content FROM passage_memory ORDER BY arxiv_id, position
"""
_WORD = re.compile(r"[a-z]{4,}")


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a kind, and the passages, (arXiv id, position), of which one answers it."""

    kind: str
    text: str
    right: frozenset[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Score:
    """How one way of searching did: recall by kind, and what a search took."""

    way: str
    recall: dict[str, float]
    compared: float
    median_ms: float

    def to_json(self) -> dict[str, Any]:
        """Plain values, rounded."""
        return {
            "search": self.way,
            **{f"recall@{DEPTH}, {kind}": round(share, 4) for kind, share in self.recall.items()},
            "vectors compared": round(self.compared, 1),
            "median_ms": round(self.median_ms, 1),
        }


class FullTexts:
    """Full texts held, and the questions that are made of them."""

    def __init__(self, database: Database, embedder: Embedder) -> None:
        self._database = database
        self._embedder = embedder

    def scores(self, count: int) -> list[Score]:
        """Of each way to search, over `count` questions of each kind."""
        questions = self.questions(count)
        return [
            self._score(way, breadth, questions, words=words)
            for way, (breadth, words) in WAYS.items()
        ]

    def questions(self, count: int) -> list[Question]:
        """The same at every time; of passages spread over all papers."""
        with self._database.shared() as conn:
            rows = [
                ((arxiv_id, position), path, content.partition("\n")[2])
                for arxiv_id, position, path, content in conn.execute(_PASSAGES).fetchall()
            ]
            papers = papers_by_ids(conn, dict.fromkeys(key[0] for key, _, _ in rows))
        having: dict[str, set[tuple[str, int]]] = {}
        for key, _, text in rows:
            for word in _words(text):
                having.setdefault(word, set()).add(key)
        chosen = sorted(rows, key=lambda row: _lot(row[0]))
        return [
            *_first(count, (_of_sentence(rows, *row) for row in chosen)),
            *_first(count, (_of_rare_words(having, *row) for row in chosen)),
            *_first(
                count,
                (
                    Question("of the abstract", sentence.strip(), right)
                    for paper in papers
                    for right in [frozenset(k for k, _, _ in rows if k[0] == paper.arxiv_id)]
                    for sentence in split_sentences(paper.abstract)
                    if len(sentence.split()) >= LEAST_WORDS
                ),
            ),
        ]

    def _score(
        self, way: str, breadth: Breadth, questions: Sequence[Question], *, words: bool
    ) -> Score:
        found: dict[str, list[bool]] = {}
        compared, times = [], []
        for question in questions:
            vector = self._embedder.query_array(question.text).tolist()
            with self._database.shared() as conn:
                started = time.perf_counter()
                hits, count = search_passages(
                    conn,
                    text=question.text if words else "",
                    vector=vector,
                    k=DEPTH,
                    breadth=breadth,
                )
                times.append((time.perf_counter() - started) * 1000)
            # Who compares all passages needs neither papers nor sections.
            compared.append(count.passages if breadth == FLAT else count.total)
            found.setdefault(question.kind, []).append(_has_right(hits, question))
        recall = {kind: statistics.fmean(right) for kind, right in found.items()}
        return Score(way, recall, statistics.fmean(compared), statistics.median(times))


@contextmanager
def held_full_texts(
    settings: Settings,
    embedder: Embedder,
    folder: Path,
    *,
    notice: Callable[[str], None],
    progress: Progress = lambda report: None,
) -> Iterator[FullTexts]:
    """The full texts of a folder in a database below the home, where they stay for the next time.

    Raises:
        UsageError: the folder has no files of records.
    """
    files = sorted(path for path in folder.glob("*.jsonl*") if path.is_file())
    if not files:
        raise UsageError(f"{folder} has no files of full texts.", "It needs *.jsonl or *.jsonl.gz.")
    alone = settings.model_copy(
        update={
            "home": settings.home / "bench" / "fulltext",
            "database_url": None,
            "admin_database_url": None,
        }
    )
    alone.home.mkdir(parents=True, exist_ok=True)
    database = open_database(alone, identity=embedder.identity, notice=notice)
    documents: Iterator[Document | Skipped] = (
        each for file in files for each in read_full_texts(file)
    )
    try:
        stored = ingest_full_texts(
            database, embedder, documents, ask=lambda arxiv_id: (), progress=progress
        )
        if stored.interrupted:
            raise KeyboardInterrupt
        if stored.skipped_total:
            notice(f"{stored.skipped_total} full texts could not be stored")
        yield FullTexts(database, embedder)
    finally:
        database.close()


def thinned(sentence: str) -> str:
    """Every other word of a sentence, as of somebody who remembers it badly."""
    return " ".join(sentence.split()[::2])


def _of_sentence(
    rows: Sequence[tuple[tuple[str, int], list[str], str]],
    key: tuple[str, int],
    path: list[str],
    text: str,
) -> Question | None:
    fit = [each.strip() for each in split_sentences(text) if _is_prose(each)]
    if not fit:
        return None
    sentence = min(fit, key=_lot)
    right = frozenset(
        other for other, _, beside in rows if other[0] == key[0] and sentence in beside
    )
    return Question("half a sentence", thinned(sentence), right)


def _of_rare_words(
    having: dict[str, set[tuple[str, int]]], key: tuple[str, int], path: list[str], text: str
) -> Question | None:
    rare = sorted(Counter(_words(text)), key=lambda word: (len(having[word]), word))[:RARE_WORDS]
    if len(rare) < RARE_WORDS:
        return None
    right = frozenset.intersection(*(frozenset(having[word]) for word in rare))
    return Question("heading and rare words", " ".join([*path[-1:], *rare]), right)


def _has_right(hits: Sequence[PassageHit], question: Question) -> bool:
    return any((hit.paper.arxiv_id, hit.position) in question.right for hit in hits)


def _is_prose(sentence: str) -> bool:
    words = sentence.split()
    return len(words) >= LEAST_WORDS and "$" not in sentence and "\\" not in sentence


def _first(count: int, questions: Iterator[Question | None]) -> list[Question]:
    """The first `count` of those that could be made."""
    made = (question for question in questions if question is not None)
    return [question for question, _ in zip(made, range(count), strict=False)]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _lot(what: object) -> str:
    return hashlib.md5(repr(what).encode(), usedforsecurity=False).hexdigest()
