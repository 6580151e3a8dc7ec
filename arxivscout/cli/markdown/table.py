"""A table of Markdown, once all of its rows are there: a column's width needs the last one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

from rich import box
from rich.table import Table
from rich.text import Text

from arxivscout.cli.markdown.inline import InlineStream

_DELIMITER = re.compile(r":?-+:?")
_CELL_END = re.compile(r"(?<!\\)\|")


def laid_out(lines: Sequence[str], number: Callable[[str], int]) -> Table | None:
    """The table that these lines are; None when they only look like one.

    Args:
        number: the footnote's number of a cited arXiv id.
    """
    rows = [_cells(line) for line in lines]
    if len(rows) < 2 or len(rows[0]) != len(rows[1]):
        return None
    if not all(_DELIMITER.fullmatch(cell) for cell in rows[1]):
        return None
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold", show_edge=False)
    for header, mark in zip(rows[0], rows[1], strict=True):
        table.add_column(_styled(header, number), justify=_side(mark), overflow="fold")
    for row in rows[2:]:
        width = len(rows[0])
        cells = [*row, *[""] * width][:width]
        table.add_row(*(_styled(cell, number) for cell in cells))
    return table


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.strip().replace("\\|", "|") for cell in _CELL_END.split(inner)]


def _side(mark: str) -> Literal["left", "center", "right"]:
    if mark.endswith(":"):
        return "center" if mark.startswith(":") else "right"
    return "left"


def _styled(cell: str, number: Callable[[str], int]) -> Text:
    text = Text()
    inline = InlineStream(lambda piece, style: _append(text, piece, style), number)
    inline.feed(cell)
    inline.finish()
    return text


def _append(text: Text, piece: str, style: str) -> None:
    text.append(piece, style=style or None)
