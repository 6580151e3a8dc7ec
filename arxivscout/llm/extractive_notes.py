"""What stands below an extractive answer: what was noted, looked at or answered on this before."""

from __future__ import annotations

from arxivscout.llm.extractive_answer import ids_named
from arxivscout.llm.extractive_plan import Situation
from arxivscout.llm.extractive_reading import Reading
from arxivscout.papers import CITATION, find_paper_ids
from arxivscout.papers.rendering import ANSWERED_BEFORE, NEW_SINCE

LOOKED_AT_BEFORE = 1.0  # closeness of today's question to one asked earlier
NOTED_BEFORE = 0.9  # and to a finding


def remembered_notes(now: Situation) -> list[str]:
    """What was found on this before: notes, findings, and questions like this with their papers.

    Nothing of it is a source of this answer, and what papers say that are left out is not repeated.
    """
    left_out = now.left_out()
    shown = " ".join(" ".join(paper.abstract.split()) for paper in now.reading.papers)
    findings = [
        item
        for section in ("notes on papers", "findings")
        for item in now.reading.sections.get(section, ())[:4]
        if not (named := {paper.value for paper in find_paper_ids(item.text)}) or named - left_out
        if CITATION.sub("", item.text).strip() not in shown  # a paper's own sentence is no note
    ]
    before = _answered_before(now.reading)
    looked = [] if before else now.reading.sections.get("looked at before", ())[:6]
    asked = [item.text.partition(" | asked: ")[2] for item in looked]
    if not findings and not any(asked):
        return before
    scores = now.close(now.topic, [*(item.text for item in findings), *(a or "-" for a in asked)])
    notes = (
        before
        + [
            f"You noted on {item.date}: {_uncited(item.text)}"
            for item, score in zip(findings, scores, strict=False)
            if score >= NOTED_BEFORE
        ][:2]
    )
    seen: dict[tuple[str, str], list[str]] = {}
    for item, question, score in zip(looked, asked, scores[len(findings) :], strict=True):
        if question and score >= LOOKED_AT_BEFORE:
            paper = item.text.partition(" | asked: ")[0]
            seen.setdefault((item.date, question), []).append(paper)
    for (day, question), papers in list(seen.items())[:2]:
        told = "; ".join(map(_uncited, papers[:3]))
        notes.append(f"You looked at this on {day}: {told} (asked: “{question}”)")
    return notes


def _answered_before(reading: Reading) -> list[str]:
    """When this question was answered before, from which papers, and which are new since."""
    for item in reading.sections.get("earlier turns", ())[:1]:
        first, *parts = item.text.split(" | ")
        said = dict(part.split(": ", 1) for part in parts if ": " in part)
        if first == ANSWERED_BEFORE and "from" in said:
            before, new = (
                [paper.value for paper in find_paper_ids(said.get(name, ""))]
                for name in ("from", NEW_SINCE)
            )
            since = f"new since then: {ids_named(new)}" if new else "nothing new is held since"
            asked = said.get("asked", "")
            return [
                f"You asked this on {item.date}: it was answered from {ids_named(before)}; {since} "
                f"(asked: “{asked}”)"
            ]
    return []


def _uncited(text: str) -> str:
    """The text with papers by their bare ids: what was looked at once is no source of an answer."""
    return CITATION.sub(
        lambda found: ", ".join(paper.value for paper in find_paper_ids(found[0])), text
    )
