"""A BibTeX file into a person's library: what is held is marked, the rest fetched or wanted.

Keywords become tags, annotations a note. Importing again changes nothing: what the person marked
since stays, and what the file says is there already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arxivscout.errors import SourceError
from arxivscout.ingest import ingest_papers
from arxivscout.memory.knowledge import held_records
from arxivscout.memory.marks import Marked, mark_from_file, marks
from arxivscout.papers import Paper, Skipped, one_line
from arxivscout.papers.tags import MOST_TAGS, clean_tag
from arxivscout.sources.bibtex import BibEntry, Foreign, read_bib

if TYPE_CHECKING:
    from arxivscout.embedding import Embedder
    from arxivscout.memory.postgres import Database
    from arxivscout.sources.arxiv_api import ArxivClient

LONGEST_NOTE = 20_000


@dataclass(slots=True)
class ImportReport:
    """What became of a file's entries; the lists name papers by arXiv id."""

    added: list[str] = field(default_factory=list)  # new in the library
    known: list[str] = field(default_factory=list)  # in it already
    fetched: list[str] = field(default_factory=list)  # of these, stored just now from arXiv
    wanted: list[str] = field(default_factory=list)  # of these, not held
    foreign: list[Skipped] = field(default_factory=list)  # whole entries of no paper on arXiv
    broken: list[Skipped] = field(default_factory=list)  # entries that can't be taken

    @property
    def read(self) -> int:
        """How many entries the file has; a paper that it has twice counts once."""
        return len(self.added) + len(self.known) + len(self.foreign) + len(self.broken)


def import_bib(
    path: Path,
    database: Database,
    embedder: Embedder,
    arxiv: ArxivClient,
    user: str,
    *,
    notice: Callable[[str], None],
) -> ImportReport:
    """Take the file's papers into the library of `user`.

    Args:
        notice: is told, in a line, why papers were not fetched.

    Raises:
        UsageError: the file can't be read, or holds no BibTeX entry.
    """
    report = ImportReport()
    entries: dict[str, list[BibEntry]] = {}
    for each in read_bib(path):
        if isinstance(each, BibEntry):
            entries.setdefault(each.arxiv_id, []).append(each)
        else:
            (report.foreign if isinstance(each, Foreign) else report.broken).append(each)
    with database.shared() as conn:
        held = set(held_records(conn, entries))
    missing = [arxiv_id for arxiv_id in entries if arxiv_id not in held]
    unknown = _fetch(missing, database, embedder, arxiv, notice) if missing else {}
    for arxiv_id, reason in unknown.items():
        where = entries.pop(arxiv_id)[0].where
        report.broken.append(Skipped(where, f"arXiv:{arxiv_id}: {reason}"))
    with database.shared() as conn:
        held_now = set(held_records(conn, entries))
    with database.transaction(user) as conn:
        kept = {each.arxiv_id: each for each in marks(conn, ids=entries)}
        for arxiv_id, same in entries.items():
            mark = _mark(same, kept.get(arxiv_id))
            new = mark and mark_from_file(conn, arxiv_id, **mark)
            (report.added if new else report.known).append(arxiv_id)
    report.fetched = [arxiv_id for arxiv_id in missing if arxiv_id in held_now]
    report.wanted = [arxiv_id for arxiv_id in entries if arxiv_id not in held_now]
    return report


def _fetch(
    missing: Sequence[str],
    database: Database,
    embedder: Embedder,
    arxiv: ArxivClient,
    notice: Callable[[str], None],
) -> dict[str, str]:
    """Store these papers from arXiv, if it can be asked; which of them it hasn't, and why."""

    def records() -> Iterator[Paper | Skipped]:
        try:
            yield from arxiv.by_ids(missing)
        except SourceError as error:
            notice(str(error))

    skipped = ingest_papers(database, embedder, records(), notice=notice).skipped
    return {each.where: each.reason for each in skipped if each.where in missing}


def _mark(same: Sequence[BibEntry], kept: Marked | None) -> dict[str, Any] | None:
    """What a file says of a paper beyond the mark that is there; None if that is nothing."""
    title = next((each.title for each in same if each.title), None)
    status = next((each.read for each in same if each.read), None)
    note = "\n".join(dict.fromkeys(each.note for each in same if each.note))[:LONGEST_NOTE]
    tags = _tags(same)
    if kept:
        # White space is nothing that a file keeps: a note that differs in it is there already.
        if one_line(note) in one_line(kept.note or ""):
            note = ""
        if kept.status != "unread":  # how far the person is they know best
            status = None
        known = {*tags} <= {*kept.tags} and (kept.held or title in (None, kept.title))
        if known and not note and not status:
            return None
    return {"title": title, "tags": tags, "note": note, "status": status}


def _tags(entries: Sequence[BibEntry]) -> list[str]:
    """Keywords as tags; what can be none is no reason to refuse the paper."""
    words = [word for each in entries for word in each.keywords]
    return sorted({tag for word in words if (tag := clean_tag(word))})[:MOST_TAGS]
