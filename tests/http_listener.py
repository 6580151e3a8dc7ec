"""A server on loopback that takes whatever is sent, and keeps it: unpacked, as it came."""

from __future__ import annotations

import gzip
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType


@dataclass(frozen=True)
class Sent:
    """One request."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class HttpListener:
    """`with HttpListener() as listener:` it listens at `listener.url`; see `listener.sent`."""

    def __init__(self, answers: dict[str, bytes] | None = None) -> None:
        """Args:
        answers: what the paths give that begin so, as JSON; all others an empty object.
        """
        self.sent: list[Sent] = []
        listener, known = self, answers or {}

        class Handler(BaseHTTPRequestHandler):
            def _take(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                headers = {key.lower(): value for key, value in self.headers.items()}
                if self.headers.get("Transfer-Encoding") == "chunked":
                    body = _chunks(self.rfile)
                listener.sent.append(
                    Sent(self.command, self.path, headers, _unpacked(body, headers))
                )
                answer = next((a for p, a in known.items() if self.path.startswith(p)), b"{}")
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            do_GET = do_POST = do_PATCH = _take

            def log_message(self, format: str, *arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def bodies(self) -> bytes:
        """All that was sent, headers too."""
        return b"\n".join(
            f"{each.path} {each.headers}".encode() + b"\n" + each.body for each in self.sent
        )

    def __enter__(self) -> HttpListener:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _chunks(stream: object) -> bytes:
    body = b""
    while size := int(stream.readline().split(b";")[0], 16):  # type: ignore[attr-defined]
        body += stream.read(size)  # type: ignore[attr-defined]
        stream.readline()  # type: ignore[attr-defined]
    return body


def _unpacked(body: bytes, headers: dict[str, str]) -> bytes:
    match headers.get("content-encoding"):
        case "gzip":
            return gzip.decompress(body)
        case "zstd":
            import zstandard

            return zstandard.ZstdDecompressor().decompressobj().decompress(body)
    return body
