"""What stands above a paper's first section: its title, and what is only set as headings are."""

from __future__ import annotations

from collections.abc import Sequence

from arxivscout.sources.fulltext.headings import (
    is_capitals,
    is_known,
    names_section,
    run_in_abstract,
)
from arxivscout.sources.fulltext.pdf_pieces import Measures, Piece

_MOST_ABOVE = 30  # pieces that may stand above the first section
_MOST_OF_FRONT = 6  # lines of one of them
_LONGEST_TITLE = 400  # characters
_LAST_OF_FRONT = 2  # page


def front_of(pieces: Sequence[Piece], measures: Measures) -> int:
    """How many pieces are the title, authors and dates, which are set as headings are."""
    for place, piece in enumerate(pieces[:_MOST_ABOVE]):
        line = piece.lines[0]
        if len(piece.lines) > _MOST_OF_FRONT:
            return max(
                place - 1, 0
            )  # what stands above the first long paragraph may be its heading
        if line.page > _LAST_OF_FRONT:
            break
        stands_out = line.size > 1.08 * measures.size or line.bold > 0.9 or line.centred
        names = names_section(piece.text) and (stands_out or is_known(piece.text))
        if names or run_in_abstract(piece.text):
            return place
    return 0


def title_of(front: Sequence[Piece], measures: Measures) -> Piece | None:
    """The largest text on the first page before its first section, or what stands out first."""
    above = [
        piece
        for piece in front
        if piece.lines[0].page == 1
        and any(map(str.isalpha, piece.text))
        and len(piece.text) < _LONGEST_TITLE
        and not names_section(piece.text)
    ]
    if not above:
        return None
    largest = max(above, key=lambda piece: piece.lines[0].size)
    if largest.lines[0].size > 1.15 * measures.size:
        return largest
    return next((p for p in above if p.lines[0].bold > 0.9 or is_capitals(p.text)), None)
