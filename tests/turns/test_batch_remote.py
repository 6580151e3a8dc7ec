"""Batches on a LangGraph server: the same reports, whatever becomes of the connection."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from langgraph_sdk.client import SyncLangGraphClient
from turns.scripted import ScriptedModel

from arxivscout.agent.context import ScoutContext
from arxivscout.app import Scout
from arxivscout.batch.events import BatchEvent, JobStep
from arxivscout.batch.job import Job
from arxivscout.batch.options import Options
from arxivscout.batch.remote import RemoteError, RemoteGraph
from arxivscout.errors import UsageError

JOBS = [
    Job(question="What is known about quantum teleportation of neutral mesons?"),
    Job(question="What is known about dark matter?", depth=1),
]

Make = Callable[..., tuple[Scout, ScriptedModel]]


class Wire(socketserver.ThreadingTCPServer):
    """A way to a server that can be cut: all that goes through it breaks off at once."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, to: str) -> None:
        parts = urlsplit(to)
        self.there = (parts.hostname, parts.port)
        self.open: set[socket.socket] = set()
        self.cuts = 0
        super().__init__(("127.0.0.1", 0), Through)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def cut(self) -> None:
        self.cuts += 1
        for each in list(self.open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


class Through(socketserver.BaseRequestHandler):
    server: Wire

    def handle(self) -> None:
        with socket.create_connection(self.server.there) as there:
            self.server.open |= {self.request, there}
            back = threading.Thread(target=self.pass_on, args=(there, self.request), daemon=True)
            back.start()
            self.pass_on(self.request, there)
            back.join(10)
            self.server.open -= {self.request, there}

    @staticmethod
    def pass_on(here: socket.socket, there: socket.socket) -> None:
        with suppress(OSError):
            while data := here.recv(65_536):
                there.sendall(data)
            there.shutdown(socket.SHUT_WR)


@pytest.fixture
def wire(client: SyncLangGraphClient) -> Iterator[Wire]:
    """A wire to `langgraph dev`."""
    with Wire(str(client.http.client.base_url)) as wire:
        threading.Thread(target=wire.serve_forever, daemon=True).start()
        yield wire
        wire.shutdown()


def turns(scout: Scout) -> int:
    with scout.database.transaction(scout.user) as conn:
        row = conn.execute("SELECT count(*) FROM turn WHERE status = 'answered'").fetchone()
    assert row is not None
    return int(row[0])


def test_a_server_does_the_jobs_and_a_cut_wire_loses_none(
    scout: Scout, wire: Wire, tmp_path: Path
) -> None:
    batches = scout.batches()
    batch_id = batches.open("remote", JOBS, tmp_path)
    outputs = batches.outputs(batch_id, tmp_path, "remote")

    def tell(event: BatchEvent) -> None:
        if isinstance(event, JobStep) and event.what == "plan":
            wire.cut()

    with batches.machine(wire.url) as server:
        outcome = batches.runner(server, batch_id, outputs, Options(), tell).run()
    assert (outcome.counts.done, outcome.counts.failed) == (2, 0)
    assert wire.cuts == 2
    assert turns(scout) == 4  # three sub-questions and one, each once
    assert "0712.2288" in next(tmp_path.glob("001*.md")).read_text("utf-8")

    # Who comes back without the queue's word finds the report, and asks for nothing again.
    (job, _) = batches.jobs(batch_id)
    given: dict[str, Any] = {"question": JOBS[0].question, "job_id": str(job.job_id), "depth": 2}
    context = ScoutContext(user=scout.user, ask=False)
    with closing(RemoteGraph(wire.url)) as graph:
        *_, (_, state) = graph.stream(given, {}, context=context, stream_mode=[])
    assert state["report"]["job_id"] == str(job.job_id)
    assert turns(scout) == 4


def test_a_job_that_failed_on_a_server_runs_there_anew_when_tried_again(
    scripted: Make, client: SyncLangGraphClient, tmp_path: Path
) -> None:
    scout, _ = scripted()  # its model has no key on the server
    batches = scout.batches()
    jobs = [Job(question="What is known about dark matter?", model="openai:scripted", depth=1)]
    batch_id = batches.open("remote", jobs, tmp_path)
    outputs = batches.outputs(batch_id, tmp_path, "remote")
    (job,) = batches.jobs(batch_id)
    for runs in (1, 2):
        with batches.machine(str(client.http.client.base_url)) as server:
            outcome = batches.runner(server, batch_id, outputs, Options(), lambda _: None).run()
        assert (outcome.counts.done, outcome.counts.failed) == (0, 1)
        assert len(client.runs.list(str(job.job_id))) == runs
        (failed,) = batches.jobs(batch_id)
        assert "openai:scripted needs a key" in str(failed.error)
        assert batches.retry(batch_id) == 1


def test_a_server_that_is_not_there_is_one_clear_line(client: SyncLangGraphClient) -> None:
    with pytest.raises(UsageError, match="is no address"):
        RemoteGraph("here")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        with pytest.raises(RemoteError, match="can't be asked"):
            RemoteGraph(f"http://127.0.0.1:{free.getsockname()[1]}")
