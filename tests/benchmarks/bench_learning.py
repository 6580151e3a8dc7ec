"""What learning from a turn by rules takes, behind its answer.

    python tests/benchmarks/bench_learning.py [--turns 60] [--memories 2000]

In a server and a home of its own, which go at the end. Turns that state something of their person
and cite one of the starter papers, learned one by one with the extractive model, in a memory that
already holds so many facts. Prints a JSON line: milliseconds, the median and the 95th of 100, of
the rules alone and of all of it (rules, vectors, write gate, commit), for turns whose words and
papers are new and for the same turns said again in another thread.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

from arxivscout.agent.learning import learn, said_in
from arxivscout.agent.services import Services
from arxivscout.app import open_services
from arxivscout.learning import learned
from arxivscout.memory.unlearned import waiting
from arxivscout.papers import Paper
from arxivscout.resources import folder
from arxivscout.settings import load_settings
from arxivscout.sources.files import read_papers

USER = "bench"
TOLD = (
    "I use GROMACS {n} for the runs on membranes, what is known about them?",
    "We decided to keep run {n} because it converged. What else is known?",
    "My deadline for report {n} is {n} May.",
    "I still don't know whether sample {n} is biased.",
    "What is known about quantum teleportation in case {n}?",
    "Our group works on problem {n} of lattice gauge theory.",
)
_TURN = """
INSERT INTO turn (turn_id, thread_id, question, status, citations, started_at)
VALUES (%(turn)s, %(thread)s, %(question)s, 'answered', %(citations)s, %(at)s)
"""
_MEMORIES = """
INSERT INTO entity_memory (category, content, embedding)
SELECT 'fact', 'Fact ' || n || ' of before, of run ' || n * 7, %(vector)s::vector
FROM generate_series(1, %(count)s) AS n
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--memories", type=int, default=2_000)
    given = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="as-", dir="/tmp"))
    home.chmod(0o711)
    try:
        with open_services(load_settings({}, home=home, user=USER, offline=True)) as services:
            print(json.dumps(measure(services, given.turns, given.memories)))
    finally:
        shutil.rmtree(home, ignore_errors=True)


def measure(services: Services, turns: int, memories: int) -> dict[str, Any]:
    papers = list(read_papers(folder("data") / "starter.jsonl"))
    vector = services.vector("a fact of before")
    with services.database.transaction(USER) as conn:
        conn.execute(_MEMORIES, {"vector": vector, "count": memories})
    ask(services, papers, "warm", range(5))
    run(services)
    ask(services, papers, "first", range(5, turns + 5))
    new = run(services)
    ask(services, papers, "again", range(5, turns + 5))
    return {"turns": turns, "memories": memories, "new": new, "again": run(services)}


def ask(services: Services, papers: list[Paper], thread: str, numbers: range) -> None:
    """Turns as they are stored, without the answering."""
    with services.database.transaction(USER) as conn:
        for number in numbers:
            paper = papers[number % len(papers)]
            cited = [{"arxiv_id": paper.arxiv_id, "passage": paper.abstract[:600]}]
            conn.execute(
                _TURN,
                {
                    "turn": uuid4(),
                    "thread": thread,
                    "question": TOLD[number % len(TOLD)].format(n=number),
                    "citations": json.dumps(cited),
                    "at": datetime.now(UTC) + timedelta(milliseconds=number),
                },
            )


def run(services: Services) -> dict[str, Any]:
    rules: list[float] = []
    whole: list[float] = []
    for turn in waiting(services.database, USER, 10_000):
        started = time.perf_counter()
        learned(said_in(services, USER, turn))
        ruled = time.perf_counter()
        learn(services, USER, turn)
        rules.append((ruled - started) * 1000)
        whole.append((time.perf_counter() - ruled) * 1000)
    return {"rules_ms": of(rules), "whole_ms": of(whole)}


def of(taken: list[float]) -> dict[str, float]:
    taken.sort()
    return {
        "median": round(statistics.median(taken), 1),
        "p95": round(taken[int(len(taken) * 0.95)], 1),
    }


if __name__ == "__main__":
    main()
