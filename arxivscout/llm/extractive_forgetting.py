"""Which memories a person means who wants something forgotten: those that say it, or none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from arxivscout.llm.extractive_reading import Item, Reading, ToolResult, parse_items
from arxivscout.llm.terms import content_terms
from arxivscout.statements.aspects import aspects_of, without_aspects
from arxivscout.statements.bearing import says
from arxivscout.statements.likewords import Words
from arxivscout.statements.naming import words_about

if TYPE_CHECKING:
    from arxivscout.llm.extractive_plan import Situation

SHOWN = 200  # characters of a memory in a list to choose from
CLEAR_MATCH = 0.75  # closeness of a memory to what is to be forgotten
CLEAR_LEAD = 0.15  # before the next one
_ENDED = re.compile(r" \(until \d{4}-\d\d-\d\d")  # as `recall_memory` tells of what was
_WISH = re.compile(r"\b(?:that|this|my|the|about|on|for)?\s*(?:preferences?|wish(?:es)?)\b", re.I)


def recalled(reading: Reading, kind: str) -> list[ToolResult]:
    """What `recall_memory` gave of a kind in this turn."""
    return [
        each
        for each in reading.results
        if each.name == "recall_memory" and each.arguments.get("kind") == kind
    ]


def forget_candidates(reading: Reading, about: str) -> list[Item]:
    """The memories at hand that can be forgotten: those that say what is named, if any does."""
    said = [item for result in recalled(reading, "said") for item in parse_items(result.text)]
    held = [item for item in said if item.id and not _ENDED.search(item.text)]
    last = reading.called("recall_memory")
    near = [
        *reading.sections.get("preferences", ()),
        *reading.sections.get("findings", ()),
        *held,
        *(parse_items(last.text) if last else ()),
    ]
    whole = Words(about)  # of "I use JAX and live in Rome" each part is said
    items = (
        [item for item in held if says(item.text, about)]
        or [item for item in held if _is_part(item, whole)]
        or _named(near, about)
    )
    return list({item.id: item for item in items if item.id}.values())


def _is_part(item: Item, whole: Words) -> bool:
    names = words_about(item.text)
    return bool(names) and whole.has_all(names)


def _named(items: Sequence[Item], about: str) -> list[Item]:
    """Those that have a word of what is named; all where only "that" or "my preference" is."""
    if any(len(item.id) >= 8 and item.id in about for item in items):
        return [item for item in items if item.id and item.id in about]
    if same := [item for item in items if item.text[:SHOWN] == about]:
        return same
    names = words_about(without_aspects(_WISH.sub(" ", about)))
    asked = bool(names or aspects_of(about)) and not _WISH.fullmatch(about.strip())
    if not asked:
        return list(items)
    return [item for item in items if any(Words(item.text).has(name) for name in names)]


def meant_to_forget(now: Situation) -> list[Item]:
    """The memories that are meant: one, or several that say the same; none where it is unclear."""
    about = now.request.about
    items = forget_candidates(now.reading, about)
    alike = {tuple(sorted(words_about(item.text))) for item in items}
    if len(alike) == 1 and all(says(item.text, about) for item in items):
        return items
    if items and all(_is_part(item, Words(about)) for item in items):
        return items
    one = clear_match(about, items, now)
    return [one] if one else []


def clear_match(about: str, items: Sequence[Item], now: Situation) -> Item | None:
    """The one memory that is meant, if there is no doubt."""
    if not items or not about:
        return None
    if exact := [item for item in items if len(item.id) >= 8 and item.id in about]:
        return exact[0]
    if same := [item for item in items if item.text[:SHOWN] == about]:
        return same[0]
    if "preference" in about.lower() or "wish" in about.lower():
        stated = {item.id for item in now.reading.sections.get("preferences", ())}
        items = [item for item in items if item.id in stated] or items
        said = content_terms(_WISH.sub(" ", about))
        fits = [item for item in items if set(said) <= set(content_terms(item.text))]
        if len(fits) == 1:
            return fits[0]
    scored = sorted(
        zip(now.close(about, [item.text for item in items]), items, strict=True),
        key=lambda pair: -pair[0],
    )
    best = scored[0][0]
    second = scored[1][0] if len(scored) > 1 else 0.0
    return scored[0][1] if best >= CLEAR_MATCH and best - second >= CLEAR_LEAD else None
