"""A report as a file of one of its formats, whole or not there."""

from __future__ import annotations

from typing import Literal, get_args

from arxivscout.reports.report import Report

Format = Literal["markdown", "html", "bib", "json"]
FORMATS: tuple[Format, ...] = get_args(Format)
SUFFIXES: dict[Format, str] = {"html": "html", "markdown": "md", "bib": "bib", "json": "json"}


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
