"""`arxivscout db`, as a person types it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from warm import WarmCommands

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(made_home: Path, warm: WarmCommands) -> Iterator[Run]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("ARXIVSCOUT_")}

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        own = {**kept, "ARXIVSCOUT_HOME": str(made_home), **environment}
        return warm.run(["-m", "arxivscout", "db", *arguments], own)

    yield run
    run("stop", "--force")


def status(run: Run) -> dict[str, object]:
    told: dict[str, object] = json.loads(run("status", "--json").stdout)
    return told


def test_a_life_from_start_to_stop(run: Run, made_home: Path, tmp_path: Path) -> None:
    told = status(run)
    assert (told["kind"], told["running"], told["kept"]) == ("embedded", False, False)
    assert run("start").returncode == 0
    assert run("migrate").stdout == "The schema is up to date.\n"
    told = status(run)
    assert told["running"] and told["kept"] and told["pending"] == []
    assert told["migrations"]

    url = run("url", "--user", "ada lovelace").stdout.strip()
    with psycopg.connect(url) as conn:
        conn.execute(
            "INSERT INTO conversational_memory (thread_id, role, content)"
            " VALUES ('t', 'user', 'hello')"
        )
    admin = run("url", "--admin").stdout.strip()
    with psycopg.connect(admin) as conn:
        found = conn.execute("SELECT user_id, content FROM conversational_memory").fetchall()
    assert found == [("ada lovelace", "hello")]

    file = tmp_path / "scout.dump"
    assert run("backup", str(file)).returncode == 0
    size = file.stat().st_size
    file.write_bytes(b"something of mine")
    refused = run("backup", str(file))
    assert refused.returncode == 2
    assert "is there already. Name another file, or replace it: --force." in refused.stderr
    assert file.read_bytes() == b"something of mine"
    assert run("backup", str(file), "--force").returncode == 0
    assert file.stat().st_size == size
    noted = made_home / "backups.json"
    assert str(file) in noted.read_text("utf-8")
    noted.unlink()
    noted.mkdir()  # as good as a disk that is full: the backup counts, and that it can't be noted
    unnoted = run("backup", str(file), "--force")
    assert (unnoted.returncode, unnoted.stderr.count("\n")) == (0, 1)
    assert unnoted.stderr.startswith("Not noted in ") and file.stat().st_size == size
    refused = run("reset")
    assert refused.returncode == 2
    assert "arxivscout db reset --yes" in refused.stderr
    refused = run("restore", str(file))
    assert refused.returncode == 4
    assert refused.stderr.count("\n") == 1
    assert "already holds conversations; a backup" in refused.stderr
    assert run("reset", "--yes").returncode == 0
    assert run("restore", str(file)).returncode == 0
    with psycopg.connect(admin) as conn:
        assert (
            conn.execute("SELECT user_id, content FROM conversational_memory").fetchall() == found
        )

    assert run("stop").stdout == "The database is stopped.\n"
    assert status(run)["running"] is False


def test_looking_makes_nothing(run: Run, tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"
    told = run("status", "--json", ARXIVSCOUT_HOME=str(home))
    assert told.returncode == 0
    assert json.loads(told.stdout) == {
        "kind": "embedded", "running": False, "kept": False,
        "pid": None, "folder": None, "socket": None, "log": None,
    }  # fmt: skip
    assert "folder:      none\n" in run("status", ARXIVSCOUT_HOME=str(home)).stdout
    assert list(tmp_path.iterdir()) == []


def test_a_url_of_a_server_that_is_down_says_so(run: Run) -> None:
    told = run("url")
    assert told.stdout.startswith("postgresql://arxivscout_app:")
    assert "arxivscout db start" in told.stderr


def test_another_server_is_not_ours_to_start(run: Run) -> None:
    down = "postgresql://ada@127.0.0.1:1/x"
    for command in ("start", "stop"):
        refused = run(command, ARXIVSCOUT_DATABASE_URL=down)
        assert refused.returncode == 2
        assert "another server" in refused.stderr
    told = run("status", "--json", ARXIVSCOUT_DATABASE_URL=down)
    assert told.returncode == 4
    assert "can't be reached" in json.loads(told.stdout)["error"]
