"""A person's batches: opened, run, listed, cancelled, tried again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from arxivscout.batch.job import Job
from arxivscout.batch.options import Budget, Options
from arxivscout.errors import ConfigurationError, UsageError
from arxivscout.memory import batch_listing, batches
from arxivscout.memory.batch_listing import BatchSummary, Counts, JobRow
from arxivscout.memory.batches import NewJob

if TYPE_CHECKING:
    from arxivscout.agent.services import Services
    from arxivscout.batch.events import BatchEvent
    from arxivscout.batch.outputs import Outputs
    from arxivscout.batch.runner import Runner
    from arxivscout.reports.files import Format

# Model calls of a job with a chat model, by depth: a plan, two calls a sub-question, four sections,
# the brief.
CALLS = {1: 7, 2: 12, 3: 18}
TOKENS_A_CALL = (4_000, 400)  # read, written


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the jobs of one model are likely to take; `cost` None: its price is not known."""

    model: str
    jobs: int
    input_tokens: int
    output_tokens: int
    cost: float | None


class Batches:
    """The batches of one person."""

    def __init__(self, services: Services, user: str, model: str | None = None) -> None:
        """Args:
        model: who answers jobs that name nobody; None: the settings' model.
        """
        self._services = services
        self._user = user
        self._model = model or services.settings.model

    def all(self) -> Sequence[BatchSummary]:
        """All of them, the one last worked at first."""
        return batch_listing.batches(self._services.database, self._user)

    def named(self, name: str) -> BatchSummary:
        """The batch of that name, or whose id begins so.

        Raises:
            UsageError: there is none, or more than one.
        """
        return batch_listing.batch_named(self._services.database, self._user, name)

    def jobs(self, batch_id: UUID) -> Sequence[JobRow]:
        """Its jobs in the order of the file, those that are still in it."""
        rows = batch_listing.jobs(self._services.database, self._user, batch_id)
        return [row for row in rows if row.listed]

    def known(self, name: str) -> dict[str, str]:
        """The status of each job of the batch of exactly this name, by `Job.key`."""
        found = [each for each in self.all() if each.name == name]
        return {row.key: row.status for each in found for row in self.jobs(each.batch_id)}

    def counts(self, batch_id: UUID) -> Counts:
        """How far the batch is."""
        return batch_listing.counts(self._services.database, self._user, batch_id)

    def report(self, job_id: UUID) -> dict[str, Any] | None:
        """The report that a job ended with, as JSON values."""
        return batch_listing.job_report(self._services.database, self._user, job_id)

    def cancel(self, batch_id: UUID, which: Sequence[str] | None = None) -> int:
        """Cancel the jobs of these own ids or numbers, or all; how many that were."""
        return batches.cancel(self._services.database, self._user, batch_id, which)

    def retry(self, batch_id: UUID, which: Sequence[str] | None = None) -> int:
        """Let failed and cancelled jobs wait again; how many those are."""
        return batches.retry(self._services.database, self._user, batch_id, which)

    def open(self, name: str, jobs: Sequence[Job], out: Path) -> UUID:
        """Begin the batch, or go on with the one of that name; see `memory.batches`.

        Raises:
            UsageError: no jobs, or a job names a model that can't be used.
        """
        if not jobs:
            raise UsageError("There are no jobs.", "Name a file with at least one.")
        self._check_models(jobs)
        # Some file systems hold names for the same that differ in capitals.
        names = Counter(job.file_name(n).casefold() for n, job in enumerate(jobs, start=1))
        if twice := [name for name, count in names.items() if count > 1]:
            raise UsageError(f"Two jobs' files would be called {twice[0]}.", "Give one another id.")
        given = [
            NewJob(job.key, job.model_dump(mode="json"), number)
            for number, job in enumerate(jobs, start=1)
        ]
        options = {"out": str(out), "model": self._model}
        return batches.open_batch(self._services.database, self._user, name, given, options)

    def runner(
        self,
        machine: Any,
        batch_id: UUID,
        outputs: Outputs,
        options: Options,
        tell: Callable[[BatchEvent], None],
    ) -> Runner:
        """The workers of this process over a batch; `machine` does the jobs."""
        from arxivscout.batch.runner import Runner

        return Runner(
            self._services, self._user, self._model, machine, batch_id, outputs, options, tell
        )

    @contextmanager
    def machine(self, remote: str | None = None) -> Iterator[Any]:
        """What does the jobs.

        Args:
            remote: the address of a LangGraph server; None: this process.

        Raises:
            UsageError, RemoteError: no such server, or one without our graph.
        """
        if remote:
            from arxivscout.batch.remote import RemoteGraph

            with closing(RemoteGraph(remote)) as graph:
                yield graph
        else:
            from arxivscout.agent.batch import build_batch_graph

            yield build_batch_graph(self._services)

    def outputs(
        self, batch_id: UUID, folder: Path, title: str, formats: Sequence[Format] | None = None
    ) -> Outputs:
        """What writes the batch's files.

        Raises:
            UsageError: the folder can't be written to.
        """
        from arxivscout.batch.outputs import Outputs

        return Outputs(self._services.database, self._user, batch_id, folder, title, formats)

    def estimate(self, jobs: Sequence[Job]) -> list[Estimate]:
        """What the jobs are likely to take, by model."""
        estimates = []
        for name in dict.fromkeys(job.model or self._model for job in jobs):
            of_it = [job for job in jobs if (job.model or self._model) == name]
            model = self._services.settings.model_named(name)
            calls = sum(CALLS[job.depth] for job in of_it) if model.model != "extractive" else 0
            usage = {
                "input_tokens": calls * TOKENS_A_CALL[0],
                "output_tokens": calls * TOKENS_A_CALL[1],
            }
            estimates.append(Estimate(name, len(of_it), **usage, cost=model.cost(usage)))
        return estimates

    def check_budget(self, jobs: Sequence[Job], budget: Budget) -> None:
        """See to it that what the jobs cost will be known.

        Raises:
            UsageError: the budget is money, and a job's model has no price.
        """
        if budget.money is None:
            return
        for name in dict.fromkeys(job.model or self._model for job in jobs):
            if self._services.settings.model_named(name).cost({}) is None:
                raise UsageError(
                    f"A budget of money can't be kept: {name[:80]!a} has no price.",
                    "Set price_input and price_output of a [models.…] in the configuration, or "
                    "give the budget in tokens.",
                )

    def _check_models(self, jobs: Sequence[Job]) -> None:
        """Open each model that a job names, as a turn would; nothing is sent."""
        for name in dict.fromkeys(job.model or self._model for job in jobs):
            try:
                self._services.settings.model_named(name)
                self._services.chat_model(name)
            except ConfigurationError as error:
                places = [n for n, job in enumerate(jobs, 1) if (job.model or self._model) == name]
                which = f"job{'s' if len(places) > 1 else ''} {', '.join(map(str, places[:10]))}"
                raise ConfigurationError(f"{error.cause} ({which})", error.mend) from None
