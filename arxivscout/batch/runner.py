"""The workers of one process over a batch's queue.

The queue in the database is the truth: a report is stored there first and written to files then, so
that whatever is killed when, the next run finds what is done and writes what is missing.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from uuid import UUID

from arxivscout.agent.context import ScoutContext
from arxivscout.agent.recovery import error_of
from arxivscout.batch.events import (
    BatchEvent,
    JobBegan,
    JobEnded,
    JobStep,
    Outcome,
    parts_known,
)
from arxivscout.batch.job import Job
from arxivscout.batch.options import Options
from arxivscout.batch.running import JobStopped, JobTimeout, RunningJob
from arxivscout.errors import DatabaseUnavailable, ScoutError
from arxivscout.memory import job_queue
from arxivscout.memory.batch_listing import counts
from arxivscout.memory.job_queue import ClaimedJob, Spent
from arxivscout.reports.report import Report

if TYPE_CHECKING:
    from arxivscout.agent.services import Services
    from arxivscout.batch.outputs import Outputs

LEASE_S = 60.0
HEARTBEAT_S = 15.0
POLL_S = 1.0  # between looks at the queue while others hold the last jobs
OUTAGE_S = 120.0  # a database that is gone for longer ends the run

_log = logging.getLogger(__name__)


class Runner:
    """Works a batch off; `stop` ends it soon, from any thread."""

    def __init__(
        self,
        services: Services,
        user: str,
        model: str,
        graph: Any,
        batch_id: UUID,
        outputs: Outputs,
        options: Options,
        tell: Callable[[BatchEvent], None],
    ) -> None:
        self._services = services
        self._database = services.database
        self._user = user
        self._model = model
        self._graph = graph
        self._batch_id = batch_id
        self._outputs = outputs
        self._options = options
        self._tell = tell
        self._stop = threading.Event()
        self._enough = threading.Event()  # no further job begins; those in hand are ended
        self._stopped = ""
        self._mutex = threading.Lock()
        self._held: dict[UUID, ClaimedJob] = {}
        self._lost: set[UUID] = set()  # claims of jobs that somebody cancelled or took over
        self._failures = 0
        self._left: dict[UUID, RunningJob] = {}  # the last machine over a job, left behind

    def stop(self, why: str) -> None:
        """No further job begins; those in hand are given back."""
        with self._mutex:
            self._stopped = self._stopped or why
        self._stop.set()

    def _begin_no_more(self, why: str) -> None:
        """What is in hand is ended: it is paid for, and given back it would be once more."""
        with self._mutex:
            self._stopped = self._stopped or why
        self._enough.set()

    def run(self) -> Outcome:
        """Work until no job is left to be had, or it is stopped.

        Raises:
            DatabaseUnavailable: the database was gone for too long.
        """
        begun = time.monotonic()
        job_queue.release_dead(self._database, self._user, self._batch_id)
        done = threading.Event()
        keeper = threading.Thread(target=self._keep, args=(done,), daemon=True, name="heartbeat")
        keeper.start()
        threads = ThreadPoolExecutor(self._options.concurrency, "batch")
        workers = [threads.submit(self._work) for _ in range(self._options.concurrency)]
        try:
            for worker in workers:
                while not worker.done():  # in short waits, so that Ctrl-C is heard
                    with suppress(TimeoutError):
                        worker.exception(timeout=0.2)
        except BaseException:
            self.stop("stopped")
            for worker in workers:  # each gives its job back within moments
                with suppress(TimeoutError):
                    worker.exception(timeout=5)
            raise
        finally:
            done.set()
            threads.shutdown(wait=False, cancel_futures=True)
            with suppress(DatabaseUnavailable):
                self._outputs.refresh(now=True)
        for worker in workers:
            worker.result()
        told = counts(self._database, self._user, self._batch_id)
        return Outcome(
            counts=told,
            seconds=time.monotonic() - begun,
            stopped=self._stopped,
            notes=tuple(self._outputs.notes),
        )

    def _work(self) -> None:
        away_since: float | None = None
        while not self._over():
            try:
                job = self._next()
                if job is None:
                    return
                self._do(job)
                away_since = None
            except DatabaseUnavailable as error:
                away_since = away_since or time.monotonic()
                if time.monotonic() - away_since > OUTAGE_S:
                    self.stop(f"the database is gone: {error.cause}")
                    raise
                self._stop.wait(POLL_S)

    def _over(self) -> bool:
        return self._stop.is_set() or self._enough.is_set()

    def _next(self) -> ClaimedJob | None:
        """A job, waiting for those that others hold; None when all are at their end, or stopped."""
        while not self._over():
            now = counts(self._database, self._user, self._batch_id)
            if not now.to_do:
                return None
            budget, spent = self._options.budget, now.spent
            if budget and budget.spent(spent.input_tokens + spent.output_tokens, spent.cost):
                self._begin_no_more("the budget is used up")
                return None
            if not now.waiting:
                job_queue.release_dead(self._database, self._user, self._batch_id)
            worker = job_queue.this_worker(threading.current_thread().name)
            job = job_queue.claim(self._database, self._user, self._batch_id, worker, LEASE_S)
            if job is not None:
                return job
            self._stop.wait(POLL_S)
        return None

    def _do(self, job: ClaimedJob) -> None:
        spec = Job(**job.spec)
        name, begun = spec.file_name(job.number), time.monotonic()
        with self._mutex:
            self._held[job.claim] = job
        self._tell(JobBegan(job.number, name, spec.question))
        status, error = "failed", ""
        report: dict[str, Any] = {}
        running = self._running(job, spec)
        try:
            report, status = self._researched(job, running), "done"
        except JobStopped:
            status = "lost" if job.claim in self._lost else "waiting"
        except JobTimeout:
            error = f"It took longer than {self._options.timeout_s:,g} s (--timeout)."
        except DatabaseUnavailable:
            with self._mutex:
                self._held.pop(job.claim, None)
            with suppress(DatabaseUnavailable):  # then the lease runs out by itself
                job_queue.give_back(self._database, self._user, job)
            self._ended(job, name, "waiting", begun, Spent(), "the database is gone")
            raise
        except ScoutError as told:
            error = f"{told.cause} {told.mend}".strip()
        except Exception as defect:  # noqa: BLE001 - a job that fails stops nothing else
            _log.exception("a job failed by a defect")
            error = f"A defect: {type(defect).__name__}: {defect}".partition("\n")[0]
        spent = self._spent(spec, running)
        if self._options.budget and running.usage.get("unreported_calls"):
            self._begin_no_more(
                "the model does not tell what it takes, so that no budget can be kept"
            )
        if not self._stored(job, status, report, spent, error):
            status = "lost"
        if status == "done":
            self._outputs.store(spec, job.number, Report(**report))
        self._ended(job, name, status, begun, spent, error)

    def _stored(
        self, job: ClaimedJob, status: str, report: dict[str, Any], spent: Spent, error: str
    ) -> bool:
        """Whether the queue took the job's end from this worker.

        A database that is away is waited for, so that no report is thrown away.
        """
        begun = time.monotonic()
        try:
            while True:
                try:
                    match status:
                        case "done":
                            return job_queue.finish(self._database, self._user, job, report, spent)
                        case "failed":
                            return job_queue.fail(self._database, self._user, job, error, spent)
                        case "waiting":
                            return job_queue.give_back(self._database, self._user, job, spent)
                    return True
                except DatabaseUnavailable:
                    if self._stop.is_set() or time.monotonic() - begun > OUTAGE_S:
                        raise
                    self._stop.wait(POLL_S)
        finally:
            with self._mutex:
                self._held.pop(job.claim, None)

    def _running(self, job: ClaimedJob, spec: Job) -> RunningJob:
        given = {
            "question": spec.question,
            "job_id": str(job.job_id),
            "depth": spec.depth,
            **{name: getattr(spec, name) for name in ("category", "since", "until", "author")},
        }
        model = spec.model or self._model
        context = ScoutContext(user=self._user, thread=spec.thread, model=model, ask=False)
        with self._mutex:
            before = self._left.pop(job.job_id, None)
            running = RunningJob(self._graph, given, context, before)
            self._left = {key: each for key, each in self._left.items() if each.left_behind}
            self._left[job.job_id] = running
        return running

    def _researched(self, job: ClaimedJob, running: RunningJob) -> dict[str, Any]:
        parts = 0
        for done, (node, update) in enumerate(
            running.parts(
                lambda: self._stop.is_set() or job.claim in self._lost, self._options.timeout_s
            ),
            start=1,
        ):
            if node == "end":
                if update.get("error"):
                    raise error_of(update["error"])
                report: dict[str, Any] = update["report"]
                return report
            parts = max(parts, done + 1, parts_known(node, update or {}, done))
            self._tell(JobStep(job.number, node, done, parts))
        raise AssertionError("a job ends with a report, or raises")

    def _spent(self, spec: Job, running: RunningJob) -> Spent:
        model, usage = self._services.settings.model_named(spec.model or self._model), running.usage
        if model.model == "extractive":
            return Spent(cost=0.0, parts_ms=running.parts_ms)
        tokens = usage.get("input_tokens", 0), usage.get("output_tokens", 0)
        return Spent(*tokens, cost=model.cost(usage), parts_ms=running.parts_ms)

    def _ended(
        self, job: ClaimedJob, name: str, status: str, begun: float, spent: Spent, error: str
    ) -> None:
        seconds = round(time.monotonic() - begun, 1)
        tokens = spent.input_tokens + spent.output_tokens
        self._tell(JobEnded(job.number, name, status, seconds, tokens, spent.cost, error))
        if status != "failed":
            return
        with self._mutex:
            self._failures += 1
            too_many = (
                self._options.max_failures is not None
                and self._failures >= self._options.max_failures
            )
        if too_many:
            self._begin_no_more(f"{self._failures} jobs failed (--max-failures)")

    def _keep(self, done: threading.Event) -> None:
        """Prolong the leases of the jobs in hand; note those that are lost."""
        while not done.wait(HEARTBEAT_S):
            with self._mutex:
                held = list(self._held.values())
            for job in held:
                with suppress(DatabaseUnavailable):
                    if not job_queue.heartbeat(self._database, self._user, job, LEASE_S):
                        self._lost.add(job.claim)
