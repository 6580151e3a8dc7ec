"""What every form of a report says in the same words: numbers, names, days, times, money. Pure."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from urllib.parse import quote

from arxivscout.papers import one_line
from arxivscout.papers.citing import split_name
from arxivscout.reports.report import Judgement, Report, ReportPaper, Section, Sentence

MARKS: Mapping[Judgement, str] = {
    "supported": "",
    "weak": "weakly supported",
    "unsupported": "not supported",
    "unchecked": "",
}
NO_ANSWER = "No answer"
NONE_FOUND = "None found."
NOT_STATED = "not stated"
SAID_ABOVE = "All that is said of this stands in the brief above."
_YEAR = re.compile(r"((?:19|20)[0-9]{2})(?:-[0-9]{2}){0,2}")


def address(arxiv_id: str) -> str:
    """The paper's page at arXiv, whatever its record gives as address."""
    return f"https://arxiv.org/abs/{quote(one_line(arxiv_id), safe='/')}"


def sentences(report: Report) -> Iterator[Sentence]:
    """Every sentence that is shown, in reading order."""
    yield from report.brief
    for section in report.sections:
        if not said_above(report, section):
            for paragraph in section.paragraphs:
                yield from paragraph
    yield from report.disputed
    yield from report.open_questions


def said_above(report: Report, section: Section) -> bool:
    """Does every sentence of the section stand in the brief, as the same judged sentence?"""
    said = [sentence for paragraph in section.paragraphs for sentence in paragraph]
    return bool(said) and all(sentence in report.brief for sentence in said)


def compared(report: Report) -> list[tuple[ReportPaper, dict[str, str]]]:
    """Each paper that is compared, and what it states of each point; "" for nothing."""
    papers = {paper.arxiv_id: paper for paper in report.papers}
    rows = {one_line(name): values for name, values in report.comparison.rows.items()}
    return [
        (
            papers[arxiv_id],
            {
                name: one_line(values[place]) if place < len(values) else ""
                for name, values in rows.items()
            },
        )
        for place, arxiv_id in enumerate(report.comparison.papers)
        if arxiv_id in papers
    ]


def stated_by_none(compared: Sequence[tuple[ReportPaper, Mapping[str, str]]]) -> list[str]:
    """The points of which no paper that is compared states anything."""
    points = compared[0][1] if compared else {}
    return [name for name in points if not any(said[name] for _, said in compared)]


def numbers(report: Report) -> dict[str, int]:
    """What number each cited paper has, by arXiv id: 1 for the first that is cited."""
    held = {paper.arxiv_id for paper in report.papers}
    cited: dict[str, int] = {}
    for sentence in sentences(report):
        for arxiv_id in sentence.papers:
            if arxiv_id in held:
                cited.setdefault(arxiv_id, len(cited) + 1)
    return cited


def references(report: Report) -> list[tuple[int, ReportPaper]]:
    """The cited papers, each with its number, by number."""
    papers = {paper.arxiv_id: paper for paper in report.papers}
    return [(number, papers[arxiv_id]) for arxiv_id, number in numbers(report).items()]


def year(paper: ReportPaper) -> str:
    """The year of its first version, or nothing."""
    match = _YEAR.fullmatch(paper.published)
    return match[1] if match else ""


def years(report: Report) -> list[tuple[int, int, int]]:
    """Each year from the first to the last with a paper: the year, its cited papers, its others."""
    cited = numbers(report)
    dated = [(int(year(paper)), paper.arxiv_id in cited) for paper in report.papers if year(paper)]
    count = Counter(dated)
    if not dated:
        return []
    first, last = min(dated)[0], max(dated)[0]
    return [(each, count[each, True], count[each, False]) for each in range(first, last + 1)]


def span(report: Report) -> str:
    """From when to when the papers are: 1996–2016."""
    bars = years(report)
    ends = [bars[0][0], bars[-1][0]] if bars else []
    return "–".join(map(str, dict.fromkeys(ends)))


