"""How an answer cites: `[arXiv:0712.2288]`, and the other forms that models write."""

from __future__ import annotations

import re

from arxivscout.papers.ids import PaperId

_ID = r"(?:[a-z-]+(?:\.[A-Z]{2})?/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?"

# Groups: `bracket`, what stands in square brackets, perhaps several ids; `bare`, an id behind
# arXiv:, an address or arXiv's DOI; `plain`, an id that stands alone in parentheses.
CITATION = re.compile(
    rf"\[\s*(?P<bracket>(?:arXiv\s*:|{_ID}(?=\s*[\],;]))[^\[\]]{{0,200}})\]"
    r"|(?:\barXiv\s*:\s*|\barXiv\s+(?:preprint\s+)?"
    r"|(?:https?://)?(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html)/"
    r"|(?:(?:https?://)?(?:dx\.)?doi\.org/|doi:\s*)?\b10\.48550/arXiv\.)"
    rf"(?P<bare>{_ID})(?:\.pdf)?"
    rf"|(?<=\()(?P<plain>{_ID})(?=\))",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[;,]\s*|\s+(?=arXiv\s*:)|\s+and\s+", re.IGNORECASE)


def cited_texts(match: re.Match[str]) -> list[str]:
    """What a match of `CITATION` gives as ids, as it stands."""
    if bracket := match["bracket"]:
        return [part for part in _BETWEEN.split(bracket) if part.strip()]
    return [match["bare"] or match["plain"]]


def is_labelled(match: re.Match[str]) -> bool:
    """Whether the match says that it names a paper; else it may be a decimal number."""
    return bool(match["bare"]) or "arxiv" in (match["bracket"] or "").lower()


def cited_paper(text: str) -> PaperId | None:
    """The paper that `text` names, None if it can't be an id."""
    try:
        return PaperId.parse(text.strip())
    except ValueError:
        return None
