"""The real records as BibTeX: each is read back the same by an independent parser."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import bibtexparser
import pytest
from bibtexparser.middlewares import SeparateCoAuthors, SplitNameParts

from arxivscout.papers import Paper
from arxivscout.papers.accents import accents_to_unicode
from arxivscout.papers.citing import render_citations, split_name
from arxivscout.papers.citing.latex import from_latex
from arxivscout.sources.files import read_papers

pytestmark = pytest.mark.records
EVERY = 5


def test_records_are_read_back_the_same(data_dir: Path) -> None:
    records = read_papers(data_dir / "arxiv_meta/core_25k.jsonl.gz")
    papers = [each for each in islice(records, 0, None, EVERY) if isinstance(each, Paper)]
    library = bibtexparser.parse_string(
        render_citations(papers, "bibtex"),
        append_middleware=[SeparateCoAuthors(), SplitNameParts()],
    )
    assert not library.failed_blocks
    assert len(library.entries_dict) == len(papers)
    entries = {entry["eprint"]: entry for entry in library.entries}
    for paper in papers:
        entry = entries[paper.arxiv_id]
        assert entry["year"] == (paper.published or "")[:4]
        if accents_to_unicode(paper.title) == paper.title:
            assert from_latex(entry["title"]) == paper.title
        names = [split_name(author) for author in paper.authors]
        expected = [(name.particle, name.family, name.suffix, name.given) for name in names]
        assert expected == [
            tuple(from_latex(" ".join(part)) for part in (n.von, n.last, n.jr, n.first))
            for n in (entry["author"] if paper.authors else [])
        ]
