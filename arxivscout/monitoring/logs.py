"""A log record as one line of `key=value` pairs, which people read and programs parse.

Below debug no line has anybody's words: our own records have names and numbers; of other libraries'
the text is shown without what was put into it, and of an exception its type and its place.
"""

from __future__ import annotations

import json
import logging
import re
import traceback
from collections.abc import Iterable
from datetime import UTC, datetime
from types import TracebackType

from arxivscout.papers import clean_text, one_line
from arxivscout.redaction import hidden, redacted

OURS = "arxivscout"
_LONGEST = 300  # characters of a value, below debug
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:/+%@,*")


class LogFormat(logging.Formatter):
    """Records as lines; secrets are taken out of them at every level."""

    def __init__(self, secrets: Iterable[str] = (), *, whole: bool = False) -> None:
        """Args:
        secrets: never shown, wherever they stand.
        whole: show texts and tracebacks as they are, for who looks for a mistake.
        """
        super().__init__()
        self._secrets = tuple(secrets)
        self._whole = whole

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC)
        pairs = {
            "time": f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": self._event(record),
            **{key: each for key, each in vars(record).items() if key not in _STANDARD},
        }
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            pairs |= {"error": type(error).__name__, "at": _place(error.__traceback__)}
        line = " ".join(f"{one_line(key)}={self._value(value)}" for key, value in pairs.items())
        if error is not None and self._whole:
            text = "".join(traceback.format_exception(error)).rstrip()
            lines = (self._without_secrets(clean_text(each)) for each in text.split("\n"))
            line += "".join(f"\n  {each}" for each in lines)
        return line

    def _event(self, record: logging.LogRecord) -> str:
        if self._whole or record.name.partition(".")[0] == OURS:
            return record.getMessage()
        text = str(record.msg)
        # Put together before it was logged, it has a name for what happened, then anybody's words.
        return text if record.args else re.split(r":\s|\n", text, maxsplit=1)[0]

    def _value(self, value: object) -> str:
        text = one_line(str(value))
        if not self._whole and len(text) > _LONGEST:
            text = f"{text[: _LONGEST - 1]}…"
        text = self._without_secrets(text)
        return text if text and _PLAIN.issuperset(text) else json.dumps(text, ensure_ascii=False)

    def _without_secrets(self, text: str) -> str:
        return redacted(hidden(text, self._secrets))


def _place(trace: TracebackType | None) -> str:
    """Where an exception came from: the file's name and the line."""
    frames = traceback.extract_tb(trace)
    return f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else ""
