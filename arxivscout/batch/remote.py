"""The batch machine on a LangGraph server, in the place of the one in this process.

A job is a run in a thread of its own, whose id is the job's: whoever comes back after a lost
connection, or a kill, finds the run that is under way and follows it, or its report.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import httpx

from arxivscout.agent.context import ScoutContext
from arxivscout.errors import Fatal, UsageError

if TYPE_CHECKING:
    from langgraph_sdk.client import SyncLangGraphClient

GRAPH = "batch"
OUTAGE_S = 120.0  # a server that is gone for longer fails the job
AGAIN_S = 1.0
LOOK_S = 0.1
_AT_WORK = ("pending", "running")


class RemoteError(Fatal):
    """A LangGraph server can't be reached, or its run failed."""


class RemoteGraph:
    """What `RunningJob` needs of a graph, by a server; safe to use from several threads."""

    def __init__(self, url: str, *, outage_s: float = OUTAGE_S) -> None:
        """Args:
        outage_s: seconds for which a server may be gone in the middle of a run.

        Raises:
            UsageError: no http address.
            RemoteError: no LangGraph server answers there, or it has no batch machine.
        """
        from langgraph_sdk import get_sync_client

        if not url.startswith(("http://", "https://")):
            raise UsageError(
                f"--remote {url[:80]!a} is no address.", "It looks like http://127.0.0.1:2024."
            )
        self._url = url.rstrip("/")
        self._outage_s = outage_s
        self._client: SyncLangGraphClient = get_sync_client(url=self._url)
        try:
            found = self._client.assistants.search(graph_id=GRAPH, limit=1)
        except Exception as error:  # noqa: BLE001 - the boundary to the client's library
            self.close()
            raise self._away(error) from None
        if not found:
            self.close()
            raise RemoteError(
                f"The server at {self._url} has no graph called {GRAPH}.",
                "Start it with this version's langgraph.json.",
            )

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def stream(
        self,
        given: Mapping[str, Any],
        config: Mapping[str, Any],
        *,
        context: ScoutContext,
        stream_mode: Sequence[str],
    ) -> Iterator[tuple[str, Any]]:
        """(mode, chunk) as a graph of this process gives them; the state last.

        The server knows its users by itself: the context's user stays here.

        Raises:
            RemoteError: the run failed, or the server was gone for too long.
        """
        thread = str(given["job_id"])
        told = context.model_dump(exclude_none=True, exclude={"user"})
        run = self._patiently(lambda: self._run(thread, dict(given), told))
        run_id = run["run_id"]
        while run["status"] in _AT_WORK:
            with suppress(httpx.HTTPError):  # a stream that broke: the run goes on without us
                yield from self._followed(thread, run_id)
            time.sleep(LOOK_S)
            run = self._patiently(lambda: self._client.runs.get(thread, run_id))
        state = self._patiently(lambda: self._client.threads.get_state(thread))
        if run["status"] != "success":
            raise RemoteError(
                f"The run on {self._url} ended as {run['status']}{_reason(state)}.",
                "The server's log says more.",
            )
        yield "values", state["values"]

    def _run(self, thread: str, given: dict[str, Any], context: dict[str, Any]) -> Any:
        """The run of the job that is under way or has given its report, else a new one."""
        client = self._client
        client.threads.create(thread_id=thread, if_exists="do_nothing", graph_id=GRAPH)
        for run in client.runs.list(thread, limit=1):
            if run["status"] in _AT_WORK:
                return run
            # A job that failed ended well for the server: its error stands in the state.
            if run["status"] == "success" and not _error(client.threads.get_state(thread)):
                return run
        return client.runs.create(
            thread,
            GRAPH,
            input=given,
            context=context,
            stream_mode=["updates"],
            stream_resumable=True,
            multitask_strategy="reject",
        )

    def _followed(self, thread: str, run_id: str) -> Iterator[tuple[str, Any]]:
        for part in self._client.runs.join_stream(thread, run_id, stream_mode=["updates"]):
            if part.event == "updates" and isinstance(part.data, dict):
                yield "updates", part.data

    def _patiently(self, ask: Callable[[], Any]) -> Any:
        """What `ask` gives, tried again while the server is away.

        Raises:
            RemoteError: it stays away, or refuses.
        """
        begun = time.monotonic()
        while True:
            try:
                return ask()
            except httpx.HTTPStatusError as error:
                if error.response.status_code < 500:
                    raise self._away(error) from None
                last: Exception = error
            except httpx.HTTPError as error:
                last = error
            if time.monotonic() - begun > self._outage_s:
                raise self._away(last) from None
            time.sleep(AGAIN_S)

    def _away(self, error: Exception) -> RemoteError:
        why = f"{type(error).__name__}: {error}".partition("\n")[0][:200]
        return RemoteError(
            f"The LangGraph server at {self._url} can't be asked ({why}).",
            "Start it (`make studio`), or leave --remote away.",
        )


def _error(state: Mapping[str, Any]) -> Any:
    return (state.get("values") or {}).get("error")


def _reason(state: Mapping[str, Any]) -> str:
    """What the server says of the node that failed."""
    for task in state.get("tasks") or ():
        if task.get("error"):
            return f": {str(task['error'])[:300]}"
    return ""
