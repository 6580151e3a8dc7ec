"""A question of oneself, answered from what was said: the answer first, then the words and the day.

Pure: it writes nothing that was not said. English, and Italian where it is asked so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from arxivscout.statements.asked_for import DAY
from arxivscout.statements.asking import OwnQuestion
from arxivscout.statements.aspects import value_of
from arxivscout.statements.bearing import Bearing, Said, adds, bearing, others_of, stance
from arxivscout.statements.likewords import Words
from arxivscout.statements.stating import tells_of_change
from arxivscout.statements.telling import ENGLISH, ITALIAN, Wording

MOST = 8  # statements that an answer quotes
_I = re.IGNORECASE
_SINCE = re.compile(
    rf"\b(?:since|from|in|on|dal|da|nel|a|seit|im|am|depuis|en|desde) (?P<day>{DAY.pattern})", _I
)
# What is behind the thing itself: "TensorFlow" of "TensorFlow for my jet classifiers".
_BEHIND = re.compile(
    r"\s*(?:[;,(].*|\b(?:because|since|as (?=\w+ (?:is|are|was))|which|who|but|so that|when|while"
    r"|instead|rather|until|and (?:i|we|my)|perché|che|ma|weil|parce|porque|any ?more|now|too"
    r"|again|already|currently|today|adesso|ora|yesterday|(?:last|this) (?:week|month|year|summer"
    r"|winter|spring|autumn|fall|\w+day)|(?:an?|one|two|three|four|\d+) (?:days?|weeks?|months?"
    r"|years?) ago)\b.*)$",
    _I,
)
_PURPOSE = re.compile(r"\s+(?:for|in|on|as|to|per|su|come|als|für|pour|para)\b.*$", _I)
_WHERE = re.compile(r"\b(?:where|dove|wo|où|dónde)\b", _I)
_DONE = re.compile(r"\b(?:do|did|have|can) (?:i|we) (?:\w+ly )?\w+\W*$", _I)
_FROM = re.compile(r"\b(?:from|da|dal|von|de) (?P<value>.{1,60}?) (?:to|a|ad|auf|zu|à)\b", _I)
_LISTED = re.compile(r"^(?:my|our) [\w' -]+? are .+?(?:, .+)? and [^,]+$", _I)
_IT_IS = re.compile(r"^(?:it['’]s|it is|he['’]s|he is|she['’]s|she is)\s+", _I)
_MEANT = re.compile(r" \((?:week of )?\d{4}(?:-\d\d){0,2}\)")
_PREFERENCES = re.compile(r"\b(?:prefer|preferences|preferisco|bevorzuge|préfère|prefiero)\b", _I)
_ON_A_DAY = re.compile(rf"(?:\b(?:on|il|am|le|el|at|for) )?{DAY.pattern}", _I)
_LED = re.compile(r"^(?:in|at|a|ad|al|nel|nella|su|à|en|am)\s+", _I)
# When something of theirs is, and not since when they say it.
_WHEN_IS = re.compile(
    r"(?:['’]s| is| are| will| è| scade| ist| est| es) (?:be )?(?:my|our|il mio|la mia|i miei"
    r"|le mie|mein|unser|mon|ma|mi|notre|nuestr)",
    _I,
)
_IS = re.compile(
    r"\b(?:called|named|si chiama|chiamat[oa])\s+(?P<called>.+)|^(?:my|our|the|il mio|la mia|i miei"
    r"|le mie|mein\w*|mon|ma|mi) [\w' -]+? (?:is|are|was|were|will be|è|sono|era|ist|est|es)"
    r"(?: (?:now|called|named|at|in|on|about|due|ora|a|su))* (?P<value>.+)",
    _I,
)


def answer(
    question: OwnQuestion, said: Sequence[Said], when: date | None = None
) -> tuple[str, tuple[Said, ...]]:
    """The answer and the statements that it rests on; "" and none where nothing was said of it.

    Args:
        when: as of which day; None for today.
    """
    words = ITALIAN if question.italian else ENGLISH
    if when:
        said = [replace(each, next="", next_reason="") for each in said if _held(each, when)]
        question = replace(question, past=False, before=False)
        said = [replace(each, until=None) for each in said]
    found = bearing(question, said)
    if not question.about and not question.aspects:  # whether, when or why anything changed
        changed = [each for each in said if each.until or tells_of_change(each.text)]
        found = Bearing(tuple(sorted(changed, key=lambda each: each.order, reverse=True)))
    text, rests = _told(question, found, said, words)
    return text, rests[:MOST]


def nothing_told(question: OwnQuestion | None) -> str:
    """The one line for what was never said."""
    return ITALIAN.nothing if question and question.italian else ENGLISH.nothing


def _held(said: Said, when: date) -> bool:
    return said.since <= when and (said.until is None or said.until > when)


def _told(
    question: OwnQuestion, found: Bearing, said: Sequence[Said], words: Wording
) -> tuple[str, tuple[Said, ...]]:
    if question.asks == "whether":
        return _whether(question, found, said, words)
    if not found.found:
        return words.nearby(found.near[:2]), found.near[:2]
    if question.instead or question.before:
        return _changed(question, found.found, said, words)
    if question.asks == "why":
        return _why(question, found.found, words)
    if question.asks == "how long" or (question.asks == "when" and not _dated(question, found)):
        if question.asks == "when" and _WHEN_IS.search(question.text):
            return words.plain(found.found[:1]), found.found[:1]
        return _since(question, found.found, words)
    return _what(question, found.found, words)


def _whether(
    question: OwnQuestion, found: Bearing, said: Sequence[Said], words: Wording
) -> tuple[str, tuple[Said, ...]]:
    if not found.found:
        others = others_of(question, said)
        if others and not question.past and question.about and not question.day:
            return words.no(others[:1]), tuple(others[:1])
        return words.nearby(found.near[:2]), found.near[:2]
    first = found.found[0]
    told = stance(question, first.text)
    if _of_another_day(question, first) or told == "untold":
        return words.plain([first]), (first,)
    if not question.about:
        holding = (
            e for e in found.found if e.until is None and stance(question, e.text) == "holds"
        )
        now = tuple(holding)[:MOST]
        return (words.yes(now), now) if now else (words.no([first]), (first,))
    was = told in ("holds", "over") or any(
        stance(question, each.text) in ("holds", "over") for each in found.found
    )
    if question.over:
        yes = told == "over" or (first.until is not None and told == "holds")
        return (words.yes if yes else words.no)([first]), (first,)
    if question.past:
        shown = found.found[:2]
        return (words.yes if was else words.no)(shown), shown
    if told == "holds" and first.until is None:
        same = [e for e in found.found if e.until is None and stance(question, e.text) == told]
        return words.yes(same[:3]), tuple(same[:3])
    return words.no([first]), (first,)


def _changed(
    question: OwnQuestion, found: Sequence[Said], said: Sequence[Said], words: Wording
) -> tuple[str, tuple[Said, ...]]:
    """What was so before, or what has taken its place."""
    if question.instead:
        found = _with_what_came(question, found, said)
        now = [
            replace(each, text=each.next, since=each.until, until=None, next="")
            if each.until and each.next
            else each
            for each in found
        ]
        now = [each for each in now if _value(question, each, bare=True)] or now
        rests = tuple({each.text: each for each in now}.values())[:1]
        return words.value(_values(question, rests), rests), rests
    bare = replace(question, about=())
    past = (
        [each for each in found if each.until]
        or [each for each in found if _FROM.search(each.text)]
        or [each for each in found if stance(bare, each.text) == "over"]
    )
    past.sort(key=lambda each: (each.until or each.since, each.nth), reverse=True)
    if not past:
        return words.plain(found[:2]), tuple(found[:2])
    return words.value(_values(question, past[:3]), past[:3]), tuple(past[:3])


def _with_what_came(
    question: OwnQuestion, found: Sequence[Said], said: Sequence[Said]
) -> list[Said]:
    """The statements, and what was told in the same breath: "I gave up ROOT, I use Julia now"."""
    of_it = {aspect.name for each in found for aspect in each.aspects}
    came = [
        replace(over, until=over.since, next=each.text, next_reason=each.reason)
        for over in found
        if not over.next and stance(question, over.text) == "over"
        for each in said
        if each.thread == over.thread
        and each.since == over.since
        and abs(each.nth - over.nth) == 1
        and tells_of_change(each.text)
        and stance(question, each.text) == "untold"
        and of_it & {aspect.name for aspect in each.aspects}
    ]
    return [*came, *found]


def _why(
    question: OwnQuestion, found: Sequence[Said], words: Wording
) -> tuple[str, tuple[Said, ...]]:
    for each in found:
        if each.reason:
            return words.because(each.reason, each), (each,)
    for each in found:
        if each.next_reason:
            return words.because(each.next_reason, each), (each,)
    return words.no_reason(found[:2]), tuple(found[:2])


def _since(
    question: OwnQuestion, found: Sequence[Said], words: Wording
) -> tuple[str, tuple[Said, ...]]:
    holding = [each for each in found if stance(question, each.text) in ("holds", "untold")]
    first = (holding or list(found))[0]
    given = _SINCE.search(first.text) if question.asks == "how long" else None
    if question.asks == "how long":
        return words.since(given["day"] if given else str(first.since), first), (first,)
    day = first.until if question.over and first.until else first.since
    return words.on(str(day), first), (first,)


def _what(
    question: OwnQuestion, found: Sequence[Said], words: Wording
) -> tuple[str, tuple[Said, ...]]:
    if not question.about and _PREFERENCES.search(question.text):  # for and against
        wishes = [each for each in found if each.until is None and each.kind == "preference"]
        if len(wishes) > 1 and not question.past:
            return words.plain(wishes[:MOST]), tuple(wishes[:MOST])
    if question.over:  # "What have I stopped using?"
        gone = [
            e for e in found if e.until or stance(replace(question, about=()), e.text) == "over"
        ]
        gone = _each_value_once(question, gone)
        return words.value(_values(question, gone), gone), tuple(gone)
    past = question.past and not any(each.name == "decision" for each in question.aspects)
    bare = replace(question, about=())
    now = [each for each in found if each.until is None and stance(bare, each.text) == "holds"]
    others = [e for e in found if e not in now and stance(bare, e.text) != "never"]
    held = now if now and not past else [*now, *others]
    if not past and not now:
        return words.plain(list(found)[:1]), tuple(found[:1])
    if all(each.single for each in question.aspects) and question.aspects and not past:
        main = next((each for each in held if not adds(each)), held[0])
        held = [each for each in held if each is main or adds(each)]
    rests = tuple(held[:MOST])
    return words.value(_values(question, rests), rests), rests


def _each_value_once(question: OwnQuestion, said: Sequence[Said]) -> list[Said]:
    """Of what tells the same the first: "I stopped using Numba" and "I use Numba (until …)"."""
    found: dict[str, Said] = {}
    for each in said:
        found.setdefault(_value(question, each).casefold() or each.text, each)
    return list(found.values())[:MOST]


def _dated(question: OwnQuestion, found: Bearing) -> bool:
    return bool(DAY.search(found.found[0].text)) if found.found else False


def _of_another_day(question: OwnQuestion, said: Said) -> bool:
    """Days are written in too many ways to say that two differ."""
    return bool(question.day) and question.day.casefold() not in said.text.casefold()


def _values(question: OwnQuestion, said: Iterable[Said]) -> list[str]:
    values = (_value(question, each) for each in said)
    return list(dict.fromkeys(each for each in values if each))


def _value(question: OwnQuestion, said: Said, *, bare: bool = False) -> str:
    """The words of a statement that answer, as they stand there; "" if they can't be told."""
    if question.asks == "when" and (day := DAY.search(said.text)):
        meant = _MEANT.match(said.text, day.end())  # "last week (week of 2026-11-23)"
        return f"{day[0]}{meant[0] if meant else ''}"
    value = ""
    if question.before and (found := _FROM.search(said.text)):
        value = found["value"]
    if not value and (found := _IS.search(said.text)):
        value = next((each for each in found.groups() if each), "")
        if _WHERE.search(question.text):  # "on 10 March in Trieste"
            value = _LED.sub("", _ON_A_DAY.sub("", value).strip())
    for aspect in question.aspects:
        value = value or value_of(aspect, said.text)
    if not value and _WHERE.search(question.text):
        value = _at(said.text)
    if not value and len(question.about) == 1 and _DONE.search(question.text):
        value = _behind(said.text, question.about)
    if not _LISTED.search(said.text):  # "my collaborators are A, B and C"
        value = _BEHIND.sub("", value)
    value = _IT_IS.sub("", value)
    if any(each.name in ("tool", "employer") for each in question.aspects):
        value = _PURPOSE.sub("", value)
    if bare and question.about and Words(value).has_all(question.about):
        return ""
    return value.strip(" .,;:")


def _behind(text: str, about: Sequence[str]) -> str:
    """What stands behind the verb: "two students" of "I supervise two students"."""
    rest = text[Words(text).place(about) :]
    return re.sub(r"^\W*[\w'-]+\s*(?:(?:to|in|at|on|with|by|for|a|su|con)\s+)?", "", rest)


def _at(text: str) -> str:
    """The place that a statement ends in."""
    places = re.split(r"\b(?:in|at|on|to|near|from|a|ad|al|su|sul|nel|nella|presso)\s+", text)
    return places[-1] if len(places) > 1 else ""
