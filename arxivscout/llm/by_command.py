"""What is asked for in plain words and done by a command: marks in the library, a bibliography."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arxivscout.papers import PaperId

_POLITE = r"\W*(?:(?:please|ok(?:ay)?|and|now|can you|could you|would you)\W+)*"
_MARK = re.compile(
    _POLITE + r"(?:(?:save|add|put|store|keep|file)\b.{0,80}\b(?:library|reading list|bookmarks?)"
    r"|bookmark\b|mark\b.{0,80}\bas (?:(?:un)?read|reading|done|finished))",
    re.IGNORECASE,
)
_TAG = re.compile(_POLITE + r"tag\b.{0,80}\b(?:as|with)\b", re.IGNORECASE)
_CITE = re.compile(
    r"\b(?:bibtex|bib(?:liography)? entr(?:y|ies)|\.bib|ris entr(?:y|ies)|csl[- ]json)\b", re.I
)
_STATUS = re.compile(r"\bas (?P<status>unread|reading|read)\b", re.IGNORECASE)


def command_for(question: str, papers: Sequence[PaperId]) -> str:
    """How the person does what they ask for of these papers; "" of what no command does."""
    ids = " ".join(str(paper) for paper in papers)
    first = str(papers[0]) if papers else ""
    if papers and _CITE.search(question):
        return (
            f"The entry is given by `arxivscout cite {ids}` (--format ris, csl or markdown for "
            f"others), in the chat by /cite bibtex {ids}."
        )
    if papers and _TAG.match(question):
        return (
            f"Tags are yours to set: `arxivscout library tag {first} TAG`, in the chat "
            f"/tag {first} TAG."
        )
    if papers and _MARK.match(question):
        found = _STATUS.search(question)
        status = found["status"].lower() if found else "unread"
        return (
            f"Your library is yours to fill: `arxivscout library read {first} --status {status}` "
            f"puts it there, in the chat /read {first} {status}."
        )
    return ""
