"""One research job, as a line of a job file states it."""

from __future__ import annotations

import hashlib
import re
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from arxivscout.errors import UsageError
from arxivscout.memory.threads import check_thread
from arxivscout.papers import clean_text, fold_accents, one_line
from arxivscout.papers.dates import day_named
from arxivscout.papers.taxonomy import known_category
from arxivscout.reports.files import FORMATS as KNOWN_FORMATS
from arxivscout.reports.files import Format

FORMATS: tuple[Format, ...] = ("markdown", "html", "bib")
MOST_QUESTION = 10_000  # characters

# What some file system refuses, and what a run's own files are called.
_NO_FILE_NAME = re.compile(r'[/\\:*?"<>|]|^[.\-]|\.$')
_RESERVED = {"index", "results", "con", "prn", "aux", "nul"} | {
    f"{device}{number}" for device in ("com", "lpt") for number in range(10)
}
_LONGEST_NAME = 200  # bytes, which leaves room for a suffix
_WORDS = 40  # characters of a question in a file's name


class Job(BaseModel):
    """What is to be researched, and how. Only the question is needed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str = Field(min_length=1, max_length=MOST_QUESTION)
    id: str | None = Field(default=None, description="The person's own name for the job.")
    category: str | None = None
    since: str | None = None
    until: str | None = None
    author: str | None = Field(default=None, min_length=1, max_length=200)
    model: str | None = Field(default=None, min_length=1, max_length=200)
    thread: str | None = Field(default=None, description="Conversation whose memory it goes on.")
    formats: tuple[Format, ...] = FORMATS
    depth: Literal[1, 2, 3] = 2  # how many sub-questions: about 1, 3, 6

    @property
    def key(self) -> str:
        """What tells this job from others: 32 hex digits, the same for the same job."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:32]

    def file_name(self, number: int) -> str:
        """What its files are called, without a suffix; `number` is its place, from 1."""
        if self.id:
            return self.id
        words = re.sub(r"[^a-z0-9]+", "-", fold_accents(self.question).lower()).strip("-")
        if len(words) > _WORDS:  # whole words, unless the first one is longer than that
            words = words[: _WORDS + 1].rpartition("-")[0] or words[:_WORDS]
        return f"{number:03d}-{words}".rstrip("-")

    @field_validator("question", mode="before")
    @classmethod
    def _clean(cls, value: Any) -> Any:
        return clean_text(value).strip() if isinstance(value, str) else value

    @field_validator("id", "category", "author", "model", "thread", mode="before")
    @classmethod
    def _one_line(cls, value: Any) -> Any:
        return one_line(value) if isinstance(value, str) else value

    @field_validator("id", mode="before")
    @classmethod
    def _may_be_a_number(cls, value: Any) -> Any:
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else value

    @field_validator("id")
    @classmethod
    def _is_file_name(cls, value: str | None) -> str | None:
        if value is None:
            return None
        fits = 0 < len(value.encode()) <= _LONGEST_NAME and value.isprintable()
        if not fits or _NO_FILE_NAME.search(value) or value.partition(".")[0].lower() in _RESERVED:
            raise ValueError(
                f"{value[:60]!r} can't name files (letters, digits, '-', '_' and '.' always can)"
            )
        return value

    @field_validator("category")
    @classmethod
    def _is_category(cls, value: str | None) -> str | None:
        if value is None:
            return None
        known = known_category(value.removesuffix(".*"))
        if known is None:
            raise ValueError(f"{value[:60]!r} is no arXiv category, such as cs.CL or quant-ph")
        return known

    @field_validator("since", "until", mode="before")
    @classmethod
    def _is_date(cls, value: Any) -> Any:
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)  # a year
        if not isinstance(value, str):
            return value
        value = value.strip()
        if day_named(value) is None:
            raise ValueError(f"{value[:60]!r} is no date: use YYYY, YYYY-MM or YYYY-MM-DD")
        return value

    @field_validator("until")
    @classmethod
    def _is_not_before_since(cls, value: str | None, info: ValidationInfo) -> str | None:
        since = info.data.get("since")
        first = day_named(since) if since else None
        last = day_named(value, end=True) if value else None
        if first and last and last < first:
            raise ValueError(f"{value} is before since, {since}")
        return value

    @field_validator("thread")
    @classmethod
    def _is_thread(cls, value: str | None) -> str | None:
        try:
            return None if value is None else check_thread(value)
        except UsageError as error:
            raise ValueError(str(error).rstrip(".")) from None

    @field_validator("formats", mode="before")
    @classmethod
    def _are_formats(cls, value: Any) -> Any:
        """One text may name several, separated by blanks, commas or semicolons."""
        if isinstance(value, str):
            value = [part for part in re.split(r"[\s,;]+", value) if part]
        if not isinstance(value, list | tuple):
            return value
        unknown = [repr(each)[:60] for each in value if each not in KNOWN_FORMATS]
        if unknown or not value:
            raise ValueError(
                f"{', '.join(unknown) or 'nothing'} is no format: use {', '.join(KNOWN_FORMATS)}"
            )
        return tuple(dict.fromkeys(value))

    @field_validator("depth", mode="before")
    @classmethod
    def _is_depth(cls, value: Any) -> Any:
        if type(value) is not int or value not in (1, 2, 3):  # True is an int too, and 1.0 is 1
            raise ValueError(f"{repr(value)[:60]} is no depth: use 1, 2 or 3")
        return value
