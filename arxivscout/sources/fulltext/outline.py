"""Sections in the making: blocks put under the heading that they stand under."""

from __future__ import annotations

from arxivscout.papers.fulltext import Block, Section

Path = tuple[str, ...]


class Outline:
    """Keeps blocks in reading order, each under the path of the headings above it."""

    def __init__(self) -> None:
        self._found: list[tuple[Path, list[Block]]] = [((), [])]

    @property
    def path(self) -> Path:
        return self._found[-1][0]

    def open(self, path: Path) -> None:
        """What is added from now on stands under `path`."""
        self._found.append((path, []))

    def go_back(self, path: Path) -> None:
        """Go on under `path`, where it is not where we are: after a subsection's end."""
        if path != self.path:
            self.open(path)

    def add(self, block: Block) -> None:
        self._found[-1][1].append(block)

    def sections(self) -> tuple[Section, ...]:
        """Sections with something in them, and headings that nothing else names."""
        named = {path[:depth] for path, blocks in self._found if blocks for depth in range(9)}
        sections = []
        for path, blocks in self._found:
            if blocks or (path and path not in named):
                sections.append(Section(path, tuple(blocks)))
                named.add(path)
        return tuple(sections)
