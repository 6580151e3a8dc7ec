"""How fast the chat is to the person: the first sign, each streamed token, a long thread resumed.

    python tests/benchmarks/bench_chat.py [--tokens N] [--turns N] [--runs N]

Works in a temporary home with the starter collection, over a pseudo-terminal, against a server of
its own in another process that speaks OpenAI's protocol. What a token costs is the time from the
first word of an answer to its last on the screen, less the time that `langchain-openai` alone takes
for the same stream, by the number of tokens.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from langchain_openai import ChatOpenAI
from openai_server import OpenAIServer, Step, by_request, say
from terminal import CTRL_D, Terminal

from arxivscout.agent.events import Token
from arxivscout.app import open_scout
from arxivscout.memory.postgres import Database
from arxivscout.scout import Scout
from arxivscout.settings import Settings, load_settings

USER = "bench"
LONG = "long"
SIGN = "thinking"
SILENT_S = 0.6  # the server says nothing for so long, so that the first sign is the chat's own
QUESTION = "What is known about quantum teleportation of neutral mesons?"

_FILL = """
WITH turns AS (
    INSERT INTO turn (turn_id, thread_id, question, status, model, citations, usage, started_at)
    SELECT gen_random_uuid(), %(thread)s, 'question ' || n, 'answered', 'slow',
           '[{"arxiv_id": "0712.2288", "title": "A title", "url": "u"}]',
           '{"input_tokens": 900, "output_tokens": 90}',
           now() - make_interval(mins => %(turns)s - n)
    FROM generate_series(1, %(turns)s) AS n
    RETURNING turn_id, question, started_at
), said AS (
    INSERT INTO conversational_memory (thread_id, role, content, metadata, turn_id, timestamp)
    SELECT %(thread)s, role, CASE role WHEN 'user' THEN question ELSE
               repeat('An answer of some length about mesons [arXiv:0712.2288]. ', 10) END,
           '{}', turn_id, started_at + CASE role WHEN 'user' THEN interval '0' ELSE '1 second' END
    FROM turns, unnest(ARRAY['user', 'assistant']) AS role
)
INSERT INTO tool_log_memory
       (thread_id, tool_name, tool_input, tool_output, status, duration_ms, turn_id, timestamp)
SELECT %(thread)s, 'search_papers', '{"query": "mesons"}', repeat('found ', 200), 'success', 9,
       turn_id, started_at + interval '0.5 seconds'
