"""Papers meant by their place in an answer: footnote [1], "paper 2", "the first two papers"."""

from __future__ import annotations

import re
from collections.abc import Sequence

_PLACES = {
    **dict.fromkeys(("first", "1st", "primo", "prima"), 0),
    **dict.fromkeys(("second", "2nd", "secondo", "seconda"), 1),
    **dict.fromkeys(("third", "3rd", "terzo", "terza"), 2),
    **dict.fromkeys(("fourth", "4th", "quarto", "quarta"), 3),
    **dict.fromkeys(("fifth", "5th", "quinto", "quinta"), 4),
    **dict.fromkeys(("last", "ultimo", "ultima"), -1),
}
_COUNTS = {"two": 2, "three": 3, "four": 4, "2": 2, "3": 3, "4": 4}
_THING = r"(?:ones?|papers?|articles?|results?|articol[io]|of (?:these|those|them))"
_END = r"(?=\s*[?.!,;:)]|\s*$|\s+(?:and|or|with|to|say|says|show|shows|in|more|again|e|con)\b)"
# "the second" alone only where the phrase ends: "the second law" is no place in a list.
_PLACE = re.compile(
    rf"\bthe (?P<many>first|last) (?P<count>{'|'.join(_COUNTS)})\b(?! \w+ (?:of|in)\b)"
    rf"(?P<things>\s+{_THING}\b)?"
    rf"|\b(?:the |il |la |l['’])(?P<place>{'|'.join(_PLACES)})\b"
    rf"(?:(?P<thing>\s+{_THING}\b)|(?=\s*[?.!,)]|\s*$|\s+(?:and|or|with|to|e)\s+(?:the|il|la)\b))",
    re.IGNORECASE,
)
# A footnote's number as it is shown, or one behind what it counts: "paper 1", "papers 1 and 2".
_NUMBER = re.compile(
    r"\[(?P<note>\d{1,2})\]"
    r"|\b(?:papers?|articles?|footnotes?|references?|citations?|articol[io]|not[ae])"
    r"\s+(?:number |numero |no\.? ?|n\.? ?|#)?"
    rf"(?P<numbers>\d{{1,2}}(?:\s*(?:,|and|e|&|with|con|vs\.?)\s*\d{{1,2}})*){_END}"
    rf"|(?:^|\s)(?:number |numero |#)(?P<number>\d{{1,2}}){_END}",
    re.IGNORECASE,
)


def places_in(question: str) -> list[int]:
    """The places that `question` names, from 0 and in its order; from the end they are negative."""
    places: dict[int, None] = {}
    for found in _NUMBER.finditer(question):
        numbers = found["note"] or found["numbers"] or found["number"]
        places |= dict.fromkeys(int(number) - 1 for number in re.findall(r"\d+", numbers))
    for found in _PLACE.finditer(question):
        word = (found["place"] or found["many"] or "").lower()
        if found["many"]:
            count = _COUNTS.get(found["count"].lower(), 0)
            places |= dict.fromkeys(range(count) if word == "first" else range(-count, 0))
        else:
            places[_PLACES[word]] = None
    return list(places)


def names_place(question: str) -> bool:
    """Whether `question` speaks of papers in a list beyond doubt, also where there is no list.

    "Compare the first two" may go on with anything; "the first two papers" or "[1]" may not.
    """
    if _NUMBER.search(question):
        return True
    return any(found["things"] or found["thing"] for found in _PLACE.finditer(question))


def papers_at(question: str, cited: Sequence[str]) -> list[str]:
    """Those of `cited` that `question` names by their place."""
    # [0] has no place, and neither has a number behind the last paper.
    places = [place for place in places_in(question) if -len(cited) <= place < len(cited)]
    if any(found["note"] == "0" for found in _NUMBER.finditer(question)):
        places = [place for place in places if place != -1]
    return [cited[place] for place in places]
