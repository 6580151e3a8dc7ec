"""How long commands take from the start of the process to its end; run by hand.

    python tests/benchmarks/bench_commands.py [--runs N]

`--help`, and `ask` with the extractive model on a warm database: the server is up and holds the
starter collection, in a temporary home. Wall times on a busy machine say little, so the process's
own CPU time is printed beside them; all of it as JSON on the last line.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

QUESTION = "What is known about quantum teleportation of neutral mesons?"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as home:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("ARXIVSCOUT_")}
        environment = {**kept, "ARXIVSCOUT_HOME": home, "ARXIVSCOUT_OFFLINE": "1"}

        def run(*arguments: str) -> None:
            command = [sys.executable, "-m", "arxivscout", *arguments]
            subprocess.run(command, env=environment, check=True, capture_output=True)

        found = {"--help": measure("--help", runs, lambda: run("--help"))}
        run("db", "start")
        run("ask", QUESTION)
        found["ask"] = measure("ask", runs, lambda: run("ask", QUESTION))
        run("db", "stop", "--force")
    print(json.dumps(found))


def measure(name: str, runs: int, act: Callable[[], None]) -> dict[str, float]:
    """Print the wall and CPU seconds of `runs` runs; give back the medians."""
    walls, cpus = [], []
    for _ in range(runs):
        start, before = time.perf_counter(), _cpu()
        act()
        walls.append(time.perf_counter() - start)
        cpus.append(_cpu() - before)
    print(
        f"{name:8} wall {statistics.median(walls):.2f} s median, {min(walls):.2f} s best; "
        f"CPU {statistics.median(cpus):.2f} s median"
    )
    return {
        "wall_s": round(statistics.median(walls), 3),
        "cpu_s": round(statistics.median(cpus), 3),
    }


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
