"""arXiv's Atom feeds: bytes in, records out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.etree import ElementTree

from arxivscout.errors import SourceError
from arxivscout.papers import Paper, Skipped, one_line
from arxivscout.sources.records import paper_from_record

_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_SEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"


class NoFeed(Exception):
    """What came is no feed: an error page, a broken document. Worth another try."""


class Refused(SourceError):
    """arXiv answered with an error entry, such as `incorrect id format for abc`."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its entries (papers, or why one is none) and how many the whole search has."""

    entries: tuple[Paper | Skipped, ...]
    total: int


def parse_feed(body: bytes) -> Page:
    """The page that `body` holds.

    Raises:
        NoFeed: it is no feed.
        Refused: it is a feed that holds an error.
    """
    # A feed has no document type. An HTML page has one, and so have documents that unfold to
    # gigabytes or fetch files.
    if re.search(rb"<!(?:doctype|entity)", body[:4096], re.IGNORECASE):
        raise NoFeed("an HTML page" if b"<html" in body[:4096].lower() else "a document type")
    try:
        root = ElementTree.fromstring(body)
    except (ElementTree.ParseError, ValueError) as error:
        raise NoFeed(f"broken XML ({error})") from None
    if root.tag != f"{_ATOM}feed":
        raise NoFeed(f"a document of another kind ({root.tag[:60]})")
    entries = root.findall(f"{_ATOM}entry")
    for entry in entries:
        if "/api/errors" in _text(entry, f"{_ATOM}id"):
            message = one_line(_text(entry, f"{_ATOM}summary")) or "no reason given"
            raise Refused(f"arXiv refused the request: {message[:300]}.")
    total = _text(root, f"{_SEARCH}totalResults")
    return Page(
        tuple(_paper(entry) for entry in entries),
        int(total) if total.isascii() and total.isdigit() else len(entries),
    )


def _paper(entry: ElementTree.Element) -> Paper | Skipped:
    address = _text(entry, f"{_ATOM}id")
    record = {
        "id": address,
        "title": _text(entry, f"{_ATOM}title"),
        "abstract": _text(entry, f"{_ATOM}summary"),
        "authors": [
            {"name": _text(author, f"{_ATOM}name")} for author in entry.iterfind(f"{_ATOM}author")
        ],
        "categories": [c.get("term", "") for c in entry.iterfind(f"{_ATOM}category")],
        "primary_category": next(
            (c.get("term", "") for c in entry.iterfind(f"{_ARXIV}primary_category")), ""
        ),
        "published": _text(entry, f"{_ATOM}published"),
        "updated": _text(entry, f"{_ATOM}updated"),
        "comments": _text(entry, f"{_ARXIV}comment"),
        "doi": _text(entry, f"{_ARXIV}doi"),
        "journal_ref": _text(entry, f"{_ARXIV}journal_ref"),
    }
    try:
        return paper_from_record(record, source="arxiv")
    except ValueError as error:
        return Skipped(one_line(address)[:100] or "an entry of the feed", one_line(str(error)))


def _text(element: ElementTree.Element, tag: str) -> str:
    return (element.findtext(tag) or "").strip()
