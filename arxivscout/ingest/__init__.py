"""Papers into the knowledge base: source → dedupe → embed → store, as a stream.

Records are read in batches. What is held already is found by its hash before anything is embedded;
the rest is embedded while the batch before it is stored and the next one is read. Every batch is
its own transaction, so that whatever happens loses the batches under way only, and running again
takes up where it ended: what is stored is found unchanged.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import psycopg

from arxivscout.errors import DatabaseError, DatabaseUnavailable, SourceError
from arxivscout.ingest.pipeline import BATCH, Pipeline
from arxivscout.ingest.report import SKIPPED_KEPT, IngestReport, Progress
from arxivscout.memory.deferred_indexes import Load
from arxivscout.memory.knowledge import settle
from arxivscout.memory.reembed import reembed
from arxivscout.papers import Paper, Skipped

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder
    from arxivscout.memory.postgres import Database

__all__ = ["BATCH", "SKIPPED_KEPT", "IngestReport", "Progress", "ingest_papers", "reembed"]

_log = logging.getLogger(__name__)


def ingest_papers(
    database: Database,
    embedder: Embedder,
    records: Iterable[Paper | Skipped],
    *,
    expected: int | None = None,
    progress: Progress | None = None,
    notice: Callable[[str], None] | None = None,
) -> IngestReport:
    """Store the papers that are new or newer than what is held; embed only those.

    Ctrl-C ends it cleanly: what is embedded is stored, and the report says `interrupted`.

    Args:
        records: read as they are needed; memory stays bounded whatever their number.
        expected: about how many records there are, where that is known: a large load beside a
            small knowledge base goes without the indexes sooner, and builds them at its end.
        progress: is told the report so far after every batch that is stored.
        notice: is told in one line what makes it wait.

    Raises:
        DatabaseUnavailable: the database was lost and didn't come back within half a minute.
        ConfigurationError, ModelError: the embedder can't work.
    """
    begun = time.monotonic()
    report = IngestReport()
    tell = notice or (lambda _: None)
    pipeline = Pipeline(database, embedder, report, tell)
    load = Load(database, tell)
    try:
        for batch in _batches(records, report, pipeline):
            pipeline.take(batch)
            report.seconds = time.monotonic() - begun
            _consider(load, report, pipeline, expected)
            if progress is not None:
                progress(report)
        pipeline.finish()
    except KeyboardInterrupt:
        report.interrupted = True
        pipeline.drop_waiting()
        pipeline.finish()
    except SourceError as error:
        pipeline.finish()
        if not report.read:
            raise
        report.skip(Skipped("the rest of the source", str(error)), keep=True)
    except DatabaseUnavailable as error:
        raise DatabaseUnavailable(
            f"{error.cause} {report.stored:,} papers are stored.",
            "Run the same command again when the database is back: it goes on from there.",
        ) from error
    finally:
        pipeline.close()
    try:
        _settle(database, load, report.stored)
    except KeyboardInterrupt:  # all is stored; the next start builds what is not built
        report.interrupted = True
    report.seconds = time.monotonic() - begun
    if progress is not None:
        progress(report)
    return report


def _consider(load: Load, report: IngestReport, pipeline: Pipeline, expected: int | None) -> None:
    """Let the load do without indexes if it gains by that."""
    # Where nothing is known, it has come half of its way.
    to_read = report.read if expected is None else max(expected - report.read, 0)
    try:
        load.consider(
            stored=report.stored,
            to_come=to_read * report.stored // max(report.read, 1),
            writing=pipeline.writing,
            seconds=report.seconds,
        )
    except (DatabaseError, psycopg.Error) as error:
        _log.info("the indexes stay: %s", type(error).__name__)


def _settle(database: Database, load: Load, stored: int) -> None:
    try:
        load.close()
        if stored:
            settle(database, stored)
    except (DatabaseError, psycopg.Error) as error:  # all is stored; searches are slower for now
        _log.info("the indexes were not settled: %s", type(error).__name__)


def _batches(
    records: Iterable[Paper | Skipped], report: IngestReport, pipeline: Pipeline
) -> Iterator[dict[str, Paper]]:
    """Papers by id, cleaned; a paper that comes again begins the next batch."""
    batch: dict[str, Paper] = {}
    try:
        for number, record in enumerate(records, start=1):
            paper = _cleaned(record, number)
            if isinstance(paper, Skipped):
                report.skip(paper)
                continue
            if len(batch) >= pipeline.size or paper.arxiv_id in batch:
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
