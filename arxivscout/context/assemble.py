"""Context assembly: memories, conversation and question into one budget. Pure, no I/O.

The report says of every segment what went in, what was cut and why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arxivscout.context.budget import count_tokens, share_out, shorten
from arxivscout.context.segments import (
    FENCED,
    MARGIN,
    MEMORY_SEGMENTS,
    PRIORITY,
    SHARES,
    Item,
    SegmentReport,
)
from arxivscout.context.working_memory import newest_turns
from arxivscout.papers.rendering import CLOSING, OPENING
from arxivscout.prompting import render

MESSAGE_TOKENS = 4  # what a chat format adds to each message
MIN_ITEM_TOKENS = 24  # an item shortened below this says nothing any more


@dataclass(frozen=True, slots=True)
class Assembled:
    """What the model reads before this turn's tool results: all of it text."""

    system: str
    recent: list[tuple[str, str]]  # (role, text), oldest first
    turn: str
    results_budget: int  # tokens that this turn's tool results may take
    report: list[dict[str, object]]


def assemble(
    *,
    system: str,
    memory: Mapping[str, Sequence[Item]],
    recent: Sequence[tuple[str, str]],
    question: str,
    window: int,
    answer_tokens: int,
    tools_tokens: int,
) -> Assembled:
    """Fill the segments within `window` tokens.

    Args:
        system: the rendered system prompt (fixed).
        memory: for each segment of `MEMORY_SEGMENTS` its items, best first.
        recent: (role, text) of the thread, oldest first.
        question: what the person asked; cut only when it takes over a quarter of the window.
        window: the model's window in tokens.
        answer_tokens: kept free for the answer.
        tools_tokens: what the tools' definitions take.
    """
    question = shorten(question, max(window // 4, 64))
    fixed = (
        count_tokens(system)
        + count_tokens(render("turn", memory="", question=question))
        + tools_tokens
        + 2 * MESSAGE_TOKENS
    )
    margin = int(window * MARGIN)
    room = window - fixed - answer_tokens - margin
    wants = {
        name: sum(count_tokens(item.text) + 1 for item in memory.get(name, ()))
        + (_frame(name) if memory.get(name) else 0)
        for name in MEMORY_SEGMENTS
    }
    wants["recent"] = sum(count_tokens(text) + MESSAGE_TOKENS for _, text in recent)
    wants["results"] = max(room, 0)
    given = share_out(room, wants, SHARES, PRIORITY)
    # What tool results may take is only known later; the others come first in their own shares.

    sections: list[str] = []
    report = [
        SegmentReport("system", count_tokens(system), count_tokens(system)),
        SegmentReport("tools", tools_tokens, tools_tokens),
    ]
    for name, heading in MEMORY_SEGMENTS.items():
        lines, segment = _fill(memory.get(name, ()), given[name], name, _frame(name))
        report.append(segment)
        if lines and name in FENCED:
            lines = [OPENING, *lines, CLOSING]
        if lines:
            sections.append("\n".join([f"## {heading}", *lines]))
    kept, left_out = newest_turns(recent, given["recent"])
    turns = SegmentReport("recent", given["recent"])
    turns.tokens = sum(count_tokens(text) + MESSAGE_TOKENS for _, text in kept)
    turns.items = [{"source": role, "tokens": count_tokens(text)} for role, text in kept]
    if left_out:
        turns.cut.append({"source": f"{left_out} older messages", "reason": "no room left"})
    report += [
        turns,
        SegmentReport("results", given["results"]),
        SegmentReport("question", count_tokens(question), count_tokens(question)),
        SegmentReport("answer", answer_tokens),
        SegmentReport("margin", margin),
    ]
    return Assembled(
        system=system,
        recent=kept,
        turn=render("turn", memory="\n".join(sections) or "(nothing)", question=question),
        results_budget=given["results"],
        report=[segment.to_json() for segment in report],
    )


def _frame(name: str) -> int:
    """Tokens of what stands around a segment's lines."""
    fence = count_tokens(f"{OPENING}\n{CLOSING}\n") if name in FENCED else 0
    return count_tokens(f"## {MEMORY_SEGMENTS[name]}\n") + fence + 2


def _fill(
    items: Sequence[Item], budget: int, name: str, frame_tokens: int
) -> tuple[list[str], SegmentReport]:
    """The lines of one segment within `budget`: an item is shortened before it is dropped."""
    segment = SegmentReport(name, budget)
    lines: list[str] = []
    seen: set[str] = set()
    room = budget - frame_tokens
    for item in items:
        if item.text in seen:
            segment.cut.append({"source": item.source, "reason": "the same text again"})
            continue
        seen.add(item.text)
        tokens = count_tokens(item.text) + 1
        text = item.text
        if tokens > room:
            text = shorten(item.text, room - 1) if room >= MIN_ITEM_TOKENS else ""
            reason = "shortened: no room left" if text else "no room left"
            segment.cut.append({"source": item.source, "reason": reason})
            if not text:
                continue
            tokens = count_tokens(text) + 1
        room -= tokens
        segment.tokens += tokens
        segment.items.append(
            {"source": item.source, "score": round(item.score, 4), "tokens": tokens}
        )
        lines.append(text)
    return lines, segment
