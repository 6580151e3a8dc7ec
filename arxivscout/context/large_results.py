"""Tool results that are too long for the window: head, tail and a handle that opens the rest."""

from __future__ import annotations

from collections.abc import Sequence

from arxivscout.context.budget import MARK, clip, count_tokens, shorten
from arxivscout.papers.rendering import CLOSING, OPENING

HEAD_SHARE = 0.75  # of the room for a result; the rest is for its end
LONGEST_RESULT = 6_000  # tokens of one result, however large the window is
PAGE_TOKENS = 1_500  # of a result that is opened page by page
LEAST_TAIL = 12  # tokens
HANDLE = "[… left out here; open_result(result_id={handle!r}) has all {whole:,} characters …]"


def fit_results(results: Sequence[str], tokens: int, handles: Sequence[str] = ()) -> list[str]:
    """Tool results shortened so that together they take at most `tokens`.

    The newest keep the most: each may use half of what is left; its last line (the status) stays.

    Args:
        handles: for each result what opens it again, "" or none where nothing does.
    """
    sizes = [count_tokens(clip(each, max(tokens, 0))) for each in results]
    if sum(sizes) <= tokens and all(
        size <= LONGEST_RESULT and clip(each, tokens) is each
        for size, each in zip(sizes, results, strict=True)
    ):
        return list(results)
    fitted: list[str] = []
    room = max(tokens, 0)
    for position, result in enumerate(reversed(results)):
        place = len(results) - 1 - position
        share = min(room if place == 0 else room // 2, LONGEST_RESULT)
        handle = handles[place] if place < len(handles) else ""
        text = _cut(result, share, handle)
        room -= count_tokens(text)
        fitted.insert(0, text)
    return fitted


def pages(text: str) -> list[str]:
    """The text in pages of about `PAGE_TOKENS`, cut at line ends where there are any.

    The fence around papers is closed at a page's end and opened again on the next.
    """
    found: list[str] = []
    page: list[str] = []
    room, fenced = PAGE_TOKENS, False
    for line in _short_lines(text):
        cost = count_tokens(line) + 1
        if cost > room and page:
            found.append("\n".join([*page, CLOSING] if fenced else page))
            page, room = ([OPENING] if fenced else []), PAGE_TOKENS
        fenced = line == OPENING or (fenced and line != CLOSING)
        page.append(line)
        room -= cost
    return [*found, "\n".join(page)]


def _short_lines(text: str) -> list[str]:
    """The lines, none longer than a page."""
    lines = []
    for line in text.split("\n"):
        while clip(line, PAGE_TOKENS) is not line or count_tokens(line) >= PAGE_TOKENS:
            begin = shorten(line, PAGE_TOKENS - 1).removesuffix(MARK)
            begin = begin or line[: PAGE_TOKENS // 2]
            lines.append(begin)
            line = line[len(begin) :].lstrip()
        lines.append(line)
    return lines


def _cut(result: str, tokens: int, handle: str) -> str:
    """The result within `tokens`: its head, what was left out, its tail, its line of status."""
    if clip(result, tokens) is result and count_tokens(result) <= tokens:
        return result
    body, _, status = result.rpartition("\n")
    room = tokens - count_tokens(status) - 1
    if room <= 0:
        return shorten(result, tokens)
    note = HANDLE.format(whole=len(body), handle=handle) if handle else ""
    room -= count_tokens(note) + 1 if note else 0
    if room < LEAST_TAIL:
        return f"{shorten(body, tokens - count_tokens(status) - 1)}\n{status}".strip()
    if OPENING in body:  # records stay whole, and a tail would stand in another's record
        return "\n".join(filter(None, [_records(body, room), note, status]))
    tail = _tail(body, int(room * (1 - HEAD_SHARE))) if note else ""
    head = shorten(body, room - count_tokens(tail) - 1)
    return "\n".join(filter(None, [head, note, tail, status]))


def _tail(text: str, tokens: int) -> str:
    """The last whole lines, or words, of `text` within `tokens`."""
    kept: list[str] = []
    end = text[-(tokens + 2) * 8 :]
    for separator in ("\n", " "):
        for part in reversed(end.split(separator)[1:]):
            cost = count_tokens(part) + 1
            if cost > tokens:
                break
            kept.insert(0, part)
            tokens -= cost
        if kept:
            return separator.join(kept)
    return ""


def _records(body: str, tokens: int) -> str:
    """As many records of papers as fit, the fence closed behind them; the last one may be cut."""
    cut = shorten(body, tokens - count_tokens(f"\n{CLOSING}") - 1)
    return f"{cut}\n{CLOSING}" if OPENING in cut and CLOSING not in cut else cut
