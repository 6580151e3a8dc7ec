"""A server on loopback that never ends its answer, sent piece by piece, and knows who still reads.

with TricklingServer(STREAM, b": keepalive\\n\\n") as server:
    ...  # ask it at server.url
    server.is_left()
"""

from __future__ import annotations

import socket
import threading
import time
from itertools import repeat

STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
WHOLE = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n"


class TricklingServer:
    """Sends `head` at once, then `piece` every `every_s` seconds for as long as somebody reads."""

    def __init__(self, head: bytes, piece: bytes, every_s: float = 0.05) -> None:
        self.asked = 0
        self._head, self._piece, self._every_s = head, piece, every_s
        self._open = 0
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._door = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._receive, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._door.getsockname()[1]}/v1"

    def __enter__(self) -> TricklingServer:
        return self

    def __exit__(self, *exception: object) -> None:
        self._closing.set()
        with socket.create_connection(self._door.getsockname()):
            self._door.close()

    def is_left(self, seconds: float = 2.0) -> bool:
        """Whether nobody is connected any more, at the latest after so many seconds."""
        until = time.monotonic() + seconds
        while self._open and time.monotonic() < until:
            time.sleep(0.02)
        return not self._open

    def _receive(self) -> None:
        while not self._closing.is_set():
            connection, _ = self._door.accept()
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        self._count(asked=1, reading=1)
        with connection:
            try:
                connection.sendall(self._head)
                for piece in repeat(self._piece):
                    if self._closing.wait(self._every_s):
                        break
                    connection.sendall(piece)
            except OSError:
                pass
        self._count(asked=0, reading=-1)

    def _count(self, *, asked: int, reading: int) -> None:
        with self._lock:
            self.asked += asked
            self._open += reading
