"""The days that a question about memory speaks of: "what did I ask about yesterday?" """

from __future__ import annotations

import re
from datetime import date, timedelta

from arxivscout.llm.extractive_reading import Item

_DAYS = re.compile(
    r"\b(?:(?P<yesterday>yesterday|ieri)|(?P<today>today|this (?:morning|afternoon|evening)|oggi)"
    r"|(?:in |over |during )?(?:the )?(?P<last>last|past|this) (?:(?P<count>\d{1,3}) )?"
    r"(?P<unit>days?|weeks?|months?)"
    r"|(?P<ago>\d{1,3}) (?P<of>days?|weeks?) ago|(?:on )?(?P<day>\d{4}-\d\d-\d\d))\b",
    re.IGNORECASE,
)
_LENGTH = {"d": 1, "w": 7, "m": 30}  # days
_DATED = re.compile(r"\d{4}-\d\d-\d\d")


def days_asked(question: str, today: date) -> tuple[date, date] | None:
    """First and last day that `question` asks of, both included; None if it names none."""
    if not (found := _DAYS.search(question)):
        return None
    if found["day"]:
        try:
            day = date.fromisoformat(found["day"])
        except ValueError:
            return None
        return day, day
    if found["yesterday"] or found["today"]:
        day = today - timedelta(days=1) if found["yesterday"] else today
        return day, day
    if found["ago"]:
        day = today - timedelta(days=int(found["ago"]) * _LENGTH[found["of"][0].lower()])
        return day, day
    length = int(found["count"] or 1) * _LENGTH[found["unit"][0].lower()]
    return today - timedelta(days=length), today


def told_on(item: Item, days: tuple[date, date]) -> bool:
    """Whether a memory bears a date within `days`; a message of the thread begins with its own."""
    found = _DATED.match(item.date or item.text)
    return found is not None and days[0].isoformat() <= found[0] <= days[1].isoformat()


def shown_days(days: tuple[date, date]) -> str:
    """As it follows "nothing": on a day, or between two."""
    first, last = days
    return f"on {first}" if first == last else f"from {first} to {last}"
