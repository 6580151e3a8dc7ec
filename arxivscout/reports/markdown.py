"""A report as Markdown. Foreign text stays text, and never leaves its line or cell."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence

from arxivscout.papers import one_line
from arxivscout.papers.citing.markdown import escape_markdown
from arxivscout.reports import facts
from arxivscout.reports.drawing import letter
from arxivscout.reports.report import Report, ReportPaper, Sentence

_BAR = 40  # characters of the longest
# What would begin a list, a heading's underline or a rule, where text begins a line.
_BEGINNING = re.compile(r"([-+=]|\d{1,9}(?=[.)](?:\s|$)))(.*)", re.DOTALL)


def to_markdown(report: Report) -> str:
    """The report as one document."""
    cited = facts.numbers(report)
    parts = [f"# {plain(report.question) or '(nothing was asked)'}", *_head(report)]
    for heading, inner in _parts(report, cited):
        parts += [f"## {heading}", *inner]
    # `[1]` in the text is a link by these lines, which no reader shows.
    if cited:
        lines = (f"[{number}]: {facts.address(paper)}" for paper, number in cited.items())
        parts.append("\n".join(lines))
    return "\n\n".join(filter(None, parts)) + "\n"


def plain(text: str) -> str:
    """One line of foreign text as Markdown that shows it, wherever in a line it stands."""
    # A word joiner parts what would be an address, or somebody's name on GitHub.
    text = escape_markdown(text).replace("@", "@&#8288;")
    if match := _BEGINNING.fullmatch(text):
        first = match[1]
        return f"&#{ord(first[0])};{first[1:]}{match[2]}"
    return text


def _head(report: Report) -> Iterator[str]:
    yield " · ".join(
        filter(
            None,
            [
                facts.moment(report.started_at),
                facts.counted(len(report.papers), "paper"),
                f"{len(facts.numbers(report))} cited",
                facts.span(report),
                facts.duration(report.seconds),
                plain(report.cost.model),
            ],
        )
    )
    if report.extractive:
        yield "*Quoted, not written: every sentence stands in the paper that it cites.*"
    if remembered := facts.remembered(report):
        yield f"*{remembered}*"
    yield from (f"*{plain(line)}*" for line in report.preferences if one_line(line))


def _parts(report: Report, cited: Mapping[str, int]) -> Iterator[tuple[str, list[str]]]:
    if not_found := plain(report.not_found):
        yield facts.NO_ANSWER, [not_found]
    if report.brief:
        yield "The answer in brief", list(_paragraph(report.brief, cited))
    for number, section in enumerate(report.sections, start=1):
        text = [part for each in section.paragraphs for part in _paragraph(each, cited)]
        if facts.said_above(report, section):
            text = [facts.SAID_ABOVE]
        yield plain(section.title) or f"Part {number}", text
    if not report.digest:
        yield "What is disputed", [_points(report.disputed, cited)]
        yield "What is open", [_points(report.open_questions, cited)]
    if report.themes:
        yield "Themes", list(_themes(report, cited))
    if years := facts.years(report):
        yield "The papers by year", [_timeline(years)]
    if compared := _comparison(report, cited):
        yield "Compared", [compared]
    if report.papers:
        yield "The papers", [_papers(report, cited)]
    if cited:
        yield "References", ["\n".join(_references(report))]
    lines = [f"- {plain(line)}" for line in report.problems if one_line(line)]
    yield "What the check found", [facts.checked(report), "\n".join(lines)]
    yield "How it was researched", list(_how(report))


def _paragraph(sentences: Sequence[Sentence], cited: Mapping[str, int]) -> Iterator[str]:
    yield " ".join(_sentence(each, cited) for each in sentences)
    yield "\n".join(_remarks(sentences))


def _points(sentences: Sequence[Sentence], cited: Mapping[str, int]) -> str:
    items = [
        "\n".join([f"- {_sentence(each, cited)}", *(f"  {line}" for line in _remarks([each]))])
        for each in sentences
    ]
    return "\n".join(items) or facts.NONE_FOUND


def _sentence(each: Sentence, cited: Mapping[str, int]) -> str:
    found = dict.fromkeys(cited[paper] for paper in each.papers if paper in cited)
    mark = facts.MARKS[each.verdict]
    # Blanks between the numbers: `[1][2]` would be one link.
    parts = [
        plain(each.text),
        *(f"[{number}]" for number in found),
        f"**({mark})**" if mark else "",
    ]
    return " ".join(filter(None, parts))


def _remarks(sentences: Sequence[Sentence]) -> list[str]:
    lines = dict.fromkeys(line for each in sentences for line in map(plain, each.problems))
    return [f"- *Check:* {line}" for line in lines if line]


def _themes(report: Report, cited: Mapping[str, int]) -> Iterator[str]:
    for place, theme in enumerate(report.themes):
        yield f"### {letter(place)} · {plain(theme.name) or 'unnamed'}"
        yield " · ".join(filter(None, map(plain, theme.terms)))
        yield "\n".join(
            f"- {plain(paper.title)} ({plain(facts.short_name(paper))}){_number(paper, cited)}"
            for paper in facts.of_theme(report, place)
        )


def _number(paper: ReportPaper, cited: Mapping[str, int]) -> str:
    return f" [{cited[paper.arxiv_id]}]" if paper.arxiv_id in cited else ""


def _timeline(years: Sequence[tuple[int, int, int]]) -> str:
    most = max(cited + other for _, cited, other in years)
    unit = min(4.0, _BAR / most)
    lines = []
    for year, cited, other in years:
        if cited + other:
            dark, whole = math.ceil(cited * unit), math.ceil((cited + other) * unit)
            lines.append(f"{year} {'█' * dark}{'░' * (whole - dark)} {cited + other}")
        elif lines[-1] != "…":
            lines.append("…")
    return "\n".join(["```text", *lines, "```", "", "█ cited, ░ not cited"])


def _comparison(report: Report, cited: Mapping[str, int]) -> str:
    compared = facts.compared(report)
    none = facts.stated_by_none(compared)
    points = [name for name in (compared[0][1] if compared else ()) if name not in none]
    rows = [
        [
            f"{plain(facts.short_name(paper))}{_number(paper, cited)}",
            *(plain(said[name]) or f"*{facts.NOT_STATED}*" for name in points),
        ]
        for paper, said in compared
    ]
    parts = [
        _table(["Paper", *map(plain, points)], rows) if rows else "",
        f"None of these papers states: {', '.join(map(plain, none))}." if none else "",
    ]
    return "\n\n".join(filter(None, parts))


def _papers(report: Report, cited: Mapping[str, int]) -> str:
    heads = ["No.", "Title", "Authors", "Year", "Category", "Why it is here", "arXiv"]
    return _table(heads, [_row(report, paper, cited) for paper in report.papers])


def _row(report: Report, paper: ReportPaper, cited: Mapping[str, int]) -> list[str]:
    theme = facts.theme_of(report, paper)
    why = [
        plain(paper.why),
        f"theme {letter(theme)}" if theme is not None else "",
        facts.novelty(report, paper),
    ]
    return [
        _number(paper, cited).strip(),
        plain(paper.title) + _withdrawn(paper),
        plain(facts.byline(paper.authors)),
        facts.year(paper),
        plain(paper.categories[0]) if paper.categories else "",
        " · ".join(filter(None, why)),
        _link(paper),
    ]


def _link(paper: ReportPaper) -> str:
    return f"[arXiv:{plain(paper.arxiv_id)}]({facts.address(paper.arxiv_id)})"


def _withdrawn(paper: ReportPaper) -> str:
    return " **withdrawn**" if paper.withdrawn else ""


def _references(report: Report) -> Iterator[str]:
    for number, paper in facts.references(report):
        about = [
            f"*{plain(paper.title).rstrip('.')}*",
            plain(facts.byline(paper.authors)).rstrip("."),
            facts.year(paper),
            _link(paper),
        ]
        yield f"{number}. {'. '.join(filter(None, about))}{_withdrawn(paper)}"


def _how(report: Report) -> Iterator[str]:
    rows = [
        [
            plain(each.query),
            plain(each.where),
            f"{each.found:,}",
            facts.duration(each.seconds),
            " · ".join(filter(None, [plain(each.question), plain(each.note)])),
        ]
        for each in report.trail
    ]
    heads = ["Query", "Where", "Found", "Time", "For the question"]
    yield _table(heads, rows) if rows else "No search was made."
    yield "\n".join(
        [
            f"- Model: {plain(report.cost.model) or 'none'}",
            f"- Tokens: {facts.tokens(report)}",
            f"- Cost: {facts.billed(report)}",
            f"- Time: {facts.duration(report.seconds)}",
            f"- Job: {plain(report.job_id)}",
        ]
    )
    yield "### What did not work as it should"
    worse = [f"- {plain(line)}" for line in report.degraded if one_line(line)]
    yield "\n".join(worse) or "Nothing."


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
