"""Days as people write them: `2015`, `2015-03`, `2015-03-31`."""

from __future__ import annotations

import calendar
import datetime
import re

_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")
_EARLIEST = 1900


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
