"""What a turn teaches by rule: from the person's own words, and from the papers they were shown."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from itertools import islice
from uuid import UUID

from arxivscout.learning.days import with_dates
from arxivscout.learning.findings import findings
from arxivscout.learning.joining import join
from arxivscout.learning.named_in_papers import named_in
from arxivscout.learning.things import kind_of, related
from arxivscout.learning.values import Gathering, Learned, Turn, Used
from arxivscout.memory.gate.verdict import compare
from arxivscout.papers import one_line
from arxivscout.preferences import Preference, stated_wishes
from arxivscout.redaction import ADDRESS, PHONE, SECRET, redacted
from arxivscout.statements.languages import CONDITION
from arxivscout.statements.own_words import Clause, own_clauses
from arxivscout.statements.relating import without_order
from arxivscout.statements.saying import corrected, kind_said
from arxivscout.statements.stating import states, told

MOST_CANDIDATES = 150  # of one turn; those that most edges join are kept
MOST_STATEMENTS = 40  # of a message: what is longer is rather a document
MOST_AUTHORS = 8  # of one paper; of a collaboration the first three
# "The paper submission is due on 30 June", of what was "my paper submission" before.
_THE = re.compile(r"the (?P<what>[^\W_][\w'’ -]{1,60}?) (?:is|are|was|were|ends?|starts?)\b", re.I)
_MARKS = (SECRET, ADDRESS, PHONE)
# How sure it is that the source means it so.
STATED, WORKED_OUT, BY_PATTERN = 1.0, 0.9, 0.7


def learned(turn: Turn) -> Learned:
    """All that the turn teaches: statements and things, and how they are related.

    Only what the person said and what the papers say. Deterministic; linear in the length of both.
    """
    gathering = Gathering(turn)
    _preferences(gathering)
    _statements(gathering)
    for used in turn.papers:
        _paper(gathering, used)
    return _bounded(Learned(tuple(gathering.candidates), tuple(gathering.links.values())))


def relations_of(
    person: str,
    text: str,
    at: datetime,
    thread_id: str | None = None,
    turn_id: UUID | None = None,
) -> Learned:
    """What a statement as it is written relates the person to; each edge quotes all of it."""
    turn = Turn(person=person, words=text, at=at, thread_id=thread_id, turn_id=turn_id)
    gathering = Gathering(turn)
    for clause in islice(own_clauses(text), MOST_STATEMENTS):
        whole = replace(clause, sentence=one_line(text))
        _relations(gathering, whole)
        join(gathering, whole, WORKED_OUT)
    return _bounded(Learned(tuple(gathering.candidates), tuple(gathering.links.values())))


def _preferences(to: Gathering) -> None:
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


def _statements(to: Gathering) -> None:
    wishes = [one_line(wish.quote) for wish in stated_wishes(to.turn.words)]
    clauses = list(islice(own_clauses(to.turn.words), MOST_STATEMENTS))
    for place, clause in enumerate(clauses):
        if not any(_takes_back(later, clause) for later in clauses[place + 1 :]):
            _statement(to, clause, is_wish=any(clause.text in wish for wish in wishes))


def _takes_back(later: Clause, clause: Clause) -> bool:
    """Whether a later clause of the message says that an earlier one does not hold."""
    if later.announced == "question" or kind_said(later.text) == "question":
        return False
    return compare(later.text, clause.text, 0.0).relation == "contradicts"


def _statement(to: Gathering, clause: Clause, *, is_wish: bool) -> None:
    kind = clause.announced or kind_said(clause.text)
    if kind == "correction":
        _correction(to, clause)
        return
    if _is_only_a_secret(clause.text):
        return
    if_so = bool(CONDITION.search(clause.text))
    joins = not if_so and join(to, clause, WORKED_OUT)
    stated = joins or (states(clause.text) and not if_so)
    if kind in ("decision", "question"):
        shown = (
            clause.text
            if kind == "decision"
            else clause.text.rstrip("?")
            + "?" * (clause.announced == "question" and clause.sentence.endswith("?"))
        )
        to.add(
            kind,
            with_dates(shown, to.turn.day),
            reason=clause.reason,
            quote=clause.sentence,
            confidence=STATED,
            filed_under="open questions" if kind == "question" else "active projects",
        )
    elif stated and not is_wish:  # a wish is remembered as such
        to.add(
            "fact",
            with_dates(without_order(clause.text) if joins else clause.text, to.turn.day),
            reason=clause.reason,
            quote=clause.sentence,
            confidence=STATED,
        )
    if stated or is_wish:
        _relations(to, clause)


def _relations(to: Gathering, clause: Clause) -> None:
    for each in told(clause.text):
        for thing in related(each):
            if redacted(thing.name) != thing.name:
                continue
            place = to.add(thing.kind, thing.name, name=thing.name, confidence=WORKED_OUT)
            to.link(
                to.person(), thing.predicate, place, quote=clause.sentence, confidence=WORKED_OUT
            )


def _correction(to: Gathering, clause: Clause) -> None:
    """What the person says was wrong, with the question whose answer it was."""
    if not to.turn.before or _is_only_a_secret(clause.text):
        return
    asked = one_line(to.turn.before)
    right = corrected(clause.text)
    if _is_of_their_own(right, asked):
        said = with_dates(right, to.turn.day)
        to.add("fact", said, reason=clause.reason, quote=clause.sentence, confidence=STATED)
        return
    asked = asked if len(asked) <= 200 else f"{asked[:199]}…"
    to.add(
        "correction",
        f"Asked “{asked}”, the answer was corrected: {clause.text}",
        reason="the researcher corrected the answer",
        quote=clause.sentence,
        confidence=WORKED_OUT,
    )


def _is_of_their_own(right: str, before: str) -> bool:
    """Whether what is right is said of something that the person has just called theirs."""
    found = _THE.match(right)
    return found is not None and bool(
        re.search(rf"\b(?:my|our) {re.escape(found['what'])}\b", before, re.I)
    )


def _paper(to: Gathering, used: Used) -> None:
    paper = used.paper
    found = {"source": paper.arxiv_id, "confidence": BY_PATTERN}
    place = to.add(
        "paper",
        f"[arXiv:{paper.arxiv_id}] {paper.title}",
        name=paper.arxiv_id,
        source=paper.arxiv_id,
        metadata={"arxiv_id": paper.arxiv_id, "title": paper.title},
    )
    for finding in findings(used):
        text = to.add(
            "finding",
            f"{finding.text} [arXiv:{paper.arxiv_id}]",
            quote=finding.text,
            filed_under="findings",
            metadata={"arxiv_ids": [paper.arxiv_id]},
            **found,
        )
        to.link(text, "supported_by", place, quote=finding.text, source=paper.arxiv_id)
    few = paper.authors[: MOST_AUTHORS if len(paper.authors) <= MOST_AUTHORS else 3]
    for name in few:
        author = to.add("author", name, name=name, source=paper.arxiv_id, confidence=WORKED_OUT)
        to.link(place, "written_by", author, source=paper.arxiv_id)
    for named in named_in(paper):
        thing = to.add(
            named.kind,
            named.name,
            name=named.name,
            aliases=named.aliases,
            quote=named.quote,
            filed_under="methods" if named.kind in ("method", "tool") else None,
            **found,
        )
        to.link(
            place,
            named.predicate,
            thing,
            quote=named.quote,
            source=paper.arxiv_id,
            confidence=BY_PATTERN,
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


def _bounded(found: Learned) -> Learned:
    """At most `MOST_CANDIDATES`: statements first, then the things that most edges join."""
    if len(found.candidates) <= MOST_CANDIDATES:
        return found
    support = [0.0] * len(found.candidates)
    for link in found.links:
        for place in (link.subject, link.object):
            support[place] += link.confidence
    order = sorted(
        range(len(found.candidates)),
        key=lambda place: (found.candidates[place].name is not None, -support[place], place),
    )
    return found.only(order[:MOST_CANDIDATES])
