"""When a question means: days that it names, read by the turn's clock, in English and Italian."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "un": 1, "una": 1, "two": 2, "couple of": 2, "due": 2, "three": 3,
    "tre": 3, "four": 4, "quattro": 4, "five": 5, "cinque": 5, "six": 6, "sei": 6,
}  # fmt: skip
_MONTHS = {
    "january": 1, "gennaio": 1, "february": 2, "febbraio": 2, "march": 3, "marzo": 3, "april": 4,
    "aprile": 4, "may": 5, "maggio": 5, "june": 6, "giugno": 6, "july": 7, "luglio": 7, "august": 8,
    "agosto": 8, "september": 9, "settembre": 9, "october": 10, "ottobre": 10, "november": 11,
    "novembre": 11, "december": 12, "dicembre": 12,
}  # fmt: skip
_WEEKDAYS = {
    "monday": 0, "lunedì": 0, "tuesday": 1, "martedì": 1, "wednesday": 2, "mercoledì": 2,
    "thursday": 3, "giovedì": 3, "friday": 4, "venerdì": 4, "saturday": 5, "sabato": 5, "sunday": 6,
    "domenica": 6,
}  # fmt: skip
_UNITS = {"d": "day", "g": "day", "w": "week", "s": "week", "m": "month", "y": "year", "a": "year"}

CALENDAR = frozenset([*_MONTHS, *_WEEKDAYS])  # names of months and days, in small letters

_NAME = rf"(?P<month>{'|'.join(_MONTHS)})"
_UNIT = r"(?P<unit>days?|giorn[oi]|weeks?|settiman[ae]|months?|mes[ei]|years?|ann[oi])"
_COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)})"
_I = re.IGNORECASE
_ISO = re.compile(r"\b(?P<year>\d{4})-(?P<number>\d\d)(?:-(?P<day>\d\d))?\b")
_DAY = re.compile(
    rf"\b(?:{_NAME} (?P<after>\d{{1,2}})(?:st|nd|rd|th)?|(?P<before>\d{{1,2}})(?:st|nd|rd|th|º)? "
    rf"(?:of )?{_NAME.replace('month', 'month2')})\b(?:,? (?:of )?(?P<year>(?:19|20)\d\d))?",
    _I,
)
_MONTH = re.compile(rf"\b{_NAME}\b(?:,? (?:of |del )?(?P<year>(?:19|20)\d\d))?", _I)
# "May" and "march" are also other words: in small letters they need one of these in front.
_IN = re.compile(r"\b(?:in|during|since|last|of|early|late|mid|until|from|a|di|da|nel)[ -]$", _I)
_NEAR = re.compile(
    r"\b(?:(?P<before>day before yesterday|altro ?ieri)|(?P<yesterday>yesterday|last night|ieri)"
    r"|(?P<today>today|tonight|this (?:morning|afternoon|evening)|oggi|stamattina|stasera))\b",
    _I,
)
_AGO = re.compile(rf"\b{_COUNT} {_UNIT} (?:ago|fa)\b", _I)
_THIS = re.compile(
    r"\b(?:(?P<this>this|quest[oa]) |(?P<last>last|previous) )(?P<unit>week|month|year"
    r"|settimana|mese|anno)\b"
    r"|\b(?P<unit2>settimana|mese|anno) (?:scors[oa]|passat[oa]|precedente)\b",
    _I,
)
_PAST = re.compile(
    rf"\b(?:last|past|recent|ultim[ei]) (?:{_COUNT} )?{_UNIT}\b|\bthe (?:last|past) "
    r"(?P<whole>week|month|year)\b",
    _I,
)
_WEEKDAY = re.compile(rf"\b(?P<day>{'|'.join(_WEEKDAYS)})\b", _I)
_FIRST = re.compile(
    r"\b(?:(?:very )?first (?:thing|question|time|message|topic|conversation)"
    r"|at the (?:very )?(?:start|beginning)"
    r"|prim[ao] (?:cosa|domanda|volta|messaggio|conversazione)|all'inizio)\b",
    _I,
)
_LATEST = re.compile(
    r"\b(?:last (?:thing|question|time|message|topic|conversation)|most recent(?:ly)?"
    r"|ultim[ao] (?:cosa|domanda|volta|messaggio|conversazione))\b",
    _I,
)
_WHEN = re.compile(
    r"^\W*(?:when|how long|since when|(?:in |on |at )?(?:what|which) (?:year|month|date|day|time)"
    r"|quando|da quando|in che (?:anno|mese|giorno|data))\b",
    _I,
)


@dataclass(frozen=True, slots=True)
class TimeAsked:
    """What a question says of time.

    `periods` are first and last days, both included; `order` asks for the beginning or the end of
    what was said; `when` asks for a time.
    """

    periods: tuple[tuple[date, date], ...] = ()
    order: Literal["first", "latest"] | None = None
    when: bool = False

    def __bool__(self) -> bool:
        return bool(self.periods or self.order or self.when)


def time_asked(question: str, today: date) -> TimeAsked:
    """The times that `question` names, none of them later than today.

    A bare year is not read: it is said of papers more often than of a conversation.

    Args:
        question: as it was asked.
        today: the day of the turn where the person is.
    """
    order: Literal["first", "latest"] | None = None
    if _FIRST.search(question):
        order = "first"
    elif _LATEST.search(question):
        order = "latest"
    try:
        periods = _periods(question, today)
    except (ValueError, OverflowError):  # no such day
        periods = []
    past = tuple((first, min(last, today)) for first, last in periods if first <= today)
    return TimeAsked(past, order, bool(_WHEN.search(question)))


def _periods(text: str, today: date) -> list[tuple[date, date]]:
    """The most exact reading of what is named."""
    if days := [_iso(found) for found in _ISO.finditer(text)]:
        return days
    if days := [_day(found, today) for found in _DAY.finditer(text)]:
        return days
    if found := _NEAR.search(text):
        day = today - timedelta(days=2 if found["before"] else 1 if found["yesterday"] else 0)
        return [(day, day)]
    if found := _AGO.search(text):
        return [_ago(_count(found["count"]), _UNITS[found["unit"][0].lower()], today)]
    if found := _THIS.search(text):
        unit = _UNITS[(found["unit"] or found["unit2"])[0].lower()]
        this = _around(today, unit)
        return [this if found["this"] else _around(this[0] - timedelta(days=1), unit)]
    if found := _PAST.search(text):
        unit = _UNITS[(found["unit"] or found["whole"])[0].lower()]
        return [(_ago(_count(found["count"] or "1"), unit, today)[0], today)]
    if months := [_month(found, today) for found in _MONTH.finditer(text) if _is_month(found)]:
        return months
    if found := _WEEKDAY.search(text):
        back = (today.weekday() - _WEEKDAYS[found["day"].lower()]) % 7 or 7
        return [(today - timedelta(days=back),) * 2]
    return []


def _iso(found: re.Match[str]) -> tuple[date, date]:
    if found["day"]:
        return (date(int(found["year"]), int(found["number"]), int(found["day"])),) * 2
    return _around(date(int(found["year"]), int(found["number"]), 1), "month")


def _day(found: re.Match[str], today: date) -> tuple[date, date]:
    month = _MONTHS[(found["month"] or found["month2"]).lower()]
    number = int(found["after"] or found["before"])
    year = int(found["year"] or today.year)
    if not found["year"] and (month, number) > (today.month, today.day):
        year -= 1
    return (date(year, month, number),) * 2


def _is_month(found: re.Match[str]) -> bool:
    if found["year"] or found["month"].lower() not in ("may", "march"):
        return True
    front = found.string[: found.start()]
    return bool(_IN.search(front)) or (found["month"][0].isupper() and bool(front.strip()))


def _month(found: re.Match[str], today: date) -> tuple[date, date]:
    month = _MONTHS[found["month"].lower()]
    year = int(found["year"]) if found["year"] else today.year - (month > today.month)
    return _around(date(year, month, 1), "month")


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.lower()]


def _ago(count: int, unit: str, today: date) -> tuple[date, date]:
    """So long ago: the day, the seven days around it, the month, the year."""
    if unit == "day":
        return (today - timedelta(days=count),) * 2
    if unit == "week":
        day = today - timedelta(weeks=count)
        return day - timedelta(days=3), day + timedelta(days=3)
    months = count * (12 if unit == "year" else 1)
    before = today.year * 12 + today.month - 1 - months
    return _around(date(before // 12, before % 12 + 1, 1), unit)


def _around(day: date, unit: str) -> tuple[date, date]:
    """The calendar week, month or year that a day is in."""
    if unit == "week":
        first = day - timedelta(days=day.weekday())
        return first, first + timedelta(days=6)
    if unit == "month":
        last = calendar.monthrange(day.year, day.month)[1]
        return day.replace(day=1), day.replace(day=last)
    return date(day.year, 1, 1), date(day.year, 12, 31)
