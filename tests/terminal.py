"""A terminal for tests: a pseudo-terminal, and a screen that shows what a person would see."""

from __future__ import annotations

import re
import time

import pexpect
import pyte

CTRL_C, CTRL_D, UP, DOWN, TAB = "\x03", "\x04", "\x1b[A", "\x1b[B", "\t"
ALT_ENTER = "\x1b\r"
SIZE = ("COLUMNS", "LINES")  # of the terminal that runs the tests


class Terminal:
    """A program on a terminal of `size` columns and lines; `raw` is all that it has sent."""

    def __init__(
        self,
        program: list[str],
        environment: dict[str, str],
        size: tuple[int, int] = (100, 60),
    ) -> None:
        self.raw = ""
        self._screen = pyte.HistoryScreen(*size, history=5000, ratio=0.5)
        self._stream = pyte.Stream(self._screen)
        self._child = pexpect.spawn(
            program[0],
            program[1:],
            env={"TERM": "xterm-256color"}
            | {k: v for k, v in environment.items() if k not in SIZE},
            encoding="utf-8",
            dimensions=(size[1], size[0]),
        )
        # Where the cursor is, when the program asks.
        self._screen.write_process_input = self._child.send

    @property
    def pid(self) -> int:
        return self._child.pid

    @property
    def text(self) -> str:
        """What stands on the screen."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    @property
    def all_lines(self) -> list[str]:
        """What has left the screen at its top, and what stands on it."""
        left = [
            "".join(row[column].data for column in range(self._screen.columns)).rstrip()
            for row in self._screen.history.top
        ]
        return [*left, *self.text.split("\n")]

    def resize(self, columns: int, lines: int) -> None:
        self._child.setwinsize(lines, columns)
        self._screen.resize(lines, columns)

    def keys(self, keys: str) -> None:
        self._child.send(keys)

    def say(self, line: str) -> None:
        """Type a line, and wait for the next prompt."""
        prompts = self.prompts()
        self.keys(line + "\r")
        self.wait(lambda: self.prompts() > prompts)

    def prompts(self) -> int:
        """How often the prompt stands on the screen, a waiting one last."""
        waiting = self.text.endswith("\n>")
        return len(re.findall(r"^>", self.text, re.M)) if waiting else 0

    def see(self, pattern: str, seconds: float = 60) -> None:
        """Wait until `pattern` is on the screen."""
        self.wait(lambda: re.search(pattern, self.text) is not None, seconds, pattern)

    def wait(self, holds, seconds: float = 60, what: str = "the prompt") -> None:
        end = time.monotonic() + seconds
        while not holds():
            if not self._read():
                raise AssertionError(f"It ended without {what}:\n{self.text}")
            if time.monotonic() > end:
                raise AssertionError(f"No {what} in {seconds} s:\n{self.text}")

    def end(self, seconds: float = 60) -> int:
        """Wait for the program's end; its exit code, negative for a signal."""
        limit = time.monotonic() + seconds
        while self._read():
            if time.monotonic() > limit:
                raise AssertionError(f"It did not end in {seconds} s:\n{self.text}")
        self._child.close()
        status = self._child.exitstatus
        return status if status is not None else -self._child.signalstatus

    def close(self) -> None:
        self._child.close(force=True)

    def _read(self) -> bool:
        try:
            piece = self._child.read_nonblocking(65536, timeout=0.1)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += piece
        self._stream.feed(piece)
        return True
