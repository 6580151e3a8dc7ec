"""A loopback server that plays arXiv's API from a script, and feeds in arXiv's form."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape


def entry(
    arxiv_id: str,
    title: str = "A Title",
    summary: str = "An abstract.",
    *,
    published: str = "2011-11-08",
    updated: str = "2012-04-02",
    authors: Sequence[str] = ("Yu Shi", "A. B. Other"),
    categories: Sequence[str] = ("quant-ph", "hep-ph"),
    **more: str,
) -> str:
    first, *others = (f"<name>{escape(name)}</name>" for name in authors)
    names = [f"{first}<arxiv:affiliation>Fudan</arxiv:affiliation>", *others]
    scheme = 'scheme="http://arxiv.org/schemas/atom"'
    extra = "".join(f"<arxiv:{name}>{escape(text)}</arxiv:{name}>" for name, text in more.items())
    return f"""
  <entry>
    <id>http://arxiv.org/abs/{arxiv_id}</id>
    <updated>{updated}T12:38:54Z</updated>
    <published>{published}T18:48:36Z</published>
    <title>{escape(title)}</title>
    <summary>  {escape(summary)}
</summary>
    {"".join(f"<author>{name}</author>" for name in names)}
    {extra}
    <arxiv:primary_category term="{categories[0]}" {scheme}/>
    {"".join(f'<category term="{each}" {scheme}/>' for each in categories)}
  </entry>"""


def feed(*entries: str, total: int | None = None) -> bytes:
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom"
      xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">
  <id>http://arxiv.org/api/x</id>
  <title>arXiv Query</title>
  <opensearch:totalResults>{len(entries) if total is None else total}</opensearch:totalResults>
  {"".join(entries)}
</feed>""".encode()


def error_feed(message: str) -> bytes:
    return feed(
        f"""<entry><id>https://arxiv.org/api/errors#{message.replace(" ", "_")}</id>
    <title>Error</title><summary>{escape(message)}</summary></entry>"""
    )


@dataclass(frozen=True)
class Reply:
    """One answer; `hang` seconds before it, `promised` bytes announced where fewer are sent."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hang: float = 0.0
    promised: int | None = None


@dataclass
class Script:
    """What the server will answer, in order (the last goes on), and what it was asked."""

    replies: list[Reply]
    asked: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    url: str = ""


@contextmanager
def arxiv_server(*replies: Reply) -> Iterator[Script]:
    script = Script(list(replies))
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            with lock:
                script.times.append(time.time())
                query = parse_qs(urlsplit(self.path).query)
                script.paths.append(urlsplit(self.path).path)
                script.asked.append({name: values[0] for name, values in query.items()})
                reply = script.replies.pop(0) if len(script.replies) > 1 else script.replies[0]
            time.sleep(reply.hang)
            try:
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                size = len(reply.body) if reply.promised is None else reply.promised
                self.send_header("content-length", str(size))
                self.end_headers()
                self.wfile.write(reply.body)
            except OSError:
                pass  # the client has gone, as some tests want it to

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    script.url = f"http://127.0.0.1:{server.server_address[1]}/api/query"
    try:
        yield script
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
