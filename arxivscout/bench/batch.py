"""How fast batches are, and what survives: real workers in processes of their own.

The papers are those of the home that is given; the jobs are asked about some of them, chosen by a
seed, in the name of a person who is made for it and whose memory is deleted at the end.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from arxivscout.errors import DatabaseUnavailable
from arxivscout.memory.postgres import Database
from arxivscout.papers import one_line

_TITLES = """
SELECT langchain_metadata ->> 'title' FROM semantic_memory
WHERE arxiv_id IS NOT NULL AND NOT withdrawn AND langchain_metadata ->> 'title' IS NOT NULL
ORDER BY md5(arxiv_id || %(seed)s::text) LIMIT %(count)s
"""

_PRIVATE = """
SELECT DISTINCT table_name FROM information_schema.columns
WHERE table_schema = 'arxivscout' AND column_name = 'user_id' AND table_name <> 'change_log'
"""

_SESSIONS = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"

# From when the first job was begun until the last was done: without the command's own start.
_AT_WORK = """
SELECT extract(epoch FROM max(ended_at) - min(started_at))
FROM batch_job JOIN batch USING (batch_id)
WHERE batch.name = %(name)s
"""

_SERVER = "SELECT current_setting('data_directory')"


@dataclass(frozen=True, slots=True)
class Run:
    """One batch: jobs done of those given, seconds, peak memory of all its processes in MB.

    `seconds` are the command's, `at_work_s` those from its first job's beginning to the last's end.
    """

    name: str
    jobs: int
    done: int
    seconds: float
    at_work_s: float
    megabytes: float
    sessions: int  # most database connections at a time
    kills: int = 0

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "name": self.name,
            "jobs": self.jobs,
            "done": self.done,
            "seconds": round(self.seconds, 1),
            "jobs_per_minute": round(60 * self.done / self.at_work_s, 1),
            "megabytes": round(self.megabytes),
            "connections": self.sessions,
            "kills": self.kills,
        }


class Bench:
    """Runs batches as a person would, by the command."""

    def __init__(self, database: Database, home: Path, user: str, jobs: int, seed: int = 1) -> None:
        self._database = database
        self._home = home
        self._user = user
        self._folder = Path(tempfile.mkdtemp(prefix="arxivscout-bench-"))
        with database.shared() as conn:
            rows = conn.execute(_TITLES, {"seed": seed, "count": jobs}).fetchall()
        self._questions = [f"What is known about {one_line(title)}?" for (title,) in rows]

    def timed(self, concurrency: int, *, model: dict[str, str] | None = None, jobs: int = 0) -> Run:
        """A batch from beginning to end with so many jobs at a time."""
        named = "slow model" if model else "extractive"
        name = f"{named}, {concurrency} at a time"
        questions = self._questions[: jobs or None]
        command, out = self._command(name, questions, concurrency)
        begun = time.monotonic()
        with self._started(command, model) as process:
            most, sessions = self._watched(process)
        seconds = time.monotonic() - begun
        done = len(_done(out))
        return Run(name, len(questions), done, seconds, self._at_work(out), most, sessions)

    def killed(self, kills: int, database_kills: int) -> tuple[Run, list[str]]:
        """A batch whose workers and whose database are killed at random, to its end.

        Returns:
            the run, and what was wrong with its results: jobs done twice, lost, or half written.
        """
        command, out = self._command("killed", self._questions, 2)
        chance = random.Random(1)
        victims = ["worker"] * kills + ["database"] * database_kills
        chance.shuffle(victims)
        begun, most, sessions, struck = time.monotonic(), 0.0, 0, 0
        ended = False
        while not ended:
            with self._started(command, None) as process:
                while victims and process.poll() is None:
                    time.sleep(chance.uniform(3, 9))
                    if process.poll() is not None:
                        break
                    struck += 1
                    if victims.pop() == "worker":
                        process.send_signal(signal.SIGKILL)
                        process.wait()
                    else:
                        self._kill_database()  # the worker starts it again, and goes on
                used, open_ = self._watched(process)
                most, sessions = max(most, used), max(sessions, open_)
                ended = process.returncode != -signal.SIGKILL
        run = Run(
            "killed",
            len(self._questions),
            len(_done(out)),
            time.monotonic() - begun,
            self._at_work(out),
            most,
            sessions,
            struck,
        )
        return run, self._amiss(out)

    def _at_work(self, out: Path) -> float:
        with self._database.transaction(self._user) as conn:
            row = conn.execute(_AT_WORK, {"name": str(out)}).fetchone()
        assert row is not None
        return float(row[0])

    def clean_up(self) -> None:
        """Delete what the person made for it left."""
        with self._database.admin() as conn:
            conn.execute("SET LOCAL session_replication_role = replica")
            for (table,) in conn.execute(_PRIVATE).fetchall():
                conn.execute(f'DELETE FROM arxivscout."{table}" WHERE user_id = %s', [self._user])  # noqa: S608

    def _command(
        self, name: str, questions: Sequence[str], concurrency: int
    ) -> tuple[list[str], Path]:
        slug = name.replace(" ", "-").replace(",", "")
        jobs, out = self._folder / f"{slug}.jsonl", self._folder / slug
        jobs.write_text("".join(json.dumps({"question": each}) + "\n" for each in questions))
        command = [sys.executable, "-m", "arxivscout", "--home", str(self._home)]
        command += ["batch", "run", str(jobs), "--out", str(out), "--user", self._user]
        command += ["--concurrency", str(concurrency), "--format", "json"]
        return command, out

    @contextmanager
    def _started(
        self, command: list[str], model: dict[str, str] | None
    ) -> Iterator[subprocess.Popen[bytes]]:
        environment = {**os.environ, "ARXIVSCOUT_OFFLINE": "1", **(model or {})}
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()

    def _watched(self, process: subprocess.Popen[bytes]) -> tuple[float, int]:
        """Peak memory in MB and most database sessions until the process ends."""
        most, sessions = 0.0, 0
        while process.poll() is None:
            with suppress(psutil.Error, DatabaseUnavailable):  # it ends, or the database restarts
                most = max(most, psutil.Process(process.pid).memory_info().rss / 2**20)
                with self._database.shared() as conn:
                    row = conn.execute(_SESSIONS).fetchone()
                sessions = max(sessions, row[0] if row else 0)
            time.sleep(0.5)
        return most, sessions

    def _kill_database(self) -> None:
        with self._database.admin() as conn:  # the application may not know where the data lie
            row = conn.execute(_SERVER).fetchone()
        assert row is not None
        pid = int((Path(row[0]) / "postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGKILL)

    def _amiss(self, out: Path) -> list[str]:
        """What is wrong with a batch's results, a line each; [] when each job has one report."""
        amiss = []
        numbers = [line["number"] for line in _done(out)]
        amiss += [
            f"job {n} has {numbers.count(n)} results" for n in set(numbers) if numbers.count(n) > 1
        ]
        amiss += [
            f"job {n} is lost" for n in range(1, len(self._questions) + 1) if n not in numbers
        ]
        for path in out.glob("*.json"):
            try:
                json.loads(path.read_text("utf-8"))
            except ValueError:
                amiss.append(f"{path.name} is half written")
        amiss += [f"{path.name} was left" for path in out.glob(".*")]
        with self._database.transaction(self._user) as conn:
            twice = conn.execute(
                "SELECT count(*) FROM (SELECT turn_id FROM conversational_memory "
                "WHERE role = 'assistant' GROUP BY turn_id HAVING count(*) > 1) AS twice"
            ).fetchone()
        if twice and twice[0]:
            amiss.append(f"{twice[0]} answers are remembered twice")
        return amiss


