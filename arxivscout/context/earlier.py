"""Earlier messages that were recalled, as the lines a model reads: a thread's day is one line.

What answers what stands together, and a message brings the other half of its exchange along, so
that it can be understood.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from arxivscout.context.budget import shorten
from arxivscout.context.segments import Item
from arxivscout.papers import neutralise, one_line

# Chosen on LoCoMo's first five conversations (`arxivscout bench context`).
SHOWN = 13  # messages
LONGEST = 130  # tokens of a message
OTHER_HALF = 30  # tokens of what a message answers, or of what answers it
_LABELS = {"user": "asked", "assistant": "answered"}


def earlier_items(messages: Sequence[Mapping[str, Any]]) -> list[Item]:
    """The items of the segment, best first, from the rows that `memory.recall` gave back."""
    shown = list(messages[:SHOWN])
    said = {
        (row["thread"], row["place"]): (_line(row["speaker"], row["text"], LONGEST))
        for row in shown
    }
    for number, row in enumerate(shown):
        place = row["place"] + (1 if row["role"] == "user" else -1)
        # People who talk with each other say whole things: there only the best brings it along.
        if row.get("other_text") and (number == 0 or row["speaker"] in _LABELS):
            line = _line(row["other_speaker"], row["other_text"], OTHER_HALF)
            said.setdefault((row["thread"], place), line)
    days: dict[tuple[int, str], list[Mapping[str, Any]]] = {}
    for row in shown:
        days.setdefault((row["thread"], str(row["at"])[:10]), []).append(row)
    items = []
    for (thread, day), rows in days.items():
        places = {row["place"] for row in rows}
        near = {place for at in places for place in (at - 1, at + 1)} - {
            row["place"] for row in shown if row["thread"] == thread
        }
        lines = sorted(place for place in places | near if (thread, place) in said)
        runs = [
            " | ".join(said[thread, place] for _, place in run)
            for _, run in groupby(enumerate(lines), lambda each: each[1] - each[0])
        ]
        name = neutralise(str(rows[0]["thread_id"])).replace(")", "")
        items.append(
            Item(f"- {day} (thread {name}): {' … '.join(runs)}", rows[0]["id"], rows[0]["score"])
        )
    return items


def _line(speaker: str, text: str, tokens: int) -> str:
    label = _LABELS.get(speaker, speaker.title())
    return f"{neutralise(label)}: {shorten(neutralise(one_line(text)), tokens)}"
