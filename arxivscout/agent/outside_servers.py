"""Talking to other people's MCP servers: what tools they have, and what a call of one gives.

Each call has a session of its own, so that a server that hangs or dies takes nothing with it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import threading
from collections.abc import AsyncIterator, Coroutine, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, ToolException

from arxivscout.papers import clean_text, one_line
from arxivscout.sources.mcp_servers import McpServer

if TYPE_CHECKING:
    from mcp import ClientSession

Result = TypeVar("Result")
LISTING_S = 10.0  # how long a server may take to say what tools it has
LEAVING_S = 5.0  # and to end

# A server that talks nonsense is told of by us, in a line; its client tells of each bit of it.
logging.getLogger("mcp.client").setLevel(logging.CRITICAL)


class Listing:
    """The tools of some servers, asked for side by side from now on.

    `found` has for each server what is to come: its tools, or why it has none to give. Nobody waits
    for a server that hangs, but who wants to.
    """

    def __init__(self, servers: Mapping[str, McpServer]) -> None:
        self.found: dict[str, Future[list[BaseTool]]] = {name: Future() for name in servers}
        self._servers = servers
        self._loop: asyncio.AbstractEventLoop | None = None
        self._all: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._run, daemon=True, name="turn")
        self._thread.start()

    def stop(self) -> None:
        """Wait for no server any longer, and end those that were started for this."""
        loop, waiting = self._loop, self._all
        if loop is not None and waiting is not None and self._thread.is_alive():
            with suppress(RuntimeError):  # it has just ended
                loop.call_soon_threadsafe(waiting.cancel)
            self._thread.join(LEAVING_S)

    def _run(self) -> None:
        with suppress(asyncio.CancelledError):
            asyncio.run(self._list())

    async def _list(self) -> None:
        self._loop, self._all = asyncio.get_running_loop(), asyncio.current_task()
        await asyncio.gather(*(self._of(*each) for each in self._servers.items()))

    async def _of(self, name: str, server: McpServer) -> None:
        from langchain_mcp_adapters.tools import load_mcp_tools

        found = self.found[name]
        try:
            async with asyncio.timeout(LISTING_S), _session(server) as session:
                found.set_result(await load_mcp_tools(session))
        except BaseException as error:
            if not found.done():  # else it only did not leave well
                found.set_exception(error)
            if isinstance(error, asyncio.CancelledError):
                raise


def called(server: McpServer, name: str, arguments: dict[str, Any], longest: float) -> str:
    """What the tool says.

    Raises:
        ToolException: it failed, or the server did.
    """
    message = _wait(_answer(server, name, arguments, longest))
    text = clean_text(_text(message))
    if message.status == "error":
        raise ToolException(one_line(text)[:500] or "The tool failed and says not why.")
    return text


def why(error: BaseException) -> str:
    """What went wrong with a server, in a line."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, TimeoutError):
        return "it took too long"
    return one_line(f"{type(error).__name__}: {error}")[:200]


async def _answer(
    server: McpServer, name: str, arguments: dict[str, Any], longest: float
) -> ToolMessage:
    from langchain_mcp_adapters.tools import load_mcp_tools

    call = {"type": "tool_call", "id": "outside", "name": name, "args": arguments}
    message: ToolMessage | None = None
    try:
        async with asyncio.timeout(longest), _session(server) as session:
            tools = {tool.name: tool for tool in await load_mcp_tools(session)}
            if name in tools:
                message = await tools[name].ainvoke(call)
    except Exception as error:  # noqa: BLE001 - whatever a server does is no fault of the turn
        if message is None:  # else it only did not leave well
            raise ToolException(f"The server failed: {why(error)}") from None
    if message is None:
        raise ToolException("The server has that tool no more.")
    return message


def _text(message: ToolMessage) -> str:
    """What can be read of it: its text, else its data; of anything else only that it came."""
    data = (message.artifact or {}).get("structured_content")
    if not message.text.strip() and data is not None:
        return json.dumps(data, ensure_ascii=False)
    blocks = [] if isinstance(message.content, str) else message.content
    kinds = [str(each.get("type")) for each in blocks if isinstance(each, dict)]
    unread = [f"({kind}: not shown)" for kind in kinds if kind != "text"]
    return "\n".join(filter(None, [message.text, *unread]))


@asynccontextmanager
async def _session(server: McpServer) -> AsyncIterator[ClientSession]:
    """A session with the server; what it prints as it goes is nothing for the person."""
    if server.command is None:
        from langchain_mcp_adapters.sessions import create_session

        async with create_session(cast(Any, server.connection())) as session:
            await session.initialize()
            yield session
        return
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import get_default_environment, stdio_client

    parameters = StdioServerParameters(
        command=server.command,
        args=server.args,
        env={**get_default_environment(), **server.env},
        cwd=server.cwd,
    )
    with Path(os.devnull).open("w") as nowhere:
        async with (
            stdio_client(parameters, errlog=nowhere) as (incoming, outgoing),
            ClientSession(incoming, outgoing) as session,
        ):
            await session.initialize()
            yield session


def _wait(work: Coroutine[Any, Any, Result]) -> Result:
    """What `work` gives, in a thread of its own: the caller's may have an event loop that runs."""
    outcome: list[Result | BaseException] = []

    def run() -> None:
        try:
            outcome.append(asyncio.run(work))
        except BaseException as error:  # noqa: BLE001 - raised again by who waits
            outcome.append(error)

    thread = threading.Thread(target=run, daemon=True, name="turn")
    thread.start()
    thread.join()
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return outcome[0]
