"""Papers into the knowledge base: source → dedupe → embed → store, as a stream.

Records are read in small batches. What is held already is found by its hash before anything is
embedded; the rest is embedded in a thread while the batch before it is written and the next one is
read. Every batch is its own transaction, so that whatever happens loses the batches under way only,
and running again takes up where it ended: what is stored is found unchanged.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

import psycopg

from arxivscout.errors import DatabaseError, DatabaseUnavailable, SourceError
from arxivscout.memory.knowledge import Held, held_records, merge_papers, settle
from arxivscout.memory.reembed import reembed
from arxivscout.papers import Paper, Skipped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from psycopg import Connection

    from arxivscout.embedding import Embedder
    from arxivscout.memory.postgres import Database

__all__ = ["IngestReport", "ingest_papers", "reembed"]

_log = logging.getLogger(__name__)

BATCH = 48
# Batches being embedded or waiting for it: one at work, one ready behind it.
UNDER_WAY = 2
# A database that is gone may be restarting: tried again after these seconds, then given up.
PATIENCE_S = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
# Skipped records that a report names; of the others it has the number, so that a file of nothing
# but bad lines takes no memory.
SKIPPED_KEPT = 1_000

T = TypeVar("T")


@dataclass(slots=True)
class IngestReport:
    """What became of the records."""

    new: int = 0
    updated: int = 0
    unchanged: int = 0
    skipped: list[Skipped] = field(default_factory=list)  # the first SKIPPED_KEPT
    skipped_total: int = 0
    seconds: float = 0.0
    interrupted: bool = False

    @property
    def read(self) -> int:
        """Records that are dealt with."""
        return self.stored + self.unchanged + self.skipped_total

    @property
    def stored(self) -> int:
        """Papers that this run wrote."""
        return self.new + self.updated

    def skip(self, one: Skipped, *, keep: bool = False) -> None:
        """Count a record that is skipped, and name it while there is room, or to `keep` it."""
        self.skipped_total += 1
        if keep or len(self.skipped) < SKIPPED_KEPT:
            self.skipped.append(one)


Progress = Callable[[IngestReport], None]


def ingest_papers(
    database: Database,
    embedder: Embedder,
    records: Iterable[Paper | Skipped],
    *,
    progress: Progress | None = None,
    notice: Callable[[str], None] | None = None,
) -> IngestReport:
    """Store the papers that are new or newer than what is held; embed only those.

    Ctrl-C ends it cleanly: what is embedded is stored, and the report says `interrupted`.

    Args:
        records: read as they are needed; memory stays bounded whatever their number.
        progress: is told the report so far after every batch that is stored.
        notice: is told in one line what makes it wait.

    Raises:
        DatabaseUnavailable: the database was lost and didn't come back within half a minute.
        ConfigurationError, ModelError: the embedder can't work.
    """
    begun = time.monotonic()
    report = IngestReport()
    run = _Run(database, embedder, report, notice or (lambda _: None))
    try:
        for batch in _batches(records, report):
            run.take(batch)
            report.seconds = time.monotonic() - begun
            if progress is not None:
                progress(report)
        run.finish()
    except KeyboardInterrupt:
        report.interrupted = True
        run.drop_waiting()
        run.finish()
    except SourceError as error:
        run.finish()
        if not report.read:
            raise
        report.skip(Skipped("the rest of the source", str(error)), keep=True)
    except DatabaseUnavailable as error:
        raise DatabaseUnavailable(
            f"{error.cause} {report.stored:,} papers are stored.",
            "Run the same command again when the database is back: it goes on from there.",
        ) from error
    finally:
        run.close()
    if report.stored:
        _settle(database, report.stored)
    report.seconds = time.monotonic() - begun
    if progress is not None:
        progress(report)
    return report


def _settle(database: Database, written: int) -> None:
    try:
        settle(database, written)
    except (DatabaseError, psycopg.Error) as error:  # all is stored; searches are slower for now
        _log.info("the indexes were not settled: %s", type(error).__name__)


def _batches(
    records: Iterable[Paper | Skipped], report: IngestReport
) -> Iterator[dict[str, Paper]]:
    """Papers by id, cleaned; a paper that comes again begins the next batch."""
    batch: dict[str, Paper] = {}
    try:
        for number, record in enumerate(records, start=1):
            paper = _cleaned(record, number)
            if isinstance(paper, Skipped):
                report.skip(paper)
                continue
            if len(batch) == BATCH or paper.arxiv_id in batch:
                yield batch
                batch = {}
            batch[paper.arxiv_id] = paper
    except SourceError:
        if batch:
            yield batch
        raise
    if batch:
        yield batch


def _cleaned(record: Paper | Skipped, number: int) -> Paper | Skipped:
    if isinstance(record, Skipped):
        return record
    try:
        return record.cleaned()
    except ValueError as error:
        return Skipped(record.source or f"record {number}", str(error))


@dataclass(slots=True)
class _Pending:
    papers: list[Paper]
    to_embed: list[int]  # places in `papers`; the others keep the stored vector
    unchanged: int
    vectors: Future[NDArray[np.float32]]


class _Run:
    """The batches under way, in order."""

    def __init__(
        self,
        database: Database,
        embedder: Embedder,
        report: IngestReport,
        notice: Callable[[str], None],
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._report = report
        self._notice = notice
        self._pending: deque[_Pending] = deque()
        self._thread = ThreadPoolExecutor(1, "ingest-embedding")

    def take(self, batch: dict[str, Paper]) -> None:
        """Look up what is held of a batch, and hand the rest to the embedder."""
        held = self._with_database(lambda conn: held_records(conn, batch))
        news = [paper for paper in batch.values() if _is_news(paper, held)]
        if not news:
            self._report.unchanged += len(batch)
            return
        to_embed = [i for i, paper in enumerate(news) if not _keeps_vector(paper, held)]
        texts = [news[i].content for i in to_embed]
        vectors = self._thread.submit(self._embedder.embed_array, texts)
        self._pending.append(_Pending(news, to_embed, len(batch) - len(news), vectors))
        if len(self._pending) > UNDER_WAY:
            self._store_next()

    def finish(self) -> None:
        """Store all that is under way."""
        while self._pending:
            self._store_next()

    def drop_waiting(self) -> None:
        """Let go of the batches whose embedding has not begun."""
        self._pending = deque(each for each in self._pending if not each.vectors.cancel())

    def close(self) -> None:
        """Drop what has not begun, and wait for the embedder's thread."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _store_next(self) -> None:
        pending = self._pending[0]
        vectors = pending.vectors.result()
        of_place = {place: vectors[row].tolist() for row, place in enumerate(pending.to_embed)}
        rows = [(paper, of_place.get(place)) for place, paper in enumerate(pending.papers)]
        new, updated = self._with_database(lambda conn: merge_papers(conn, rows))
        self._pending.popleft()
        self._report.new += new
        self._report.updated += updated
        # Another process may have stored the same in the meantime.
        self._report.unchanged += pending.unchanged + len(rows) - new - updated

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
