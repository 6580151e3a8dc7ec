"""PDFs for these tests, set by `pdf_writer`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arxivscout.papers.fulltext import FullText
from arxivscout.sources.fulltext.pdf_text import read_pdf_text

Reader = Callable[[bytes], FullText]


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    """The full text of a PDF's bytes, parsed in this process."""

    def read_bytes(data: bytes) -> FullText:
        path = tmp_path / "paper.pdf"
        path.write_bytes(data)
        return read_pdf_text(path, most_pages=2000)

    return read_bytes
