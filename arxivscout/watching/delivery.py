"""A digest as files that appear whole."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from arxivscout.errors import UsageError
from arxivscout.reports.files import SUFFIXES, Format, rendered
from arxivscout.reports.report import Report
from arxivscout.whole_files import write_whole


def write_digest(report: Report, folder: Path, formats: Sequence[Format]) -> list[Path]:
    """Write a digest's files, named by watch, date and number; written again they are the same.

    Raises:
        UsageError: the folder can't be made or written.
    """
    name = re.sub(r"[^\w.-]+", "-", report.job_id)
    written = []
    for format in formats:
        file = folder / f"{name}.{SUFFIXES[format]}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(file, rendered(report, format))
        except OSError as error:
            raise UsageError(
                f"{file} can't be written: {error.strerror or error}.",
                "The digest is kept: the next run writes it.",
            ) from None
        written.append(file)
    return written
