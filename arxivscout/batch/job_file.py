"""Job files: YAML, JSON Lines, JSON or CSV. One with mistakes is refused as a whole."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from arxivscout.batch.entries import Entry, Given, Mistake, Read, unknown
from arxivscout.batch.job import MOST_QUESTION, Job
from arxivscout.batch.table_entries import read_csv, read_json, read_jsonl
from arxivscout.batch.yaml_entries import read_yaml
from arxivscout.errors import JobFileError
from arxivscout.papers import one_line

MOST_BYTES = 16 << 20
_FIELDS = tuple(Job.model_fields)
_OF_ONE_JOB = ("question", "id")  # what can't be a default
_NEVER_NULL = ("question", "formats", "depth")

_READERS: dict[str, Callable[[str], Read]] = {
    ".yaml": read_yaml,
    ".yml": read_yaml,
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".json": read_json,
    ".csv": lambda text: read_csv(text, _FIELDS),
}


def read_jobs(path: Path | str) -> list[Job]:
    """The jobs of a file, in its order: at least one.

    The suffix says the format: `.yaml` and `.yml` (a list of jobs, or a mapping of `defaults:` and
    `jobs:`), `.jsonl` and `.ndjson` (a job a line), `.json` (a list) or `.csv` (a row each, the
    first names the columns). A job is a mapping of `Job`'s fields, or no more than its question.

    Raises:
        JobFileError: the file can't be read, holds no job, or has mistakes: all of them, with
            their lines.
    """
    path = Path(path)
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise JobFileError(
            f"The name of {path} does not tell its format.", f"It ends with {', '.join(_READERS)}."
        )
    read = reader(_text(path))
    defaults = _checked_defaults(read)
    found: list[tuple[int, Job]] = []
    for entry in read.entries:
        fields = {**defaults, **entry.fields}
        job, mistakes = _job(Entry(entry.line, fields))
        read.mistakes += mistakes
        if job is not None:
            found.append((entry.line, job))
    _check_alone(found, read)
    if read.mistakes:
        count = len(read.mistakes)
        raise JobFileError(
            f"{path} has {count:,} mistake{'s' if count > 1 else ''}; none of its jobs is run.",
            details=[
                one_line(str(each)) for each in sorted(read.mistakes, key=lambda each: each.line)
            ],
        )
    if not found:
        raise JobFileError(f"{path} holds no job.", 'One is enough: - "What is …?"')
    return [job for _, job in found]


def _text(path: Path) -> str:
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            what = "a folder" if stat.S_ISDIR(mode) else "no regular file"
            raise JobFileError(f"{path} is {what}.", "Name a file of jobs.")
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise JobFileError(f"{path} can't be read: {reason}.") from None
    if len(data) > MOST_BYTES:
        raise JobFileError(f"{path} is larger than {MOST_BYTES >> 20} MiB.", "Use several files.")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise JobFileError(f"{path} is UTF-16.", "Save it as UTF-8.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise JobFileError(f"{path} is no UTF-8 text (line {line}).", "Save it as UTF-8.") from None


def _checked_defaults(read: Read) -> dict[str, Given]:
    """The defaults that are right; what is wrong with the others is noted once."""
    fields = dict(read.defaults.fields)
    for name in _OF_ONE_JOB:
        if name in fields:
            read.wrong(fields.pop(name).line, f"{name} is each job's own, and can't be a default")
    _, mistakes = _job(Entry(read.defaults.line, {**fields, "question": Given(0, "?")}))
    read.mistakes += mistakes
    if not mistakes:
        return fields
    return {
        name: given
        for name, given in fields.items()
        if name in _FIELDS and _job(Entry(0, {"question": Given(0, "?"), name: given}))[0]
    }


def _job(entry: Entry) -> tuple[Job | None, list[Mistake]]:
    mistakes = [
        Mistake(given.line, unknown(name, _FIELDS))
        for name, given in entry.fields.items()
        if name not in _FIELDS
    ]
    values = {
        name: given.value
        for name, given in entry.fields.items()
        if name in _FIELDS and not (given.value is None and name in _NEVER_NULL)
    }
    job = None
    try:
        job = Job.model_validate(values)
    except ValidationError as refused:
        for error in refused.errors(include_url=False):
            name = str(error["loc"][0])
            line = entry.fields[name].line if name in entry.fields else entry.line
            mistakes.append(Mistake(line, _told(name, error)))
    return (None if mistakes else job), mistakes


def _told(name: str, error: ErrorDetails) -> str:
    kind, value = error["type"], error["input"]
    if kind == "value_error":
        return f"{name}: {error['ctx']['error']}"
    if kind == "missing":
        return f"{name} is missing"
    if kind == "string_type":
        if isinstance(value, dict | list):
            return f"{name} must be text, not {'a list' if isinstance(value, list) else 'fields'}"
        return f"{name} must be text; put {_as_written(value)} in quotes"
    if kind == "tuple_type":
        return f"{name} must be a list"
    if kind == "string_too_short":
        return f"{name} is empty"
    if kind == "string_too_long":
        most = MOST_QUESTION if name == "question" else error["ctx"]["max_length"]
        return f"{name} has more than {most:,} characters"
    return f"{name}: {error['msg']}"


def _as_written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)[:60]


def _check_alone(found: list[tuple[int, Job]], read: Read) -> None:
    """Note the jobs that stand there twice, and ids that name two (also where case is ignored)."""
    keys: dict[str, int] = {}
    ids: dict[str, int] = {}
    for line, job in found:
        name = job.id.casefold() if job.id else None
        if job.key in keys:
            read.wrong(line, f"the same job as on line {keys[job.key]}")
        elif name in ids:
            read.wrong(line, f"id: {job.id!r} is that of line {ids[name]} too")
        keys.setdefault(job.key, line)
        if name is not None:
            ids.setdefault(name, line)
