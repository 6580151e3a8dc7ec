"""Where the embedded server keeps its files, and whom they belong to.

PostgreSQL refuses to run as root, so that under root its files belong to an unprivileged account
and stand where that account can enter. Nothing here changes the permissions of a folder that it
did not make itself.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import pwd
import secrets
import stat
import tempfile
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


def is_made(home: Path) -> bool:
    """Whether `home` has a server; looking makes nothing."""
    return (home.expanduser() / "postgres" / "data" / "PG_VERSION").exists()


def place(home: Path) -> Cluster:
    """Decide where the server of `home` lives, and make that folder.

    Under root that is `home/postgres` if an unprivileged account can enter it, else a folder below
    /var/lib/arxivscout that a link in `home` names. Data that is already there decides first.

    Raises:
        DatabaseError: the folder can't be made or written.
    """
    home = home.expanduser().resolve()
    try:
        _make_folder(home, 0o711 if os.geteuid() == 0 else 0o700)
        keeper, server = _accounts(home)
        base = home / "postgres"
        if keeper.uid == 0 and not base.is_symlink() and not (base / "data").exists():
            elsewhere = ROOT_BASE / hashlib.sha256(os.fsencode(home)).hexdigest()[:16]
            if elsewhere.exists() or not server.can_enter(home):
                _make_folder(ROOT_BASE, 0o711)
                base.symlink_to(elsewhere)
        base = base.resolve()
        if _make_folder(base, 0o711 if server.uid != keeper.uid else 0o700):
            keeper.own(base)
        if not os.access(base, os.W_OK | os.X_OK):
            read_only = os.statvfs(base).f_flag & os.ST_RDONLY
            code = errno.EROFS if read_only else errno.EACCES
            raise OSError(code, os.strerror(code), str(base))
    except OSError as error:
        raise DatabaseError(
            f"The database folder can't be made or written: {error.strerror}: "
            f"{error.filename or home}.",
            "Make it writable, or set ARXIVSCOUT_HOME to a folder that is.",
        ) from None
    if not server.can_enter(base):
        raise DatabaseError(
            f"The account that runs the database (uid {server.uid}) can't enter {base}.",
            "Give the folders above it the x permission for others (chmod o+x).",
        )
    return Cluster(base, keeper, server)


def _make_folder(folder: Path, mode: int) -> bool:
    if folder.is_dir():
        return False
    folder.mkdir(parents=True)
    folder.chmod(mode)  # whatever the umask says
    return True


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
    """The passwords of the owner and the application.

    Raises:
        DatabaseError: their file is gone or broken (the next start makes new ones if it is gone).
    """
    try:
        found: dict[str, str] = json.loads(cluster.secrets.read_text("utf-8"))
        return {name: found[name] for name in (OWNER, APP)}
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise DatabaseError(
            f"The database's password file {cluster.secrets} can't be read: {error}.",
            "Remove it if it is broken: the next start makes new passwords; no data are lost.",
        ) from None


def new_passwords(cluster: Cluster) -> dict[str, str]:
    """Make passwords and write them where only the keeper reads."""
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

    It stands beside the data where that path will do, else in the temporary folder under a random
    name that the file `socket` records. A recorded folder counts only while it is a real folder of
    the server's account that nobody else can enter.
    """
    beside = cluster.base / "run"
    if _serves(beside):
        if make:
            beside.mkdir(mode=0o700, exist_ok=True)
            cluster.server.own(beside)
        return beside
    record = cluster.base / "socket"
    recorded = Path(record.read_text("utf-8")) if record.exists() else None
    if recorded is not None and _is_private(recorded, cluster.server):
        return recorded
    if not make:
        return beside  # where nothing listens
    parent = next(
        path for path in (tempfile.gettempdir(), "/tmp") if _serves(Path(path, "scout-12345678"))
    )
    made = Path(tempfile.mkdtemp(prefix="scout-", dir=parent))
    cluster.server.own(made)
    write_private(record, str(made), cluster.keeper)
    return made


def _serves(folder: Path) -> bool:
    # libpq takes a comma for the end of a host's name
    return len(os.fsencode(folder)) <= SOCKET_DIR_BYTES and "," not in str(folder)


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
