"""What the context of a turn costs: assembled, loaded, condensed.

    python tests/benchmarks/bench_context.py [--turns 50,500,5000,50000] [--runs N]

In a server and a home of its own, which go at the end. For threads of so many turns: the beginning
of a turn in the database (`open_turn`, one round trip), `assemble` with 60 candidate memories, also
of the whole thread, and condensing what nobody has condensed. Prints a JSON line a length and all
of them on the last line; milliseconds, the median and the 95th of 100.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

from arxivscout.agent.condensing import condense_thread
from arxivscout.agent.services import Services
from arxivscout.app import open_services
from arxivscout.context.assemble import assemble
from arxivscout.context.memories import paper_record
from arxivscout.context.segments import MEMORY_SEGMENTS, Item, Said
from arxivscout.memory.turn import open_turn
from arxivscout.prompting import render
from arxivscout.resources import folder
from arxivscout.settings import load_settings
from arxivscout.sources.files import read_papers

USER = "bench"
CANDIDATES = 60
QUESTION = "What is known about quantum teleportation of neutral mesons?"

_FILL = """
INSERT INTO conversational_memory (thread_id, role, content, metadata, timestamp)
SELECT %(thread)s, CASE n %% 2 WHEN 1 THEN 'user' ELSE 'assistant' END,
       'We decided to keep run ' || n || ' with ' || n * 3 || ' events of the paper on mesons; it '
       || 'was compared with what others measured, and the method is as it was described before.',
       '{}', now() - make_interval(secs => %(messages)s - n)
FROM generate_series(%(first)s::integer, %(first)s + 1999) AS n WHERE n <= %(messages)s
"""


def timed(work: Callable[[], Any], runs: int) -> dict[str, float]:
    """Median and 95th of 100, in milliseconds."""
    taken = []
    for _ in range(runs):
        started = time.perf_counter()
        work()
        taken.append((time.perf_counter() - started) * 1000)
    taken.sort()
    return {
        "median": round(statistics.median(taken), 2),
        "p95": round(taken[int(len(taken) * 0.95)], 2),
    }


def candidates() -> dict[str, list[Item]]:
    """60 memories over the segments, papers among them."""
    drawn = random.Random(1)
    papers = list(read_papers(folder("data") / "starter.jsonl"))
    found: dict[str, list[Item]] = {name: [] for name in MEMORY_SEGMENTS}
    for number in range(CANDIDATES):
        paper = papers[number % len(papers)]
        name = drawn.choice([each for each in found if each != "understood"])
        text = (
            paper_record(paper)  # type: ignore[arg-type]
            if name == "knowledge"
            else f"- 2026-01-02 (id {uuid4()}, thread t): {paper.title}, {number}"  # type: ignore[union-attr]
        )
        found[name].append(Item(text, str(number), drawn.random()))
    return found


def measured(services: Services, turns: int, runs: int) -> dict[str, Any]:
    thread = f"thread of {turns}"
    for first in range(1, 2 * turns + 1, 2_000):
        with services.database.transaction(USER) as conn:
            conn.execute(_FILL, {"thread": thread, "messages": 2 * turns, "first": first})
    with services.database.admin() as admin:
        admin.commit()
        admin.autocommit = True
        admin.execute("VACUUM (ANALYZE) conversational_memory")
    loaded: list[Any] = []

    def load() -> None:
        turn = uuid4()
        loaded[:] = open_turn(
            services.database, services.leases, user=USER, thread_id=thread, turn_id=turn,
            question=QUESTION, model="extractive",
        ).recent  # fmt: skip
        services.leases.release(turn)

    load()
    loading = timed(load, runs)
    memory, system = candidates(), render("system", user=USER)
    recent = [Said(role, text, source, held) for role, text, _, source, held in loaded]
    whole = [Said(*(loaded[at % len(loaded)][:2]), str(at)) for at in range(2 * turns)]

    def put_together(said: list[Said]) -> Callable[[], Any]:
        return lambda: assemble(
            system=system, memory=memory, recent=said, question=QUESTION, window=16_000,
            answer_tokens=1_000, tools_tokens=2_500,
        )  # fmt: skip

    row = {
        "turns": turns,
        "load_ms": loading,
        "assemble_ms": timed(put_together(recent), runs),
        "assemble_whole_thread_ms": timed(put_together(whole), max(runs // 5, 5)),
    }
    started = time.perf_counter()
    made = condense_thread(services, USER, thread)
    row["condensed"] = {"summaries": made, "s": round(time.perf_counter() - started, 2)}
    load()
    row["load_condensed_ms"] = timed(load, runs)
    return row


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--turns", default="50,500,5000,50000")
    asked.add_argument("--runs", type=int, default=50)
    given = asked.parse_args()
    home = Path(tempfile.mkdtemp(prefix="as-", dir="/tmp"))
    home.chmod(0o711)
    rows = []
    try:
        with open_services(load_settings({}, home=home, user=USER, offline=True)) as services:
            for turns in map(int, given.turns.split(",")):
                rows.append(measured(services, turns, given.runs))
                print(json.dumps(rows[-1]))
    finally:
        shutil.rmtree(home, ignore_errors=True)
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
