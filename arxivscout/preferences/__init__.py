"""What a person wishes of papers and answers, found in their own words by rule.

    text ──sentences──► clauses ──rules──► [Preference, …] ──wishes──► Wishes ──applies──► reason

Pure and standard library only: a model may find more, but these rules work with none at hand.
"""

from __future__ import annotations

from arxivscout.preferences.finding import find_preferences, not_understood, stated_wishes
from arxivscout.preferences.values import KINDS, Kind, Preference, Wishes
from arxivscout.preferences.wishes import (
    PaperLike,
    applies,
    effective_wishes,
    overridden,
    wishes_from_texts,
)

__all__ = [
    "KINDS",
    "Kind",
    "PaperLike",
    "Preference",
    "Wishes",
    "applies",
    "effective_wishes",
    "find_preferences",
    "not_understood",
    "overridden",
    "stated_wishes",
    "wishes_from_texts",
]