@contextmanager
def slow_model(seconds: float) -> Iterator[dict[str, str]]:
    """A server behind OpenAI's protocol that takes so long for each call, as settings for it."""
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            text = json.dumps(asked["messages"])
            _, _, rest = text.partition("[arXiv:")
            cited = rest.partition("]")[0]
            time.sleep(seconds)
            says = f"This is what is known [arXiv:{cited}]." if cited else "Not found."
            piece = {"index": 0, "delta": {"role": "assistant", "content": says}}
            usage = {"prompt_tokens": len(text) // 4, "completion_tokens": 12}
            usage["total_tokens"] = sum(usage.values())
            events: list[dict[str, Any]] = [
                {"choices": [{**piece, "finish_reason": None}]},
                {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
                {"choices": [], "usage": usage},
            ]
            frame: dict[str, Any] = {
                "id": "a",
                "object": "chat.completion.chunk",
                "created": 0,
                "model": "slow",
            }
            body = "".join(f"data: {json.dumps({**frame, **event})}\n\n" for event in events)
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            self.wfile.write((body + "data: [DONE]\n\n").encode())

        def log_message(self, format: str, *args: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield {
            "ARXIVSCOUT_MODEL": "slow",
            "ARXIVSCOUT_MODEL_BASE_URL": f"http://127.0.0.1:{server.server_port}/v1",
        }
    finally:
        server.shutdown()


def _done(out: Path) -> list[dict[str, Any]]:
    path = out / "results.jsonl"
    if not path.exists():
        return []
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [line for line in lines if line["status"] == "done"]
