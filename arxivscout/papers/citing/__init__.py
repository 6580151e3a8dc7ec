"""Papers as entries of a bibliography: BibTeX, RIS, CSL-JSON, Markdown. Pure, no I/O."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, get_args

from arxivscout.papers.citing.bibtex import bibtex
from arxivscout.papers.citing.csl import csl
from arxivscout.papers.citing.facts import Own
from arxivscout.papers.citing.keys import citation_keys
from arxivscout.papers.citing.markdown import markdown
from arxivscout.papers.citing.names import PersonName, split_name
from arxivscout.papers.citing.ris import ris
from arxivscout.papers.record import Paper

Format = Literal["bibtex", "ris", "csl", "markdown"]
FORMATS: tuple[Format, ...] = get_args(Format)

_WRITERS: dict[Format, Callable[[Sequence[Paper], Mapping[str, Own]], str]] = {
    "bibtex": bibtex,
    "ris": ris,
    "csl": csl,
    "markdown": markdown,
}

__all__ = [
    "FORMATS",
    "Format",
    "Own",
    "PersonName",
    "citation_keys",
    "render_citations",
    "split_name",
]


def render_citations(
    papers: Sequence[Paper], format: Format, own: Mapping[str, Own] | None = None
) -> str:
    """The papers in one of `FORMATS`, each once, in their order; ends in a newline unless empty.

    Args:
        own: what a person adds to some of them, by arXiv id; Markdown, for readers, leaves it out.
    """
    once = {paper.arxiv_id: paper for paper in papers}
    return _WRITERS[format](list(once.values()), own or {})
