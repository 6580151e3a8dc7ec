"""New connections to a server that may be just starting, down, or silent."""

from __future__ import annotations

import time
from typing import Any

import psycopg

from arxivscout.errors import DatabaseUnavailable
from arxivscout.memory.connection import unreachable
from arxivscout.memory.embedded import EmbeddedServer

# A server that takes longer than this to fail counts as silent, not as refusing.
SILENT_SECONDS = 1.0
# How long a server may be starting up before that counts as down.
STARTING_SECONDS = 15.0
# A statement that comes a second time comes at every turn.
PREPARED_AFTER = 1


class Dialling:
    """Connects to one server; what it failed to do a moment ago it does not try again at once."""

    def __init__(self, server: EmbeddedServer | None) -> None:
        """Args:
        server: the embedded one, which is brought up again where it is down.
        """
        self._server = server
        self._failure: DatabaseUnavailable | None = None
        self._silent_until = 0.0

    def connect(self, url: str) -> psycopg.Connection[Any]:
        """A new autocommit connection, waiting for a server that is just starting.

        A server that took long to fail is not asked again for as long: a turn that finds its
        database silent waits for it once, not at each of its steps.

        Raises:
            DatabaseUnavailable: the server refused or did not answer.
        """
        begun = time.monotonic()
        if self._failure is not None and begun < self._silent_until:
            raise self._failure.with_traceback(None)
        try:
            return self._connect(url, begun)
        except DatabaseUnavailable as error:
            ended = time.monotonic()
            if ended - begun > SILENT_SECONDS:
                self._failure, self._silent_until = error, ended + (ended - begun)
            raise

    def _connect(self, url: str, begun: float) -> psycopg.Connection[Any]:
        revived = self._server is None
        while True:
            try:
                return psycopg.connect(url, autocommit=True, prepare_threshold=PREPARED_AFTER)
            except psycopg.OperationalError as error:
                if not revived and self._server is not None:
                    self._server.ensure_up()
                    revived = True
                    continue
                starting = "starting up" in str(error) or "not yet accepting" in str(error)
                if starting and time.monotonic() - begun < STARTING_SECONDS:
                    time.sleep(0.1)
                    continue
                raise unreachable(error, embedded=self._server is not None) from None
