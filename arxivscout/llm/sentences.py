"""Which sentences say little where they stand alone."""

from __future__ import annotations

import re

# What stands before such a word is needed to understand the sentence; "this paper" is the one that
# is cited.
_ITSELF = (
    r"(?:paper|article|work|study|letter|review|thesis|note|talk|report|survey|chapter"
    r"|preprint)s?\b"
)
_POINTER = (
    rf"(?:(?:this|these|those)\b(?! {_ITSELF})|such (?:an? )?(?=[a-z])|its\b|their\b"
    r"|the (?:former|latter|same)\b)"
)
_POINTS_BACK = re.compile(
    rf"(?:{_POINTER}|that (?:\w+ )?(?:is|was|are|were|makes?|gives?|means?|leads?|would|can)\b"
    r"|(?:it|they|however|moreover|furthermore|additionally|thus"
    r"|therefore|hence|but|and|in contrast|as a result|in addition|also|here|specifically|finally"
    r"|instead|consequently|accordingly|second(?:ly)?|third(?:ly)?|then|yet|similarly|conversely"
    r"|to (?:this end|(?:address|overcome|tackle|bridge|fill|solve|mitigate) th(?:is|ese)))\b"
    # "Making that field all of the matter": the demonstrative comes a word or two later
    rf"|(?:\w+ing|for|in|under|with|by|from|on|at|of|to|both|all|most|some|many|each|one|two|three"
    rf"|none|several|despite|unlike|beyond|among|between|within)(?: of)? {_POINTER}"
    r"|(?:making|taking|using|applying|combining|adding|treating|fixing|removing|replacing|varying"
    r"|including|extending|measuring|setting|changing|solving|turning|in|for|under|with|by|from|on"
    r"|at|of) that (?!(?:the|an?|is|are|it|there|we)\b)[a-z])",
    re.IGNORECASE,
)


def points_back(text: str) -> bool:
    """Whether a sentence leans on the one before it, so that it says little where it is alone."""
    return _POINTS_BACK.match(text) is not None
