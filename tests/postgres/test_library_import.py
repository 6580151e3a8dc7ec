"""A BibTeX file into a person's library: held, fetched from arXiv, or wanted; and again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from arxivscout.embedding import Embedder
from arxivscout.errors import UsageError
from arxivscout.ingest import ingest_papers
from arxivscout.library import Library
from arxivscout.memory.postgres import Database
from arxivscout.papers import Paper, one_line
from arxivscout.settings import Settings
from arxivscout.sources.arxiv_api import ArxivClient

HELD = Paper(arxiv_id="0712.2288", title="CP Measurement", abstract="Mesons.")
BIB = """
@misc{a, eprint={0712.2288}, keywords={Mesons, cp}, annote={Read section 3.}}
@misc{b, eprint={1706.03762}, title={Attention Is All You Need}, keywords={attention}}
@misc{c, eprint={2301.99999}, title={No such}}
@book{d, title={The TeXbook}}
"""
FEED = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"
      xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">
  <id>x</id><title>arXiv Query</title>
  <opensearch:totalResults>1</opensearch:totalResults>
  <entry>
    <id>http://arxiv.org/abs/1706.03762v7</id>
    <title>Attention Is All You Need</title>
    <summary>A network of attention alone.</summary>
    <published>2017-06-12T17:57:34Z</published><updated>2023-08-02T00:41:18Z</updated>
    <author><name>Ashish Vaswani</name></author>
    <category term="cs.CL" scheme="http://arxiv.org/schemas/atom"/>
  </entry>
</feed>"""

Open = Callable[..., Library]


@pytest.fixture
def library_of(database: Database, embedder: Embedder, settings: Settings) -> Open:
    """Opens the tester's library in a database with one paper; arXiv answers, or is not asked."""
    ingest_papers(database, embedder, [HELD])

    def open_library(*, online: bool, status: int = 200, asked: list[str] | None = None) -> Library:
        def answer(request: httpx.Request) -> httpx.Response:
            if asked is not None:
                asked.append(str(request.url.params["id_list"]))
            return httpx.Response(status, text=FEED if status == 200 else "no")

        arxiv = ArxivClient(
            settings.model_copy(update={"offline": not online}),
            patience_s=1.0,
            transport=httpx.MockTransport(answer),
            sleep=lambda _: None,
        )
        return Library(database, embedder, arxiv, "tester")

    return open_library


@pytest.fixture
def bib(tmp_path: Path) -> Path:
    path = tmp_path / "papers.bib"
    path.write_text(BIB)
    return path


def test_what_is_not_held_is_fetched_in_one_request(library_of: Open, bib: Path) -> None:
    asked: list[str] = []
    library = library_of(online=True, asked=asked)
    report = library.import_bib(bib)
    assert asked == ["1706.03762,2301.99999"]
    assert report.added == ["0712.2288", "1706.03762"]
    assert (report.fetched, report.wanted) == (["1706.03762"], [])
    assert [each.where for each in report.foreign] == [f"{bib}:5"]
    (broken,) = report.broken
    assert broken.where == f"{bib}:4"
    assert broken.reason == "arXiv:2301.99999: arXiv has no such paper"
    marks = {each.arxiv_id: each for each in library.marks()}
    assert marks["0712.2288"].tags == ("cp", "mesons")
    assert marks["0712.2288"].note == "Read section 3."
    assert marks["1706.03762"].held
    assert "eprint        = {1706.03762}" in library.export("bibtex", tag="attention")


def test_offline_papers_are_wanted_and_fetched_later(library_of: Open, bib: Path) -> None:
    told: list[str] = []
    library = library_of(online=False)
    report = library.import_bib(bib, notice=told.append)
    assert report.wanted == ["1706.03762", "2301.99999"]
    assert not report.broken
    assert told == [
        "ArxivScout is offline: arXiv is not asked. Unset ARXIVSCOUT_OFFLINE to allow it."
    ]
    (wanted,) = library.marks(ids=["1706.03762"])
    assert (wanted.title, wanted.held) == ("Attention Is All You Need", False)
    library.note("1706.03762", "A wanted paper can be noted on.")
    told.clear()
    exported = library.export("bibtex", notice=told.append)
    assert told == ["Wanted, not held, and so no more than id and title: 1706.03762, 2301.99999."]
    assert "title         = {{Attention Is All You Need}},\n" in exported
    assert "keywords      = {attention},\n  annote        = {A wanted paper can be" in exported
    later = library_of(online=True).import_bib(bib)
    assert (later.fetched, later.wanted) == (["1706.03762"], [])
    (now,) = library.marks(ids=["1706.03762"])
    assert now.held
    assert now.note == "A wanted paper can be noted on."


def test_importing_again_changes_nothing_that_the_person_marked(
    library_of: Open, bib: Path, database: Database
) -> None:
    library = library_of(online=False)
    library.note("0712.2288", "My own words.")
    library.tag("0712.2288", "mine")
    library.read("0712.2288", "read")
    first = library.import_bib(bib)
    assert (first.added, first.known) == (["1706.03762", "2301.99999"], ["0712.2288"])
    (before,) = library.marks(ids=["0712.2288"])
    assert before.note == "My own words.\nRead section 3."
    assert (before.tags, before.status) == (("cp", "mesons", "mine"), "read")
    again = library.import_bib(bib)
    assert again.added == []
    (after,) = library.marks(ids=["0712.2288"])
    assert (after.note, after.tags, after.noted_at) == (before.note, before.tags, before.noted_at)


def test_what_is_exported_and_imported_is_the_same_library(
    library_of: Open, bib: Path, database: Database, embedder: Embedder, settings: Settings
) -> None:
    library = library_of(online=False)
    library.import_bib(bib)
    library.note("0712.2288", "50% of $a_1$\n\n  #2:  {see}   section~3 \\\\ & Version 3.")
    library.note("1706.03762", "withdrawn.")
    library.tag("0712.2288", "dark matter", "a;b", "c & d", "{e}", "$f;g$", "\\h\\")
    before = library.marks()
    exported = library.export()
    bib.write_text(exported)
    again = library.import_bib(bib)
    assert (again.added, again.broken, again.foreign) == ([], [], [])
    assert library.marks() == before
    other = Library(
        database, embedder, ArxivClient(settings.model_copy(update={"offline": True})), "other"
    )
    assert len(other.import_bib(bib).added) == 3
    assert one_line(other.export()) == one_line(exported)
    bib.write_text(other.export())
    kept = other.marks()
    other.import_bib(bib)
    assert other.marks() == kept
    assert {each.arxiv_id: (each.title, each.tags) for each in kept} == {
        each.arxiv_id: (each.title, each.tags) for each in before
    }


def test_arxiv_that_fails_makes_them_wanted(library_of: Open, bib: Path) -> None:
    told: list[str] = []
    report = library_of(online=True, status=500).import_bib(bib, notice=told.append)
    assert report.wanted == ["1706.03762", "2301.99999"]
    assert len(told) == 1
    assert "arXiv" in told[0]


def test_a_file_that_is_none_changes_nothing(library_of: Open, tmp_path: Path) -> None:
    (tmp_path / "x.bib").write_text("nothing")
    library = library_of(online=False)
    with pytest.raises(UsageError):
        library.import_bib(tmp_path / "x.bib")
    assert library.marks() == []
