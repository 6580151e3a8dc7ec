"""HTML → a plain tree, whatever the HTML: what doesn't fit together is mended, never refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_UNSEEN = frozenset("script style template noscript head svg iframe object".split())
_DEEPEST = 120  # elements in one another; what is deeper is taken to stand at this depth


@dataclass(slots=True)
class Node:
    """An element: its name, its classes and other attributes, and what it holds in order."""

    tag: str
    classes: frozenset[str] = frozenset()
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node | str] = field(default_factory=list)

    def elements(self) -> Iterator[Node]:
        """This element and all in it, in the document's order."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += [child for child in reversed(node.children) if isinstance(child, Node)]

    def find(self, *classes: str) -> Node | None:
        """The first element, this one included, that has one of the classes."""
        wanted = frozenset(classes)
        return next((node for node in self.elements() if node.classes & wanted), None)


def parse_tree(text: str) -> Node:
    """The tree of `text`, its root named `#document`."""
    parser = _Parser()
    parser.feed(text)
    parser.close()
    return parser.root


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("#document")
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        node = Node(tag, frozenset(attributes.pop("class", "").split()), attributes)
        self._open[-1].children.append(node)
        if tag not in _VOID and len(self._open) < _DEEPEST:
            self._open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if self._open[-1].tag == tag and tag not in _VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        for place in range(len(self._open) - 1, 0, -1):
            if self._open[place].tag == tag:
                del self._open[place:]
                return

    def handle_data(self, data: str) -> None:
        if self._open[-1].tag not in _UNSEEN:
            self._open[-1].children.append(data)

    def parse_marked_section(self, i: int, report: int = 1) -> int:
        """Take `<![…` as the comment it is in HTML; the parent raises on what it doesn't know."""
        return self.parse_bogus_comment(i, bool(report))
