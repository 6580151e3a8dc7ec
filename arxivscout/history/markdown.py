"""A thread as Markdown. Answers keep their lists and emphasis; nothing in them becomes HTML, a
link, an image, or a heading that could pass for one of ours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from arxivscout.history.transcript import (
    Section,
    Transcript,
    numbered,
    paper_of,
    split_at_citations,
)
from arxivscout.papers import one_line
from arxivscout.papers.citing import render_citations
from arxivscout.papers.citing.markdown import escape_markdown, without_links

_HEADING = 100  # characters of a question that stand in its heading
# Character references can't be markup, whatever stands before them (a backslash could).
_REFERENCES = str.maketrans({"<": "&lt;", "[": "&#91;", "]": "&#93;"})
# What makes a line, or the one above it, a heading, a rule, or code: also within a quotation or an
# item of a list. Possessive, so that a long line is read once.
_RULE = r"[=\-*_](?=[ \t]*+(?:[=\-*_][ \t]*+)*+$)"
_LINE = re.compile(rf"(?m)^([ \t>]*+)({_RULE})")
_LINE_START = re.compile(
    r"(?m)^((?:[ \t>]|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*+)" rf"(#|`{{3}}|~{{3}}|{_RULE})"
)


def markdown(transcript: Transcript) -> str:
    """The thread as one document that ends with its numbered sources."""
    numbers = numbered(transcript.sections)
    parts = [f"# {escape_markdown(transcript.title)}"]
    for position, section in enumerate(transcript.sections, start=1):
        parts += _section(position, section, numbers)
    if numbers:
        parts.append("## Sources")
        parts.append("\n".join(_source(transcript, each, n) for each, n in numbers.items()))
    return "\n\n".join(parts) + "\n"


def _section(position: int, section: Section, numbers: Mapping[str, int]) -> Iterator[str]:
    asked = one_line(section.question)
    short = asked if len(asked) <= _HEADING else f"{asked[: _HEADING - 1]}…"
    yield f"## {position}. {escape_markdown(short) or '(nothing was asked)'}"
    facts = [
        f"{section.asked_at.astimezone():%Y-%m-%d %H:%M}" if section.asked_at else "",
        escape_markdown(section.model or ""),
        section.status if section.status not in (None, "answered") else "",
        f"judged {section.feedback}" if section.feedback else "",
    ]
    if any(facts):
        yield f"*{' · '.join(filter(None, facts))}*"
    if asked != section.question.strip() or short != asked:
        yield "\n".join(f"> {_plain(line)}" for line in section.question.strip().splitlines())
    yield _answer(section.answer.strip(), numbers) or "(no answer)"
    if section.remarks:
        yield "\n".join(_remark(each, why, numbers) for each, why in section.remarks)


def _answer(text: str, numbers: Mapping[str, int]) -> str:
    parts: list[str] = []
    for words, paper in split_at_citations(text):
        if paper:
            parts.append(f"[{numbers[paper]}]")
            continue
        plain = _plain(words)
        if parts and plain.startswith((":", "(")):  # a citation before it would become a link
            plain = f"&#{ord(plain[0])};{plain[1:]}"
        parts.append(plain)
    return "".join(parts)


def _plain(text: str) -> str:
    """Foreign Markdown without what could reach beyond its own text."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_REFERENCES)
    text = _LINE_START.sub(_as_references, _LINE.sub(_as_references, text))
    return without_links(text)


def _as_references(match: re.Match[str]) -> str:
    return match[1] + "".join(f"&#{ord(character)};" for character in match[2])


def _remark(arxiv_id: str, why: str, numbers: Mapping[str, int]) -> str:
    about = f"[{numbers[arxiv_id]}] " if arxiv_id in numbers else ""
    return f"- {about}*{escape_markdown(why)}*"


def _source(transcript: Transcript, arxiv_id: str, number: int) -> str:
    entry = render_citations([paper_of(transcript, arxiv_id)], "markdown")
    return f"{number}. {entry.removeprefix('- ').strip()}"
