"""Questions for what joins things: "what does my pipeline depend on?", "what extends LoRA?".

They are asked of the graph along the verbs that statements are read by.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from arxivscout.llm.pattern_questions import quoted
from arxivscout.statements.relating import is_name, verb_in

Call = tuple[str, dict[str, Any]]
MOST = 20  # found

# What is passed on from thing to thing is followed to its end.
_TRANSITIVE = frozenset({"extends", "depends_on", "part_of", "based_on", "cites"})
_DOES = re.compile(r"^\W*what(?: else)? (?:does|do|did) (?P<rest>.+?)\W*$", re.I)
_WHAT = re.compile(
    r"^\W*(?:what|(?:which|what) (?:methods?|tools?|models?|concepts?|librar(?:y|ies)|things?)"
    r"|che cosa|cosa)(?: else)? (?P<rest>\S.+?)\W*$",
    re.I,
)
_ARTICLE = re.compile(r"^(?:the|a|an|my|our|il|la|lo|i|le|mi[ao])\s+(?=\S)", re.I)


def relation_call(question: str) -> Call | None:
    """The tool that tells what a thing is joined to by a verb, or what fits several; else None."""
    if (found := _DOES.match(question)) and (verb := verb_in(found["rest"])):
        before, predicate, turned, behind = verb
        return _one(before, predicate, backward=turned) if before and not behind else None
    found = _WHAT.match(question)
    wanted = list(_wanted(found["rest"])) if found else []
    if len(wanted) < 2:
        return _one(wanted[0][2], wanted[0][0], backward=not wanted[0][1]) if wanted else None
    edges = [_edge(predicate, name, backward=not turned) for predicate, turned, name in wanted]
    return "match", {"pattern": "; ".join(edges), "limit": MOST}


def _wanted(rest: str) -> Iterator[tuple[str, bool, str]]:
    """Verb by verb what is asked for: "extends LoRA and uses PyTorch"."""
    for part in re.split(r"\s+(?:and|e)\s+(?:that\s+|which\s+|also\s+)?", rest):
        verb = verb_in(part)
        if verb is None or verb[0] or not is_name(verb[3]):
            return
        yield verb[1], verb[2], verb[3]


def _one(name: str, predicate: str, *, backward: bool) -> Call | None:
    if not is_name(name):
        return None
    if predicate not in _TRANSITIVE:
        return "match", {"pattern": _edge(predicate, name, backward=backward), "limit": MOST}
    arguments = {"name": _plain(name), "predicates": [predicate], "transitive": True, "limit": MOST}
    return "neighbours", {**arguments, "backward": True} if backward else arguments


def _edge(predicate: str, name: str, *, backward: bool) -> str:
    named = quoted(_plain(name))
    return f"?x {predicate} {named}" if backward else f"{named} {predicate} ?x"


def _plain(name: str) -> str:
    return _ARTICLE.sub("", " ".join(name.split()).strip(" \"“”'"))
