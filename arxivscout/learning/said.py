"""What the person's own words teach: what they wish, state, decide, leave open and put right."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from arxivscout.learning.days import with_dates
from arxivscout.learning.filing import filed
from arxivscout.learning.joining import join
from arxivscout.learning.things import kind_of, related
from arxivscout.learning.values import Gathering
from arxivscout.memory.gate.verdict import compare
from arxivscout.papers import one_line
from arxivscout.preferences import Preference, stated_wishes
from arxivscout.redaction import ADDRESS, PHONE, SECRET, redacted
from arxivscout.reflection.noticing import asked_beside, notice
from arxivscout.statements.apart import each_tool, puts_right
from arxivscout.statements.completing import completed, moved
from arxivscout.statements.declaring import declares
from arxivscout.statements.languages import CONDITION
from arxivscout.statements.own_words import Clause, own_clauses
from arxivscout.statements.relating import denied, without_order
from arxivscout.statements.saying import corrected, kind_said
from arxivscout.statements.stating import states, told

MOST_STATEMENTS = 40  # of a message: what is longer is rather a document
# "The paper submission is due on 30 June", of what was "my paper submission" before.
_THE = re.compile(r"the (?P<what>[^\W_][\w'’ -]{1,60}?) (?:is|are|was|were|ends?|starts?)\b", re.I)
_MARKS = (SECRET, ADDRESS, PHONE)
# How sure it is that the person means it so.
STATED, WORKED_OUT = 1.0, 0.9


def learn_wishes(to: Gathering) -> None:
    """The preferences that the message states, and the topics and methods named in them."""
    for wish in stated_wishes(to.turn.words, today=to.turn.day)[:MOST_STATEMENTS]:
        if _is_only_a_secret(wish.quote):
            continue
        to.add(
            "preference",
            one_line(wish.quote),
            reason=wish.reason,
            quote=one_line(wish.quote),
            confidence=STATED,
            filed_under="preferences",
            metadata={"kind": wish.kind},
        )
        _wished_things(to, wish)


def learn_statements(to: Gathering) -> None:
    """What else the message states. Of clauses that contradict one another the last one holds:
    what it takes back is kept as what was said before, and joins nothing.
    """
    wishes = [one_line(wish.quote) for wish in stated_wishes(to.turn.words)]
    clauses = list(islice(own_clauses(to.turn.words), MOST_STATEMENTS))
    before = [*islice(own_clauses(to.turn.before), MOST_STATEMENTS)][-1:]
    noticed = notice(to.turn.words)
    known = any(kind_said(c.text) == "correction" or _put_right(c, before) for c in clauses)
    if noticed and noticed.right and not known:
        _correction(to, Clause(one_line(noticed.right).rstrip(" .!"), noticed.note))
        clauses = [each for each in clauses if each.text not in one_line(noticed.note)]
    if whole := moved(to.turn.words, to.turn.before):
        clauses = [Clause(whole, one_line(to.turn.words))]
    for place, clause in enumerate(clauses):
        later = clauses[place + 1 :]
        _statement(
            to,
            clause,
            is_wish=_is_wish(clause, wishes, clauses),
            instead_of=_put_right(clause, [*before, *clauses[:place]]),
            holds=not any(_takes_back(each, clause) for each in later),
        )


def learn_relations(to: Gathering, clause: Clause) -> None:
    """What a clause relates the person to."""
    stated = (each for text in each_tool(clause.text) for each in told(text))
    for thing in (thing for each in stated for thing in related(each)):
        if redacted(thing.name) == thing.name:
            place = to.add(thing.kind, thing.name, name=thing.name, confidence=WORKED_OUT)
            to.link(to.person(), thing.predicate, place, quote=clause.quote, confidence=WORKED_OUT)


def _wished_things(to: Gathering, wish: Preference) -> None:
    if wish.lifts or wish.kind not in ("topics", "methods", "authors"):
        return
    for predicate, names in (("avoids", wish.unwanted), ("interested_in", wish.wanted)):
        for name in names:
            if wish.kind == "authors":
                kind = "author"
            else:
                kind = kind_of(name) if wish.kind == "topics" else "method"
            thing = to.add(kind, name, name=name, confidence=WORKED_OUT)
            to.link(to.person(), predicate, thing, quote=wish.quote, confidence=WORKED_OUT)


def _is_wish(clause: Clause, wishes: Sequence[str], clauses: Sequence[Clause]) -> bool:
    """Whether a clause is remembered as a preference, of several in a sentence each for itself."""
    if not any(clause.text in wish for wish in wishes):  # elided or put right, or none
        return bool(wishes) and bool(stated_wishes(clause.text))
    alone = sum(each.sentence == clause.sentence for each in clauses) == 1
    return alone or bool(stated_wishes(clause.text)) or not states(clause.text)


def _takes_back(later: Clause, clause: Clause) -> bool:
    """Whether a later clause of the message says that an earlier one does not hold."""
    if later.announced == "question" or kind_said(later.text) == "question":
        return False
    if puts_right(later.opened, later.text, clause.text):
        return True
    return compare(later.text, clause.text, 0.0).relation == "contradicts"


def _put_right(clause: Clause, before: Sequence[Clause]) -> Clause | None:
    """The newest clause before that this one puts right: "no, actually I use JAX"."""
    found = (each for each in reversed(before) if puts_right(clause.opened, clause.text, each.text))
    return next(found, None)


def _statement(
    to: Gathering, clause: Clause, *, is_wish: bool, instead_of: Clause | None, holds: bool
) -> None:
    kind = clause.announced or kind_said(clause.text)
    if kind == "correction":
        _correction(to, clause)
        return
    if _is_only_a_secret(clause.text):
        return
    if_so = bool(CONDITION.search(clause.text))
    joins = holds and not if_so and join(to, clause, WORKED_OUT)
    parts = holds and not if_so and denied(clause.text)
    stated = joins or parts or ((states(clause.text) or declares(clause.text)) and not if_so)
    before = with_dates(instead_of.text, to.turn.day) if instead_of else None
    if kind in ("decision", "question"):
        to.add(
            kind,
            with_dates(_shown(kind, clause), to.turn.day),
            reason=clause.reason,
            quote=clause.quote,
            confidence=STATED,
            filed_under="open questions" if kind == "question" else "active projects",
            instead_of=before,
        )
    elif stated and not is_wish:  # a wish is remembered as such
        for text in [without_order(clause.text)] if joins or parts else each_tool(clause.text):
            to.add(
                "fact",
                with_dates(text, to.turn.day),
                reason=clause.reason,
                quote=clause.quote,
                confidence=STATED,
                filed_under=filed(text),
                instead_of=before,
            )
    if holds and (stated or is_wish):
        learn_relations(to, clause)


def _shown(kind: str, clause: Clause) -> str:
    """A decision as it was said; a question with its mark where it was announced as one."""
    if kind == "decision":
        return clause.text
    asked = clause.announced == "question" and clause.sentence.endswith("?")
    return clause.text.rstrip("?") + "?" * asked


def _correction(to: Gathering, clause: Clause) -> None:
    """What the person says was wrong, with the question whose answer it was."""
    if not to.turn.before or _is_only_a_secret(clause.text):
        return
    asked = one_line(asked_beside(to.turn.before))
    right = corrected(clause.text) or clause.text
    own = completed(right, one_line(to.turn.before))
    if own or _is_of_their_own(right, asked):
        said = with_dates(own or right, to.turn.day)
        to.add(
            "fact",
            said,
            reason=clause.reason,
            quote=clause.quote,
            confidence=STATED,
            filed_under=filed(own or right),
        )
        return
    asked = asked if len(asked) <= 200 else f"{asked[:199]}…"
    where = f"Asked “{asked}”, the answer" if asked else "An answer"
    to.add(
        "correction",
        f"{where} was corrected: {clause.text}",
        reason="the researcher corrected the answer",
        quote=clause.quote,
        confidence=WORKED_OUT,
    )


def _is_of_their_own(right: str, before: str) -> bool:
    """Whether what is right is said of something that the person has just called theirs."""
    found = _THE.match(right)
    return found is not None and bool(
        re.search(rf"\b(?:my|our) {re.escape(found['what'])}\b", before, re.I)
    )


def _is_only_a_secret(text: str) -> bool:
    """Whether so much of it is secret that what is left says nothing."""
    left = redacted(text)
    if left == text:
        return False
    if SECRET in left:
        return True
    for mark in _MARKS:
        left = left.replace(mark, " ")
    return len([word for word in left.split() if len(word) > 3]) < 4
