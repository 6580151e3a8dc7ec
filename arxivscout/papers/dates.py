"""Days and moments as people write them: `2015`, `2015-03`, `2015-03-31`, `2015-03-31T14:00`."""

from __future__ import annotations

import calendar
import datetime
import re

_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")
_MOMENT = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)[T ](?P<hour>\d\d)(?P<rest>:\d\d(?::\d\d(?:\.\d{1,6})?)?)?"
    r"(?P<zone>Z|[+-]\d\d:\d\d)?",
    re.IGNORECASE,
)
_EARLIEST = 1900
MOMENT_FORMS = "YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DDTHH:MM"


def day_named(text: str, *, end: bool = False) -> datetime.date | None:
    """The day that `text` names; what it leaves out is the first of it, with `end` the last.

    None where it has another form, or there is no such day from 1900 on.
    """
    match = _DATE.fullmatch(text.strip())
    if match is None or int(match[1]) < _EARLIEST:
        return None
    year, month = int(match[1]), int(match[2] or (12 if end else 1))
    try:
        last = calendar.monthrange(year, month)[1]
        return datetime.date(year, month, int(match[3] or (last if end else 1)))
    except ValueError:  # covers calendar.IllegalMonthError
        return None


def moment_named(text: str) -> datetime.datetime | None:
    """The moment that `text` names, or the last one of the day, month or year that it names.

    Where the text gives no zone it is that of this machine. None where it has another form.
    """
    if day := day_named(text, end=True):
        return datetime.datetime.combine(day, datetime.time.max).astimezone()
    match = _MOMENT.fullmatch(text.strip())
    if match is None or day_named(match["day"]) is None:
        return None
    written = f"{match['day']}T{match['hour']}{match['rest'] or ':00'}{match['zone'] or ''}"
    try:
        return datetime.datetime.fromisoformat(written).astimezone()
    except ValueError:  # no such hour
        return None
