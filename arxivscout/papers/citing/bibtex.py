"""BibTeX, with arXiv's fields: eprint, archivePrefix, primaryClass.

Titles stand in double braces, so that no style changes their capitals; `doi`, `url` and `eprint`
are verbatim, as BibTeX styles and biblatex take them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from arxivscout.papers.citing.facts import NOTHING, Own, date_parts, doi_of, remark
from arxivscout.papers.citing.keys import citation_keys
from arxivscout.papers.citing.latex import exact_latex, to_latex
from arxivscout.papers.citing.names import PersonName, split_name
from arxivscout.papers.record import Paper

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_NOT_VERBATIM = re.compile(r"[{}\\\s]")


def bibtex(papers: Sequence[Paper], own: Mapping[str, Own]) -> str:
    """An entry for each paper, with a blank line between them."""
    keys = citation_keys(papers)
    return "\n".join(
        _entry(paper, keys[paper.arxiv_id], own.get(paper.arxiv_id, NOTHING)) for paper in papers
    )


def _entry(paper: Paper, key: str, own: Own) -> str:
    # A wanted paper's title is what a file gave; it is given back the same.
    title = exact_latex(paper.title) if own.wanted else to_latex(paper.title)
    year, month, *_ = [*date_parts(paper), 0, 0]
    fields = {
        "title": f"{{{{{title}}}}}" if title else "",
        "author": f"{{{_authors(paper.authors)}}}" if paper.authors else "",
        "year": f"{{{year:04}}}" if year else "",
        "month": _MONTHS[month - 1] if month else "",
        "journal": f"{{{to_latex(paper.journal_ref)}}}" if paper.journal_ref else "",
        "eprint": f"{{{paper.arxiv_id}}}",
        "archivePrefix": "{arXiv}",
        "primaryClass": f"{{{to_latex(paper.primary_category)}}}" if paper.primary_category else "",
        "doi": f"{{{_verbatim(doi_of(paper))}}}",
        "url": f"{{{paper.url}}}",
        "note": f"{{{remark(paper)}}}" if remark(paper) else "",
        "keywords": f"{{{', '.join(map(_keyword, own.tags))}}}" if own.tags else "",
        "annote": f"{{{exact_latex(own.note)}}}" if own.note else "",
        "readstatus": f"{{{own.read}}}" if own.read else "",  # JabRef's name for it
    }
    lines = [f"  {name:<13} = {value}," for name, value in fields.items() if value]
    kind = "article" if paper.journal_ref else "misc"
    return "\n".join([f"@{kind}{{{key},", *lines, "}", ""])


def _keyword(tag: str) -> str:
    """A tag among keywords, which many programs part at semicolons too."""
    return ";{}".join(map(exact_latex, tag.split(";")))


def _authors(names: Sequence[str]) -> str:
    """One to a line where they are many: old BibTeX reads lines of 5,000 characters at most."""
    joint = " and " if len(names) <= 3 else f" and\n{' ' * 19}"
    return joint.join(_author(split_name(name)) for name in names)


def _author(name: PersonName) -> str:
    if name.group:
        return _braced(name.family)
    family = to_latex(name.family)
    # BibTeX tells particles by their small letters; what it would tell wrongly stands in braces.
    if family != name.family or any(not word[0].isupper() for word in name.family.split()):
        family = _braced(name.family)
    given = to_latex(name.given)
    if given != name.given:
        given = _braced(name.given)
    last = f"{name.particle} {family}".strip()
    return ", ".join(part for part in (last, name.suffix, given) if part)


def _braced(text: str) -> str:
    return f"{{{to_latex(text)}}}"


def _verbatim(text: str) -> str:
    return _NOT_VERBATIM.sub(lambda found: f"%{ord(found[0]):02X}", text)
