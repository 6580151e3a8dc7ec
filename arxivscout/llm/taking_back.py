"""What is taken back: "undo that", "I didn't say that", "that's wrong" of what one is told to be.

It is what the last answer took up or told back, in the person's own words; the memory of it can be
forgotten.
"""

from __future__ import annotations

import re

_POLITE = r"\W*(?:(?:please|no|oh|wait|sorry|actually|ok(?:ay)?|but|hm+|per favore|scusa|ma)\W+)*"
_IT = (
    r"(?:that|it|this|what i (?:just )?(?:said|wrote|told you)|the last (?:one|thing)"
    r"|my last (?:message|statement)|quello|questo|ciò|quello che ho detto|lo)"
)
_UNDO = re.compile(
    rf"{_POLITE}(?:(?:undo|scratch|cancel|delete|revert|unsay|strike|forget|erase|remove|annulla"
    rf"|cancella|dimentica) {_IT}|i take {_IT} back|take {_IT} back|dimenticalo|annullalo|ritiro)"
    r"(?: back| again)?(?:\W+(?:please|now|per favore))*\W*",
    re.IGNORECASE,
)
_DENIED = re.compile(
    rf"{_POLITE}i (?:didn['’]t|did not|never|haven['’]t|have never)(?: ever)? (?:say|said|tell|told"
    r"|claim|claimed|write|wrote|mean|meant)(?: you)? (?:that|this|it|so|anything like that"
    r"|any such thing|such a thing)\W*|" + _POLITE + r"non (?:l['’]ho|ho) (?:mai )?detto"
    r"(?: questo| quello)?\W*",
    re.IGNORECASE,
)
# "I think the paper is wrong" is not said of oneself.
_OF_PAPERS = re.compile(
    r"\b(?:papers?|articles?|authors?|abstracts?|stud(?:y|ies)|claims?|results?|figures?|numbers?"
    r"|articol[oi]|autori)\b",
    re.IGNORECASE,
)
# How an answer takes up or tells back what was said.
_TOLD = re.compile(
    r"(?:understood|stored as an? \w+|you said|hai detto):?\s+(?:- )?“(?P<said>[^”]+)”",
    re.IGNORECASE,
)


def taken_back(question: str, last_answer: str, *, wrong: bool) -> str | None:
    """The person's words that are meant, "" where there are none; None: nothing is taken back.

    Args:
        wrong: the message says no more than that the last answer is wrong.
    """
    found = _TOLD.search(last_answer)
    if _UNDO.fullmatch(question) or _DENIED.fullmatch(question):
        return found["said"].strip(" .") if found else ""
    if not (wrong and found) or _OF_PAPERS.search(question):
        return None
    return found["said"].strip(" .")
