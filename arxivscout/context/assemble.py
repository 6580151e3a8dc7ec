"""Context assembly: memories, conversation and question into one budget. Pure, no I/O.

The report says of every segment what went in, what was cut and why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arxivscout.context.budget import clip, count_tokens, share_out, shorten
from arxivscout.context.competing import fill
from arxivscout.context.segments import FENCED, MEMORY_SEGMENTS, PRIORITY, Item, Said, SegmentReport
from arxivscout.context.working_memory import MESSAGE_TOKENS, select_turns
from arxivscout.papers.rendering import CLOSING, OPENING
from arxivscout.prompting import render
from arxivscout.window_shares import DEFAULT_SHARES, Share, Strategy

AWARENESS = "# Your memory"  # where the system prompt's part about memory begins


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
    recent: Sequence[Said],
    question: str,
    window: int,
    answer_tokens: int,
    tools_tokens: int,
    shares: Mapping[str, Share] = DEFAULT_SHARES,
    strategy: Strategy = "hybrid",
) -> Assembled:
    """Fill the segments within `window` tokens.

    Args:
        system: the rendered system prompt (fixed).
        memory: for each segment of `MEMORY_SEGMENTS` its items, best first.
        recent: what was said in the thread, oldest first.
        question: what the person asked; cut only when it takes over a quarter of the window.
        window: the model's window in tokens.
        answer_tokens: kept free for the answer.
        tools_tokens: what the tools' definitions take.
        shares: of each segment.
        strategy: what stays of `recent`.
    """
    question = shorten(question, max(window // 4, 64))
    rules = count_tokens(system.partition(AWARENESS)[0])
    awareness = count_tokens(system) - rules
    framed = count_tokens(render("turn", memory="", question=question)) + 2 * MESSAGE_TOKENS
    margin = shares["margin"].of(window)
    fixed = rules + awareness + tools_tokens + framed
    room = window - fixed - answer_tokens - margin
    given = share_out(room, _wants(memory, recent, room), shares, PRIORITY, window)
    # What tool results may take is only known later; the others come first in their own shares.

    sections: list[str] = []
    report = [
        SegmentReport("rules", rules, rules),
        SegmentReport("awareness", awareness, awareness),
        SegmentReport("tools", tools_tokens, tools_tokens),
    ]
    for name, heading in MEMORY_SEGMENTS.items():
        segment = SegmentReport(name, given[name])
        lines = fill(memory.get(name, ()), given[name] - _frame(name), segment)
        report.append(segment)
        if lines:
            segment.tokens += _frame(name)
            if name in FENCED:
                lines = [OPENING, *lines, CLOSING]
            sections.append("\n".join([f"## {heading}", *lines]))
    turns = SegmentReport("recent", given["recent"])
    kept, cut = select_turns(recent, given["recent"], strategy)
    for said in kept:
        tokens = count_tokens(said.text) + MESSAGE_TOKENS
        turns.tokens += tokens
        turns.items.append({"source": said.source, "role": said.role, "tokens": tokens})
    turns.cut += [{"source": source, "reason": reason} for source, reason in cut]
    report += [
        turns,
        SegmentReport("results", given["results"]),
        SegmentReport("question", framed, framed),
        SegmentReport("answer", answer_tokens),
        SegmentReport("margin", margin),
    ]
    return Assembled(
        system=system,
        recent=[(said.role, said.text) for said in kept],
        turn=render("turn", memory="\n".join(sections) or "(nothing)", question=question),
        results_budget=given["results"],
        report=[segment.to_json() for segment in report],
    )


def _wants(
    memory: Mapping[str, Sequence[Item]], recent: Sequence[Said], room: int
) -> dict[str, int]:
    """What each segment could take; counted no further than the room is."""
    room = max(room, 0)
    wants = {
        name: sum(count_tokens(clip(item.text, room)) + 1 for item in memory.get(name, ()))
        + (_frame(name) if memory.get(name) else 0)
        for name in MEMORY_SEGMENTS
    }
    wants["recent"] = 0
    for said in reversed(recent):
        wants["recent"] += count_tokens(clip(said.text, room)) + MESSAGE_TOKENS
        if wants["recent"] > room:
            break
    return {**wants, "results": room}


def _frame(name: str) -> int:
    """Tokens of what stands around a segment's lines."""
    fence = count_tokens(f"{OPENING}\n{CLOSING}\n") if name in FENCED else 0
    return count_tokens(f"## {MEMORY_SEGMENTS[name]}\n") + fence + 2
