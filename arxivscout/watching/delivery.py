"""A digest in a person's format, as text or as files that appear whole."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

from arxivscout.errors import UsageError
from arxivscout.reports.report import Report

Format = Literal["markdown", "html", "bib", "json"]
FORMATS: tuple[Format, ...] = get_args(Format)
_ENDINGS: dict[Format, str] = {"markdown": "md", "html": "html", "bib": "bib", "json": "json"}


def rendered(report: Report, format: Format) -> str:
    """The report as a text of this format."""
    match format:
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


def write_digest(report: Report, folder: Path, formats: Sequence[Format]) -> list[Path]:
    """Write a digest's files, named by watch, date and number; written again they are the same.

    Raises:
        UsageError: the folder can't be made or written.
    """
    name = re.sub(r"[^\w.-]+", "-", report.job_id)
    written = []
    for format in formats:
        file = folder / f"{name}.{_ENDINGS[format]}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _whole(file, rendered(report, format))
        except OSError as error:
            raise UsageError(
                f"{file} can't be written: {error.strerror or error}.",
                "The digest is kept: the next run writes it.",
            ) from None
        written.append(file)
    return written


def _whole(file: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)
