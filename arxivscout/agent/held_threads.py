"""What a process holds of its threads between turns, so that a turn needs no database for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class HeldThread:
    """The newest messages of a thread, and the tools picked for it; a turn replaces both."""

    messages: list[Any] = field(default_factory=list)
    tools: list[str] = field(default_factory=list)


class HeldThreads:
    """One person's threads in this process."""

    def __init__(self) -> None:
        self._threads: dict[str, HeldThread] = {}

    def of(self, thread_id: str) -> HeldThread:
        """What is held of the thread; nothing yet, where no turn of it was asked here."""
        return self._threads.setdefault(thread_id, HeldThread())

    def rename(self, thread_id: str, new: str) -> None:
        """Let what is held be of the thread's new name."""
        if thread_id in self._threads:
            self._threads[new] = self._threads.pop(thread_id)

    def forget(self, thread_id: str) -> None:
        """Hold nothing more of the thread."""
        self._threads.pop(thread_id, None)

    def forget_turn(self, thread_id: str, turn_id: str) -> None:
        """Drop a turn's messages: from its question up to the next one."""
        held = self.of(thread_id).messages
        begins = [at for at, each in enumerate(held) if each.type == "human"]
        for number, at in enumerate(begins):
            if held[at].id == turn_id:
                del held[at : begins[number + 1] if number + 1 < len(begins) else len(held)]
                return
