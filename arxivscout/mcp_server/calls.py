"""One call of a tool: work in a thread with a limit of time, progress told, the person asked."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import anyio
from mcp.server.session import ServerSession
from mcp.shared.context import RequestContext
from mcp.shared.exceptions import McpError

from arxivscout.agent.tools import ToolResult
from arxivscout.errors import SourceError, ToolInputError
from arxivscout.papers import one_line
from arxivscout.scout import Scout

Result = TypeVar("Result")
BEAT_S = 1.0  # how often a client that wants to know is told that work goes on
THREAD = "mcp"  # to which memory is said to belong that came in by this door


@dataclass(frozen=True, slots=True)
class Call:
    """A client's call, with whose memory it works on and how many of them work at a time."""

    scout: Scout
    room: asyncio.Semaphore
    request: RequestContext[ServerSession, Any, Any]

    async def work(
        self, function: Callable[[], Result], doing: str = "working", *, changes: bool = False
    ) -> Result:
        """What `function` gives, run in a thread.

        A call that is cancelled leaves it behind, unless it `changes` memory: then it is waited
        for, so that nobody is told of less than what was done.

        Raises:
            SourceError: it took longer than a tool may.
        """
        longest = self.scout.settings.tool_timeout_s
        async with self.room:
            with anyio.CancelScope(shield=changes):
                started = time.monotonic()
                running = _in_thread(function)
                while not running.done():
                    await asyncio.wait([running], timeout=min(BEAT_S, longest))
                    seconds = time.monotonic() - started
                    if not running.done() and seconds > longest and not changes:
                        raise SourceError(f"No result within {longest:g} s.")
                    if not running.done():
                        await self._tell(seconds, f"{doing} ...")
        outcome = running.result()
        if isinstance(outcome, _Failed):
            raise outcome.error
        return outcome

    async def use(
        self,
        name: str,
        arguments: Mapping[str, Any],
        doing: str = "working",
        *,
        said: str = "",
        changes: bool = False,
    ) -> ToolResult:
        """What one of the agent's tools gives; None among the arguments is not given.

        Args:
            said: the person's own words, which some tools obey alone.
        """
        given = {key: value for key, value in arguments.items() if value is not None}
        called = {"type": "tool_call", "id": "mcp", "name": name, "args": given}

        def run() -> ToolResult:
            tools = {tool.name: tool for tool in self.scout.as_tools(THREAD, said=said)}
            result: ToolResult = tools[name].invoke(called).artifact
            return result

        return await self.work(run, doing, changes=changes)

    @property
    def can_ask(self) -> bool:
        """Whether the client puts questions to its person."""
        client = self.request.session.client_params
        return client is not None and client.capabilities.elicitation is not None

    async def ask(self, question: str, field: str, schema: dict[str, Any]) -> Any:
        """The person's answer, None where they declined or left; asked only if `can_ask`.

        Raises:
            ToolInputError: the client says that it can, and does not.
        """
        try:
            answer = await self.request.session.elicit_form(
                question,
                {"type": "object", "properties": {field: schema}, "required": [field]},
                related_request_id=self.request.request_id,
            )
        except McpError as error:
            raise ToolInputError(
                "Nothing was changed: the client did not ask its person "
                f"({one_line(error.error.message)[:200]})."
            ) from None
        return (answer.content or {}).get(field) if answer.action == "accept" else None

    async def _tell(self, seconds: float, message: str) -> None:
        token = self.request.meta.progressToken if self.request.meta else None
        if token is not None:
            await self.request.session.send_progress_notification(
                token, seconds, message=message, related_request_id=str(self.request.request_id)
            )


@dataclass(frozen=True, slots=True)
class _Failed:
    error: BaseException


def _in_thread(function: Callable[[], Result]) -> asyncio.Future[Result | _Failed]:
    """The outcome to come of `function`; its thread keeps nobody from leaving."""
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[Result | _Failed] = loop.create_future()

    def run() -> None:
        result: Result | _Failed
        try:
            result = function()
        except BaseException as error:  # noqa: BLE001 - raised again by who waits for it
            result = _Failed(error)
        with suppress(RuntimeError):  # the server has ended, and nobody waits
            loop.call_soon_threadsafe(outcome.set_result, result)

    threading.Thread(target=run, daemon=True, name="turn").start()
    return outcome
