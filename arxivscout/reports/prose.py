"""Sentences as HTML: who is cited stands behind each, and what the check made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arxivscout.papers import one_line
from arxivscout.reports.facts import MARKS
from arxivscout.reports.markup import Markup, joined, tag
from arxivscout.reports.mathematics import with_mathematics
from arxivscout.reports.report import Sentence

_STUCK = Markup("&#8288;")  # no line begins with a citation


def paragraph(sentences: Sequence[Sentence], numbers: Mapping[str, int]) -> Markup:
    """One paragraph, with what the check found under it."""
    parts: list[str] = []
    for each in sentences:
        parts += [" " if parts else "", sentence(each, numbers)]
    return joined(tag("p", *parts, lang="") if parts else "", problems(sentences))


def points(sentences: Sequence[Sentence], numbers: Mapping[str, int]) -> Markup:
    """A list with an item for each sentence."""
    return tag("ul", *(tag("li", sentence(each, numbers), problems([each])) for each in sentences))


def sentence(each: Sentence, numbers: Mapping[str, int]) -> Markup:
    """One sentence; what nothing supports is underlined and says so."""
    cited = dict.fromkeys(numbers[paper] for paper in each.papers if paper in numbers)
    mark = MARKS[each.verdict]
    return joined(
        tag(
            "span", with_mathematics(each.text), class_=f"sentence {each.verdict}" if mark else None
        ),
        joined(_STUCK, tag("sup", *map(citation, cited))) if cited else "",
        joined(" ", tag("strong", mark, class_=f"mark {each.verdict}")) if mark else "",
    )


def citation(number: int) -> Markup:
    """A number that leads to its reference."""
    return tag("a", f"[{number}]", href=f"#ref-{number}", aria_label=f"Reference {number}")


def problems(sentences: Sequence[Sentence]) -> Markup:
    """What the check says of these sentences; nothing if it says nothing."""
    lines = dict.fromkeys(line for each in sentences for line in map(one_line, each.problems))
    items = [tag("li", f"Check: {line}") for line in lines if line]
    return tag("ul", *items, class_="remarks") if items else Markup()
