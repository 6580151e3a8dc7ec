"""Days that a statement names from where it stands ("yesterday", "since last week"), as dates.

Read weeks later, such words would mean other days: the date is written behind them, in brackets,
by the clock of the turn that said them. In English, Italian, German, French and Spanish.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

_DAYS = {
    "yesterday": -1, "last night": -1, "ieri": -1, "gestern": -1, "hier": -1, "ayer": -1,
    "today": 0, "this morning": 0, "oggi": 0, "heute": 0, "aujourd'hui": 0, "hoy": 0,
    "tomorrow": 1, "domani": 1, "morgen": 1, "demain": 1,
    "the day before yesterday": -2, "l'altro ieri": -2, "vorgestern": -2, "avant-hier": -2,
    "anteayer": -2, "the day after tomorrow": 2, "dopodomani": 2, "übermorgen": 2,
    "après-demain": 2,
}  # fmt: skip
_UNITS = {
    "day": r"days?|giorn[oi]|tag(?:e|en)?|jours?|días?",
    "week": r"weeks?|settiman[ae]|wochen?|semaines?|semanas?",
    "month": r"months?|mes[ei]|monat(?:e|en|s)?|mois|mes(?:es)?",
    "year": r"years?|ann[oi]|jahr(?:e|en|es)?|ans?|années?|años?",
}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "un": 1, "una": 1, "eine": 1, "einem": 1, "einer": 1, "une": 1,
    "two": 2, "due": 2, "zwei": 2, "deux": 2, "dos": 2, "three": 3, "tre": 3, "drei": 3, "trois": 3,
    "tres": 3, "four": 4, "quattro": 4, "vier": 4, "quatre": 4, "cuatro": 4, "five": 5, "six": 6,
}  # fmt: skip
_UNIT = "|".join(_UNITS.values())
_COUNT = rf"(?:\d{{1,3}}|{'|'.join(_NUMBERS)})"
_NAMED = re.compile(
    rf"(?<![\w-])(?:(?P<near>{'|'.join(sorted(_DAYS, key=len, reverse=True))})"
    rf"|(?P<before>last(?! (?:day|week|month|year)s)|scorsa|letzte[nrs]?|vergangene[nrs]?)"
    rf" (?P<unit1>{_UNIT})"
    rf"|(?P<this>this|quest[oa']|diese[nrs]?|cette|ce|est[ea]) (?P<unit2>{_UNIT})"
    rf"|(?P<next>next|nächste[nrs]?|kommende[nrs]?) (?P<unit3>{_UNIT})"
    rf"|(?P<unit4>{_UNIT}) (?:(?P<past>scors[oa]|passat[oa]|dernière?|passée?|pasad[oa])"
    r"|(?P<coming>prossim[oa]|prochaine?|próxim[oa]))"
    rf"|(?P<count1>{_COUNT}) (?P<unit5>{_UNIT}) (?:ago|fa)"
    rf"|(?:vor|il y a|hace) (?P<count2>{_COUNT}) (?P<unit6>{_UNIT})"
    rf"|(?P<which>last|next) (?P<day>{'|'.join(_WEEKDAYS)}))(?![\w-])(?!\s*\()",
    re.IGNORECASE,
)


def with_dates(text: str, today: date) -> str:
    """`text` with the date in brackets behind each of these words: "yesterday (2026-11-29)"."""

    def dated(found: re.Match[str]) -> str:
        try:
            return f"{found[0]} ({_meant(found, today)})"
        except (OverflowError, ValueError):  # no such year
            return found[0]

    return _NAMED.sub(dated, text)


def _meant(found: re.Match[str], today: date) -> str:
    said = {name: words.lower() for name, words in found.groupdict().items() if words}
    if near := said.get("near"):
        return str(today + timedelta(days=_DAYS[near]))
    if day := said.get("day"):
        ahead = (_WEEKDAYS.index(day) - today.weekday()) % 7 or 7
        return str(today + timedelta(days=ahead if said["which"] == "next" else (ahead - 7) or -7))
    word = next(words for name, words in said.items() if name.startswith("unit"))
    unit = next(name for name, words in _UNITS.items() if re.fullmatch(words, word, re.IGNORECASE))
    count = said.get("count1") or said.get("count2")
    if count:
        return _moved(today, unit, -(int(count) if count.isdigit() else _NUMBERS[count]))
    ahead = 1 if {"next", "coming"} & said.keys() else 0 if "this" in said else -1
    return _moved(today, unit, ahead)


def _moved(today: date, unit: str, count: int) -> str:
    """The day, the week by its Monday, the month or the year, so many before or after today's."""
    if unit == "day":
        return str(today + timedelta(days=count))
    if unit == "week":
        return f"week of {today + timedelta(days=7 * count - today.weekday())}"
    months = today.year * 12 + today.month - 1 + count * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    return f"{date(year, month + 1, 1):{'%Y' if unit == 'year' else '%Y-%m'}}"
