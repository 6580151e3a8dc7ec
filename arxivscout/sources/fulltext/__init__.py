"""Full texts of papers from PDFs, from arXiv's HTML and from records. Nothing heavy is imported."""

from __future__ import annotations

from arxivscout.sources.fulltext.reading import Limits, read_document, read_html, read_pdf
from arxivscout.sources.fulltext.records import full_text_of_records

__all__ = ["Limits", "full_text_of_records", "read_document", "read_html", "read_pdf"]
