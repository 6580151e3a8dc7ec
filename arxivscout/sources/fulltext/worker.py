"""The process that parses one document: `python -m arxivscout.sources.fulltext.worker`.

A document is untrusted and its parser is C++: it runs here, with bounds on memory, time and output
that the system keeps, and hands back JSON. What it can't read it says in one word. Arguments: pdf
or html, the path (html comes through standard input), and the bounds as JSON.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from pathlib import Path

from arxivscout.papers.fulltext import FullText
from arxivscout.sources.fulltext.wire import to_json

_BEGAN = time.monotonic()
_FOR_PAGES = 0.7  # of the time; what is left is for putting them together


def main(arguments: list[str]) -> None:
    kind, path, bounds = arguments[0], arguments[1], json.loads(arguments[2])
    _bind(bounds["memory"], bounds["cpu_seconds"], bounds["seconds"])
    answer = _parse(kind, Path(path), bounds)
    data = answer.encode("utf-8", "replace")
    if len(data) > bounds["output"]:
        data = b'{"refused":"long"}'
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _parse(kind: str, path: Path, bounds: dict[str, int]) -> str:
    if kind == "html":
        return _html(sys.stdin.buffer.read())
    # imported after the bounds are set, so that they hold for pdfium too
    from arxivscout.sources.fulltext.pdf_text import read_pdf_text
    from arxivscout.sources.fulltext.pdf_words import Unreadable

    try:
        text = read_pdf_text(
            path,
            most_pages=bounds["pages"],
            most_letters=bounds["output"] // 4,
            time_is_up=lambda: _time_is_up(bounds["cpu_seconds"], bounds["seconds"]),
        )
    except Unreadable as error:
        return json.dumps({"refused": error.reason})
    return _answer(text)


def _time_is_up(cpu_seconds: int, seconds: int) -> bool:
    """Whether no more pages can be read, and what was read still be judged, in time."""
    waited = time.monotonic() - _BEGAN
    return time.process_time() > _FOR_PAGES * cpu_seconds or waited > _FOR_PAGES * seconds


def _html(data: bytes) -> str:
    from arxivscout.sources.fulltext.html_text import NoPaper, parse_html

    try:
        return _answer(parse_html(data))
    except NoPaper:
        return json.dumps({"refused": "no paper"})


def _answer(text: FullText) -> str:
    return f'{{"text":{to_json(text)}}}'


def _bind(memory: int, cpu_seconds: int, seconds: int) -> None:
    if sys.platform == "win32":
        return  # no such bounds there: the parent's clock is all
    import resource

    def limit(kind: int, soft: int, hard: int) -> None:
        most = resource.getrlimit(kind)[1]
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        resource.setrlimit(kind, (soft, hard))

    limit(resource.RLIMIT_CPU, cpu_seconds, cpu_seconds + 5)
    limit(resource.RLIMIT_CORE, 0, 0)
    if sys.platform != "darwin":  # which counts what it never uses, and refuses
        limit(resource.RLIMIT_AS, memory, memory)
    signal.alarm(seconds + 5)  # for when the parent is gone


if __name__ == "__main__":
    main(sys.argv[1:])
