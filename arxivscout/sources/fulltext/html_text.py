"""arXiv's HTML of a paper (made by LaTeXML) → its full text.

The classes are LaTeXML's own (https://math.nist.gov/~BMiller/LaTeXML/manual/schema/); formulas are
given as the LaTeX in `alttext`.
"""

from __future__ import annotations

from collections.abc import Iterator

from arxivscout.papers.fulltext import Block, BlockKind, FullText
from arxivscout.papers.text import one_line
from arxivscout.sources.fulltext.html_page import latex_of, licence_of, stamped_paper, text_in
from arxivscout.sources.fulltext.html_tree import Node, parse_tree
from arxivscout.sources.fulltext.outline import Outline
from arxivscout.sources.fulltext.references import references_of

_SECTIONS = frozenset(
    """ltx_part ltx_chapter ltx_section ltx_subsection ltx_subsubsection ltx_paragraph
    ltx_subparagraph ltx_appendix ltx_index ltx_abstract ltx_acknowledgements ltx_bibliography
    ltx_glossary""".split()
)
_UNTITLED = {"ltx_abstract": "Abstract", "ltx_acknowledgements": "Acknowledgements"}
_LISTS = frozenset({"ltx_itemize", "ltx_enumerate", "ltx_description"})
_FORMULAS = frozenset({"ltx_equation", "ltx_equationgroup", "ltx_eqn_table"})
_NOT_READ = frozenset({"ltx_TOC", "ltx_page_footer", "ltx_page_header", "ltx_page_navbar"})
_BLOCK_TAGS = frozenset(
    """article aside blockquote dd div dl dt figcaption figure h1 h2 h3 h4 h5 h6 header li main ol
    p pre section table ul""".split()
)
_MARKS = frozenset({"ltx_note_mark", "ltx_note_type", "ltx_tag_note"})


class NoPaper(Exception):
    """The HTML is no paper that LaTeXML made, or one without a word."""


def parse_html(data: bytes) -> FullText:
    """The full text of arXiv's HTML.

    Raises:
        NoPaper: it is other HTML, or none.
    """
    tree = parse_tree(data.decode("utf-8-sig", "replace"))
    document = tree.find("ltx_document") or tree.find("ltx_page_content")
    if document is None:
        raise NoPaper
    reader = _Reader()
    reader.read(document)
    reader.add_notes()
    sections = reader.outline.sections()
    if not any(section.blocks for section in sections):
        raise NoPaper
    paper = stamped_paper(tree)
    return FullText(
        kind="html",
        sections=sections,
        references=references_of(reader.entries),
        title=reader.title,
        licence=licence_of(tree),
        arxiv_id=paper.value if paper else None,
        version=paper.version if paper else None,
        notes=reader.notes(),
    )


