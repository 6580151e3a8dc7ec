"""Workers over a batch's queue: each job once, whatever fails, stops or comes back."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from langchain_core.messages import BaseMessage
from turns.scripted import ScriptedModel, says

from arxivscout.app import Scout
from arxivscout.batch.events import BatchEvent, JobBegan, JobEnded, JobStep, Outcome
from arxivscout.batch.job import Job
from arxivscout.batch.options import Budget, Options
from arxivscout.batch.runner import Runner
from arxivscout.errors import ConfigurationError, UsageError
from arxivscout.monitoring.figures import Span
from arxivscout.monitoring.reading import read_statistics

Make = Callable[..., tuple[Scout, ScriptedModel]]
QUESTIONS = ("quantum teleportation of mesons", "dark matter", "sparse attention", "entanglement")
JOBS = [Job(question=f"What is known about {each}?", depth=1) for each in QUESTIONS]


class Batch:
    """One batch of a scout, run as often as the test likes."""

    def __init__(self, scout: Scout, out: Path, jobs: list[Job] | None = None) -> None:
        self.batches = scout.batches()
        self.out = out
        self.id: UUID = self.batches.open(str(out), jobs or JOBS, out)
        self.events: list[BatchEvent] = []

    def runner(self, tell: Callable[[BatchEvent], None] | None = None, **how: Any) -> Runner:
        outputs = self.batches.outputs(self.id, self.out, "test")
        outputs.catch_up()
        with self.batches.machine() as machine:
            options = Options(**how)
            return self.batches.runner(
                machine, self.id, outputs, options, tell or self.events.append
            )

    def run(self, **how: Any) -> Outcome:
        return self.runner(**how).run()

    def results(self) -> list[dict[str, Any]]:
        lines = (self.out / "results.jsonl").read_text("utf-8").splitlines()
        return [json.loads(line) for line in lines]


def answers(scout: Scout) -> int:
    with scout.database.transaction(scout.user) as conn:
        row = conn.execute(
            "SELECT count(*) FROM conversational_memory WHERE role = 'assistant'"
        ).fetchone()
    assert row is not None
    return int(row[0])


def test_every_job_has_its_files_its_line_and_its_place_in_the_index(
    scout: Scout, tmp_path: Path
) -> None:
    batch = Batch(scout, tmp_path / "out")
    outcome = batch.run()
    assert (outcome.counts.done, outcome.counts.to_do, outcome.stopped) == (4, 0, "")
    results = batch.results()
    assert [line["number"] for line in results] == [1, 2, 3, 4]
    assert all(line["status"] == "done" for line in results)
    index = (batch.out / "index.html").read_text("utf-8")
    for line in results:
        assert len(line["files"]) == 3
        for name in line["files"]:
            assert (batch.out / name).stat().st_size > 100
            assert f'href="./{name}"' in index
    assert results[0]["answer"].count("[arXiv:0712.2288]")
    assert not list(batch.out.glob(".*"))  # nothing half written is left
    began = [event.number for event in batch.events if isinstance(event, JobBegan)]
    assert began == [1, 2, 3, 4]
    steps = [event for event in batch.events if isinstance(event, JobStep) and event.number == 1]
    assert all(0 < step.done < step.parts for step in steps)
    now = datetime.now(UTC)
    span = Span(now - timedelta(hours=1), now + timedelta(hours=1))
    nodes = {
        each.name: each for each in read_statistics(scout.database, scout.user, span).job_nodes
    }
    assert nodes.keys() == {"plan", "research", "merge", "outline", "quote", "check", "report"}
    assert {each.count for each in nodes.values()} == {4}
    assert nodes["research"].median_ms > 0


def test_what_is_done_is_not_done_again_and_what_is_missing_is_written(
    scout: Scout, tmp_path: Path
) -> None:
    batch = Batch(scout, tmp_path / "out")
    batch.run()
    asked = answers(scout)
    first = batch.results()[0]["files"][0]
    text = (batch.out / first).read_text("utf-8")
    (batch.out / first).unlink()
    (batch.out / "results.jsonl").unlink()
    again = Batch(scout, batch.out)
    assert again.run().counts.done == 4
    assert again.events == []
    assert answers(scout) == asked
    assert (batch.out / first).read_text("utf-8") == text
    assert len(batch.results()) == 4


def test_new_lines_of_the_file_are_done_and_lost_ones_are_left_out(
    scout: Scout, tmp_path: Path
) -> None:
    Batch(scout, tmp_path / "out", JOBS[:2]).run()
    more = Batch(scout, tmp_path / "out", JOBS[1:])
    assert more.run().counts.done == 3
    assert len([event for event in more.events if isinstance(event, JobBegan)]) == 2
    assert [line["question"] for line in more.results()] == [job.question for job in JOBS[1:]]


def test_two_runs_at_once_share_the_jobs(scout: Scout, tmp_path: Path) -> None:
    batch = Batch(scout, tmp_path / "out")
    other = Batch(scout, tmp_path / "other")
    other.id = batch.id
    threads = [threading.Thread(target=each.run) for each in (batch, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    ended = [
        event.number
        for each in (batch, other)
        for event in each.events
        if isinstance(event, JobEnded) and event.status == "done"
    ]
    assert sorted(ended) == [1, 2, 3, 4]
    assert answers(scout) == 4
    # Either folder has all of it once its run was called again.
    other.run()
    assert [line["status"] for line in other.results()] == ["done"] * 4
    assert all((other.out / name).exists() for line in other.results() for name in line["files"])


def asked(messages: list[BaseMessage]) -> str:
    """What is asked, without what memory holds of the other jobs."""
    return " ".join(str(each.content).rpartition("<question>")[2] for each in messages)


def failing_on(word: str) -> Callable[[list[BaseMessage]], Any]:
    def answer(messages: list[BaseMessage]) -> Any:
        if word in asked(messages):
            raise ValueError("the model broke")
        return says("It is known [arXiv:0712.2288].")

    return answer


def test_a_job_that_fails_stops_nothing_and_can_be_tried_again(
    scripted: Make, tmp_path: Path
) -> None:
    scout, model = scripted(failing_on("about dark matter"))
    batch = Batch(scout, tmp_path / "out")
    outcome = batch.run()
    assert (outcome.counts.done, outcome.counts.failed) == (3, 1)
    (failed,) = [line for line in batch.results() if line["status"] == "failed"]
    assert "the model broke" in failed["error"]
    assert "failed" in (batch.out / "index.html").read_text("utf-8")
    assert batch.run().counts.failed == 1  # not by itself
    model.script[:] = [says("It is known [arXiv:2505.21638].")]
    assert batch.batches.retry(batch.id) == 1
    assert batch.run().counts.done == 4


def test_it_stops_after_so_many_failures(scripted: Make, tmp_path: Path) -> None:
    scout, _ = scripted(ValueError("no"))
    outcome = Batch(scout, tmp_path / "out").run(max_failures=2)
    assert (outcome.counts.failed, outcome.counts.waiting) == (2, 2)
    assert "2 jobs failed" in outcome.stopped


def test_a_budget_stops_it_between_jobs(scripted: Make, tmp_path: Path) -> None:
    def answer(messages: list[BaseMessage]) -> Any:
        said = says("It is known [arXiv:0712.2288].")
        said.usage_metadata = {"input_tokens": 900, "output_tokens": 100, "total_tokens": 1_000}
        return said

    scout, _ = scripted(answer)
    batch = Batch(scout, tmp_path / "out")
    outcome = batch.run(budget=Budget(tokens=1_500))
    assert outcome.counts.done == 1
    assert outcome.counts.waiting == 3
    assert "budget" in outcome.stopped
    assert outcome.counts.spent.input_tokens >= 1_500
    assert batch.run().counts.done == 4


def test_a_job_that_takes_too_long_fails_and_the_next_begins(
    scripted: Make, tmp_path: Path
) -> None:
    over = threading.Event()

    def answer(messages: list[BaseMessage]) -> Any:
        if "teleportation of mesons?" in asked(messages):
            over.wait(60)
        return says("It is known [arXiv:2505.21638].")

    scout, _ = scripted(answer)
    batch = Batch(scout, tmp_path / "out", JOBS[:2])
    outcome = batch.run(timeout_s=15)  # for the second one, on a machine that does much beside
    over.set()
    assert (outcome.counts.done, outcome.counts.failed) == (1, 1)
    assert "longer than 15 s" in batch.results()[0]["error"]


@pytest.mark.timeout(28)
def test_a_stopped_run_gives_its_jobs_back(scripted: Make, tmp_path: Path) -> None:
    def answer(messages: list[BaseMessage]) -> Any:
        time.sleep(30)
        return says("Too late.")

    scout, _ = scripted(answer)
    batch = Batch(scout, tmp_path / "out")
    runner = batch.runner(concurrency=2)
    threading.Timer(2, runner.stop, ["told to"]).start()
    outcome = runner.run()
    assert outcome.counts.waiting == 4
    assert outcome.stopped == "told to"
    assert [row.attempts for row in batch.batches.jobs(batch.id)] == [0, 0, 0, 0]


def test_a_job_that_is_cancelled_under_way_is_left(scripted: Make, tmp_path: Path) -> None:
    scout, _ = scripted(says("It is known [arXiv:0712.2288]."))
    batch = Batch(scout, tmp_path / "out", JOBS[:2])

    def tell(event: BatchEvent) -> None:
        batch.events.append(event)
        if isinstance(event, JobBegan) and event.number == 1:
            batch.batches.cancel(batch.id, ["1"])

    outcome = batch.runner(tell).run()
    assert (outcome.counts.done, outcome.counts.cancelled) == (1, 1)
    assert not list(batch.out.glob("001*"))


def test_a_model_that_can_not_be_used_is_refused_before_anything_runs(
    scout: Scout, tmp_path: Path
) -> None:
    jobs = [*JOBS[:1], Job(question="Why?", model="nobody:nothing", depth=1)]
    with pytest.raises(ConfigurationError, match=r"\(job 2\)"):
        Batch(scout, tmp_path / "out", jobs)
    assert scout.batches().all() == []


def test_a_file_that_another_job_left_under_the_name_is_written_anew(
    scout: Scout, tmp_path: Path
) -> None:
    every = ("markdown", "html", "bib", "json")
    words = "quantum teleportation of neutral mesons"
    jobs = [
        Job(question=f"What is known about {words}, and {each}?", depth=1, formats=every)
        for each in ("CP", "weak decays")
    ]
    batch = Batch(scout, tmp_path / "out", jobs)
    batch.run()
    assert batch.results()[0]["files"] == [
        f"001-what-is-known-about-quantum.{suffix}" for suffix in ("html", "md", "bib", "json")
    ]
    again = Batch(scout, batch.out, jobs[::-1])
    assert again.run().counts.done == 2
    assert again.events == []
    for line, row in zip(again.results(), again.batches.jobs(again.id), strict=True):
        assert line["question"] == row.spec["question"]
        for name in line["files"]:
            assert str(row.job_id) in (batch.out / name).read_text("utf-8")


def test_a_folder_in_the_place_of_a_file_is_told(scout: Scout, tmp_path: Path) -> None:
    batch = Batch(scout, tmp_path / "out", [JOBS[0].model_copy(update={"id": "mesons"})])
    (batch.out / "mesons.html").mkdir(parents=True)
    outcome = batch.run()
    assert outcome.counts.done == 1
    (note,) = batch.run().notes
    assert "mesons.html could not be written" in note
    assert (batch.out / "mesons.md").exists()


def test_files_that_another_worker_writes_late_are_in_the_index(
    scout: Scout, tmp_path: Path
) -> None:
    batch = Batch(scout, tmp_path / "out", JOBS[:1])
    other = batch.batches.outputs(batch.id, tmp_path / "other", "other")
    batch.run()
    other.refresh(now=True)  # done, and none of its files is here yet
    assert '"files": []' in (tmp_path / "other" / "results.jsonl").read_text("utf-8")
    other.catch_up()
    other.refresh(now=True)
    assert batch.results()[0]["files"]
    (line,) = (tmp_path / "other" / "results.jsonl").read_text("utf-8").splitlines()
    assert json.loads(line)["files"] == batch.results()[0]["files"]


def test_a_job_that_was_left_behind_can_be_tried_again_by_the_same_process(
    scripted: Make, tmp_path: Path
) -> None:
    asked: list[float] = []
    left = threading.Event()

    def answer(messages: list[BaseMessage]) -> Any:
        asked.append(time.monotonic())
        if len(asked) == 1:
            left.wait(60)  # the plan: no turn has begun when the job is left
        return says("It is known [arXiv:0712.2288].")

    scout, _ = scripted(answer)
    batch = Batch(scout, tmp_path / "out", [JOBS[0].model_copy(update={"depth": 2})])

    def tell(event: BatchEvent) -> None:
        batch.events.append(event)
        if isinstance(event, JobEnded) and event.status == "failed":
            batch.batches.retry(batch.id)
            left.set()

    outcome = batch.runner(tell, timeout_s=10).run()  # enough to come to the plan, and for the rest
    ended = [(event.status, event.error) for event in batch.events if isinstance(event, JobEnded)]
    assert [status for status, _ in ended] == ["failed", "done"], ended
    assert outcome.counts.done == 1


def test_what_is_left_behind_is_stopped_until_it_ends(scripted: Make, tmp_path: Path) -> None:
    asked: list[float] = []
    left = threading.Event()

    def answer(messages: list[BaseMessage]) -> Any:
        asked.append(time.monotonic())
        left.wait(60)
        return says("It is known [arXiv:0712.2288].")

    scout, _ = scripted(answer)
    batch = Batch(scout, tmp_path / "out", JOBS[:1])
    outcome = batch.run(timeout_s=8)  # enough to come to the model
    assert (outcome.counts.failed, len(asked)) == (1, 1)
    left.set()
    for behind in threading.enumerate():
        if behind.name == "turn":
            behind.join(30)
    assert len(asked) == 1
    assert answers(scout) == 0


def test_a_budget_that_the_last_job_uses_up_stops_nothing(scripted: Make, tmp_path: Path) -> None:
    def answer(messages: list[BaseMessage]) -> Any:
        said = says("It is known [arXiv:0712.2288].")
        said.usage_metadata = {"input_tokens": 900, "output_tokens": 100, "total_tokens": 1_000}
        return said

    scout, _ = scripted(answer)
    batch = Batch(scout, tmp_path / "out", JOBS[:1])
    for _ in range(2):
        outcome = batch.run(budget=Budget(tokens=500))
        assert (outcome.counts.done, outcome.stopped) == (1, "")


def test_jobs_in_hand_are_ended_when_the_budget_is_used_up(scripted: Make, tmp_path: Path) -> None:
    both = threading.Barrier(2, timeout=20)

    def answer(messages: list[BaseMessage]) -> Any:
        text = "\n".join(str(message.content) for message in messages)
        if "dark matter" in text:
            time.sleep(1)  # at work still when the other has used up all
        said = says("It is known [arXiv:0712.2288].")
        said.usage_metadata = {"input_tokens": 900, "output_tokens": 100, "total_tokens": 1_000}
        return said

    scout, _ = scripted(answer)
    batch = Batch(scout, tmp_path / "out")

    def tell(event: BatchEvent) -> None:
        batch.events.append(event)
        if isinstance(event, JobBegan) and event.number < 3:
            both.wait()

    outcome = batch.runner(tell, concurrency=2, budget=Budget(tokens=500)).run()
    assert (outcome.counts.done, outcome.counts.waiting) == (2, 2)
    assert outcome.stopped == "the budget is used up"


def test_a_budget_is_not_kept_by_a_model_that_does_not_tell_what_it_takes(
    scripted: Make, tmp_path: Path
) -> None:
    scout, _ = scripted(says("It is known [arXiv:0712.2288]."))
    batch = Batch(scout, tmp_path / "out")
    outcome = batch.run(budget=Budget(tokens=1_000_000))
    assert outcome.counts.done == 1
    assert "does not tell what it takes" in outcome.stopped


def test_a_budget_of_money_needs_a_price(scripted: Make, scout: Scout) -> None:
    scout.batches("extractive").check_budget(JOBS, Budget(money=1.0))
    paid, _ = scripted(says("Nothing."))
    batches = paid.batches()
    batches.check_budget(JOBS, Budget(tokens=1))
    with pytest.raises(UsageError, match="has no price"):
        batches.check_budget(JOBS, Budget(money=1.0))


def test_a_folder_that_can_not_be_written_is_refused(scout: Scout, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    batch = Batch(scout, tmp_path / "out")
    with pytest.raises(UsageError, match="can't be written"):
        batch.batches.outputs(batch.id, tmp_path / "file" / "out", "test")


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("200000", Budget(tokens=200_000)),
        ("200k", Budget(tokens=200_000)),
        ("1.5M", Budget(tokens=1_500_000)),
        ("$2.50", Budget(money=2.5)),
    ],
)
def test_a_budget_is_tokens_or_money(text: str, budget: Budget) -> None:
    assert Budget.parse(text) == budget


@pytest.mark.parametrize("text", ["", "0", "much", "-5", "2.50$", "1e5"])
def test_what_is_no_budget_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        Budget.parse(text)