def byline(authors: Sequence[str], most: int = 3) -> str:
    """The first authors: `Yu Shi`, or `Charles H. Bennett, Gilles Brassard and 4 others`."""
    names = [str(split_name(name)) for name in authors if one_line(name)]
    left = len(names) - most
    return ", ".join(names[:most]) + (f" and {counted(left, 'other')}" if left > 0 else "")


def short_name(paper: ReportPaper) -> str:
    """The paper as it is spoken of: `Shi 2007`."""
    names = [split_name(name).family for name in paper.authors if one_line(name)]
    if not names:
        return f"arXiv:{one_line(paper.arxiv_id)}"
    others = "et al." if len(names) > 2 else f"and {names[1]}" if len(names) == 2 else ""
    return " ".join(filter(None, [names[0], others, year(paper)]))


def theme_of(report: Report, paper: ReportPaper) -> int | None:
    """The place of its theme, if there is such a theme."""
    theme = paper.theme
    return theme if theme is not None and 0 <= theme < len(report.themes) else None


def of_theme(report: Report, place: int) -> list[ReportPaper]:
    """The papers of one theme, best first."""
    return [paper for paper in report.papers if theme_of(report, paper) == place]


def novelty(report: Report, paper: ReportPaper) -> str:
    """Whether this person knows the paper; nothing where all is new to them anyway."""
    if paper.known_since:
        return f"known since {day(paper.known_since)}"
    knows = report.known_before or any(each.known_since for each in report.papers)
    return "new" if knows else ""


def remembered(report: Report) -> str:
    """What this person knew before, in a sentence; nothing if they knew nothing."""
    known = sum(paper.known_since is not None for paper in report.papers)
    if not known and not report.known_before:
        return ""
    before = report.known_before
    return (
        f"{f'You researched this on {day(before)}. ' if before else ''}"
        f"Of {counted(len(report.papers), 'paper')} you knew {known:,}; "
        f"{len(report.papers) - known:,} new to you."
    )


def checked(report: Report) -> str:
    """How the check of the sentences went, in a sentence."""
    verdicts = Counter(sentence.verdict for sentence in sentences(report))
    if not verdicts:
        return "There was no sentence to check."
    words = {**{each: mark for each, mark in MARKS.items() if mark}, "unchecked": "not checked"}
    parts = [f"{verdicts['supported']} supported by what they cite"]
    parts += [f"{count} {words[each]}" for each, count in sorted(verdicts.items()) if each in words]
    return f"Of {counted(verdicts.total(), 'sentence')}: {', '.join(parts)}."


def billed(report: Report) -> str:
    """What the model cost: `$0.0123`, `unknown`, or that none is billed."""
    if report.extractive:
        return "none billed"
    return money(report.cost.cost)


def money(dollars: float | None) -> str:
    """US dollars; to a hundredth of a cent where they are few."""
    if dollars is None or not math.isfinite(dollars):
        return "unknown"
    if 0 < dollars < 0.0001:
        return "<$0.0001"
    return f"${dollars:,.4f}" if 0 < dollars < 0.1 else f"${dollars:,.2f}"


def cost_told(dollars: float | None) -> str:
    """`money`, beside figures of another kind."""
    told = money(dollars)
    return f"cost {told}" if told == "unknown" else told


def tokens(report: Report) -> str:
    """What went into the model and came out."""
    return f"{report.cost.input_tokens:,} in, {report.cost.output_tokens:,} out"


def duration(seconds: float) -> str:
    """`0.8 s`, `42 s`, `3 min 05 s`, `2 h 07 min`."""
    if not math.isfinite(seconds) or seconds < 0:
        return "unknown"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600:,} h {whole % 3600 // 60:02} min"


def day(when: datetime) -> str:
    """The day where the reader is."""
    return f"{when.astimezone():%Y-%m-%d}"


def moment(when: datetime) -> str:
    """The day and the minute where the reader is."""
    return f"{when.astimezone():%Y-%m-%d %H:%M}"


def counted(number: int, noun: str) -> str:
    """`1 paper`, `2 papers`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
