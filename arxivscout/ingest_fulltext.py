"""Full texts into the knowledge base: document → passages → embed → store, one by one.

A document is stored in one transaction: a kill leaves the one that was held, or the new one. What
is held already is found by its hash before anything is embedded, so that a run that was stopped
goes on where it ended. The record of a paper that is not held comes with the document, or arXiv is
asked for it: passages are found through their paper.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import psycopg

from arxivscout.embedding.whole import embed_whole
from arxivscout.errors import DatabaseError, DatabaseUnavailable, SourceError
from arxivscout.ingest import IngestReport, Progress, ingest_papers
from arxivscout.memory.knowledge import paper_by_id
from arxivscout.memory.passages import (
    content_of,
    document_hash,
    held_texts,
    put_full_text,
    settle_passages,
)
from arxivscout.papers import Paper, Skipped
from arxivscout.papers.passages import cut_passages
from arxivscout.sources.documents import Document

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder
    from arxivscout.memory.postgres import Database

__all__ = ["ingest_full_texts"]

_log = logging.getLogger(__name__)

# Asks arXiv for the record of a paper.
Ask = Callable[[str], Iterable[Paper | Skipped]]


def ingest_full_texts(
    database: Database,
    embedder: Embedder,
    documents: Iterable[Document | Skipped],
    *,
    ask: Ask,
    progress: Progress = lambda report: None,
) -> IngestReport:
    """Store the full texts that are new or changed; embed only those.

    Ctrl-C ends it cleanly: what is stored stays, and the report says `interrupted`.

    Args:
        documents: read as they are needed.
        ask: gives the record of a paper that is not held and did not come along.
        progress: is told the report so far after every document.

    Raises:
        DatabaseUnavailable: the database was lost.
        ConfigurationError, ModelError: the embedder can't work.
    """
    begun = time.monotonic()
    report = IngestReport()
    try:
        for document in documents:
            skipped = (
                document
                if isinstance(document, Skipped)
                else _store(database, embedder, document, ask, report)
            )
            if skipped is not None:
                report.skip(skipped)
            report.seconds = time.monotonic() - begun
            progress(report)
    except KeyboardInterrupt:
        report.interrupted = True
    except DatabaseUnavailable as error:
        raise DatabaseUnavailable(
            f"{error.cause} {report.stored:,} full texts are stored.",
            "Run the same command again when the database is back: it goes on from there.",
        ) from error
    if report.stored:
        _settle(database)
    report.seconds = time.monotonic() - begun
    return report


def _store(
    database: Database, embedder: Embedder, document: Document, ask: Ask, report: IngestReport
) -> Skipped | None:
    """Store one document and count it, or say why it is skipped."""
    arxiv_id = document.arxiv_id
    with database.shared() as conn:
        held = held_texts(conn, [arxiv_id]).get(arxiv_id)
        known = paper_by_id(conn, arxiv_id) is not None
    if held is not None:
        older = document.version and held.version and document.version < held.version
        if older or held.document_hash == document_hash(document.text):
            report.unchanged += 1
            return None
    if not known and (missing := _fetch_record(database, embedder, document, ask)):
        return Skipped(document.source, missing)
    parts = cut_passages(document.text.sections)
    if not parts:
        return Skipped(document.source, f"the document of {arxiv_id} has no text")
    passages = [passage for part in parts for passage in part.passages]
    vectors = embed_whole(embedder, [content_of(passage) for passage in passages])
    with database.shared() as conn:
        put_full_text(
            conn,
            arxiv_id,
            document.text,
            parts,
            vectors,
            version=document.version,
            source=document.source,
        )
    report.new += held is None
    report.updated += held is not None
    return None


def _fetch_record(
    database: Database, embedder: Embedder, document: Document, ask: Ask
) -> str | None:
    """Store the record of a document's paper; why not, if it can't be had."""
    arxiv_id = document.arxiv_id
    found: list[Paper | Skipped] = [document.paper] if document.paper else []
    try:
        found = found or list(ask(arxiv_id))
    except SourceError as error:
        return f"the record of {arxiv_id} is not held, and arXiv could not be asked: {error}"
    stored = ingest_papers(database, embedder, found)
    if stored.skipped:
        return f"the record of {arxiv_id} can't be stored: {stored.skipped[0].reason}"
    return None if stored.read else f"arXiv has no record of {arxiv_id}"


def _settle(database: Database) -> None:
    try:
        with database.admin() as conn:
            settle_passages(conn)
    except (DatabaseError, psycopg.Error) as error:  # all is stored; searches are slower for now
        _log.info("the passages' index was not settled: %s", type(error).__name__)
