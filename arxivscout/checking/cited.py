"""A sentence of an answer beside the paper that it cites."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Judgement = Literal["supported", "weak", "unsupported", "unchecked"]


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """What the answer says, how far the cited paper bears it out, and its closest passage."""

    text: str
    verdict: Judgement
    passage: str
