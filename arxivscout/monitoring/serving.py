"""Metrics over HTTP, on loopback only: who is on this machine may read numbers, nobody else."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import psycopg

from arxivscout.errors import ScoutError, UsageError
from arxivscout.monitoring.exposition import CONTENT_TYPE, Family, exposition

HOST, PATH = "127.0.0.1", "/metrics"
SIZES_S = 60.0  # so old the sizes of stores may get
CLIENT_S = 10.0  # a client that says nothing is left
_NAMES = frozenset({"127.0.0.1", "localhost"})
_log = logging.getLogger(__name__)

Families = Callable[[], list[Family]]


class Sizes:
    """The sizes of stores, counted beside the scrapes: those are never kept waiting."""

    def __init__(self, sized: Families) -> None:
        """Counts once, at once."""
        self._sized = sized
        self._counting = threading.Lock()
        self._families = sized()
        self._counted_at = time.monotonic()

    def families(self) -> list[Family]:
        """As they were counted last; older than `SIZES_S`, they are counted anew for the next."""
        if time.monotonic() - self._counted_at > SIZES_S and self._counting.acquire(blocking=False):
            threading.Thread(target=self._count, name="sizes", daemon=True).start()
        return self._families

    def _count(self) -> None:
        try:
            self._families = self._sized()
        except (ScoutError, psycopg.Error) as error:
            _log.info("stores were not counted", extra={"error": type(error).__name__})
        finally:
            self._counted_at = time.monotonic()
            self._counting.release()


def serve_metrics(counted: Families, sizes: Sizes, port: int, ready: Callable[[str], None]) -> None:
    """Answer scrapes until the process is told to end; `ready` is given the address.

    Raises:
        UsageError: the port is taken.
    """
    try:
        server = _Server((HOST, port), _Scrape)
    except OSError as error:
        raise UsageError(
            f"Port {port} can't be had: {error.strerror}.", "Give another one: --port 0."
        ) from None
    server.counted, server.sizes = counted, sizes
    with server:
        ready(f"http://{HOST}:{server.server_address[1]}{PATH}")
        server.serve_forever()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    counted: Families
    sizes: Sizes


class _Scrape(BaseHTTPRequestHandler):
    server: _Server
    timeout = CLIENT_S
    server_version, sys_version = "arxivscout", ""

    def do_GET(self) -> None:
        # A page in a browser can send requests to loopback: names of other hosts are refused.
        if self.headers.get("Host", "").rpartition(":")[0] not in _NAMES:
            return self._answer(HTTPStatus.FORBIDDEN, "Ask for 127.0.0.1.\n")
        if self.path.partition("?")[0] != PATH:
            return self._answer(HTTPStatus.NOT_FOUND, f"Metrics are at {PATH}.\n")
        try:
            text = exposition([*self.server.counted(), *self.server.sizes.families()])
        except (ScoutError, psycopg.Error) as error:
            _log.warning("a scrape failed", extra={"error": type(error).__name__})
            return self._answer(HTTPStatus.SERVICE_UNAVAILABLE, "The database can't be read.\n")
        return self._answer(HTTPStatus.OK, text, CONTENT_TYPE)

    def _answer(
        self, status: HTTPStatus, text: str, type_: str = "text/plain; charset=utf-8"
    ) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", type_)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        _log.debug("%s", format % arguments)
