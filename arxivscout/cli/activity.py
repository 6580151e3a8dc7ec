"""What a turn does while nothing is said yet: one moving line, then one that tells of it all."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from rich.live import Live
from rich.text import Text

from arxivscout.cli import render
from arxivscout.papers import one_line
from arxivscout.redaction import redacted

if TYPE_CHECKING:
    from rich.console import Console

    from arxivscout.agent.events import ToolEnded

_SAYINGS = {
    "search_papers": "searching the papers held: {query}",
    "search_arxiv": "searching arXiv: {query}",
    "read_paper": "reading arXiv:{arxiv_id}",
    "compare_papers": "putting papers side by side",
    "recall_memory": "looking into memory ({kind}): {query}",
    "read_tool_logs": "looking into the tool log",
    "save_memory": "remembering a {kind}: {text}",
    "update_memory": "correcting a memory: {text}",
    "forget_memory": "forgetting a memory",
    "remember": "remembering a {kind}: {text}",
    "correct": "correcting a memory: {text}",
    "merge": "making one of several memories",
    "link": "linking {subject} and {object}",
    "summarise_thread": "summarising the thread",
    "expand_summary": "opening a summary",
    "open_result": "reading on in a result",
    "neighbours": "looking at what is joined to {name}",
    "related": "looking for what has much in common with {name}",
    "path": "looking for the way from {start} to {end}",
    "timeline": "looking at what happened: {about}",
    "match": "asking the graph: {pattern}",
    "lessons": "looking up lessons: {query}",
    "reflect_now": "reflecting on the latest turns",
    "reinforce": "counting a word on a lesson",
    "archive": "archiving a memory",
    "deep_recall": "searching all of memory: {query}",
    "drill_down": "opening a summary",
    "consolidate": "condensing memories that belong together",
    "search_passages": "searching inside full texts: {query}",
}
_LONGEST_SAYING = 68
_LONGEST_RESULT = 160  # an error may list, for the model, all that there is
_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_FRAMES_A_SECOND = 10
_GOOD = ("success", "ok", "empty")


class Activity:
    """Shows a turn's tool calls on `console`.

    On a terminal one line moves, with what is done now and its seconds, and folds into one dim line
    once the answer begins; elsewhere each call is a line when it ends.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._moving = console.is_terminal and not console.is_dumb_terminal
        self._live: Live | None = None
        self._doing = "thinking"
        self._since = time.monotonic()
        self._running: list[tuple[str, str]] = []  # tool, what is said of it
        self._done: list[str] = []
        self._seconds = 0.0
        self.told = False  # something stands on the console

    def think(self, text: str = "thinking") -> None:
        """Show that something goes on."""
        self._doing, self._since = text, time.monotonic()
        if self._moving and self._live is None:
            self._live = Live(
                get_renderable=self._line,
                console=self._console,
                transient=True,
                refresh_per_second=_FRAMES_A_SECOND,
            )
            self._live.start(refresh=True)

    def started(self, name: str, arguments: dict[str, Any]) -> None:
        """A call begins."""
        self._running.append((name, saying(name, arguments)))
        self.think(self._running[-1][1])

    def ended(self, event: ToolEnded) -> None:
        """A call ended."""
        running = next((each for each in self._running if each[0] == event.name), None)
        if running:
            self._running.remove(running)
        told = running[1] if running else saying(event.name, {})
        result = _cut(one_line(render.safe(event.summary or event.status)), _LONGEST_RESULT)
        text = f"{told} · {result}, {event.seconds:.1f} s"
        if event.status not in _GOOD:
            self.tell(f"• {text}", "red")
        elif self._moving:
            self._done.append(text)
            self._seconds += event.seconds
        else:
            self.tell(f"• {text}", "dim")
        self.think(self._running[-1][1] if self._running else f"thinking · {result}")

    def tell(self, text: str, style: str) -> None:
        """A line that stays."""
        self.stop()
        render.line(text, style, console=self._console)
        self.told = True

    def fold(self) -> None:
        """The moving line goes; one line tells of the calls that went well."""
        self.stop()
        if not self._done:
            return
        text = self._done[0]
        if len(self._done) > 1:
            text = f"{len(self._done)} steps, {self._seconds:.1f} s: " + "; ".join(self._done)
        shown = Text(f"• {text}", style="dim", no_wrap=True)
        shown.truncate(self._console.width - 1, overflow="ellipsis")
        self._console.print(shown)
        self._done, self._seconds, self.told = [], 0.0, True

    def stop(self) -> None:
        """The moving line goes."""
        if self._live:
            self._live.stop()
            self._live = None

    def _line(self) -> Text:
        spent = time.monotonic() - self._since
        frame = _FRAMES[int(spent * _FRAMES_A_SECOND) % len(_FRAMES)]
        seconds = f" · {spent:.0f} s" if spent >= 1 else ""
        line = Text(f"{frame} {self._doing}{seconds}", style="dim", no_wrap=True)
        line.truncate(self._console.width - 1, overflow="ellipsis")
        return line


def saying(name: str, arguments: dict[str, Any]) -> str:
    """What a tool's call does, in a few words."""
    values = {key: value for key, value in arguments.items() if value is not None}
    try:
        text = _SAYINGS[name].format_map(values)
    except KeyError:
        text = f"{name} {', '.join(f'{key}={value}' for key, value in values.items())}"
    # Taken out as from what it keeps.
    return _cut(one_line(render.safe(redacted(text))), _LONGEST_SAYING)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
