"""What a turn stops to ask a person, and how an answer to it is read.

The same choice is put by Studio (as an interrupt's value) and by the terminal (as a `Choice`).
"""

from __future__ import annotations

from typing import Any

from arxivscout.agent.events import Choice
from arxivscout.context.budget import shorten
from arxivscout.papers import clean_text, one_line

FORGET, ARCHIVE, CHANGE, KEEP = "forget", "archive", "change", "keep"
SHOWN_TOKENS = 120  # of a memory that is asked about
MAX_ASKED = 3  # times the same choice is put before it is taken by rule


def forget_choice(memory: str) -> Choice:
    """Shall this memory be forgotten?"""
    text = shorten(one_line(memory), SHOWN_TOKENS)
    return Choice("confirm_forget", f"Forget: “{text}”?", (FORGET, KEEP))


def archive_choice(memory: str) -> Choice:
    """Shall this memory rest in the archive?"""
    text = shorten(one_line(memory), SHOWN_TOKENS)
    return Choice("confirm_archive", f"Archive: “{text}”?", (ARCHIVE, KEEP))


def change_choice(memory: str, text: str) -> Choice:
    """Shall this memory say something else from now on?"""
    old, new = (shorten(one_line(each), SHOWN_TOKENS) for each in (memory, text))
    return Choice("confirm_change", f"Change: “{old}” to “{new}”?", (CHANGE, KEEP))


def reading_choice(question: str, readings: list[dict[str, str]]) -> Choice:
    """Which of its readings does the question mean?"""
    text = shorten(one_line(question), SHOWN_TOKENS)
    options = tuple(reading["label"] for reading in readings)
    return Choice("which_reading", f"Which is meant by “{text}”?", options)


def as_value(choice: Choice) -> dict[str, Any]:
    """The choice as an interrupt carries it."""
    return {"kind": choice.kind, "text": choice.text, "options": list(choice.options)}


def from_value(value: Any) -> Choice:
    """The choice that an interrupt carries."""
    return Choice(value["kind"], value["text"], tuple(value["options"]))


def chosen(choice: Choice, answer: object) -> int | None:
    """Place of the option that `answer` names by its words or its number from 1; None if none."""
    if isinstance(answer, bool) or not isinstance(answer, str | int):
        return None
    said = one_line(clean_text(str(answer))).strip().casefold().rstrip(".")
    for place, option in enumerate(choice.options):
        if said in (option.casefold(), str(place + 1)):
            return place
    return None
