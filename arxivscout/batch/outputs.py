"""The files of a batch: whole or not there.

Each is written beside its place and moved there. All come from the database, so that a run that was
killed between storing a report and writing it leaves nothing missing that the next does not write.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from arxivscout.batch.job import FORMATS, Format, Job
from arxivscout.errors import UsageError
from arxivscout.memory import batch_listing
from arxivscout.memory.batch_listing import JobRow
from arxivscout.reports.report import Report

if TYPE_CHECKING:
    from arxivscout.memory.postgres import Database

SUFFIXES: dict[Format, str] = {"html": "html", "markdown": "md", "bib": "bib", "json": "json"}
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
        self._lines: dict[UUID, str] = {}  # of results.jsonl, of jobs that are done
        self.notes: list[str] = []  # what could not be written
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _write(folder / f".{RESULTS}.try", "")
            (folder / f".{RESULTS}.try").unlink()
        except OSError as error:
            raise UsageError(
                f"The folder {folder} can't be written to: {error.strerror}.", "Name another --out."
            ) from None

    def store(self, job: Job, number: int, report: Report) -> None:
        """Write the files of a job that is done."""
        for each in self._formats or job.formats or FORMATS:
            path = self._folder / f"{job.file_name(number)}.{SUFFIXES[each]}"
            self._put(path, _rendered(report, each))
        self.refresh()

    def catch_up(self) -> int:
        """Write the files of jobs that are done and have none; how many jobs those were."""
        caught = 0
        for row in batch_listing.jobs(self._database, self._user, self._batch_id):
            if row.status != "done" or not row.listed:
                continue
            job = Job(**row.spec)
            wanted = [SUFFIXES[each] for each in self._formats or job.formats or FORMATS]
            name = job.file_name(row.number)
            if all((self._folder / f"{name}.{suffix}").exists() for suffix in wanted):
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
            self._put(self._folder / RESULTS, "".join(map(self._line, rows)))
            self._put(self._folder / INDEX, self._index(rows))
            self._written_at = time.monotonic()

    def _line(self, row: JobRow) -> str:
        if row.job_id in self._lines:
            return self._lines[row.job_id]
        job = Job(**row.spec)
        values: dict[str, Any] = {
            "number": row.number,
            "id": job.id,
            "question": job.question,
            "status": row.status,
            "error": row.error,
            "attempts": row.attempts,
        }
        report = None
        if row.status == "done":
            report = batch_listing.job_report(self._database, self._user, row.job_id)
        if report:
            values |= {"files": self._files(job, row.number), **_result(Report(**report))}
        line = json.dumps(values, ensure_ascii=False) + "\n"
        if report:
            self._lines[row.job_id] = line
        return line

    def _files(self, job: Job, number: int) -> list[str]:
        name = job.file_name(number)
        paths = (f"{name}.{suffix}" for suffix in SUFFIXES.values())
        return [path for path in paths if (self._folder / path).exists()]

    def _index(self, rows: Sequence[JobRow]) -> str:
        from arxivscout.reports.index import Entry, index_page

        entries = []
        for row in rows:
            job, line = Job(**row.spec), self._lines.get(row.job_id)
            known = json.loads(line) if line else {}
            spent = row.spent
            entries.append(
                Entry(
                    job_id=job.id or str(row.number),
                    question=job.question,
                    state=row.status,
                    error=row.error or "",
                    papers=len(known["papers"]) if known else None,
                    seconds=known.get("seconds"),
                    tokens=spent.input_tokens + spent.output_tokens if known else None,
                    cost=spent.cost,
                    billed=bool(spent.input_tokens or spent.output_tokens),
                    files=tuple(
                        (_KINDS[Path(each).suffix], each) for each in known.get("files", ())
                    ),
                )
            )
        return index_page(self._title, entries)

    def _put(self, path: Path, text: str) -> None:
        try:
            _write(path, text)
        except OSError as error:
            note = f"{path} could not be written: {error.strerror}"
            if note not in self.notes:
                self.notes.append(note)


def _rendered(report: Report, kind: Format) -> str:
    match kind:
        case "markdown":
            from arxivscout.reports.markdown import to_markdown

            return to_markdown(report)
        case "html":
            from arxivscout.reports.html import to_html

            return to_html(report)
        case "bib":
            from arxivscout.reports.bib import to_bib

            return to_bib(report)
        case "json":
            return report.model_dump_json(indent=2) + "\n"


def _result(report: Report) -> dict[str, Any]:
    """The job's outcome in short, as a line of results.jsonl has it."""
    return {
        "answer": " ".join(
            " ".join([each.text, *(f"[arXiv:{key}]" for key in each.papers)])
            for each in report.brief
        ),
        "not_found": report.not_found,
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


def _write(path: Path, text: str) -> None:
    """Put `text` at `path`, all of it or nothing."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        with beside.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
