"""Which paper a document is of, and how arXiv's documents are fetched."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from arxiv_server import Reply, Script, arxiv_server
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.errors import SourceError, UsageError
from arxivscout.papers import PaperId, Skipped
from arxivscout.settings import Settings
from arxivscout.sources.addresses import own_address
from arxivscout.sources.arxiv_api import ArxivClient
from arxivscout.sources.arxiv_transport import LARGEST_DOCUMENT
from arxivscout.sources.documents import Document, named_by, read_full_texts

PAPER = PaperId("2212.11867")
Play = Callable[..., tuple[Script, ArxivClient]]


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    """`play(reply, …)` gives what the server will do and a client that talks to it."""
    with contextlib.ExitStack() as stack:

        def start(*replies: Reply, offline: bool = False) -> tuple[Script, ArxivClient]:
            script = stack.enter_context(arxiv_server(*replies))
            settings = Settings(
                home=tmp_path, user="tester", arxiv_url=script.url, arxiv_interval_s=0,
                arxiv_timeout_s=2, offline=offline,
            )  # fmt: skip
            client = ArxivClient(settings, patience_s=5, sleep=lambda _: None, chance=lambda: 0)
            return script, stack.enter_context(client)

        yield start


def test_html_comes_before_pdf_and_is_not_fetched_twice(play: Play) -> None:
    script, arxiv = play(Reply(b"<html>"))
    address, body = arxiv.document(PAPER)
    assert body == b"<html>" and address.endswith("/html/2212.11867")
    assert arxiv.document(PAPER) == (address, body)
    assert script.paths == ["/html/2212.11867"], "kept for a day"


def test_where_there_is_no_html_the_pdf_is_taken(play: Play) -> None:
    script, arxiv = play(Reply(status=404), Reply(b"%PDF-1.5"))
    assert arxiv.document(PaperId("hep-th/9901001", 2))[1] == b"%PDF-1.5"
    assert script.paths == ["/html/hep-th/9901001v2", "/pdf/hep-th/9901001v2"]


def test_a_document_is_followed_to_where_arxiv_keeps_it_and_nowhere_else(play: Play) -> None:
    script, arxiv = play(
        Reply(status=301, headers={"location": "/html/2212.11867v3"}), Reply(b"there")
    )
    assert arxiv.document(PAPER)[1] == b"there"
    assert script.paths[-1] == "/html/2212.11867v3"

    _, arxiv = play(Reply(status=302, headers={"location": "https://elsewhere.example/x"}))
    with pytest.raises(SourceError, match=r"sends on to elsewhere\.example"):
        arxiv.document(PaperId("2212.11868"))
    _, arxiv = play(Reply(status=302, headers={"location": "/pdf/x"}))
    with pytest.raises(SourceError, match="without end"):
        arxiv.document(PaperId("2212.11869"))
    assert own_address("https://arxiv.org/pdf/1", "https://export.arxiv.org/pdf/1")
    with pytest.raises(SourceError):
        own_address("https://notarxiv.org/pdf/1", "https://arxiv.org/pdf/1")
    with pytest.raises(SourceError):
        own_address("http://arxiv.org/pdf/1", "https://arxiv.org/pdf/1")


def test_what_goes_wrong_is_one_clear_line(play: Play) -> None:
    _, arxiv = play(Reply(status=404))
    with pytest.raises(SourceError, match=r"arXiv has no document of 2212\.11867\."):
        arxiv.document(PAPER)
    _, arxiv = play(Reply(status=403))
    with pytest.raises(SourceError, match="arXiv answered 403"):
        arxiv.document(PAPER)
    script, arxiv = play(Reply(status=503), Reply(b"at last"))
    assert arxiv.document(PAPER)[1] == b"at last" and len(script.paths) == 2
    _, arxiv = play(Reply(b"x" * (LARGEST_DOCUMENT + 1)))
    with pytest.raises(SourceError, match="more than 50 MiB"):
        arxiv.document(PaperId("2212.11870"))
    _, arxiv = play(Reply(b"x"), offline=True)
    with pytest.raises(SourceError, match="offline"):
        arxiv.document(PAPER)


@pytest.mark.parametrize(
    ("name", "paper"),
    [
        ("2212.11867.pdf", "2212.11867"),
        ("2212.11867v2.PDF", "2212.11867v2"),
        ("arXiv:2212.11867v1.html", "2212.11867v1"),
        ("hep-th_9901001v3.pdf", "hep-th/9901001v3"),
        ("hep-th9901001.pdf.gz", "hep-th/9901001"),
        ("math.GT_0309136.pdf", "math/0309136"),
        ("draft.pdf", None),
        ("2212.pdf", None),
        (".pdf", None),
    ],
)
def test_a_file_is_named_by_its_paper(name: str, paper: str | None) -> None:
    assert named_by(name) == (PaperId.parse(paper) if paper else None)


@given(st.text(max_size=60))
def test_any_name_gives_a_paper_or_none(name: str) -> None:
    named_by(name)


def test_records_are_read_and_bad_ones_told(tmp_path: Path) -> None:
    record = {
        "arxiv_id": "2212.11867",
        "title": "Zeros of polynomials",
        "abstract": "Zeros are counted.",
        "paragraphs": [{"section": "Introduction", "sec_number": "1", "text": "Let it be."}],
        "license": "http://creativecommons.org/licenses/by/4.0/",
    }
    path = tmp_path / "texts.jsonl"
    lines = [record, {**record, "paragraphs": []}, {**record, "title": ""}]
    path.write_text("\n".join([*map(json.dumps, lines), "{no"]))
    found = list(read_full_texts(path))
    first, *others = found
    assert isinstance(first, Document) and first.paper is not None
    assert (first.arxiv_id, first.paper.title) == ("2212.11867", "Zeros of polynomials")
    assert first.text.licence and first.source == "texts.jsonl"
    assert all(isinstance(each, Skipped) for each in others)
    assert [each.where for each in others if isinstance(each, Skipped)] == [
        "texts.jsonl:2", "texts.jsonl:3", "texts.jsonl:4"
    ]  # fmt: skip
    with pytest.raises(UsageError):
        read_full_texts(tmp_path / "none.jsonl")
