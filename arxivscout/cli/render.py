"""The only printer. Whatever it shows has lost what a terminal would obey.

Answers, tables and JSON go to stdout; activity, notices, errors and logs to stderr.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cache, partial
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from arxivscout.errors import ScoutError, UsageError
from arxivscout.papers import clean_text, one_line

# Terminal sequences as a whole (CSI, OSC up to its end, the two-character ones): without this
# only their ESC would go, and "[31m" would be left in the text.
_SEQUENCES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]P^_X]|[\x9d\x90\x9e\x9f\x98])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]"
)
# What JSON leaves as it is, though a terminal or a reader can't bear it.
_UNSAFE_IN_JSON = re.compile("[\x7f-\x9f\ud800-\udfff\u2028-\u202e\u2066-\u2069\ufeff]")
# Characters that the folded column of a table must have.
_NARROWEST = 16
# Below this a sentence in a column is a word or two a line.
_NARROWEST_TEXT = 28
# Shorter ones would blank out half of every line.
_SHORTEST_SECRET = 4
_hidden: set[str] = set()


def safe(text: str) -> str:
    """`text` with no terminal sequence, control character or bidi override in it."""
    return clean_text(without_sequences(text))


def without_sequences(text: str) -> str:
    """`text` without what a terminal obeys, and with no ESC left that could begin more of it."""
    return _SEQUENCES.sub("", text).replace("\x1b", "")


@cache
def out() -> Console:
    """Standard output."""
    return _console(sys.stdout)


@cache
def err() -> Console:
    """Standard error."""
    return _console(sys.stderr)


def _console(stream: Any) -> Console:
    # A locale that can't say a character gets a question mark, never a traceback.
    stream.reconfigure(errors="replace")
    made = partial(
        Console, file=stream, highlight=False, markup=False, emoji=False,
        soft_wrap=not stream.isatty(),
    )  # fmt: skip
    console = made()
    # NO_COLOR asks for plain text: no bold either, no slant.
    return made(color_system=None) if console.no_color else console


def line(text: str = "", style: str = "", *, console: Console | None = None) -> None:
    """One or more whole lines of text, on stdout unless `console` says otherwise."""
    (console or out()).print(Text(safe(text), style=style))


def hanging(before: str, text: str) -> None:
    """`text` behind what stands before it, broken into lines that begin below it on a terminal."""
    width = out().width - cell_len(before) - 1
    lines = textwrap.wrap(text, width) if out().is_terminal and width >= _NARROWEST else [text]
    for at, each in enumerate(lines):
        line((before if not at else " " * cell_len(before)) + each)


def source(arxiv_id: str, title: str, url: str, *, console: Console | None = None) -> None:
    """A paper as it stands under an answer: id and title, then its link."""
    console = console or out()
    entry = f"  [arXiv:{arxiv_id}] {one_line(safe(title))}"
    if console.is_terminal:
        entry = "\n".join(textwrap.wrap(entry, console.width - 1, subsequent_indent=" " * 6))
    line(entry, console=console)
    line(f"      {url}", "dim", console=console)


def note(text: str) -> None:
    """A line on stderr, for what is going on."""
    line(text, "dim", console=err())


def hide(secrets: Sequence[str]) -> None:
    """Show none of these in an error from now on."""
    _hidden.update(secret for secret in secrets if len(secret) >= _SHORTEST_SECRET)


def error(problem: ScoutError) -> None:
    """What went wrong and how to mend it, on stderr: one line, on a terminal broken at blanks.

    Details, where there are any, have a line each below it.
    """
    _error_line(f"error: {problem.cause} {problem.mend}")
    for detail in problem.details:
        _error_line(f"  {detail}", indent="  ")


def _error_line(text: str, indent: str = "") -> None:
    text = indent + one_line(safe(text))
    for secret in _hidden:
        text = text.replace(secret, "***")
    if err().is_terminal:
        # Long words stay whole, so that a path or a command can be copied.
        lines = textwrap.wrap(
            text,
            max(err().width - 1, 20),
            subsequent_indent=indent * 2,
            break_long_words=False,
            break_on_hyphens=False,
        )
        text = "\n".join(lines)
    err().print(Text(text, style="red"), soft_wrap=True)


def json_out(value: object) -> None:
    """One JSON value on stdout."""
    ascii_only = (sys.stdout.encoding or "ascii").lower().replace("-", "") != "utf8"
    text = json.dumps(value, ensure_ascii=ascii_only, indent=2, default=_plain)
    print(_UNSAFE_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text), flush=True)


def document(text: str) -> None:
    """A whole text on stdout as it would stand in a file: never wrapped, nothing added."""
    whole = safe(text) if text.endswith("\n") else f"{safe(text)}\n"
    encoding = sys.stdout.encoding or "utf-8"
    # What a Latin-1 or C locale has no sign for is a question mark, as in all else that is printed.
    print(whole.encode(encoding, "replace").decode(encoding), end="", flush=True)


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def day(at: datetime | None) -> str:
    """The local date of a moment."""
    return f"{at.astimezone():%Y-%m-%d}" if at else ""


def minute(at: datetime | None) -> str:
    """The local date and time of day."""
    return f"{at.astimezone():%Y-%m-%d %H:%M}" if at else ""


def moment(at: datetime | None) -> str:
    """The local date and time of a moment."""
    return f"{at.astimezone():%Y-%m-%d %H:%M:%S}" if at else ""


def table(headers: Sequence[str], rows: Sequence[Sequence[str]], *, folded: int) -> None:
    """Rows under headers; the column number `folded` takes what width is left, in several lines.

    Where too little is left, or rows would get higher so, a row is a block of lines: no cell is
    ever cut.
    """
    rows = [[safe(cell) for cell in row] for row in rows]
    others = (column for at, column in enumerate(zip(headers, *rows, strict=True)) if at != folded)
    left = out().width - sum(max(map(cell_len, column)) + 2 for column in others)
    blocks = [_block(row, folded) for row in rows]
    if left < _NARROWEST or sum(map(len, blocks)) < sum(
        max(1, len(_wrapped(row[folded], left))) for row in rows
    ):
        for first, *below in blocks:
            line(first, "bold")
            for each in below:
                line(each)
        return
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for number, header in enumerate(headers):
        if number == folded:
            shown.add_column(header, ratio=1, overflow="fold")
        else:
            shown.add_column(header, no_wrap=True)
    for row in rows:
        shown.add_row(*(Text(cell) for cell in row))
    out().print(shown, soft_wrap=False)


def side_by_side(headers: Sequence[str], rows: Mapping[str, Sequence[str]]) -> None:
    """Texts under headers, a row to each name; where columns get narrow, one below the other."""
    label = max(map(cell_len, rows), default=0) + 2
    if (out().width - label) // max(len(headers), 1) < _NARROWEST_TEXT:
        for header in headers:
            _hanging(header, "bold")
        for name, cells in rows.items():
            line(f"\n{name}", "bold")
            for cell in cells:
                _hanging(cell)
        return
    shown = Table(box=None, pad_edge=False, header_style="bold", leading=1)
    shown.add_column("", no_wrap=True, style="bold")
    for header in headers:
        shown.add_column(Text(one_line(safe(header))), ratio=1, overflow="fold")
    for name, cells in rows.items():
        shown.add_row(name, *(Text(one_line(safe(cell))) for cell in cells))
    out().print(shown, soft_wrap=False)


def _hanging(text: str, style: str = "") -> None:
    wrapped = textwrap.wrap(one_line(safe(text)), max(out().width - 1, 20), subsequent_indent="  ")
    line("\n".join(wrapped), style)


def _block(row: Sequence[str], folded: int) -> list[str]:
    """A row as lines: the short cells side by side, the long one indented below them."""
    width, heads = out().width, [""]
    for cell in (cell for at, cell in enumerate(row) if at != folded and cell):
        if heads[-1] and cell_len(heads[-1]) + 2 + cell_len(cell) > width:
            heads.append("")
        heads[-1] += ("  " if heads[-1] else "") + cell
    return ["\n".join(heads), *(f"  {each}" for each in _wrapped(row[folded], max(width - 2, 8)))]


def _wrapped(text: str, width: int) -> list[str]:
    """The lines that a text takes; its own line ends stay."""
    lines = (textwrap.wrap(each, width, break_long_words=False) for each in text.split("\n"))
    return [part for each in lines for part in each]


@contextmanager
def getting_ready(*, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """Show that something is being set up; yields what tells of each step."""

    def notice(text: str) -> None:
        if not quiet:
            note(text)

    with working("getting ready", err()):
        yield notice


@contextmanager
def working(text: str, console: Console) -> Iterator[None]:
    """A moving sign while the block runs, on terminals only."""
    if not console.is_terminal or console.is_dumb_terminal:
        yield
        return
    with console.status(Text(safe(text), style="dim"), spinner="dots"):
        yield


def confirm(question: str, *, otherwise: str) -> bool:
    """Ask on the terminal.

    Raises:
        UsageError: nobody is there; `otherwise` says how it is done without being asked.
    """
    if not sys.stdin.isatty():
        raise UsageError(f"{question} Nobody is at the terminal to be asked.", otherwise)
    err().print(Text(safe(f"{question} [y/N] ")), end="")
    return sys.stdin.readline().strip().lower() in ("y", "yes")
