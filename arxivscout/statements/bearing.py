"""Which of a person's statements bear on a question of theirs, and what each says to it.

OwnQuestion, statements ──fit──► those that name what is asked, of the aspect that is asked
                        ──stance──► it holds, it is over, it never was, or it can't be told
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Literal

from arxivscout.statements.asking import OwnQuestion
from arxivscout.statements.aspects import (
    EMPLOYER,
    Aspect,
    aspects_of,
    sign_of,
    value_of,
    without_aspects,
)
from arxivscout.statements.ending import NOW_AND_THEN
from arxivscout.statements.kinds_of_tools import named_among, names_of
from arxivscout.statements.likewords import Words
from arxivscout.statements.names import is_organisation
from arxivscout.statements.naming import words_about
from arxivscout.statements.stating import told

Stance = Literal["holds", "over", "never", "untold"]
_I = re.IGNORECASE
_OVER = re.compile(
    r"\b(?:no longer|(?:not|n['’]t)\b.*\bany ?more|stopped|quit|ceased|gave up|given up|dropped"
    r"|abandoned|ditched|got rid of|used to|formerly|previously|once (?:used|worked|lived|was)"
    r"|left|finished (?:with|my)|retired from|lost interest|non .*\bpiù|smesso|lasciat[oa]"
    r"|abbandonat[oa]|un tempo|nicht mehr|aufgehört|aufgegeben|früher|n['’]\w+ plus|arrêté"
    r"|abandonné|ya no|dejé|dejado|abandoné|was|were|worked|lived|studied|played|taught|had"
    r"|usavo|lavoravo|vivevo|abitavo|ero|avevo)\b",
    _I,
)
_MOVED_FROM = re.compile(
    r"\b(?:switch\w*|mov\w+|migrat\w+|chang\w+|convert\w*|port\w*|passat\w|umgestiegen)\b.*"
    r"\b(?:from|da|dal|von|de)\s+(?:[\w-]+ ){0,2}$|\b(?:replaced|swapped|sostituito|ersetzt) "
    r"(?:[\w-]+ ){0,2}$",
    _I,
)
_MINE = re.compile(r"\b(?:my|our|il mio|la mia|i miei|le mie) (?=\w)", _I)
_SUBJECT = 40  # characters at the beginning of a statement in which its subject stands
_NEVER = re.compile(
    r"\b(?:not|never|neither|nor|cannot|without|instead of|rather than|hardly|rarely|refuse\w*"
    r"|non|mai|né|senza|invece di|al posto di|anziché|nicht|nie|niemals|kein\w*|ohne|statt|jamais"
    r"|nunca|tampoco|sin)\b|n['’]t\b|\bne \w+ pas\b|\bn['’]\w+ pas\b|\bno (?=\w)(?!longer)",
    _I,
)


@dataclass(frozen=True)
class Said:
    """One statement of the person's: their words, since when and until when they hold, and why.

    `next`: what has taken its place, and `next_reason` why the person says so. `ref`: whatever the
    caller knows it by; `nth`: its place among those of the same day.
    """

    text: str
    since: date
    until: date | None = None
    kind: str = ""
    reason: str = ""
    thread: str = ""
    next: str = ""
    next_reason: str = ""
    ref: str = ""
    nth: int = 0

    @property
    def order(self) -> tuple[date, int]:
        """Of two statements the later one has the greater."""
        return self.since, self.nth

    @cached_property
    def words(self) -> Words:
        return Words(self.text)

    @cached_property
    def aspects(self) -> tuple[Aspect, ...]:
        found = aspects_of(self.text)
        if self.kind == "decision" and not any(each.name == "decision" for each in found):
            found += aspects_of("decided")
        if self.kind == "preference" and not found:  # "No more papers on axions"
            found = aspects_of("dislike")
        return tuple(_as_meant(each, self.text) for each in found)


@dataclass(frozen=True, slots=True)
class Bearing:
    """What was said that answers a question; `near` names only what it asks about."""

    found: tuple[Said, ...]
    near: tuple[Said, ...] = ()


def bearing(question: OwnQuestion, said: Sequence[Said]) -> Bearing:
    """What of `said` bears on the question: what holds first, of that the newest."""
    said = one_at_a_time(said)
    wanted = {each.name for each in question.aspects}
    asked = question.about
    if "possession" in wanted:
        asked += question.kind_of
    with_next = question.before or question.instead or question.asks == "why"
    named = [each for each in said if _names(each, asked, with_next=with_next)]
    fitting = [each for each in named if not wanted or _of(each, wanted)]
    if "possession" in wanted and asked:  # "my dog" tells of one, too
        fitting += [each for each in named if each not in fitting and _MINE.search(each.text)]
    if not asked and not wanted:
        fitting = []
    if question.kind_of:
        fitting = _of_kind(question.kind_of, fitting, tools="tool" in wanted)
    if _MINE.search(question.text):  # of "my thesis" tells what begins with it
        fitting = [each for each in fitting if _is_subject(each, asked)] or fitting
    order = sorted(fitting, key=lambda each: each.order, reverse=True)
    order.sort(key=lambda each: each.until is not None)
    near = [] if order or not asked else sorted(named, key=lambda each: each.order, reverse=True)
    return Bearing(tuple(order), tuple(each for each in near if each.until is None))


def says(statement: str, other: str) -> bool:
    """Whether a statement tells of all that `other` names, and of what that is about."""
    words, aspects = words_about(without_aspects(other)), {each.name for each in aspects_of(other)}
    if not words and not aspects:
        return False
    of_it = not aspects or aspects & {each.name for each in aspects_of(statement)}
    return bool(of_it) and Words(statement).has_all(words)


def others_of(question: OwnQuestion, said: Sequence[Said]) -> list[Said]:
    """What holds now of what the question asks for, where one holds at a time: another home."""
    single = {each.name for each in question.aspects if each.single}
    found = [e for e in one_at_a_time(said) if _holds_alone(e) and _of(e, single)]
    return sorted(found, key=lambda each: each.order, reverse=True)


def stance(question: OwnQuestion, statement: str) -> Stance:
    """What a statement says of the thing that the question names."""
    if not _names(Said(statement, date.min), question.about):
        return "untold"
    for one in told(statement.strip(" .!")):
        words = Words(one.what)
        if question.about and any(words.has(each) for each in question.about):
            over = one.predicate in NOW_AND_THEN
            head = one.what[: words.place(question.about)]
            return "over" if over else "never" if _NEVER.search(head) else "holds"
    head = statement[: Words(statement).place(question.about)]
    if not head.strip():
        head = statement
    signs = sign_of(question.text), sign_of(statement)
    differ = 0 not in signs and signs[0] != signs[1]
    if _OVER.search(head) or _MOVED_FROM.search(head):
        return "untold" if differ else "over"
    if 0 in signs:
        return "never" if _NEVER.search(head) else "holds"
    return "never" if differ else "holds"


def one_at_a_time(said: Sequence[Said]) -> list[Said]:
    """Statements of which a later one has taken the place end there: who moved lives elsewhere."""
    newest: dict[str, Said] = {}
    for each in sorted(said, key=lambda one: one.order):
        for aspect in each.aspects:
            if aspect.single and _holds_alone(each):
                newest[aspect.name] = each
    ended = []
    for each in said:
        later = [newest[a.name] for a in each.aspects if a.name in newest]
        after = next((one for one in later if one.order > each.order), None)
        if after and _holds_alone(each) and not _same_value(each, after):
            each = replace(each, until=after.since, next=after.text, next_reason=after.reason)
        ended.append(each)
    return ended


def _of_kind(kind: Sequence[str], said: Sequence[Said], *, tools: bool) -> list[Said]:
    """Those that name the kind of thing that is asked for, or a thing of that kind."""
    names = names_of(kind) if tools else None
    if names is not None:
        return [each for each in said if named_among(each.text, names)]
    return [each for each in said if _names(each, kind)] or list(said)


def _is_subject(said: Said, asked: Sequence[str]) -> bool:
    head = _MINE.match(said.text)
    return bool(head and asked) and said.words.place(asked) < _SUBJECT


def adds(said: Said) -> bool:
    """Whether it is said beside what holds already: "my second supervisor"."""
    return bool(_ADDS.search(said.text))


def _holds_alone(said: Said) -> bool:
    return said.until is None and not (_ADDS.search(said.text) or _OVER.search(said.text))


def _same_value(one: Said, other: Said) -> bool:
    for aspect in one.aspects:
        old, new = value_of(aspect, one.text), value_of(aspect, other.text)
        if aspect.single and old and new:
            inner, outer = sorted((old, new), key=len)
            return Words(outer).has_all(words_about(inner))
    return False


_ADDS = re.compile(r"\b(?:also|too|as well|second|another|anche|auch|aussi|también)\b", _I)


def _of(said: Said, wanted: set[str]) -> bool:
    return any(each.name in wanted for each in said.aspects)


def _names(said: Said, words: Sequence[str], *, with_next: bool = False) -> bool:
    if said.words.has_all(words):
        return True
    return with_next and bool(said.next) and Words(f"{said.text} {said.next}").has_all(words)


def _as_meant(aspect: Aspect, text: str) -> Aspect:
    """ "I moved to DESY" is of an employer: people live in no laboratory."""
    if aspect.name == "home" and is_organisation(value_of(aspect, text)):
        return EMPLOYER
    return aspect
