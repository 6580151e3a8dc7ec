"""Connection strings and sessions: what we add to an address, and what its errors mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote, urlencode

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from arxivscout.errors import ConfigurationError, DatabaseError, DatabaseUnavailable, Erased

CONNECT_SECONDS = 10
ERASED = "AS001"  # of the function stay_erased
# So that a network that goes silent is noticed; a local socket ignores them.
DEFAULTS = {
    "application_name": "arxivscout",
    "connect_timeout": str(CONNECT_SECONDS),
    "client_encoding": "UTF8",
    "keepalives_idle": "30",
    "tcp_user_timeout": "20000",
}
APP_SETTINGS = {
    # A generic plan made for somebody with many rows lost most rows of somebody with few.
    "plan_cache_mode": "force_custom_plan",
    "TimeZone": "UTC",
    "statement_timeout": "120s",
    "lock_timeout": "30s",
    "idle_in_transaction_session_timeout": "15min",
}
ADMIN_SETTINGS = {"TimeZone": "UTC", "arxivscout.maintenance": "on"}

Info = Mapping[str, Any]


def parse(address: str) -> dict[str, Any]:
    """The parameters of a URL (libpq's or SQLAlchemy's) or a connection string, with time-outs.

    Raises:
        ConfigurationError: it can't be parsed.
    """
    address = address.replace("postgresql+psycopg://", "postgresql://", 1)
    try:
        return {**DEFAULTS, **conninfo_to_dict(address)}
    except psycopg.ProgrammingError as error:
        # libpq quotes the part it can't read, which may be the password.
        why = re.sub(r'"[^"]*"|"[^"]*$', "…", str(error).strip().partition("\n")[0])
        raise ConfigurationError(
            f"The database URL can't be used: {why}.",
            "It looks like postgresql://user:password@host:5432/database.",
        ) from None


def login_of(info: Info) -> str:
    """The login that the parameters name (libpq's default is the account's name)."""
    import getpass

    return str(info.get("user") or getpass.getuser())


def as_conninfo(info: Info, settings: Mapping[str, str]) -> str:
    """A libpq connection string whose sessions begin with these settings."""
    return make_conninfo(**{**info, "options": _options(info, settings)})


def as_url(info: Info, settings: Mapping[str, str], scheme: str = "postgresql") -> str:
    """The same as a URL, for SQLAlchemy and for people."""
    rest = {key: str(value) for key, value in info.items() if value is not None}
    rest["options"] = _options(info, settings)
    user, password = rest.pop("user", ""), rest.pop("password", "")
    login = quote(user, safe="") + (f":{quote(password, safe='')}" if password else "")
    database = quote(rest.pop("dbname", user), safe="")
    # The host goes into the query: a socket's folder can't stand before the slash.
    return f"{scheme}://{login}@/{database}?{urlencode(rest, quote_via=quote)}"


def _options(info: Info, settings: Mapping[str, str]) -> str:
    given = [str(info["options"])] if info.get("options") else []
    return " ".join([*given, *(f"-c {name}={_escape(text)}" for name, text in settings.items())])


def _escape(text: str) -> str:
    """A value within libpq's `options`, where blanks separate and backslashes escape."""
    return "".join("\\" + letter if letter in " \\\t\n\r\f\v" else letter for letter in text)


def unreachable(error: psycopg.Error, *, embedded: bool) -> DatabaseUnavailable:
    """Why no connection could be had, in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if "FATAL:" in line] or lines or [type(error).__name__]
    reason = telling[0].split("FATAL:")[-1].strip().rstrip(".")
    if embedded:
        mend = "`arxivscout db status` and `arxivscout doctor` tell more."
    elif "password" in reason or "authentication" in reason:
        mend = "Check the user and password in ARXIVSCOUT_DATABASE_URL."
    else:
        mend = "Check ARXIVSCOUT_DATABASE_URL, and that the server runs (`make db-up` starts one)."
    return DatabaseUnavailable(f"The database can't be reached: {reason}.", mend)


@contextmanager
def explained(conn: psycopg.Connection[Any]) -> Iterator[None]:
    """Turn what a person can mend into an error of ours; other errors stay what they are."""
    try:
        yield
    except psycopg.OperationalError as error:
        better = explain(error, lost=conn.closed)
        if better is None:
            raise
        raise better from error
    except psycopg.DatabaseError as error:
        if error.sqlstate != ERASED:
            raise
        raise Erased(
            "All that was kept of you was erased meanwhile: nothing of this is kept either."
        ) from None


def explain(error: psycopg.Error, *, lost: bool) -> DatabaseError | None:
    """The error of ours that tells a person about `error`, if there is one."""
    if isinstance(error, psycopg.errors.DiskFull) or "No space left" in str(error):
        return DatabaseError(
            "The database's disk is full: this could not be stored.",
            "Free space on it and try again.",
        )
    if isinstance(error, psycopg.errors.LockNotAvailable):
        return DatabaseError(
            "Another command keeps what this writes to itself, an import or an erasure perhaps.",
            "Try again when it is done.",
        )
    if lost:
        return DatabaseUnavailable(
            "The connection to the database was lost.", "Try again; `arxivscout doctor` tells more."
        )
    return None
