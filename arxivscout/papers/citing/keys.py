"""Citation keys such as shi2007cp: family name, year, the title's first word that says much."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from arxivscout.papers.citing.names import split_name
from arxivscout.papers.record import Paper
from arxivscout.papers.text import fold_accents

_SMALL_WORDS = frozenset(
    """
    a an and are as at by can do does for from how if in into is it its no not of on or the their
    to toward towards under using via was we what when where which who why with without
    """.split()
)
_MATHS = re.compile(r"\$[^$]*\$|\\[A-Za-z]+")
_LONGEST = 30


def citation_keys(papers: Sequence[Paper]) -> dict[str, str]:
    """A key for each paper, by arXiv id: unique among them, whatever their order.

    A paper has the same key wherever it is cited; where several would have the same, each has its
    id behind it.
    """
    plain = {paper.arxiv_id: _key(paper) for paper in papers}
    times = Counter(plain.values())
    return {
        arxiv_id: key if times[key] == 1 else f"{key}-{arxiv_id.replace('/', '')}"
        for arxiv_id, key in plain.items()
    }


def _key(paper: Paper) -> str:
    family = _letters(split_name(paper.authors[0]).family) if paper.authors else ""
    words = map(_letters, re.split(r"[\s-]+", _MATHS.sub(" ", paper.title)))
    word = next((word for word in words if word and word not in _SMALL_WORDS), "")
    if not family and not word:
        return f"arxiv{paper.arxiv_id.replace('/', '')}"
    return f"{family or 'anon'}{(paper.published or '')[:4]}{word}"


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", fold_accents(text).lower())[:_LONGEST]
