"""The embedded server's main process: starting, recognising and stopping it.

A process counts as ours only if its command line carries the identity of our data folder, which
PostgreSQL keeps there for its main process (an argument) and every other (their title). A process
id alone proves nothing: after a crash it may be anybody's.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg

from arxivscout.errors import DatabaseError, DatabaseUnavailable
from arxivscout.memory.cluster import Cluster, socket_dir
from arxivscout.memory.programs import SCRAM_ITERATIONS, failure, run

# fsync, full_page_writes and synchronous_commit stay at their default: on.
SETTINGS = {
    "listen_addresses": "",
    "port": "5432",
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "maintenance_work_mem": "256MB",
    "max_wal_size": "512MB",
    "min_wal_size": "32MB",
    # no replicas, so that less has to be logged
    "wal_level": "minimal",
    "max_wal_senders": "0",
    # a parallel index build wants more shared memory than containers give
    "max_parallel_maintenance_workers": "0",
    "scram_iterations": str(SCRAM_ITERATIONS),
    "jit": "off",
    # a small log: starts, stops and recoveries, never what people wrote
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_checkpoints": "off",
    "log_autovacuum_min_duration": "-1",
}
# Indexes of vectors are read at every turn, each time from other places: what the server holds of
# them itself costs a third less, and among a million papers, whose index is of 2 GB, a third of the
# whole search (20 ms instead of 58). It takes the memory as it reads: of a small database little.
BUFFERS_SHARE = 8  # of the machine's memory, a part in so many
LEAST_BUFFERS, MOST_BUFFERS = 128 << 20, 4 << 30
# What a container may use, where it has a limit; the two generations of control groups.
_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)
LOG_BYTES = 1_000_000
START_SECONDS = 60.0
SOCKET_SECONDS = 5.0  # a main process makes its socket within its first moments
RECOVERY_SECONDS = 600.0
STOP_SECONDS = 60.0


def start(
    cluster: Cluster,
    programs: Path,
    probe: Callable[[], None],
    notice: Callable[[str], None],
    extra: dict[str, str] | None = None,
) -> None:
    """Start the server and wait until `probe` connects. The caller holds the start lock.

    Raises:
        DatabaseError: it did not come up; the reason is the one its log gives.
    """
    sockets = socket_dir(cluster, make=True)
    clear_the_way(cluster, sockets)
    bound_log(cluster)
    cluster.log.touch(mode=0o600)
    cluster.server.own(cluster.log)
    log_size = cluster.log.stat().st_size
    settings = {
        **SETTINGS,
        "shared_buffers": f"{buffers(_memory()) >> 20}MB",
        "unix_socket_directories": '"' + str(sockets).replace('"', '""') + '"',
        "cluster_name": cluster.identity,
        **(extra or {}),
    }
    command = [programs / "postgres", "-D", cluster.data]
    for name, value in settings.items():
        command += ["-c", f"{name}={value}"]
    # The shell lets go of it: as a child of ours, it would stay a zombie when killed, and its
    # process id would look alive to the next start.
    script = 'log=$1; shift; "$@" </dev/null >>"$log" 2>&1 &'
    run(["/bin/sh", "-c", script, "sh", cluster.log, *command], cluster)
    _wait(cluster, probe, notice, log_size)


def buffers(memory: int) -> int:
    """Bytes of pages that the server holds itself on a machine with so much memory."""
    return min(max(memory // BUFFERS_SHARE, LEAST_BUFFERS), MOST_BUFFERS)


def _memory() -> int:
    """Bytes of memory that there are, or that this container may use."""
    sizes: list[int] = [psutil.virtual_memory().total]
    for place in _LIMITS:
        with suppress(OSError, ValueError):  # none, or "max"
            sizes.append(int(place.read_text()))
    return min(sizes)


def wait(cluster: Cluster, probe: Callable[[], None], notice: Callable[[str], None]) -> bool:
    """Wait for a main process that is there but does not answer yet.

    Returns:
        False if it ended, or if it is there but out of reach: somebody cleared its socket away.

    Raises:
        DatabaseUnavailable: it is there, and has no answer for long.
        DatabaseError: it is there, and its disk is full.
    """
    try:
        _wait(cluster, probe, notice, None)
    except _Ended:
        return False
    return True


def _has_socket(cluster: Cluster) -> bool:
    return any(socket_dir(cluster, make=False).glob(".s.PGSQL.*"))


class _Ended(DatabaseError):
    pass


def _wait(
    cluster: Cluster,
    probe: Callable[[], None],
    notice: Callable[[str], None],
    log_size: int | None,
) -> None:
    begun = time.monotonic()
    told = False
    pause = 0.01
    while True:
        try:
            return probe()
        except psycopg.OperationalError as error:
            last = error
        if "No space left" in str(last):  # it lives, and lets nobody in until there is some
            raise failure("The database lets nobody in", str(last), cluster)
        waited = time.monotonic() - begun
        # It says that it recovers from a crash: that may take long, and ends.
        recovering = "starting up" in str(last) or "not yet accepting" in str(last)
        if recovering and waited > 1 and not told:
            notice("The database is recovering from a crash; nothing is lost ...")
            told = True
        if waited > 0.5 and main_process(cluster) is None:
            if log_size is None:
                raise _Ended("The database ended.")
            raise failure("The database did not start", _log_since(cluster, log_size), cluster)
        if log_size is None and waited > SOCKET_SECONDS and not _has_socket(cluster):
            raise _Ended("The database's socket was cleared away.")
        if waited > (RECOVERY_SECONDS if recovering else START_SECONDS):
            raise DatabaseUnavailable(
                f"The database does not answer: {str(last).strip()}.",
                f"The server's log is {cluster.log}.",
            )
        time.sleep(pause)
        pause = min(pause * 1.5, 0.25)


def main_process(cluster: Cluster) -> psutil.Process | None:
    """The server's main process, if the recorded process id is really it and it lives."""
    try:
        pid = int((cluster.data / "postmaster.pid").read_text("utf-8").split("\n", 1)[0])
        process = psutil.Process(pid)
        ours = f"cluster_name={cluster.identity}" in process.cmdline()
        return process if ours and _lives(process) else None
    except (OSError, ValueError, psutil.Error):
        return None


