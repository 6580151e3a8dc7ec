"""The preferences in what a person wrote."""

from __future__ import annotations

from datetime import UTC, date, datetime

from arxivscout.preferences.sentences import own_sentences
from arxivscout.preferences.values import Preference


def find_preferences(text: str, *, today: date | None = None) -> list[Preference]:
    """Find the statements of standing preference in what a person wrote, in their order.

    Questions, one-off filters, reports of what others prefer, quotations and pasted text give
    nothing. `today` (default: the day in UTC) anchors "the last five years"; reading a stored
    quote again on a later day moves such bounds along. Never raises; linear in the length.
    """
    sentences = list(own_sentences(text))
    if not sentences:
        return []  # most of what is asked states nothing, and the rules take a while to compile
    from arxivscout.preferences.rules import read_sentence

    today = today or datetime.now(UTC).date()
    return [
        preference
        for sentence in sentences
        for preference in read_sentence(sentence, text[sentence.start : sentence.end], today)
    ]


def stated_wishes(text: str, *, today: date | None = None) -> list[Preference]:
    """The preferences in `text` that are to be remembered as such.

    Without what the person only works on: it is a fact of them, and is learned as one.
    """
    sentences = list(own_sentences(text))
    if not sentences:
        return []
    from arxivscout.preferences.rules import is_of_work, read_sentence

    today = today or datetime.now(UTC).date()
    return [
        preference
        for sentence in sentences
        if not is_of_work(sentence, today)
        for preference in read_sentence(sentence, text[sentence.start : sentence.end], today)
    ]


def not_understood(text: str, *, today: date | None = None) -> list[str]:
    """What else is said of papers or answers in sentences that state a preference."""
    from arxivscout.preferences.rules import unread

    today = today or datetime.now(UTC).date()
    return [clause for sentence in own_sentences(text) for clause in unread(sentence, today)]
