"""A report as one web page: no script, nothing fetched, light and dark, phone and paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from arxivscout.papers import one_line
from arxivscout.reports.comparing import comparison
from arxivscout.reports.drawing import key, legend, letter, meaning_map, timeline, timeline_key
from arxivscout.reports.facts import (
    NO_ANSWER,
    NONE_FOUND,
    SAID_ABOVE,
    address,
    billed,
    byline,
    checked,
    counted,
    duration,
    moment,
    numbers,
    of_theme,
    references,
    remembered,
    said_above,
    short_name,
    span,
    theme_of,
    tokens,
    year,
    years,
)
from arxivscout.reports.markup import Markup, joined, tag
from arxivscout.reports.mathematics import with_mathematics
from arxivscout.reports.prose import paragraph, points
from arxivscout.reports.report import Report, Sentence
from arxivscout.reports.shell import arxiv_link, contents, document, part
from arxivscout.reports.tables import papers_table, trail_table, withdrawn

Part = tuple[str, str, Markup]  # id, heading, what stands under it
_LONG = 160  # characters of a question that are too many for large letters
_WIDE = frozenset({"papers"})


def to_html(report: Report) -> str:
    """The report as a page of its own."""
    cited = numbers(report)
    parts = [*_parts(report, cited)]
    body = joined(_header(report), *(_part(*each) for each in parts))
    entries = contents([(place, head) for place, head, _ in parts])
    return document(report.question, entries, body)


def _part(place: str, heading: str, inner: Markup) -> Markup:
    return part(place, heading, inner, class_="wide" if place in _WIDE else None)


def _header(report: Report) -> Markup:
    question = one_line(report.question) or "(nothing was asked)"
    kind = "What is new on arXiv" if report.digest else "Research report"
    facts = [
        counted(len(report.papers), "paper"),
        f"{len(numbers(report))} cited",
        span(report),
        duration(report.seconds),
        one_line(report.cost.model),
    ]
    notes = [
        "Quoted, not written: every sentence stands in the paper that it cites."
        if report.extractive
        else "",
        remembered(report),
        *map(one_line, report.preferences),
    ]
    return tag(
        "header",
        tag("p", kind, " · ", moment(report.started_at), class_="kicker"),
        tag("h1", question, lang="", class_="long" if len(question) > _LONG else None),
        tag("p", " · ".join(filter(None, facts)), class_="facts"),
        *(tag("p", note, class_="note") for note in notes if note),
    )


def _parts(report: Report, cited: Mapping[str, int]) -> Iterator[Part]:
    if one_line(report.not_found):
        more = tag("a", "Not all worked as it should.", href="#how")
        why = [one_line(report.not_found), *([" ", more] if report.degraded else [])]
        text = tag("p", *why, class_="alert")
        yield "not-found", NO_ANSWER, text
    if report.brief:
        brief = tag("div", paragraph(report.brief, cited), class_="brief")
        yield "brief", "The answer in brief", brief
    for number, section in enumerate(report.sections, start=1):
        text = (
            tag("p", SAID_ABOVE, class_="soft")
            if said_above(report, section)
            else joined(*(paragraph(each, cited) for each in section.paragraphs))
        )
        yield f"section-{number}", one_line(section.title) or f"Part {number}", text
    if not report.digest:
        yield "disputed", "What is disputed", _points(report.disputed, cited)
        yield "open", "What is open", _points(report.open_questions, cited)
    if report.themes:
        yield "themes", "Themes", joined(*_themes(report))
    if drawn := meaning_map(report):
        yield "map", "The papers by meaning", _map(report, drawn)
    if years(report):
        yield "timeline", "The papers by year", _timeline(report)
    if compared := comparison(report, cited):
        yield "comparison", "Compared", compared
    if report.papers:
        yield "papers", "The papers", papers_table(report, cited)
    if cited:
        yield "references", "References", tag("ol", *_references(report), class_="references")
    yield "check", "What the check found", _check(report)
    yield "how", "How it was researched", _how(report)


def _points(sentences: tuple[Sentence, ...], cited: Mapping[str, int]) -> Markup:
    return points(sentences, cited) if sentences else tag("p", NONE_FOUND, class_="soft")


def _themes(report: Report) -> Iterator[Markup]:
    for place, theme in enumerate(report.themes):
        name = one_line(theme.name) or f"Theme {letter(place)}"
        yield tag("h3", key(place), f" {letter(place)} · ", tag("span", name), id=f"theme-{place}")
        if theme.terms:
            yield tag("p", " · ".join(map(one_line, theme.terms)), class_="terms")
        rows = {paper.arxiv_id: n for n, paper in enumerate(report.papers, start=1)}
        yield tag(
            "ul",
            *(
                tag(
                    "li",
                    tag("a", with_mathematics(paper.title), href=f"#paper-{rows[paper.arxiv_id]}"),
                    tag("span", f" {short_name(paper)}", class_="soft"),
                )
                for paper in of_theme(report, place)
            ),
            class_="titles",
        )


def _map(report: Report, drawn: Markup) -> Markup:
    """The map and its key."""
    items: list[str] = [
        joined(
            key(place),
            tag("a", f"{letter(place)} · {one_line(theme.name)}", href=f"#theme-{place}"),
            f" ({len(of_theme(report, place))})",
        )
        for place, theme in enumerate(report.themes)
    ]
    if any(theme_of(report, paper) is None for paper in report.papers):
        items.append(joined(key(None, False), "of no theme"))
    first = 0 if report.themes else None
    items += [joined(key(first), "filled: cited"), joined(key(first, False), "hollow: not cited")]
    words = "The nearer two papers lie, the more alike they are. A point leads to arXiv."
    return tag("figure", drawn, tag("figcaption", legend(*items), tag("p", words)))


def _timeline(report: Report) -> Markup:
    undated = sum(not year(paper) for paper in report.papers)
    words = "By the year of the first version."
    if undated:
        words += f" {counted(undated, 'paper')} without a date."
    keys = legend(timeline_key("cited", "cited"), timeline_key("other", "not cited"))
    return tag("figure", timeline(report), tag("figcaption", keys, tag("p", words)))


def _references(report: Report) -> Iterator[Markup]:
    for number, paper in references(report):
        facts = filter(None, [byline(paper.authors), year(paper)])
        yield tag(
            "li",
            tag("cite", with_mathematics(one_line(paper.title).rstrip(".")), lang=""),
            ". ",
            "".join(f"{fact.rstrip('.')}. " for fact in facts),
            arxiv_link(f"arXiv:{one_line(paper.arxiv_id)}", address(paper.arxiv_id)),
            withdrawn(paper),
            id=f"ref-{number}",
        )


def _check(report: Report) -> Markup:
    lines = [tag("li", line) for line in map(one_line, report.problems) if line]
    return joined(
        tag("p", checked(report)),
        tag("ul", *lines, class_="remarks") if lines else "",
    )


def _how(report: Report) -> Markup:
    rows = {
        "Model": one_line(report.cost.model) or "none",
        "Tokens": tokens(report),
        "Cost": billed(report),
        "Time": duration(report.seconds),
        "Job": one_line(report.job_id),
    }
    worse = [tag("li", line) for line in map(one_line, report.degraded) if line]
    return joined(
        trail_table(report) if report.trail else tag("p", "No search was made.", class_="soft"),
        tag(
            "dl",
            *(joined(tag("dt", name), tag("dd", value)) for name, value in rows.items()),
        ),
        tag("h3", "What did not work as it should"),
        tag("ul", *worse, class_="remarks") if worse else tag("p", "Nothing.", class_="soft"),
    )
