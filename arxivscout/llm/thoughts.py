"""A model's thoughts, which some servers leave in its text between `<think>` and `</think>`.

They are no part of the answer. A thought begins a line; a tag within one is spoken of, and stays.
"""

from __future__ import annotations

import re
from typing import Any

_NAMES = ("think", "thinking", "thought", "reasoning")
_OPEN = re.compile(rf"<({'|'.join(_NAMES)})>", re.IGNORECASE)
_LONGEST = max(map(len, _NAMES)) + len("</>")
_MAY_OPEN = re.compile(rf"<[a-z]{{0,{_LONGEST}}}\Z", re.IGNORECASE)


class Spoken:
    """What of a text that comes in pieces is said aloud; of a thought without an end nothing is."""

    def __init__(self) -> None:
        self._held = ""  # what may turn out to open or close a thought
        self._closes: re.Pattern[str] | None = None  # what ends the thought that is going on
        self._blank = True  # the line so far has nothing to see
        self._bare = False  # a thought is over, and nothing was said since

    def feed(self, piece: str) -> str:
        """The part of the text so far that is certainly said and was not given back yet."""
        self._held += piece
        said: list[str] = []
        while True:
            if self._closes is not None:
                found = self._closes.search(self._held)
                if found is None:
                    self._held = self._held[-_LONGEST:]
                    return "".join(said)
                self._held, self._closes, self._bare = self._held[found.end() :], None, True
            opens = next((each for each in _OPEN.finditer(self._held) if self._begins(each)), None)
            if opens is None:
                unsure = _MAY_OPEN.search(self._held)
                end = unsure.start() if unsure and self._begins(unsure) else len(self._held)
                said.append(self._say(end))
                return "".join(said)
            said.append(self._say(opens.start()))
            self._held = self._held[opens.end() - opens.start() :]
            self._closes = re.compile(rf"</{opens[1]}>", re.IGNORECASE)

    def finish(self) -> str:
        """What is left at the end of the text."""
        return self._say(len(self._held)) if self._closes is None else ""

    def _begins(self, found: re.Match[str]) -> bool:
        """Whether nothing stands before it in its line."""
        _, newline, line = self._held[: found.start()].rpartition("\n")
        return not line.strip() and (bool(newline) or self._blank)

    def _say(self, end: int) -> str:
        text, self._held = self._held[:end], self._held[end:]
        _, newline, line = text.rpartition("\n")
        self._blank = not line.strip() and (bool(newline) or self._blank)
        if self._bare:  # blank lines part the thought from the answer
            text = text.lstrip()
            self._bare = not text
        return text


def spoken(content: Any) -> Any:
    """A message's content without thoughts: its text, or the text of its blocks in order."""
    voice = Spoken()
    if isinstance(content, str):
        return voice.feed(content) + voice.finish()
    if not isinstance(content, list):
        return content
    blocks: list[Any] = []
    for block in content:
        if isinstance(block, str):
            block = voice.feed(block)
        elif isinstance(block, dict) and isinstance(block.get("text"), str):
            block = {**block, "text": voice.feed(block["text"])}
        blocks.append(block)
    if rest := voice.finish():
        blocks.append({"type": "text", "text": rest})
    return blocks
