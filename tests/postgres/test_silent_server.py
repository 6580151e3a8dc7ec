"""A server that takes connections and says nothing costs its time-out once, not at every step."""

from __future__ import annotations

import socket

import pytest

from arxivscout.errors import DatabaseUnavailable
from arxivscout.memory.postgres import Database


def test_a_silent_server_is_waited_for_once() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]
        url = f"postgresql://somebody@127.0.0.1:{port}/nothing?connect_timeout=2"
        database = Database(url, url)
        with pytest.raises(DatabaseUnavailable) as first, database.shared():
            pass
        for _ in range(5):
            with pytest.raises(DatabaseUnavailable) as again:
                database.batch("tester", [("SELECT 1", ())])
            assert str(again.value) == str(first.value)
        silent.settimeout(1)
        with silent.accept()[0], pytest.raises(TimeoutError):
            silent.accept()
        database.close()