class _Reader:
    """Walks the document, and keeps what it reads under the section it stands in."""

    def __init__(self) -> None:
        self.title: str | None = None
        self.entries: list[str] = []
        self.outline = Outline()
        self._run_in = ""  # the title of a theorem, said before its first words
        self._notes: list[Node] = []
        self._errors = 0
        self._pictures = 0

    def notes(self) -> tuple[str, ...]:
        notes = []
        if self._errors:
            notes.append(f"places that LaTeXML could not turn into HTML: {self._errors}")
        if self._pictures:
            notes.append(f"pictures that are not read: {self._pictures}")
        return tuple(notes)

    def read(self, container: Node) -> None:
        """All that `container` holds: words that stand together, and blocks."""
        words: list[str] = []
        for child in container.children:
            if isinstance(child, Node) and (_is_block(child) or _holds_block(child)):
                self._say(words)
                self._block(child)
            else:
                words.append(child if isinstance(child, str) else self._inline(child))
        self._say(words)

    def _block(self, node: Node) -> None:
        classes = node.classes
        if classes & _NOT_READ or node.tag in {"nav", "footer"}:
            return
        if "ltx_title_document" in classes:
            self.title = self._words(node) or None
        elif "ltx_title" in classes or "ltx_caption" in classes:
            self._titled(node)
        elif "ltx_bibitem" in classes:
            self.entries.append(self._words(node, numbers=True))
        elif classes & _SECTIONS:
            self._section(node)
        elif classes & _FORMULAS:
            self._formula(node)
        elif "ltx_tabular" in classes:
            self._table(node)
        elif classes & _LISTS or "ltx_listing" in classes:
            self._list(node)
        else:
            self.read(node)

    def _titled(self, node: Node) -> None:
        """A caption, or a title within the text, as theorems have it."""
        text = self._words(node, numbers=True)
        if "ltx_caption" in node.classes:
            self._add(text, "caption")
        elif {"ltx_title_theorem", "ltx_title_proof", "ltx_runin"} & node.classes:
            self._run_in = text
        elif text:
            self._add(text, "paragraph")

    def _section(self, node: Node) -> None:
        kind = next(iter(node.classes & _SECTIONS))
        title = next(
            (
                child
                for child in node.children
                if isinstance(child, Node) and "ltx_title" in child.classes
            ),
            None,
        )
        heading = self._words(title) if title else ""
        heading = heading.strip(" .:") or _UNTITLED.get(kind, "")
        if title is not None:
            node.children.remove(title)
        outer = self.outline.path
        top = kind in _UNTITLED or kind == "ltx_appendix"
        if heading and kind != "ltx_bibliography":
            self.outline.open((heading,) if top else (*outer, heading))
        self.read(node)
        self.outline.go_back(outer)

    def _formula(self, node: Node) -> None:
        parts, numbers = [], []
        for element in node.elements():
            if element.tag == "math":
                parts.append(latex_of(element))
            elif (
                "ltx_tag_equation" in element.classes or "ltx_tag_equationgroup" in element.classes
            ):
                numbers.append(one_line(text_in(element)))
        formula = " ".join(part for part in parts if part)
        if not formula:
            self.read(Node("div", children=node.children))  # a picture, or words set apart
            return
        self._add(" ".join([f"$${formula}$$", *numbers]), "formula")

    def _table(self, node: Node) -> None:
        rows = []
        for element in node.elements():
            if element.tag == "tr" or "ltx_tr" in element.classes:
                cells = [
                    self._words(cell)
                    for cell in element.children
                    if isinstance(cell, Node) and (cell.tag in {"td", "th"} or cell.classes)
                ]
                if any(cells):
                    rows.append(" | ".join(cells))
        self._add("\n".join(rows), "table", lines=True)

    def _list(self, node: Node) -> None:
        items: list[str] = []
        for child in node.children:
            if isinstance(child, Node):
                text = self._words(child, numbers=True)
                if child.tag == "dd" and items:
                    items[-1] += f" {text}"
                elif text:
                    items.append(text)
        self._add("\n".join(items), "list", lines=True)

    def _say(self, words: list[str]) -> None:
        """Make a paragraph of the words, and empty the list."""
        text = "".join(words)
        words.clear()
        if text.strip():
            self._add(text, "paragraph")

    def _add(self, text: str, kind: BlockKind, *, lines: bool = False) -> None:
        if kind == "paragraph" and self._run_in:
            text, self._run_in = f"{self._run_in} {text}", ""
        text = "\n".join(map(one_line, text.splitlines())) if lines else one_line(text)
        if text:
            self.outline.add(Block(text, kind))
        self.add_notes()

    def add_notes(self) -> None:
        """The footnotes of what was added last."""
        notes, self._notes = self._notes, []
        for note in notes:
            self._add(self._words(note), "paragraph")

    def _words(self, node: Node, *, numbers: bool = False) -> str:
        """The words in `node` as one line; the number of what it titles only with `numbers`."""
        return one_line(self._inline(node, numbers))

    def _inline(self, node: Node, numbers: bool = True) -> str:
        return "".join(self._pieces(node, numbers))

    def _pieces(self, node: Node, numbers: bool) -> Iterator[str]:
        if node.tag == "math":
            yield f"${latex}$" if (latex := latex_of(node)) else ""
            return
        if node.classes & _NOT_READ or node.tag in {"script", "style"}:
            return
        if "ltx_note" in node.classes:
            self._take_note(node)
            return
        if "ltx_ERROR" in node.classes or "ltx_missing" in node.classes:
            self._errors += 1
        if node.tag == "img" or "ltx_picture" in node.classes:
            self._pictures += 1
        if "ltx_tag" in node.classes and not numbers:
            return
        block = node.tag in _BLOCK_TAGS or node.tag in {"br", "td", "tr"}
        if block or "ltx_tag" in node.classes or "ltx_bibblock" in node.classes:
            yield " "
        for child in node.children:
            if isinstance(child, str):
                yield child
            else:
                yield from self._pieces(child, numbers)
        if block or "ltx_tag" in node.classes:
            yield " "

    def _take_note(self, node: Node) -> None:
        """Keep a footnote for after the block that it stands in."""
        content = node.find("ltx_note_content") or node
        content.children = [
            child
            for child in content.children
            if isinstance(child, str) or not child.classes & _MARKS
        ]
        content.classes -= {"ltx_note"}
        self._notes.append(content)


def _is_block(node: Node) -> bool:
    if node.tag == "math" or "ltx_note" in node.classes:
        return False
    if node.tag in _BLOCK_TAGS or node.tag in {"nav", "footer"}:
        return True
    own = {
        "ltx_tabular",
        "ltx_listing",
        "ltx_bibitem",
        "ltx_para",
        "ltx_p",
        "ltx_caption",
        "ltx_title",
    }
    return bool(node.classes & (_SECTIONS | _LISTS | _FORMULAS | own))


def _holds_block(node: Node) -> bool:
    """Whether what looks like a part of a line is a frame around a table or a formula."""
    if node.tag == "math" or "ltx_note" in node.classes:
        return False
    framed = _LISTS | _FORMULAS | {"ltx_tabular", "ltx_listing"}
    return any(element.classes & framed for element in node.elements())