FROM turns
"""


_WORDS = (
    "teleportation of neutral mesons is verified by a measurement of their property while "
    "conservation laws fix the basis and the method holds whether or not weak decays violate it"
).split()


def answer_of(tokens: int) -> str:
    """An answer as models write it, `tokens` words long: paragraphs, lists, emphasis, citations."""
    words = []
    for n in range(1, tokens - 1):
        word = _WORDS[n % len(_WORDS)]
        if n % 90 == 0:
            words.append(f"{word}.\n\n")
        elif n % 40 == 0:
            words.append("[arXiv:0712.2288].")
        elif n % 30 == 0:
            words.append(f"{word}\n- **{word}**")
        else:
            words.append(word)
    return " ".join(["firstword", *words, "lastword"])


def serve(tokens: int, send: Any) -> None:
    """The server's process: silent for a while, or as fast as it can, by the model's name."""
    quick = say(answer_of(tokens))

    def reply(body: dict[str, Any]) -> Step:
        return quick if body["model"] == "quick" else say("Yes.", hang_s=SILENT_S)

    with OpenAIServer(by_request(reply)) as server:
        send.send(server.url)
        time.sleep(86_400)


@contextmanager
def server(tokens: int) -> Iterator[str]:
    """Its address; ended with the block."""
    context = multiprocessing.get_context("spawn")
    receive, send = context.Pipe(duplex=False)
    process = context.Process(target=serve, args=(tokens, send), daemon=True)
    process.start()
    try:
        yield receive.recv()
    finally:
        process.terminate()
        process.join()


class Sitting:
    """The chat on a terminal, with a clock."""

    def __init__(self, environment: dict[str, str], *arguments: str) -> None:
        started = time.perf_counter()
        program = [sys.executable, "-m", "arxivscout", "chat", *arguments]
        self.terminal = Terminal(program, environment)
        self.terminal.wait(self.terminal.prompts)
        self.ms_to_prompt = (time.perf_counter() - started) * 1000

    def enter(self, line: str, *patterns: str) -> list[float]:
        """Milliseconds from Enter to each pattern in what the program sends, one after another.

        The last pattern is followed until the next prompt stands there.
        """
        terminal = self.terminal
        terminal.keys(line)
        terminal.wait(lambda: line[-20:] in terminal.text)
        prompts, mark = terminal.prompts(), len(terminal.raw)
        terminal.keys("\r")
        began, times = time.perf_counter(), []
        for pattern in patterns:
            terminal.wait(lambda: terminal.raw.find(pattern, mark) >= 0)  # noqa: B023
            mark = terminal.raw.find(pattern, mark) + len(pattern)
            times.append((time.perf_counter() - began) * 1000)
        terminal.wait(lambda: terminal.prompts() != prompts and terminal.text.endswith("\n>"))
        return [*times, (time.perf_counter() - began) * 1000]

    def leave(self) -> None:
        self.terminal.keys(CTRL_D)
        self.terminal.end()


def fill(database: Database, turns: int) -> None:
    """A thread of so many turns, each with a tool call."""
    with database.transaction(USER) as conn:
        conn.execute(_FILL, {"thread": LONG, "turns": turns})
    with database.admin() as admin:
        admin.execute("ANALYZE")


def first_and_last(pieces: Iterator[Any]) -> float:
    """Milliseconds between the first piece and the end."""
    next(pieces)
    began = time.perf_counter()
    for _ in pieces:
        pass
    return (time.perf_counter() - began) * 1000


def bare_ms(url: str) -> float:
    """The stream as `langchain-openai` alone reads it."""
    model = ChatOpenAI(model="quick", base_url=url, api_key="none", stream_usage=True)
    return first_and_last(piece for piece in model.stream(QUESTION) if piece.text)


def scout_ms(scout: Scout, thread: str) -> float:
    """The same stream as the events of a turn, from its first word to its last."""
    times = [
        time.perf_counter()
        for event in scout.stream(QUESTION, thread_id=thread, model="quick")
        if isinstance(event, Token)
    ]
    return (times[-1] - times[0]) * 1000


def median(runs: int, measure: Callable[[int], float]) -> float:
    return statistics.median(measure(run) for run in range(runs))


def measure(settings: Settings, environment: dict[str, str], given: argparse.Namespace) -> dict:
    """All figures, in milliseconds."""
    runs, tokens, url = given.runs, given.tokens, str(settings.model_base_url)
    with open_scout(settings, notice=print) as scout:
        scout.decide_remembering("everything")  # else the first chat asks
        fill(scout.database, given.turns)
        scout.ask("Warm up.", thread_id="warm", model="slow")
        bare = median(runs, lambda run: bare_ms(url))
        events = median(runs, lambda run: scout_ms(scout, f"events {run}"))

        cold = []
        for run in range(runs):
            sitting = Sitting(environment, "--thread", f"cold {run}")
            cold.append(sitting.enter(QUESTION, SIGN)[0])
            sitting.leave()
        sitting = Sitting(environment, "--thread", "warm sitting")
        sitting.enter(QUESTION, SIGN)
        warm = [sitting.enter(f"{QUESTION} ({run})", SIGN)[0] for run in range(runs)]
        resumed, short = [], []
        for _ in range(runs):
            resumed.append(sitting.enter(f"/resume {LONG}")[-1])
            short.append(sitting.enter("/resume warm")[-1])
        in_long = Sitting(environment, "--thread", LONG)
        sign_in_long = [in_long.enter(f"{QUESTION} ({run})", SIGN)[0] for run in range(runs)]
        in_long.leave()
        sitting.leave()

        quick = Sitting({**environment, "ARXIVSCOUT_MODEL": "quick"}, "--thread", "quick")
        shown = []
        for run in range(runs):
            first, last, _ = quick.enter(f"{QUESTION} ({run})", "firstword", "lastword")
            shown.append(last - first)
        quick.leave()
        starts = {"long": [], "new": []}
        for run in range(runs):
            for name, thread in (("long", LONG), ("new", f"start {run}")):
                sitting = Sitting(environment, "--thread", thread)
                starts[name].append(sitting.ms_to_prompt)
                sitting.leave()
    started = {name: statistics.median(times) for name, times in starts.items()}
    return {
        "first sign, first question of a sitting": max(cold),
        "first sign, later questions": statistics.median(warm),
        "first sign, later questions, the slowest": max(warm),
        f"first sign, in a thread of {given.turns:,} turns": statistics.median(sign_in_long),
        "a token, langchain-openai alone": bare / tokens,
        "a token, added up to the events of Scout.stream": (events - bare) / tokens,
        "a token, added up to the screen": (statistics.median(shown) - bare) / tokens,
        f"resuming {given.turns:,} turns in the chat": statistics.median(resumed),
        "the same, a thread of one turn": statistics.median(short),
        f"start of the chat in a thread of {given.turns:,} turns": started["long"],
        "the same, a new thread": started["new"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokens", type=int, default=2_000)
    parser.add_argument("--turns", type=int, default=5_000)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="as-", dir="/tmp"))
    if os.geteuid() == 0:
        home.chmod(0o711)  # so that the server's account may enter
    kept = {key: value for key, value in os.environ.items() if not key.startswith("ARXIVSCOUT_")}
    try:
        with server(given.tokens) as url:
            environment = {
                **kept,
                "ARXIVSCOUT_HOME": str(home),
                "ARXIVSCOUT_USER": USER,
                "ARXIVSCOUT_OFFLINE": "1",
                "ARXIVSCOUT_MODEL": "slow",
                "ARXIVSCOUT_MODEL_BASE_URL": url,
                "ARXIVSCOUT_MODEL_API_KEY": "none",
            }
            result = measure(load_settings(environment), environment, given)
    finally:
        shutil.rmtree(home, ignore_errors=True)
    for name, ms in result.items():
        print(f"{name:60} {ms:9.2f} ms")
    print(json.dumps({name: round(ms, 3) for name, ms in result.items()}))


if __name__ == "__main__":
    main()
