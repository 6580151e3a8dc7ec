"""The server over the standard streams of a process that a client has started."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any, cast

import anyio
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from arxivscout.mcp_server.reading import readable
from arxivscout.mcp_server.server import build_server
from arxivscout.scout import Scout


def serve_stdio(scout: Scout) -> None:
    """Serve until standard input ends or nobody reads what is said.

    Standard output is the protocol's alone: whatever else would be printed goes to stderr.
    """
    sys.stdout.flush()
    with os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n") as out:
        os.dup2(2, 1)
        try:
            anyio.run(_serve, scout, out)
        except* (BrokenPipeError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            _drop(out)  # the client has gone: what is left to say goes nowhere
        finally:
            os.dup2(out.fileno(), 1)


async def _serve(scout: Scout, out: Any) -> None:
    server = build_server(scout)
    opened = asyncio.get_running_loop().create_future()

    async def answer(message: SessionMessage) -> None:
        await (await opened).send(message)

    lines = cast(Any, readable(_lines(), answer))
    async with stdio_server(lines, anyio.wrap_file(out)) as (incoming, outgoing):
        opened.set_result(outgoing)
        await server.run(incoming, outgoing, server.create_initialization_options())


def _drop(out: Any) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, out.fileno())
    os.close(nowhere)


async def _lines() -> AsyncIterator[str]:
    """The lines of standard input.

    They are read in a thread that is left behind: a server that is told to end while it waits for
    a line would wait on.
    """
    loop = asyncio.get_running_loop()
    arrived: asyncio.Queue[bytes] = asyncio.Queue()

    def read() -> None:
        with suppress(RuntimeError):  # the server has ended
            for line in sys.stdin.buffer:
                loop.call_soon_threadsafe(arrived.put_nowait, line)
            loop.call_soon_threadsafe(arrived.put_nowait, b"")

    threading.Thread(target=read, daemon=True, name="turn").start()
    while line := await arrived.get():
        if line.strip():
            yield line.decode("utf-8", "replace")
