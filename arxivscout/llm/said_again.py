"""The answer before, said in the manner that is asked for: shorter, in one sentence.

Papers are quoted in fewer sentences. What was said of the person or was not found has a part that
answers and a part that tells whence: only the first is left. Where nothing changes, it says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from arxivscout.llm.extractive_answer import MODE, Written
from arxivscout.llm.extractive_lessons import Remark
from arxivscout.llm.extractive_reading import Reading

SAID_ALREADY = "Without a chat model I can’t say that {}."
_NUMBERS = {"one": 1, "a": 1, "una": 1, "un": 1, "two": 2, "due": 2, "three": 3, "tre": 3}
_SENTENCES = re.compile(
    rf"\b(?P<number>{'|'.join(_NUMBERS)}|[1-9])(?: single| short)? (?:sentences?|lines?|fras[ei]"
    r"|righ?[ae])\b",
    re.IGNORECASE,
)
# Where the answer ends and its source begins, and where a sentence does.
_SOURCE = re.compile(r"[.:] (?:you said|hai detto)\b", re.IGNORECASE)
_ENDS = re.compile(r"(?<=[a-z]{4})[.:](?= |$)")
_QUOTED = re.compile(r"^(?!- .*\(\d{4}\) \[).*\[arXiv:[^]]+\]$")  # but for what is only named
_MANNERS = {"short": "shorter", "long": "at more length", "plain": "more plainly"}


def sentences_asked(remark: Remark | None, last_answer: str) -> int | None:
    """How many sentences are wanted: as said, or for "shorter" fewer than there were."""
    if remark is None or not remark.manner:
        return None
    if found := _SENTENCES.search(remark.noticed.note):
        number = found["number"].lower()
        return _NUMBERS.get(number) or int(number)
    quoted = [line for line in last_answer.splitlines() if _QUOTED.search(line)]
    return max(len(quoted) - 1, 1) if quoted and remark.noticed.asks == "short" else None


def sentences_wished(stated: Sequence[str]) -> int | None:
    """How many sentences an answer is to have by what the person prefers; the last word counts."""
    for text in reversed(stated):
        if found := _SENTENCES.search(text):
            number = found["number"].lower()
            return _NUMBERS.get(number) or int(number)
    return None


def said_again(written: Written, reading: Reading, asks: str) -> Written:
    """What `written` comes to in the manner asked for; a line where it was said so before."""
    said_already = SAID_ALREADY.format(_MANNERS.get(asks, "otherwise"))
    if asks == "short" and not written.quoted and not _is_list(written.text):
        written = replace(written, text=brief(written.text))
    last = reading.last_answer.removeprefix(f"{said_already}\n")
    if _bare(written.text) == _bare(last):
        if written.quoted:  # what papers say is an answer still
            return replace(written, text=f"{said_already}\n{written.text}")
        return Written(said_already)
    return written


def brief(text: str) -> str:
    """The answer alone, without its source, its list or what to do next."""
    first = text.removeprefix(MODE).lstrip(": \n").partition("\n")[0]
    end = _SOURCE.search(first) or _ENDS.search(first)
    first = first[: end.start()] if end else first
    return f"{first[:1].upper()}{first[1:].rstrip(' .:')}."


def _is_list(text: str) -> bool:
    return "\n- " in text and not _SOURCE.search(text.partition("\n")[0])


def _bare(text: str) -> str:
    return " ".join(text.split()).casefold()
