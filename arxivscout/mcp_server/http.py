"""The server over streamable HTTP, on loopback only, for who knows the token."""

from __future__ import annotations

import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio
import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp

from arxivscout.errors import UsageError
from arxivscout.mcp_server.server import build_server
from arxivscout.mcp_server.token import TokenGate
from arxivscout.scout import Scout

HOST = "127.0.0.1"
MOST_SESSIONS = 1_000  # those of clients that left without a word are ended after half an hour
LEAVING_S = 2  # how long open streams may take to end


def serve_http(scout: Scout, port: int, token: str, ready: Callable[[str], None]) -> None:
    """Serve on 127.0.0.1 until the process is told to end; `ready` is given the address.

    Raises:
        UsageError: the port is taken.
    """
    with socket.socket() as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((HOST, port))
            door.listen()
        except OSError as error:
            raise UsageError(
                f"Port {port} can't be had: {error.strerror}.", "Give another one: --port 0."
            ) from None
        logging.getLogger("mcp.server.streamable_http").addFilter(_no_client_left)
        ready(f"http://{HOST}:{door.getsockname()[1]}/mcp")
        config = uvicorn.Config(
            _application(scout, token),
            log_config=None,
            access_log=False,
            lifespan="on",
            ws="none",
            timeout_graceful_shutdown=LEAVING_S,
        )
        uvicorn.Server(config).run(sockets=[door])


def _no_client_left(record: logging.LogRecord) -> bool:
    """Whether a record is of something else than a client that has gone, as they all do."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, anyio.ClosedResourceError | anyio.BrokenResourceError)


def _application(scout: Scout, token: str) -> ASGIApp:
    # A page in a browser can send requests to loopback: names of other hosts are refused.
    manager = StreamableHTTPSessionManager(
        build_server(scout),
        security_settings=TransportSecuritySettings(
            allowed_hosts=[f"{HOST}:*", "localhost:*"],
            allowed_origins=[f"http://{HOST}:*", "http://localhost:*"],
        ),
        max_sessions=MOST_SESSIONS,
    )

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            yield

    app = Starlette(routes=[Route("/mcp", endpoint=manager.asgi_app)], lifespan=running)
    return TokenGate(app, token)
