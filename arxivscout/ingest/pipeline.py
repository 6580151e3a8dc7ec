"""The batches of an ingestion under way: embedded by one thread, stored by another, in order.

Batches are small while embedding takes long, so that a stop loses little, and grow while they go
fast, so that what a transaction costs is shared by many rows.
"""

from __future__ import annotations

import hashlib
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from arxivscout.errors import DatabaseUnavailable
from arxivscout.memory.knowledge import Held, held_records, incoming_row, merge_rows

if TYPE_CHECKING:
    from psycopg import Connection

    from arxivscout.embedding import Embedder
    from arxivscout.ingest.report import IngestReport
    from arxivscout.memory.postgres import Database
    from arxivscout.papers import Paper

BATCH = 48
LARGEST = 1_536
# Seconds that a batch took from which the next is twice, or half, as large.
FAST_S, SLOW_S = 0.4, 3.0
# Batches handed over and not stored yet: one being stored, one embedded, one behind it.
UNDER_WAY = 3
# A database that is gone may be restarting: tried again after these seconds, then given up.
PATIENCE_S = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)

T = TypeVar("T")


@dataclass(slots=True)
class _Batch:
    papers: list[Paper]
    unchanged: int
    rows: Future[list[bytes]]
    stored: Future[tuple[int, int]] | None = None


class Pipeline:
    """What lies between reading and the report.

    Attributes:
        size: how many papers the next batch should have.
        writing: seconds that storing has taken so far.
    """

    def __init__(
        self,
        database: Database,
        embedder: Embedder,
        report: IngestReport,
        notice: Callable[[str], None],
    ) -> None:
        self.size = self._least = max(BATCH, embedder.at_a_time)
        self.writing = 0.0
        self._database = database
        self._embedder = embedder
        self._report = report
        self._notice = notice
        self._under_way: deque[_Batch] = deque()
        self._failed = False
        self._most_under_way = UNDER_WAY + embedder.calls_at_a_time - 1
        self._embedding = ThreadPoolExecutor(embedder.calls_at_a_time, "ingest-embedding")
        self._storing = ThreadPoolExecutor(1, "ingest-storing")

    def take(self, papers: dict[str, Paper]) -> None:
        """Look up what is held of a batch, and hand the rest over; waits for what went before."""
        held = self._with_database(lambda conn: held_records(conn, papers))
        news = [paper for paper in papers.values() if _is_news(paper, held)]
        if not news:
            self._report.unchanged += len(papers)
            return
        # What is under way may change the text that a held vector stands for.
        changing = {paper.arxiv_id for batch in self._under_way for paper in batch.papers}
        keeping = {
            paper.arxiv_id
            for paper in news
            if paper.arxiv_id not in changing and _keeps_vector(paper, held)
        }
        rows = self._embedding.submit(self._rows, news, keeping)
        batch = _Batch(news, len(papers) - len(news), rows)
        self._under_way.append(batch)
        batch.stored = self._storing.submit(self._store, batch)
        if len(self._under_way) > self._most_under_way:
            self._count_next()

    def finish(self) -> None:
        """Wait until all that is under way is stored."""
        while self._under_way:
            self._count_next()

    def drop_waiting(self) -> None:
        """Let go of the batches whose embedding has not begun."""
        self._under_way = deque(
            each for each in self._under_way if not each.rows.cancel() and each.stored
        )

    def close(self) -> None:
        """Drop what has not begun, and wait for the threads."""
        self._failed = True
        self._embedding.shutdown(wait=True, cancel_futures=True)
        self._storing.shutdown(wait=True, cancel_futures=True)

    def _count_next(self) -> None:
        batch = self._under_way[0]
        assert batch.stored is not None
        new, updated = batch.stored.result()
        self._under_way.popleft()
        self._report.new += new
        self._report.updated += updated
        # Another process may have stored the same in the meantime.
        self._report.unchanged += batch.unchanged + len(batch.papers) - new - updated

    def _rows(self, papers: list[Paper], keeping: set[str]) -> list[bytes]:
        """In the embedding thread: the rows to store; those that keep a vector bring none."""
        texts = [paper.content for paper in papers if paper.arxiv_id not in keeping]
        vectors = iter(self._embedder.embed_array(texts) if texts else ())
        return [
            incoming_row(paper, None if paper.arxiv_id in keeping else next(vectors))
            for paper in papers
        ]

    def _store(self, batch: _Batch) -> tuple[int, int]:
        """In the storing thread: a batch is stored only if all before it were."""
        begun = time.monotonic()
        try:
            rows = batch.rows.result()
            embedded = time.monotonic()
            if self._failed:
                return 0, 0
            counted = self._with_database(lambda conn: merge_rows(conn, rows))
        except BaseException:
            self._failed = True
            raise
        ended = time.monotonic()
        self.writing += ended - embedded
        self._fit(len(batch.papers) + batch.unchanged, ended - begun)
        return counted

    def _fit(self, papers: int, seconds: float) -> None:
        if seconds < FAST_S and papers >= self.size:
            self.size = max(min(2 * self.size, LARGEST), self._least)
        elif seconds > SLOW_S:
            self.size = max(self.size // 2, self._least)

    def _with_database(self, work: Callable[[Connection[Any]], T]) -> T:
        """Run `work` in a transaction, again if the database was lost; it bears repeating."""
        for seconds in PATIENCE_S:
            try:
                with self._database.shared() as conn:
                    return work(conn)
            except DatabaseUnavailable as error:
                self._notice(f"{error.cause} Trying again in {seconds:.0f} s.")
                time.sleep(seconds)
        with self._database.shared() as conn:
            return work(conn)


def _is_news(paper: Paper, held: dict[str, Held]) -> bool:
    return paper.arxiv_id not in held or held[paper.arxiv_id].replaced_by(paper)


def _keeps_vector(paper: Paper, held: dict[str, Held]) -> bool:
    old = held.get(paper.arxiv_id)
    if old is None or not old.embedded:
        return False
    return old.content_hash == UUID(hashlib.md5(paper.content.encode()).hexdigest())
