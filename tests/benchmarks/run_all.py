"""Run all benchmarks, write `benchmarks.json`, and put their figures into the README.

    python tests/benchmarks/run_all.py --data DIR [--home DIR] [--only NAME]... [--readme]

DIR holds the collections. Their vectors are kept beside it, in `DIR-vectors`: the first run embeds
them, some 25 minutes on two cores, later ones end within 15. --only measures some anew and keeps
the others' figures, on the machine that those were measured on; --readme measures nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from figures import BENCHMARKS, FILE, README, ROOT, Benchmark, in_readme, load, rendered

from arxivscout.bench.kept_vectors import keeping
from arxivscout.embedding import load_embedder
from arxivscout.ingest import ingest_papers
from arxivscout.memory.opening import open_database
from arxivscout.settings import load_settings
from arxivscout.sources.files import read_papers

PAPERS = Path("arxiv_meta") / "core_25k.jsonl.gz"
_VERSIONS = """
SELECT current_setting('server_version'), extversion FROM pg_extension WHERE extname = 'vector'
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--only", action="append", choices=[each.name for each in BENCHMARKS])
    parser.add_argument("--readme", action="store_true")
    given = parser.parse_args()
    if not given.readme:
        if given.data is None:
            parser.error("--data is missing")
        with tempfile.TemporaryDirectory(prefix="bench-", dir="/tmp") as made:
            home = given.home or Path(made)
            if os.geteuid() == 0:
                Path(made).chmod(0o711)  # so that the server's account may enter
            measure(given.data.absolute(), home.absolute(), given.only)
    text = README.read_text("utf-8")
    README.write_text(text.replace(in_readme(text), rendered(load())), "utf-8")
    print(f"{README} has the figures of {FILE}")


def measure(data: Path, home: Path, only: list[str] | None) -> None:
    """Run the benchmarks one after the other; each one's figures are written as it ends."""
    begun = time.monotonic()
    versions = fill(data, home)
    for stored in (home / "bench").glob("scale-*"):
        shutil.rmtree(stored)  # storing them is what is measured
    measured: dict[str, Any] = {"results": {}}
    if only:
        measured = load()
        if measured["machine"] != machine():
            sys.exit("error: the other figures were measured on another machine: run all.")
    for each in BENCHMARKS:
        if not only or each.name in only:
            print(f"{each.name} …", flush=True)
            started = time.monotonic()
            result = run(each, data, home)
            seconds = round(time.monotonic() - started, 1)
            print(f"{each.name}: {seconds} s", flush=True)
            measured["results"][each.name] = {"seconds": seconds, "result": result}
            if not only:
                measured["minutes"] = round((time.monotonic() - begun) / 60, 1)
                measured["day"] = f"{datetime.now(UTC):%Y-%m-%d}"
            measured |= {"machine": machine(), "versions": versions}
            FILE.write_text(json.dumps(measured, indent=1, ensure_ascii=False) + "\n", "utf-8")


def fill(data: Path, home: Path) -> dict[str, str]:
    """Hold the papers in `home`, if it does not yet; tell the versions of what is at work."""
    home.mkdir(parents=True, exist_ok=True)
    settings = load_settings({}, home=home, user="bench", offline=True)
    embedder = keeping(load_embedder(settings), data, print)
    with closing(open_database(settings, identity=embedder.identity)) as database:
        report = ingest_papers(database, embedder, read_papers(data / PAPERS))
        print(f"{report.read} papers are held, {report.stored} of them new")
        with database.shared() as conn:
            (postgresql, pgvector) = conn.execute(_VERSIONS).fetchone()
    return {
        "python": platform.python_version(),
        "postgresql": postgresql.partition(" ")[0],
        "pgvector": pgvector,
        **{name: version(name) for name in ("arxivscout", "langgraph", "onnxruntime", "psycopg")},
    }


def run(benchmark: Benchmark, data: Path, home: Path) -> Any:
    """What a benchmark prints as JSON: a script on its last line, a command as all of it.

    Raises:
        SystemExit: it failed; what it printed is shown.
    """
    filled = {"data": data, "papers": data / PAPERS, "home": home}
    words = [word.format_map(filled) for word in benchmark.command]
    is_script = words[0].endswith(".py")
    start = [] if is_script else ["-m", "arxivscout", "--home", str(home)]
    kept = {key: value for key, value in os.environ.items() if not key.startswith("ARXIVSCOUT_")}
    done = subprocess.run(
        [sys.executable, *start, *words],
        cwd=ROOT,
        env={**kept, "ARXIVSCOUT_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"error: {benchmark.name} failed:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
    return json.loads(done.stdout.strip().splitlines()[-1] if is_script else done.stdout)


def machine() -> dict[str, Any]:
    """What the figures hang on: processor, cores, memory."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(pages / 2**30),
        "system": f"{platform.system()} {platform.machine()}",
    }


def processor() -> str:
    """Its name, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


if __name__ == "__main__":
    main()