def clear_the_way(cluster: Cluster, sockets: Path) -> None:
    """After a crash: end what is left of the old server, and files that name a stranger for it.

    The caller holds the start lock, and has found that no main process lives.
    """
    left = orphans(cluster)
    for process in left:
        _signal(process, signal.SIGQUIT)
    _, left = psutil.wait_procs(left, timeout=5)
    for process in left:
        _signal(process, signal.SIGKILL)
    psutil.wait_procs(left, timeout=5)
    # PostgreSQL copes with a dead process's files, but takes a stranger's for its own server.
    for file in (cluster.data / "postmaster.pid", *sockets.glob(".s.PGSQL.*.lock")):
        try:
            pid = int(file.read_text("utf-8").split("\n", 1)[0])
        except (OSError, ValueError):
            continue
        if psutil.pid_exists(pid):
            file.unlink(missing_ok=True)


def orphans(cluster: Cluster) -> list[psutil.Process]:
    """Processes of our server that outlived its main process."""
    title = f"postgres: {cluster.identity}: "
    found = []
    for process in psutil.process_iter():
        try:
            if " ".join(process.cmdline()).startswith(title):
                found.append(process)
        except psutil.Error:
            continue
    return found


def stop(cluster: Cluster) -> bool:
    """Stop the server: clients are disconnected, what they committed is on disk. False if none ran.

    Raises:
        DatabaseError: it did not end within a minute.
    """
    process = main_process(cluster)
    if process is None:
        return False
    _signal(process, signal.SIGINT)  # "fast": no waiting for clients, a clean shutdown
    deadline = time.monotonic() + STOP_SECONDS
    while _lives(process):  # not Process.wait: where nobody reaps, a zombie stays for long
        if time.monotonic() > deadline:
            raise DatabaseError(
                f"The database (process {process.pid}) does not stop.",
                f"The server's log is {cluster.log}.",
            )
        time.sleep(0.005)
    sockets = socket_dir(cluster, make=False)
    if sockets.parent != cluster.base:
        with suppress(OSError):
            sockets.rmdir()  # the next start makes another in the temporary folder
    return True


def _lives(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def _signal(process: psutil.Process, number: signal.Signals) -> None:
    try:
        process.send_signal(number)  # psutil checks that the process id was not reused
    except psutil.NoSuchProcess:
        return


def bound_log(cluster: Cluster) -> None:
    """Keep the log small; the server appends, so that it may be cut under its feet."""
    try:
        if cluster.log.stat().st_size > LOG_BYTES:
            cluster.log.write_text("")
    except OSError:
        return


def _log_since(cluster: Cluster, offset: int) -> str:
    with cluster.log.open("rb") as file:
        file.seek(offset)
        return file.read(100_000).decode("utf-8", "replace")
