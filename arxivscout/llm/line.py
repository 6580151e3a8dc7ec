"""A line to a model's server: whoever waits at it waits no longer than they want.

    who asks ──"next"──► a thread of its own ──► the provider's library ──► the server
             ◄─ chunk ─┘         └─ its sockets are shut when the line is hung up

A socket's time-out counts from the last byte, and a proxy's keep-alive comments are bytes: a server
that sends one each second is never late, and the library never comes back.
"""

from __future__ import annotations

import queue
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from contextvars import ContextVar, copy_context
from functools import cache
from typing import Any, Generic, TypeVar

T = TypeVar("T")
_CONNECTED = ("connect_tcp.complete", "connect_unix_socket.complete", "start_tls.complete")


class Line(Generic[T]):
    """What `begin` gives, piece by piece, each waited for as long as is said.

    One piece is fetched at a time, and only when it is asked for. The thread keeps no process
    from ending; where a provider's sockets can't be shut (`http_client`), it ends with the server.
    """

    def __init__(self, begin: Callable[[], Iterator[T]]) -> None:
        self._begin = begin
        self._wanted: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._given: queue.SimpleQueue[tuple[T | None, BaseException | None]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        self._hung_up = False
        context = copy_context()  # tracing and the graph's own callbacks are heard in there, too
        context.run(_line.set, self)
        threading.Thread(target=context.run, args=(self._serve,), daemon=True, name="model").start()

    def next(self, seconds: float) -> T | None:
        """The next piece, None after the last one; what the library raises goes through.

        Raises:
            TimeoutError: it did not come within so many seconds.
        """
        self._wanted.put(True)
        try:
            piece, error = self._given.get(timeout=min(max(seconds, 0.0), threading.TIMEOUT_MAX))
        except queue.Empty:
            raise TimeoutError(f"nothing came for {seconds:.3g} s") from None
        if error is not None:
            raise error
        return piece

    def hang_up(self) -> None:
        """Close the connection, and wait for nothing."""
        self._wanted.put(False)
        with self._lock:
            self._hung_up = True
            for each in self._sockets:
                _shut(each)

    def connected(self, name: str, info: dict[str, Any]) -> None:
        """Told by the HTTP library of each thing it does: which socket this line goes through."""
        if name.endswith(_CONNECTED):
            found = info["return_value"].get_extra_info("socket")
            if isinstance(found, socket.socket):
                with self._lock:
                    self._sockets.append(found)
                    if self._hung_up:
                        _shut(found)

    def _serve(self) -> None:
        stream: Iterator[T] | None = None
        while self._wanted.get():
            try:
                if stream is None:
                    stream = iter(self._begin())
                self._given.put((next(stream, None), None))
            except BaseException as error:  # noqa: BLE001 - raised again by who waits
                self._given.put((None, error))
        if stream is not None and hasattr(stream, "close"):
            with suppress(Exception):  # nobody listens any more
                stream.close()


_line: ContextVar[Line[Any] | None] = ContextVar("line", default=None)


def _shut(connection: socket.socket) -> None:
    """Wake who reads from it: what `close` does not, and TLS's own `shutdown` not safely."""
    with suppress(OSError):
        socket.socket.shutdown(connection, socket.SHUT_RDWR)


@cache
def http_client(proxy: str | None = None) -> Any:
    """The HTTP client of the models that speak OpenAI's protocol: its sockets are known to lines.

    No connection is used twice, since the library tells which one only when it is made. Beside
    what a model takes to answer, making one is nothing.
    """
    import openai

    def watched(request: Any) -> None:
        request.headers["Connection"] = "close"
        if line := _line.get():
            request.extensions = {**request.extensions, "trace": line.connected}

    return openai.DefaultHttpxClient(event_hooks={"request": [watched]}, proxy=proxy)
