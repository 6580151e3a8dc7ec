"""A thread as one web page: no script, nothing fetched, everything escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape

from arxivscout.history.transcript import (
    Section,
    Transcript,
    numbered,
    paper_of,
    split_at_citations,
)
from arxivscout.papers import Paper, one_line

_SHOWN_AUTHORS = 10
_STYLE = """\
:root { color-scheme: light dark; --ink: #1c1c1e; --paper: #fff; --soft: #66666d; --line: #d9d9de;
  --link: #0b57d0; --box: #f4f4f6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8ea; --paper: #17171a; --soft: #a0a0a8;
  --line: #3a3a40; --link: #8ab4f8; --box: #222226; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem 4rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.15rem; line-height: 1.35; }
h3 { font-size: 1rem; }
section { border-top: 1px solid var(--line); margin-top: 1.5rem; padding-top: .5rem; }
blockquote { margin: 0 0 1rem; padding: .5rem 1rem; background: var(--box); border-radius: .5rem;
  white-space: pre-wrap; }
.facts, .remarks { color: var(--soft); font-size: .875rem; }
pre { overflow-x: auto; background: var(--box); padding: .75rem; border-radius: .5rem; }
code { background: var(--box); border-radius: .25rem; padding: 0 .2em; }
a { color: var(--link); } sup a { text-decoration: none; }
@media print { :root { --ink: #000; --paper: #fff; --soft: #333; --link: #000; --box: #fff; }
  body { max-width: none; padding: 0; font-size: 11pt; } h2 { break-after: avoid; }
  li, blockquote { break-inside: avoid; } }
"""
_BREAK = "<br>\n"  # a line of an answer is a line, as in the terminal
_BULLET = re.compile(r"\s{0,3}(?:[-*•]|(\d{1,3})[.)])\s+(.*)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(.*)")
# Strong words hold no `**` and are not gone back over: a long line is read once.
_INLINE = re.compile(r"\*\*(?=\S)((?:[^*\n]|\*(?!\*))++)(?<=\S)\*\*|`([^`]+)`")


def page(transcript: Transcript) -> str:
    """The thread as a page that ends with its numbered sources."""
    numbers = numbered(transcript.sections)
    title = escape(one_line(transcript.title))
    sections = "".join(
        f"<section>\n{''.join(_section(each, numbers))}</section>\n" for each in transcript.sections
    )
    return (
        '<!doctype html>\n<html lang="und">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{title}</title>\n<style>\n{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        f"{sections}{_sources(transcript, numbers)}</body>\n</html>\n"
    )


def _section(section: Section, numbers: Mapping[str, int]) -> Iterator[str]:
    asked = section.question.strip()
    if "\n" in asked or len(asked) > 200:
        yield f"<h2>{escape(one_line(asked[:100]))}…</h2>\n"
        yield f"<blockquote>{escape(asked)}</blockquote>\n"
    else:
        yield f"<h2>{escape(asked) or '(nothing was asked)'}</h2>\n"
    facts = [
        f"{section.asked_at.astimezone():%Y-%m-%d %H:%M}" if section.asked_at else "",
        section.model or "",
        section.status if section.status not in (None, "answered") else "",
        f"judged {section.feedback}" if section.feedback else "",
    ]
    if any(facts):
        yield f'<p class="facts">{escape(" · ".join(filter(None, facts)))}</p>\n'
    yield from _blocks(section.answer.strip() or "(no answer)", numbers)
    if section.remarks:
        items = "".join(
            f"<li>{_number(each, numbers)} {escape(why)}</li>" for each, why in section.remarks
        )
        yield f'<ul class="remarks">{items}</ul>\n'


def _blocks(answer: str, numbers: Mapping[str, int]) -> Iterator[str]:
    """Paragraphs, lists, headings and fenced code; all other Markdown stays text."""
    lines: list[str] = []
    kind = ""
    fenced = False
    for line in [*answer.split("\n"), ""]:
        if line.lstrip().startswith("```"):
            yield from _block(kind, lines, numbers)
            fenced, lines, kind = not fenced, [], "" if fenced else "pre"
            continue
        if fenced:
            lines.append(line)
            continue
        heading, bullet = _HEADING.fullmatch(line), _BULLET.fullmatch(line)
        now = "h3" if heading else "p" if line.strip() else ""
        if bullet:
            now = "ol" if bullet[1] else "ul"
        if now == "p" and kind in ("ul", "ol") and line.startswith("  "):
            lines[-1] += f"\n{line.strip()}"  # a bullet's second line
            continue
        if now != kind or heading:
            yield from _block(kind, lines, numbers)
            lines, kind = [], now
        if now:
            if heading:
                lines.append(heading[1].rstrip().rstrip("#").rstrip())
            else:
                lines.append(bullet[2] if bullet else line)
    yield from _block(kind, lines, numbers)


def _block(kind: str, lines: list[str], numbers: Mapping[str, int]) -> Iterator[str]:
    if kind in ("ul", "ol"):
        items = "".join(
            f"<li>{_words(line, numbers).replace(chr(10), _BREAK)}</li>" for line in lines
        )
        yield f"<{kind}>{items}</{kind}>\n"
    elif kind == "pre":
        yield f"<pre>{escape(chr(10).join(lines))}</pre>\n"
    elif kind:
        text = _words(chr(10).join(lines), numbers)
        yield f"<{kind}>{text.replace(chr(10), _BREAK)}</{kind}>\n"


def _words(text: str, numbers: Mapping[str, int]) -> str:
    return "".join(
        _number(paper, numbers) if paper else _inline(words)
        for words, paper in split_at_citations(text)
    )


def _inline(text: str) -> str:
    """Escaped text with **strong** and `code`; the marks are found before escaping adds others."""
    parts: list[str] = []
    end = 0
    for match in _INLINE.finditer(text):
        parts.append(escape(text[end : match.start()]))
        tag, words = ("strong", match[1]) if match[1] else ("code", match[2])
        parts.append(f"<{tag}>{escape(words)}</{tag}>")
        end = match.end()
    return "".join([*parts, escape(text[end:])])


def _number(arxiv_id: str, numbers: Mapping[str, int]) -> str:
    number = numbers.get(arxiv_id)
    return f'<sup><a href="#source-{number}">[{number}]</a></sup>' if number else ""


def _sources(transcript: Transcript, numbers: Mapping[str, int]) -> str:
    if not numbers:
        return ""
    items = "".join(
        f'<li id="source-{number}">{_source(paper_of(transcript, each))}</li>\n'
        for each, number in numbers.items()
    )
    return f"<section>\n<h2>Sources</h2>\n<ol>\n{items}</ol>\n</section>\n"


def _source(paper: Paper) -> str:
    names = list(paper.authors[:_SHOWN_AUTHORS])
    if len(paper.authors) > len(names):
        names.append(f"and {len(paper.authors) - len(names):,} others")
    facts = [", ".join(names).rstrip("."), (paper.published or "")[:4]]
    about = "".join(f"{fact}. " for fact in facts if fact)
    return (
        f"<cite>{escape(one_line(paper.title).rstrip('.'))}</cite>. {escape(about)}"
        f'<a href="{escape(paper.url)}" rel="noopener noreferrer">'
        f"arXiv:{escape(paper.arxiv_id)}</a>."
        f"{' <strong>Withdrawn.</strong>' if paper.withdrawn else ''}"
    )
