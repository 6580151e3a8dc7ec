"""The checkable facts of one claim: numbers, quotations, names. Each must occur in the source."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from arxivscout.checking.claims import Claim
from arxivscout.checking.figures import missing_numbers
from arxivscout.checking.names import find_people, is_known
from arxivscout.checking.numbers import Number, find_numbers
from arxivscout.checking.plain import plain
from arxivscout.checking.quotes import find_quotes, misquoted
from arxivscout.checking.source import Source

# "(1)", "[2]", "1)": an enumeration, no number of the paper's.
_ENUMERATION = re.compile(r"[(\[]\d{1,2}[)\]]|(?<=\s)\d\)\s")
# "Two papers" are those that the answer cites.
_COUNTED = frozenset("paper papers article articles preprint preprints articoli".split())
_NOBODY = {
    True: "no author of the paper",
    False: "neither an author of the paper nor named in its text",
}
_LONGEST = 120


@dataclass(frozen=True, slots=True)
class WrongFact:
    """What the claim has and no source: as the claim has it, and the problem in a line."""

    text: str
    problem: str


def wrong_facts(
    claim: Claim, sources: Sequence[Source], *, foreign: bool, titles: Sequence[str] = ()
) -> list[WrongFact]:
    """The numbers, quotations and names of `claim` that none of its sources has.

    Args:
        titles: of other papers that the answer cites, plain: they may be named here too.
        foreign: the claim is in another language than its sources, and writes 39,8 for 39.8.
    """
    text = plain(_ENUMERATION.sub(" ", claim.text))
    wrong = [
        WrongFact(number.text, f"the number {shortened(number.text)} does not occur in the source")
        for number in _numbers(text, sources, foreign=foreign)
    ]
    quotes = [quote.text for quote in find_quotes(claim.text)]
    if claim.form == "quote" and not quotes:
        quotes = [claim.text]
    indices = [source.quotable for source in sources]
    wrong += [
        WrongFact(quote, f"the quotation “{shortened(quote)}” does not occur in the source")
        for quote in quotes
        if misquoted(quote, indices)
    ]
    papers = [source.paper for source in sources]
    their_text = "\n".join(source.whole_text for source in sources)
    words = frozenset().union(*(source.words for source in sources))
    phrases = [*(phrase for source in sources for phrase in source.phrases), *titles]
    wrong += [
        WrongFact(person.text, f"{shortened(person.text)} is {_NOBODY[person.as_author]}")
        for person in find_people(text, phrases)
        if not is_known(person, papers, their_text, words)
    ]
    return list(dict.fromkeys(wrong))


def shortened(text: str, longest: int = _LONGEST) -> str:
    """`text` in one line, cut at a word where it is too long."""
    text = " ".join(text.split())
    if len(text) <= longest:
        return text
    return text[: longest - 1].rpartition(" ")[0] + "…"


def _numbers(text: str, sources: Sequence[Source], *, foreign: bool) -> list[Number]:
    claimed = [
        number
        for number in find_numbers(text, comma_decimals=foreign)
        if not (number.heads and number.heads[0] in _COUNTED)
    ]
    if not claimed:
        return []
    return missing_numbers(
        claimed, [number for source in sources for number in source.numbers_beside(text)]
    )
