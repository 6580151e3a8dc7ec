"""The files of a batch: whole or not there.

Each is written beside its place and moved there. All come from the database, so that a run that was
killed between storing a report and writing it leaves nothing missing that the next does not write.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Container, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from arxivscout.batch.job import FORMATS, Job
from arxivscout.errors import DatabaseUnavailable, UsageError
from arxivscout.memory import batch_listing
from arxivscout.memory.batch_listing import JobRow
from arxivscout.reports.files import SUFFIXES, Format, rendered
from arxivscout.reports.report import Report
from arxivscout.whole_files import write_whole

if TYPE_CHECKING:
    from arxivscout.memory.postgres import Database

_KINDS = {".md": "Markdown", ".html": "HTML", ".bib": "BibTeX", ".json": "JSON"}
INDEX, RESULTS = "index.html", "results.jsonl"
REFRESH_S = 2.0  # index and results are written anew at most so often while jobs end


class Outputs:
    """Writes what a batch leaves in a folder; safe to use from several threads."""

    def __init__(
        self,
        database: Database,
        user: str,
        batch_id: UUID,
        folder: Path,
        title: str,
        formats: Sequence[Format] | None = None,
    ) -> None:
        """Args:
        formats: for all jobs, in place of what each asks for.

        Raises:
            UsageError: the folder can't be made or written to.
        """
        self._database = database
        self._user = user
        self._batch_id = batch_id
        self._folder = folder
        self._title = title
        self._formats = formats
        self._mutex = threading.Lock()
        self._written_at = 0.0
        self._results: dict[UUID, dict[str, Any]] = {}  # of jobs that are done
        self.notes: list[str] = []  # what could not be written
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(folder / f".{RESULTS}.try", "")
            (folder / f".{RESULTS}.try").unlink(missing_ok=True)  # another run may be at it
        except OSError as error:
            raise UsageError(
                f"The folder {folder} can't be written to: {error.strerror}.", "Name another --out."
            ) from None

    def store(self, job: Job, number: int, report: Report) -> None:
        """Write the files of a job that is done."""
        for each in self._formats or job.formats or FORMATS:
            path = self._folder / f"{job.file_name(number)}.{SUFFIXES[each]}"
            self._put(path, rendered(report, each))
        with suppress(DatabaseUnavailable):  # what ends later writes index and results
            self.refresh()

    def catch_up(self) -> int:
        """Write the files of jobs that are done and have none; how many jobs those were.

        A file of that name may be another job's: of one that had the id, or the place, before.
        """
        caught = 0
        for row in batch_listing.jobs(self._database, self._user, self._batch_id):
            if row.status != "done" or not row.listed:
                continue
            job = Job(**row.spec)
            wanted = [SUFFIXES[each] for each in self._formats or job.formats or FORMATS]
            name = job.file_name(row.number)
            paths = [self._folder / f"{name}.{suffix}" for suffix in wanted]
            if all(_names(path, row.job_id) for path in paths):
                continue
            report = batch_listing.job_report(self._database, self._user, row.job_id)
            if report:
                self.store(job, row.number, Report(**report))
                caught += 1
        return caught

    def refresh(self, *, now: bool = False) -> None:
        """Write index and results anew, unless that was done a moment ago."""
        with self._mutex:
            if not now and time.monotonic() - self._written_at < REFRESH_S:
                return
            rows = [
                row
                for row in batch_listing.jobs(self._database, self._user, self._batch_id)
                if row.listed
            ]
            here = self._here()
            lines = [self._line(row, here) for row in rows]
            text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
            self._put(self._folder / RESULTS, text)
            self._put(self._folder / INDEX, self._index(rows, lines))
            self._written_at = time.monotonic()

    def _here(self) -> frozenset[str]:
        try:
            return frozenset(path.name for path in self._folder.iterdir())
        except OSError:  # it is told where something is written there
            return frozenset()

    def _line(self, row: JobRow, here: Container[str]) -> dict[str, Any]:
        job = Job(**row.spec)
        values: dict[str, Any] = {
            "number": row.number,
            "id": job.id,
            "question": job.question,
            "status": row.status,
            "error": row.error,
            "attempts": row.attempts,
        }
        if row.status != "done":
            return values
        if row.job_id not in self._results:
            report = batch_listing.job_report(self._database, self._user, row.job_id)
            if not report:
                return values
            self._results[row.job_id] = _result(Report(**report))
        # Looked for each time: another worker may just be writing them.
        name = job.file_name(row.number)
        files = [path for suffix in SUFFIXES.values() if (path := f"{name}.{suffix}") in here]
        return values | {"files": files} | self._results[row.job_id]

    def _index(self, rows: Sequence[JobRow], lines: Sequence[Mapping[str, Any]]) -> str:
        from arxivscout.reports.index import Entry, index_page

        entries = []
        for row, line in zip(rows, lines, strict=True):
            known, spent = "files" in line, row.spent
            entries.append(
                Entry(
                    job_id=line["id"] or str(row.number),
                    question=line["question"],
                    state=row.status,
                    error=row.error or "",
                    papers=len(line["papers"]) if known else None,
                    seconds=line.get("seconds"),
                    tokens=spent.input_tokens + spent.output_tokens if known else None,
                    cost=spent.cost,
                    billed=bool(spent.input_tokens or spent.output_tokens),
                    files=tuple(
                        (_KINDS[Path(each).suffix], each) for each in line.get("files", ())
                    ),
                    answer=line.get("answer", "").partition(" [arXiv:")[0],
                    not_found=line.get("not_found", ""),
                    degraded=tuple(line.get("degraded", ())),
                )
            )
        return index_page(self._title, entries)

    def _put(self, path: Path, text: str) -> None:
        try:
            write_whole(path, text)
        except OSError as error:
            note = f"{path} could not be written: {error.strerror}"
            if note not in self.notes:
                self.notes.append(note)


def _names(path: Path, job_id: UUID) -> bool:
    """Whether the file is there and is that job's: each tells which it is of."""
    try:
        return str(job_id).encode() in path.read_bytes()
    except OSError:
        return False


def _result(report: Report) -> dict[str, Any]:
    """The job's outcome in short, as a line of results.jsonl has it."""
    return {
        "answer": " ".join(
            " ".join([each.text, *(f"[arXiv:{key}]" for key in each.papers)])
            for each in report.brief
        ),
        "not_found": report.not_found,
        "preferences": list(report.preferences),
        "papers": [
            {"arxiv_id": each.arxiv_id, "title": each.title, "url": each.url, "cited": each.cited}
            for each in report.papers
        ],
        "model": report.cost.model,
        "input_tokens": report.cost.input_tokens,
        "output_tokens": report.cost.output_tokens,
        "cost": report.cost.cost,
        "seconds": report.seconds,
        "degraded": list(report.degraded),
        "problems": list(report.problems),
    }
