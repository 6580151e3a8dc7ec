"""Things that a person joins in their own words, and names that they say are one thing's."""

from __future__ import annotations

from arxivscout.learning.things import kind_of, parts, thing_name
from arxivscout.learning.values import Gathering
from arxivscout.papers import PaperId
from arxivscout.redaction import redacted
from arxivscout.statements.own_words import Clause
from arxivscout.statements.relating import joined, same

MOST_OF_EACH = 6  # things on either side of a verb
_PEOPLE = frozenset({"written_by", "introduced_by"})
_DATA = frozenset({"trained_on", "evaluated_on"})


def join(to: Gathering, clause: Clause, confidence: float) -> bool:
    """Draw the edges between things that a clause tells of; whether it tells of any."""
    drawn = _one_thing(to, clause, confidence)
    for each in joined(clause.text):
        subjects, objects = (_names(words) for words in (each.subject, each.object))
        for subject in subjects:
            for object_ in objects:
                one = _thing(to, subject, kind_of(subject), confidence)
                kind = _kind_behind(each.predicate, object_)
                other = _thing(to, object_, kind, confidence)
                to.link(one, each.predicate, other, quote=clause.quote, confidence=confidence)
                drawn = True
    return drawn


def _one_thing(to: Gathering, clause: Clause, confidence: float) -> bool:
    """The names that a clause says are of one thing: the longer one is its name."""
    names = [thing_name(each) for each in same(clause.text) or ()]
    if len(names) != 2 or not all(names) or any(redacted(name) != name for name in names):
        return False
    short, long = sorted(names, key=len)
    kind = kind_of(long)
    to.add(kind, long, name=long, aliases=(short,), quote=clause.quote, confidence=confidence)
    return True


def _names(words: str) -> list[str]:
    """The names of things, and the ids of papers, that stand side by side in the words."""
    names = [str(_paper(part) or thing_name(part)) for part in parts(words)]
    return [name for name in names if name and redacted(name) == name][:MOST_OF_EACH]


def _thing(to: Gathering, name: str, kind: str, confidence: float) -> int:
    if paper := _paper(name):
        return to.add("paper", f"[arXiv:{paper}]", name=paper, confidence=confidence)
    return to.add(kind, name, name=name, confidence=confidence)


def _paper(words: str) -> str | None:
    try:
        return PaperId.parse(words).value
    except ValueError:
        return None


def _kind_behind(predicate: str, name: str) -> str:
    """What a thing is by what it is joined by, else by its name."""
    if predicate in _PEOPLE and name[:1].isupper():
        return "author"
    if predicate in _DATA:
        return "dataset"
    return kind_of(name, predicate)
