"""What papers found, in their own words: sentences that state a result and that an answer used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from arxivscout.learning.values import Used
from arxivscout.papers.sentences import split_sentences

MOST_OF_A_PAPER = 2
SHORTEST, LONGEST = 30, 500
_RESULT = re.compile(
    r"\b(?:we|results?|experiments?|simulations?|observations?|data|analys[ei]s|it|this"
    r"|measurements?)(?: \w+){0,3}? (?:find|finds|found|show|shows|showed|demonstrate\w*"
    r"|observe[sd]?|prove[sd]?|report\w*|measure[sd]?|obtain\w*|achieve\w*|confirm\w*|conclude\w*"
    r"|indicate\w*|suggest\w*|reveal\w*|establish\w*|explain\w*|detect\w*|constrain\w*|rule[sd]? "
    r"out|exclude\w*)\b|\b(?:outperform\w*|surpass\w*|exceed\w*|improv(?:es?|ed|ing)|reduc(?:es?"
    r"|ed)|increas(?:es?|ed)|speeds? up|falls? short|fails?|yields?|leads? to|implies|depends on"
    r"|agrees? with|is consistent with|(?:is|are|was|were|can be) (?:\w+ly )?(?:verified|shown"
    r"|found|proved|proven|measured|observed|confirmed|explained|excluded|reduced|increased"
    r"|improved|preserved|violated|detected|determined|faster|better|slower|worse|higher|lower"
    r"|larger|smaller|equivalent|sufficient|necessary))\b|\d(?:\.\d+)?\s?(?:%|percent|σ|sigma)",
    re.I,
)
# What a paper sets out to do, asks or leaves open is no result; neither is what others are said to.
_NO_RESULT = re.compile(
    r"\?|\b(?:in this (?:paper|work|article)|we (?:propose|introduce|present|review|study"
    r"|investigate|discuss|consider|aim|plan|ask|outline|survey|address|hope|expect|conjecture)"
    r"|remains? (?:open|unclear|unknown)|future work|it is (?:unclear|unknown)|could|might|may"
    r"|would|should|hypothesi[sz]e|this (?:paper|work|article|thesis|review) (?:proposes|introduces"
    r"|presents|reviews|studies|discusses))\b|^(?:however|it is (?:now )?(?:well[- ])?(?:known"
    r"|understood)|existing|recent|previous|prior|current|traditional|conventional|while|although"
    r"|despite|many|most (?:existing|current)|typically|often|directly|to address|in recent)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Finding:
    """A result, verbatim, and the paper that states it."""

    arxiv_id: str
    text: str


def findings(used: Used) -> Iterator[Finding]:
    """The results among the passages that an answer rests on, each once."""
    if used.paper.withdrawn:
        return
    seen: dict[str, None] = {}
    for passage in used.passages:
        for sentence in split_sentences(passage):
            text = " ".join(sentence.split())
            if (
                SHORTEST <= len(text) <= LONGEST
                and _RESULT.search(text)
                and not _NO_RESULT.search(text)
            ):
                seen.setdefault(text)
    for text in list(seen)[:MOST_OF_A_PAPER]:
        yield Finding(used.paper.arxiv_id, text)
