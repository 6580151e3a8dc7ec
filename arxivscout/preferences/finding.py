"""The preferences in what a person wrote."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime

from arxivscout.preferences.reasons import told_by_what_went_badly
from arxivscout.preferences.sentences import Sentence, own_sentences
from arxivscout.preferences.values import Preference

# Where a sentence goes on with something else of the person.
_NEXT = re.compile(
    r"\s*[,;]\s*(?:(?:and|but|so|e|ma|und|aber|et|mais|y|pero)\s+)?(?=(?:i|i'm|i've|my|we|our"
    r"|please|io"
    r"|ich|je|yo|mein|meine|mon|ma|mi|la mia|il mio)\b)|\s+(?:and|but|so|e|ma|und|aber|et|mais|y"
    r"|pero)"
    r"\s+(?=(?:i|i'm|i've|my|we|our|please|io|ich|je|yo|mein|meine|mon|ma|mi|la mia|il mio"
    r"|answer|use"
    r"|keep|show|avoid|preferisco|prefiero)\b)",
    re.I,
)
_PUTS_RIGHT = re.compile(
    r"\W*(?:(?:oh|sorry|wait|hold on|correction|scratch that|anzi|scusa|pardon|perdón)\W+"
    r"|(?:no|nope|nein|non)(?:\s*[,.:;!–—]+\s*|\s+(?=(?:wait|sorry|actually)\b)))+"
    r"(?:(?:actually|i mean|rather)\W+)?(?=\w)",
    re.I,
)
_FOLLOWING = re.compile(r"\s*([^.!?;\n]{1,200})")
_STATES = re.compile(
    r"\W*(?:(?:also|actually|by the way|btw|ok|hi|hello)\W+)*(?:i|i'm|i've|my|we|our|io|lavoro"
    r"|uso|ich|wir"
    r"|je|j'|nous|yo|mein|meine|mon|ma|mi|la mia|il mio|the)\b",
    re.I,
)


def find_preferences(text: str, *, today: date | None = None) -> list[Preference]:
    """Find the statements of standing preference in what a person wrote, in their order.

    Questions, one-off filters, reports of what others prefer, quotations and pasted text give
    nothing. `today` (default: the day in UTC) anchors "the last five years"; reading a stored
    quote again on a later day moves such bounds along. Never raises; linear in the length.
    """
    sentences = list(own_sentences(text))
    if not sentences:
        return []  # most of what is asked states nothing, and the rules take a while to compile
    today = today or datetime.now(UTC).date()
    return [wish for sentence in sentences for wish in _wishes(sentence, text, today)]


def stated_wishes(text: str, *, today: date | None = None) -> list[Preference]:
    """The preferences in `text` that are to be remembered as such.

    Without what the person only works on: it is a fact of them, and is learned as one.
    """
    sentences = list(own_sentences(text))
    if not sentences:
        return []
    today = today or datetime.now(UTC).date()
    return [
        replace(preference, quote=quote)
        for sentence in sentences
        if (read := _wishes(sentence, text, today, of_work=False))
        for quote in [_own_part(read, today)]
        for preference in read
        if not _is_put_right(preference, sentence, sentences, text, today)
    ]


def _wishes(
    sentence: Sentence, text: str, today: date, *, of_work: bool = True
) -> list[Preference]:
    """What a sentence wishes; why nothing is wanted may stand in the next: "It went badly." """
    from arxivscout.preferences.rules import read_sentence

    read = read_sentence(sentence, text[sentence.start : sentence.end], today, of_work=of_work)
    if not any(one.unwanted for one in read) or any(one.reason for one in read):
        return read
    following = _FOLLOWING.match(text, sentence.end)
    _, why = told_by_what_went_badly(f"so, {following[1].strip()}") if following else ("", "")
    if not re.match(r"I\b", why):  # it is told behind "because"
        why = why[:1].lower() + why[1:]
    return [replace(one, reason=why or None) for one in read]


def _is_put_right(
    wish: Preference, sentence: Sentence, sentences: list[Sentence], text: str, today: date
) -> bool:
    """Whether the next sentence says what was meant: "… with code. No wait, I prefer theory"."""
    from arxivscout.preferences.rules import read_sentence

    place = sentences.index(sentence) + 1
    if place == len(sentences):
        return False
    later = sentences[place]
    between = text[sentence.end : later.end]
    meant = read_sentence(later, text[later.start : later.end], today)
    one_sort = {"topics", "methods"}
    return bool(_PUTS_RIGHT.match(between)) and any(
        one.kind == wish.kind or {one.kind, wish.kind} <= one_sort for one in meant
    )


def _own_part(read: list[Preference], today: date) -> str:
    """The part of a sentence that states its wishes, where the rest states something else: of "my
    deadline is 3 May and I prefer short answers" the last four words.
    """
    quote = _PUTS_RIGHT.sub("", read[0].quote, count=1)
    cuts = [(0, 0), *((cut.start(), cut.end()) for cut in _NEXT.finditer(quote))]
    if len(cuts) == 1:
        return quote
    ends = [*(cut for cut, _ in cuts[1:]), len(quote)]
    parts = [(start, end) for (_, start), end in zip(cuts, ends, strict=True)]
    wishing = [part for part in parts if _wished(quote[part[0] : part[1]], today)]
    others = [quote[start:end] for start, end in parts if (start, end) not in wishing]
    if not wishing or not others or not all(map(_STATES.match, others)):
        return quote
    own = quote[wishing[0][0] : wishing[-1][1]].strip(" ,;")
    again = _wished(own, today)
    same = [replace(one, quote="", reason=None) for one in again]
    return own if same == [replace(one, quote="", reason=None) for one in read] else quote


def _wished(text: str, today: date) -> list[Preference]:
    """The wishes of a text that are to be remembered as such, in the words of their sentences."""
    return [
        wish
        for sentence in own_sentences(text)
        for wish in _wishes(sentence, text, today, of_work=False)
    ]


def not_understood(text: str, *, today: date | None = None) -> list[str]:
    """What else is said of papers or answers in sentences that state a preference."""
    from arxivscout.preferences.rules import unread

    today = today or datetime.now(UTC).date()
    return [clause for sentence in own_sentences(text) for clause in unread(sentence, today)]
