"""How a batch looks while it runs and nobody sits before it: a line for what happens."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from arxivscout.batch.events import BatchEvent, JobBegan, JobEnded, JobStep
from arxivscout.cli import render
from arxivscout.reports.facts import cost_told, duration

if TYPE_CHECKING:
    from arxivscout.memory.batch_listing import Counts

STEP_S = 5.0  # a job whose steps are quicker is told of when it begins and when it ends
_NEXT = {  # what a job does when a node is done
    "begin": "planning",
    "plan": "searching",
    "research": "searching",
    "merge": "weighing papers",
    "outline": "writing",
    "write_section": "writing",
    "quote": "checking citations",
    "write_brief": "checking citations",
    "check": "finishing",
    "report": "storing",
}


def next_step(node: str) -> str:
    """What a job does when this node of its graph is done."""
    return _NEXT.get(node, node)


def told_in_lines(counts: Counts, *, step_s: float = STEP_S) -> Callable[[BatchEvent], None]:
    """What tells of a batch by a line for each job that begins and ends, and for its slow steps.

    Args:
        step_s: seconds after a job's last line within which its next step is not told.
    """
    begun_at = time.monotonic()
    ended, here = counts.total - counts.to_do, 0
    jobs: dict[int, tuple[str, float]] = {}  # by number: its name, and when it was told of

    def tell(event: BatchEvent) -> None:
        nonlocal ended, here
        match event:
            case JobBegan(number, name, question):
                jobs[number] = name, time.monotonic()
                render.note(render.safe(f"{name} begins: {question}"))
            case JobStep(number, what, done, parts) if number in jobs:
                name, told_at = jobs[number]
                if time.monotonic() - told_at >= step_s:
                    jobs[number] = name, time.monotonic()
                    render.note(f"{render.safe(name)}: {next_step(what)}, {done} of {parts} steps")
            case JobEnded(number):
                jobs.pop(number, None)
                if event.status in ("done", "failed"):
                    ended, here = ended + 1, here + 1
                left = counts.total - ended
                took = (time.monotonic() - begun_at) / max(here, 1)
                when = f"; about {duration(left * took)} to go" if left and here else ""
                render.note(f"[{ended}/{counts.total}] {how_it_ended(event)}{when}")

    return tell


def how_it_ended(event: JobEnded) -> str:
    """A job's end in a line: how long it took, what it cost, why it failed."""
    spent = f", {event.tokens:,} tokens, {cost_told(event.cost)}" if event.tokens else ""
    why = f": {event.error}" if event.error else ""
    return render.safe(f"{event.name} {event.status}, {event.seconds:.1f} s{spent}{why}")
