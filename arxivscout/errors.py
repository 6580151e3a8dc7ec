"""The error tree. Every error that ArxivScout raises on purpose is one of these.

ScoutError
├── Recoverable             an observation for the model; the turn goes on
│   ├── SourceError         a source of papers refused, failed or timed out
│   ├── NotFound            what was named is not stored
│   ├── ToolInputError      arguments that no tool can work with
│   └── NotReranked         the second stage of a search gave no order: the first's holds
└── Fatal                   one line for the person, an exit code, the command that mends it
    ├── UsageError          2   what was given can't be used
    │   └── JobFileError
    ├── ConfigurationError  3   settings that contradict or name what isn't there
    ├── DatabaseError       4   the database can't be reached, written or understood
    │   ├── DatabaseUnavailable
    │   ├── DatabaseTooOld
    │   ├── SchemaTooNew
    │   └── EmbeddingMismatch
    ├── ModelError          5   the chat model can't answer
    ├── ThreadBusy          6   another process is in the middle of a turn
    ├── Erased              8   the person was erased while it was being done
    ├── Stopped             130 the person stopped the turn
    └── PartlyDone          7   some of the input was bad; the good part is stored
"""

from __future__ import annotations

from collections.abc import Sequence


class ScoutError(Exception):
    """Root of the tree: `cause` says what is wrong, `mend` what to do about it."""

    exit_code = 1
    details: tuple[str, ...] = ()  # a line each, for what can't be told in one

    def __init__(self, cause: str, mend: str = "") -> None:
        super().__init__(cause)
        self.cause = cause
        self.mend = mend

    def __str__(self) -> str:
        return f"{self.cause} {self.mend}".strip()


class Recoverable(ScoutError):
    """The model is told, and goes on."""


class SourceError(Recoverable):
    """A source of papers refused, failed or timed out."""


class NotFound(Recoverable):
    """What was named is not stored."""


class ToolInputError(Recoverable):
    """Arguments that no tool can work with."""


class NotReranked(Recoverable):
    """The second stage of a search gave no order: the first's holds."""


class Fatal(ScoutError):
    """The person is told in one line, and the program ends with `exit_code`."""


class UsageError(Fatal):
    """What was given can't be used."""

    exit_code = 2


class WrongPerson(UsageError):
    """A run holds what is somebody else's."""


class JobFileError(UsageError):
    """A file of jobs with mistakes: none of it is run; `details` names each, with its line."""

    def __init__(self, cause: str, mend: str = "", details: Sequence[str] = ()) -> None:
        super().__init__(cause, mend)
        self.details = tuple(details)

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *self.details])


class ConfigurationError(Fatal):
    """Settings that contradict each other or name what isn't there."""

    exit_code = 3


class DatabaseError(Fatal):
    """The database can't be reached, written or understood."""

    exit_code = 4


class DatabaseUnavailable(DatabaseError):
    """No connection could be had."""


class DatabaseTooOld(DatabaseError):
    """The server or its pgvector is older than what we can trust."""


class SchemaTooNew(DatabaseError):
    """A newer ArxivScout has migrated this database."""


class EmbeddingMismatch(DatabaseError):
    """The stored vectors were made by another model."""


class ModelError(Fatal):
    """The chat model can't answer."""

    exit_code = 5


class ThreadBusy(Fatal):
    """Another process is in the middle of a turn of this thread."""

    exit_code = 6


class Erased(Fatal):
    """The person was erased while it was being done: nothing of it is kept."""

    exit_code = 8


class Stopped(Fatal):
    """The person stopped the turn; what was said so far is kept."""

    exit_code = 130


class PartlyDone(Fatal):
    """Some of the input was bad; the good part is stored."""

    exit_code = 7
