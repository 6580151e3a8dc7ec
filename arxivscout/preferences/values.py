"""The frozen values: one stated preference, and what a list of them amounts to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal["dates", "topics", "methods", "authors", "categories", "language", "style"]
KINDS: tuple[Kind, ...] = get_args(Kind)

# Each style and the one it excludes: whoever asks for short answers no longer wants long ones.
OPPOSITE_STYLES = {
    "short": "long",
    "long": "short",
    "bullets": "prose",
    "prose": "bullets",
    "formulas": "no_formulas",
    "no_formulas": "formulas",
    "plain": "technical",
    "technical": "plain",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """One statement of a standing wish, with its effect as far as rules know it.

    `quote` is the person's own sentence. `since` and `until` are ISO dates, both inclusive.
    `wanted` and `unwanted` hold topics, methods, author names or arXiv categories, as `kind` says;
    with `only` nothing beside the wanted categories is. `language` is an English language name
    ("Italian"). With `lifts` the statement takes an earlier wish back:
    the terms or styles it names, or the whole kind when it names none.
    """

    kind: Kind
    quote: str
    reason: str | None = None
    since: str | None = None
    until: str | None = None
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    only: bool = False
    language: str | None = None
    style: tuple[str, ...] = ()
    lifts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What holds now, after all that was said: later statements win over earlier ones.

    `wanted` and `unwanted` are topics and methods together.
    """

    since: str | None = None
    until: str | None = None
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    authors_wanted: tuple[str, ...] = ()
    authors_unwanted: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()  # no others, if there are any
    categories_wanted: tuple[str, ...] = ()
    categories_unwanted: tuple[str, ...] = ()
    language: str | None = None
    style: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self != Wishes()
