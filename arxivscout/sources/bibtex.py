"""BibTeX files of other programs: which arXiv paper each entry is, and what its owner noted."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from arxivscout.errors import UsageError
from arxivscout.papers import PaperId, Skipped, clean_text, find_paper_ids, one_line
from arxivscout.papers.citing.latex import from_latex, lines_from_latex
from arxivscout.papers.ids import OLD_ARCHIVES

MOST_BYTES = 100_000_000
# Where programs put an arXiv id: eprint (arXiv, INSPIRE), url, doi (arXiv's own), and texts that
# name it: "arXiv preprint arXiv:…" (Google Scholar), volume "abs/…" (DBLP).
_TEXTS = ("journal", "journaltitle", "howpublished", "volume", "number", "note")
_NOTES = ("annote", "annotation", "note")
# Behind a semicolon that belongs to a keyword our own files have an empty group.
_BETWEEN_KEYWORDS = re.compile(r",|;(?!\{\})")
# A `note` that only repeats the bibliography (ours do) is nothing that a person noted.
_NO_NOTE = re.compile(
    r"(?:withdrawn\.?+|version\s++[0-9]++\.?+|v[0-9]++|(?:arxiv|e-?print|preprint)[\s:]*+\S*+|\W)*+",
    re.IGNORECASE,
)

# What it logs of broken entries is told by us, once and with the file's name.
logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)

# JabRef has "skimmed" for what is begun.
_READ = {"reading": "reading", "skimmed": "reading", "read": "read"}


@dataclass(frozen=True, slots=True)
class BibEntry:
    """An entry that is a paper on arXiv: where it stands, and what it says beside the record."""

    where: str
    arxiv_id: str
    title: str
    keywords: tuple[str, ...]
    note: str
    read: str = ""  # "reading" or "read", where it tells


@dataclass(frozen=True, slots=True)
class Foreign(Skipped):
    """An entry that is whole, but names no paper on arXiv."""


def read_bib(path: Path) -> list[BibEntry | Skipped]:
    """The file's entries in their order, with a `Skipped` for each broken one.

    Raises:
        UsageError: the file can't be read, or holds no BibTeX entry.
    """
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.model import Entry, ParsingFailedBlock

    found: list[BibEntry | Skipped] = []
    for block in parse_string(_text(path)).blocks:
        where = f"{path}:{(block.start_line or 0) + 1}"
        entry = block
        if isinstance(block, ParsingFailedBlock):
            # An entry with a key or a field twice is whole: the first of the fields counts.
            entry = block.ignore_error_block or block
        if isinstance(entry, Entry):
            fields: dict[str, str] = {}
            for field in entry.fields:
                fields.setdefault(field.key.lower(), str(field.value))
            found.append(_entry(where, entry.key, fields))
        elif isinstance(block, ParsingFailedBlock):
            found.append(Skipped(where, _reason(block.error)))
    if not found:
        raise UsageError(f"{path} holds no BibTeX entry.", "Name a .bib file.")
    return found


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UsageError(f"{path} has more than {MOST_BYTES // 10**6} MB.")
        raw = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}.", "Name a .bib file.") from None
    try:
        return clean_text(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:  # what programs wrote before UTF-8
        return clean_text(raw.decode("cp1252", errors="replace"))


def _reason(error: Exception) -> str:
    return one_line(str(getattr(error, "abort_reason", "") or error)).rstrip(".")


def _entry(where: str, key: str, fields: Mapping[str, str]) -> BibEntry | Skipped:
    arxiv_id = next(_ids(fields), None)
    if arxiv_id is None:
        return Foreign(where, f"the entry {one_line(key)} names no paper on arXiv")
    keywords = (
        from_latex(word.replace(";{}", ";"))
        for word in _BETWEEN_KEYWORDS.split(fields.get("keywords", ""))
    )
    notes = (_note(name, fields[name]) for name in _NOTES if name in fields)
    return BibEntry(
        where,
        arxiv_id,
        from_latex(fields.get("title", "")),
        tuple(filter(None, keywords)),
        "\n".join(note for note in dict.fromkeys(notes) if note),
        _READ.get(fields.get("readstatus", "").strip("{} ").lower(), ""),
    )


def _ids(fields: Mapping[str, str]) -> Iterator[str]:
    """The arXiv ids that the fields name, the surest first."""
    bare = {name: re.sub(r"\\url|[{}\\\s]", "", value) for name, value in fields.items()}
    kind = (bare.get("archiveprefix") or bare.get("eprinttype") or "arxiv").lower()
    eprint = bare.get("eprint", "")
    archive = kind if kind in OLD_ARCHIVES else bare.get("primaryclass", "").lower()
    if kind == "arxiv" or kind in OLD_ARCHIVES:
        yield from _parsed(eprint, f"{archive}/{eprint}")
    yield from _parsed(bare.get("doi", ""))
    yield from _parsed(bare.get("url", ""))
    texts = (fields.get(name, "").removeprefix("abs/") for name in _TEXTS)
    mentioned = find_paper_ids(" ; ".join(texts))
    if len(mentioned) == 1:  # of several nobody knows which one the entry is
        yield mentioned[0].value


def _parsed(*texts: str) -> Iterator[str]:
    for text in texts:
        try:
            yield PaperId.parse(text).value
        except ValueError:
            continue


def _note(field: str, text: str) -> str:
    note = lines_from_latex(text)
    return "" if field == "note" and _NO_NOTE.fullmatch(note) else note
