"""Full texts and the papers they are of: from a file, from arXiv, from files of records."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from arxivscout.errors import SourceError
from arxivscout.papers import Paper, PaperId, Skipped, one_line
from arxivscout.papers.fulltext import FullText
from arxivscout.sources.byte_stream import BrokenStream
from arxivscout.sources.files import read_records
from arxivscout.sources.records import paper_from_record

if TYPE_CHECKING:
    from arxivscout.sources.arxiv_api import ArxivClient

# A name such as hep-th_9901001v2.pdf, where a slash can't be.
_OLD_NAME = re.compile(
    r"(?P<archive>[a-z]+(?:-[a-z]+)?(?:\.[a-z]{2})?)[_-]?(?P<rest>\d{7}.*)", re.I
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A paper's full text; `source` says where it was read, `paper` is the record beside it."""

    arxiv_id: str
    text: FullText
    source: str
    version: int | None = None
    paper: Paper | None = None


def document_at(path: Path, arxiv_id: PaperId | None = None) -> Document:
    """The document in a file, of the paper that is given, or that its name or its stamp tells.

    Raises:
        UsageError: the file can't be read.
        SourceError: it is no document, or nothing says which paper it is.
    """
    from arxivscout.sources.fulltext import read_document

    text = read_document(path)
    stamped = PaperId(text.arxiv_id, text.version) if text.arxiv_id else None
    found = arxiv_id or named_by(path.name) or stamped
    if found is None:
        raise SourceError(
            f"{path} does not say which paper it is.", "Give its arXiv id: --id 0712.2288."
        )
    same = stamped is not None and stamped.value == found.value
    return Document(
        arxiv_id=found.value,
        text=text,
        source=path.name,
        version=found.version or (text.version if same else None),
    )


def named_by(name: str) -> PaperId | None:
    """The paper that a file's name gives, as arXiv names its files; None if it gives none."""
    stem = re.sub(r"(?:\.(?:pdf|html?|gz|txt))+$", "", name, flags=re.IGNORECASE)
    old = _OLD_NAME.fullmatch(stem)
    for text in (stem, f"{old['archive']}/{old['rest']}" if old else ""):
        try:
            return PaperId.parse(text)
        except ValueError:
            continue
    return None


def document_of(arxiv: ArxivClient, paper_id: PaperId) -> Document:
    """The document that arXiv has of a paper.

    Raises:
        SourceError: it can't be had, or can't be read.
    """
    from arxivscout.sources.fulltext import read_document

    address, body = arxiv.document(paper_id)
    with tempfile.TemporaryDirectory(prefix="arxivscout-") as folder:
        path = Path(folder) / f"{paper_id.value.replace('/', '_')}.document"
        path.write_bytes(body)
        text = read_document(path, name=address)
    same = text.arxiv_id == paper_id.value
    return Document(
        arxiv_id=paper_id.value,
        text=text,
        source=address,
        version=paper_id.version or (text.version if same else None),
    )


def read_full_texts(path: Path) -> Iterator[Document | Skipped]:
    """The full texts of a file of records, in its order; for each that is none where and why.

    Raises:
        UsageError: at the call: no such file, no right to read it, or no format we know.
    """
    return _documents(path, read_records(path))


def _documents(
    path: Path, found: Iterator[tuple[int, dict[str, object] | str]]
) -> Iterator[Document | Skipped]:
    place = 0
    try:
        for place, record in found:
            where = f"{path.name}:{place}"
            try:
                yield (
                    _skipped(where, record)
                    if isinstance(record, str)
                    else _of_record(record, where)
                )
            except (SourceError, ValueError) as error:
                yield _skipped(where, str(error))
    except BrokenStream as broken:
        yield _skipped(f"{path.name}:{place + 1}", str(broken))
    except OSError as error:
        yield _skipped(f"{path.name}:{place + 1}", error.strerror or type(error).__name__)


def _of_record(record: dict[str, object], where: str) -> Document:
    from arxivscout.sources.fulltext import full_text_of_records

    text = full_text_of_records(record)
    paper = paper_from_record(record, source=where.rpartition(":")[0])
    return Document(
        arxiv_id=paper.arxiv_id,
        text=text,
        source=where.rpartition(":")[0],
        version=paper.version,
        paper=paper,
    )


def _skipped(where: str, reason: str) -> Skipped:
    return Skipped(where, one_line(reason))
