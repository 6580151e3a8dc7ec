"""Time expressions in a wish, read as inclusive ISO bounds relative to a given day."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

# "Recent" and "old" have no number in them; five years is this program's reading.
RECENT_YEARS = 5

_NUMBERS = {
    "one": 1, "un": 1, "uno": 1, "una": 1, "two": 2, "couple": 2, "due": 2, "three": 3, "tre": 3,
    "four": 4, "quattro": 4, "five": 5, "cinque": 5, "six": 6, "sei": 6, "seven": 7, "sette": 7,
    "eight": 8, "otto": 8, "nine": 9, "nove": 9, "ten": 10, "dieci": 10, "twelve": 12,
    "dodici": 12, "fifteen": 15, "quindici": 15, "twenty": 20, "venti": 20, "thirty": 30,
    "trenta": 30,
}  # fmt: skip
_MONTHS = {
    "january": 1, "jan": 1, "gennaio": 1, "february": 2, "feb": 2, "febbraio": 2, "march": 3,
    "mar": 3, "marzo": 3, "april": 4, "apr": 4, "aprile": 4, "may": 5, "maggio": 5, "june": 6,
    "jun": 6, "giugno": 6, "july": 7, "jul": 7, "luglio": 7, "august": 8, "aug": 8, "agosto": 8,
    "september": 9, "sept": 9, "sep": 9, "settembre": 9, "october": 10, "oct": 10, "ottobre": 10,
    "november": 11, "nov": 11, "novembre": 11, "december": 12, "dec": 12, "dicembre": 12,
}  # fmt: skip
_DECADES = {"fifties": 1950, "sixties": 1960, "seventies": 1970, "eighties": 1980}
_DECADES |= {"nineties": 1990, "cinquanta": 1950, "sessanta": 1960, "settanta": 1970}
_DECADES |= {"ottanta": 1980, "novanta": 1990}

_YEAR = r"(?P<year>(?:19|20)\d\d)(?:-(?P<iso>0[1-9]|1[0-2]))?(?!\d)"
_MOMENT = rf"(?:(?P<month>{'|'.join(_MONTHS)})\.?\s+(?:del\s+)?)?{_YEAR}"
_THE = r"(?:\s+(?:the\s+year|the|year|il|l'anno|l'|al|del|di|dal|from|in|to)\b)*\s*'?"
_COUNT = rf"(?P<count>\d{{1,2}}|{'|'.join(_NUMBERS)})(?:\s+of)?"
_UNIT = r"(?P<unit>years?|months?|decades?|anni|anno|mesi|mese|decenni)"

_BEFORE = re.compile(
    rf"\b(?:older than|before|prior to|earlier than|predat\w+|pi[uù] vecch\w+"
    rf"|prima|anterior[ei]|precedent[ei])\b{_THE}{_MOMENT}|\bpre-?\s?(?P<pre>(?:19|20)\d\d)\b",
    re.I,
)
_AFTER = re.compile(
    rf"\b(?:newer than|after|later than|more recent than|younger than|dopo|successiv[ei]"
    rf"|posterior[ei]|pi[uù] recent[ei]|pi[uù] nuov[ei])\b{_THE}{_MOMENT}"
    rf"|\bpost-?\s?(?P<post>(?:19|20)\d\d)\b",
    re.I,
)
_SINCE = re.compile(
    rf"\b(?:since|a partire dal|starting (?:in|from))\b{_THE}{_MOMENT}|\b(?:from|dal)\b{_THE}"
    rf"(?P<from>(?:19|20)\d\d)\s+(?:on|onwards?|and later|or later|in poi|in avanti)\b"
    rf"|\b(?P<plus>(?:19|20)\d\d)\s+(?:or|and) (?:later|newer)\b",
    re.I,
)
_UP_TO = re.compile(rf"\b(?:up to|until|no later than|fino)\b{_THE}{_MOMENT}", re.I)
_BETWEEN = re.compile(
    r"\b(?:between|from|tra|fra|dal)\s+(?:il\s+)?(?P<low>(?:19|20)\d\d)\s+(?:and|to|until|e|al)\s+"
    r"(?:il\s+)?(?P<high>(?:19|20)\d\d)\b|\b(?P<low2>(?:19|20)\d\d)\s?[-–]\s?(?P<high2>(?:19"
    r"|20)\d\d)\b",
    re.I,
)
_LAST = re.compile(
    rf"\b(?:last|past|previous|recent|ultim[iaoe]|less than|within"
    rf"|meno di)\s+(?:{_COUNT}\s+)?{_UNIT}\b",
    re.I,
)
_AGE = re.compile(
    rf"\b(?:more than|over|older than|pi[uù] vecch\w+ di|di pi[uù] di"
    rf"|oltre)\s+(?:a\s+)?{_COUNT}\s+{_UNIT}\b",
    re.I,
)
_DECADE = re.compile(
    rf"\b(?:(?P<name>{'|'.join(_DECADES)})|(?:the\s+)?(?P<tens>(?:19|20)\d0)s)\b", re.I
)
# "Papers from 2026": of that year, or month, and of no other.
_OF_YEAR = re.compile(
    rf"\b(?:papers?|articles?|works?|stud(?:y|ies)|publications?|preprints?|research|literature"
    rf"|stuff|results?|anything|those|ones|articol[io]|lavor[io]|studi|pubblicazioni|risultati)"
    rf"(?:\s+(?:published|posted|submitted|pubblicat[io]|written|that (?:are|were)))*"
    rf"\s+(?:from|of|in|del|dal|nel|di)\b{_THE}{_MOMENT}",
    re.I,
)
_RECENT = re.compile(r"recent|newest|latest|new|up[- ]to[- ]date|nuov", re.I)
# "New" and "old" are said of anything: beside one of these they are dates of papers.
_PAPERS = (
    r"(?:papers?|articles?|works?|stud(?:y|ies)|publications?|preprints?|research|literature|stuff"
    r"|results?|references|articol[io]|lavor[io]|studi|pubblicazioni|risultati)"
)
_WORD = (
    r"(?:recent|newest|latest|new|up[- ]to[- ]date|recenti?|nuov[ie]|old|older|outdated|dated"
    r"|vecch[io]|vecchie|datat[ie])"
)
_AGED = re.compile(
    rf"\b(?P<before>{_WORD})\s+(?:\w+\s+){{0,2}}{_PAPERS}\b"
    rf"|\b{_PAPERS}\s+(?:(?:that|which) (?:is|are)\s+)?(?:più\s+|molto\s+"
    rf"|very\s+)?(?P<after>{_WORD})\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Period:
    """From `since` to `until`, both inclusive; an open end is None."""

    since: date | None = None
    until: date | None = None

    def without(self) -> Period:
        """What is left when this period is unwanted: the side that is not named.

        A closed period can't be cut out of one interval; what comes after it is kept, since
        "nothing from the nineties" is said by people who want newer work.
        """
        if self.until:
            return Period(since=self.until + timedelta(days=1))
        if self.since:
            return Period(until=self.since - timedelta(days=1))
        return self


def find_period(text: str, today: date) -> Period | None:
    """The period that `text` names, or None."""
    try:
        return _find_period(text, today)
    except (ValueError, OverflowError):
        return None


def _find_period(text: str, today: date) -> Period | None:
    if found := _BETWEEN.search(text):
        low, high = int(found["low"] or found["low2"]), int(found["high"] or found["high2"])
        return Period(date(low, 1, 1), date(high, 12, 31)) if low <= high else None
    if found := _BEFORE.search(text):
        return Period(until=_start(found, "pre") - timedelta(days=1))
    if found := _UP_TO.search(text):
        return Period(until=_after(found) - timedelta(days=1))
    if found := _AFTER.search(text):
        return Period(since=_after(found, "post"))
    if found := _SINCE.search(text):
        year = found["from"] or found["plus"]
        return Period(since=date(int(year), 1, 1) if year else _start(found))
    if found := _AGE.search(text):
        return Period(until=_back(found, today) - timedelta(days=1))
    if found := _LAST.search(text):
        return Period(since=_back(found, today))
    if found := _DECADE.search(text):
        first = int(found["tens"]) if found["tens"] else _DECADES[found["name"].lower()]
        return Period(date(first, 1, 1), date(first + 9, 12, 31))
    if found := _OF_YEAR.search(text):
        return Period(_start(found), _after(found) - timedelta(days=1))
    if found := _AGED.search(text):
        limit = years_before(today, RECENT_YEARS)
        word = found["before"] or found["after"]
        if _RECENT.match(word):
            return Period(since=limit)
        return Period(until=limit - timedelta(days=1))
    return None


def years_before(day: date, years: int) -> date:
    """The same day `years` earlier; 29 February becomes 28."""
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)


def _month(found: re.Match[str]) -> int | None:
    if found["month"]:
        return _MONTHS[found["month"].lower()]
    return int(found["iso"]) if found["iso"] else None


def _start(found: re.Match[str], short: str = "") -> date:
    if short and found[short]:
        return date(int(found[short]), 1, 1)
    return date(int(found["year"]), _month(found) or 1, 1)


def _after(found: re.Match[str], short: str = "") -> date:
    if short and found[short]:
        return date(int(found[short]) + 1, 1, 1)
    month = _month(found) or 12
    year = int(found["year"])
    return date(year + 1, 1, 1) if month == 12 else date(year, month + 1, 1)


def _back(found: re.Match[str], today: date) -> date:
    word = (found["count"] or "one").lower()
    count = int(word) if word.isdigit() else _NUMBERS[word]
    unit = found["unit"].lower()
    if unit.startswith(("month", "mes")):
        return today - timedelta(days=round(count * 30.44))
    return years_before(today, count * (10 if unit.startswith("dec") else 1))
