"""The list of references: where each entry begins, and which paper it names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from arxivscout.papers.fulltext import Reference
from arxivscout.papers.ids import PaperId
from arxivscout.papers.mentions import dois_in
from arxivscout.papers.text import one_line

# [12], [ABC+17]; not [Online], [arXiv:1706.03762]
_BRACKETED = re.compile(r"\[((?=[^\[\]]*\d)[^\[\]\s:/.]{1,12})\]")
_MOST_SKIPPED = 10  # numbers that a list may leave out
_FEWEST_UNNAMED = 3  # entries that show a list without a heading
_LONGEST_ENTRY = 12  # lines
_COUNTED = re.compile(r"[(\[]?(\d{1,4})[.)\]]?(?=\D)")
_NEW = r"\d{4}\.\d{4,5}(?:v\d{1,3})?(?!\d|\.\d)"
_OLD = r"[a-z]{2,}(?:-[a-z]+)?(?:\.[A-Z]{2})?/\d{7}(?:v\d{1,3})?(?!\d)"
# A bare number such as 1205.1234 may be a page or a report; one that is labelled names a paper.
_LABELLED = re.compile(
    rf"(?:arxiv(?:\.org/(?:abs|pdf|html)/|\s*(?:e-?print|preprint)?\s*[:.,/\s]\s*(?:abs/)?)"
    rf"|10\.48550/arxiv\.|\babs/)\s*(?P<id>{_NEW}|{_OLD})"
    rf"|(?P<tagged>{_NEW})\s*\[[a-z-]+(?:\.[a-z-]+)?\]"
    rf"|(?<![\w./])(?<!\w-)(?P<old>{_OLD})",
    re.IGNORECASE,
)
_BROKEN_ID = re.compile(r"(arxiv\s*[:.]\s*\d{4}\.)\s+(\d{4,5})\b", re.IGNORECASE)
_BROKEN_DOI = re.compile(r"(\b10\.\d{4,9}/)\s+(?=\S*\d)", re.IGNORECASE)
_NO_DOI_END = re.compile(r"(?:[.,;:)\]}>\"'’”]|\.?(?:pdf|html?))+$")


@dataclass(frozen=True, slots=True)
class EntryLine:
    """A line of the list: how far it is set in, and the gap above it, both in sizes of its font."""

    text: str
    indent: float = 0.0
    gap: float = 0.0


def split_entries(lines: Sequence[EntryLine]) -> list[list[EntryLine]]:
    """The lines of each entry, in order; every line is in one."""
    starts = _bracketed(lines) or _counted(lines) or _hanging(lines) or _spaced(lines)
    if not starts:
        starts = _ended(lines)
    cuts = sorted({0, *starts, len(lines)})
    return [list(lines[start:end]) for start, end in pairwise(cuts) if start < end]


def reference_of(text: str) -> Reference:
    """The entry that `text` is, with the arXiv id and the DOI that it names."""
    text = one_line(text)
    text = _BROKEN_DOI.sub(r"\1", _BROKEN_ID.sub(r"\1\2", text))
    dois = (_NO_DOI_END.sub("", doi) for doi in dois_in(text))
    doi = next((doi for doi in dois if not doi.startswith("10.48550/")), None)
    return Reference(text=text, arxiv_id=_arxiv_id(text), doi=doi)


def _arxiv_id(text: str) -> str | None:
    for match in _LABELLED.finditer(text):
        try:
            return PaperId.parse(match["id"] or match["tagged"] or match["old"]).value
        except ValueError:
            continue  # such as arXiv:2017.12345, which has no such month
    return None


def _bracketed(lines: Sequence[EntryLine]) -> list[int]:
    """Lines that begin with [1] and what follows it, or with [ABC+17] and the like."""
    if not lines or not _BRACKETED.match(lines[0].text):
        return []
    starts: list[int] = []
    number = None
    for place, line in enumerate(lines):
        mark = _BRACKETED.match(line.text)
        if mark is None:
            continue
        if mark[1].isdecimal():
            if number is not None and not number < int(mark[1]) < number + _MOST_SKIPPED:
                continue  # a year or a page in brackets
            number = int(mark[1])
        elif number is not None:
            continue  # [MR0436272] under [6]
        starts.append(place)
    return starts


def _counted(lines: Sequence[EntryLine]) -> list[int]:
    """Lines that begin with 1, 2, 3 and so on; a number out of its turn begins nothing."""
    starts: list[int] = []
    expected = None
    for place, line in enumerate(lines):
        match = _COUNTED.match(line.text)
        if match and (expected is None or int(match[1]) == expected):
            if expected is None and place:
                return []
            starts.append(place)
            expected = int(match[1]) + 1
    return starts if len(starts) > 1 else []


def _hanging(lines: Sequence[EntryLine]) -> list[int]:
    starts = [place for place, line in enumerate(lines) if line.indent < 0.4]
    return starts if 0 < len(starts) < len(lines) else []


def _spaced(lines: Sequence[EntryLine]) -> list[int]:
    """Lines with more room above them than others have."""
    gaps = sorted(line.gap for line in lines[1:])
    if len(gaps) < 2:
        return []
    usual = gaps[len(gaps) // 4]
    return [place for place, line in enumerate(lines) if place and line.gap > 1.2 * usual + 0.05]


def _ended(lines: Sequence[EntryLine]) -> list[int]:
    """After lines that end a sentence with a year or a page, before ones that begin with a name."""
    return [
        place
        for place in range(1, len(lines))
        if re.search(r"\d[a-z]?\)?\.$", lines[place - 1].text)
        and re.match(r"[^\W\d_]", lines[place].text)
        and lines[place].text[0].isupper()
    ]


def first_unnamed(texts: Sequence[str]) -> int | None:
    """Where a list of references begins that no heading names: at the last line with its first
    number below which the next ones begin lines, as far apart as entries are."""
    found = None
    for place, text in enumerate(texts):
        if _bracketed_number(text) == 1 and _goes_on_counting(texts[place + 1 :]):
            found = place
    return found


def _goes_on_counting(texts: Sequence[str]) -> bool:
    wanted, since = 2, 0
    for text in texts:
        since += 1
        if _bracketed_number(text) == wanted:
            wanted, since = wanted + 1, 0
        if wanted > _FEWEST_UNNAMED:
            return True
        if since > _LONGEST_ENTRY:
            return False
    return False


def _bracketed_number(text: str) -> int | None:
    match = _BRACKETED.match(text)
    return int(match[1]) if match and match[1].isdecimal() else None


def references_of(texts: Iterable[str]) -> tuple[Reference, ...]:
    """Those of `texts` that say something, as entries."""
    return tuple(found for found in map(reference_of, texts) if found.text)
