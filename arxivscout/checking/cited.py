"""A sentence of an answer beside the paper that it cites."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Judgement = Literal["supported", "weak", "unsupported", "unchecked"]


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """What the answer says, how far the cited paper bears it out, and its closest passage.

    `section` and `page` are where that stands in the full text; empty and None in an abstract.
    """

    text: str
    verdict: Judgement
    passage: str
    section: str = ""
    page: int | None = None
