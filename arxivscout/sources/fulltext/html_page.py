"""What arXiv's HTML says beside its text: which paper it is, its licence, the LaTeX of formulas."""

from __future__ import annotations

import re

from arxivscout.papers.ids import PaperId
from arxivscout.papers.text import one_line
from arxivscout.sources.fulltext.html_tree import Node

_STAMP = re.compile(
    r"(?:arXiv:|/html/)\s*((?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d{1,3})?)",
    re.IGNORECASE,
)


def latex_of(math: Node) -> str:
    """The LaTeX of a formula, on one line; its letters where it has no LaTeX."""
    latex = math.attributes.get("alttext") or text_in(math)
    return one_line(latex.replace("\\displaystyle", " ").replace("%\n", " "))


def text_in(node: Node) -> str:
    return "".join(child if isinstance(child, str) else text_in(child) for child in node.children)


def stamped_paper(tree: Node) -> PaperId | None:
    """The paper that the page says it is: by arXiv's stamp, or its own address."""
    said: list[str] = []
    for node in tree.elements():
        if node.attributes.get("id", "").startswith("watermark"):
            said.insert(0, text_in(node))
        elif node.tag == "base" or node.attributes.get("rel") == "canonical":
            said.append(node.attributes.get("href", ""))
    for text in said:
        if match := _STAMP.search(text):
            try:
                return PaperId.parse(match[1])
            except ValueError:
                continue
    return None


def licence_of(tree: Node) -> str | None:
    for node in tree.elements():
        if node.attributes.get("id", "").startswith("license"):
            link = next(
                (e.attributes["href"] for e in node.elements() if "href" in e.attributes), ""
            )
            if "creativecommons.org" in link:
                return link
            said = one_line(text_in(node)).removeprefix("License:").strip()
            return said or None
    return None
