"""Patterns and rules as text: `?p written_by ?a; ?q written_by ?a; ?q about "jets"; ?p cites ?r`.

A pattern is edges with places left open. A place is a variable (`?p`, or `?p:paper` where it must
be of a kind) or something named: in quotation marks, or bare where it is one word (`0704.0001`,
`author:ada`). Edges stand between semicolons, commas or line ends. A rule is a pattern, `=>`, and
the edge that follows from it. Both can be JSON too: a list of [subject, predicate, object].
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from arxivscout.errors import UsageError
from arxivscout.memory.graph.node import predicate_key
from arxivscout.papers import clean_text

MOST_CHARACTERS = 4_000
MOST_EDGES = 8
LONGEST_NAME = 500
EXAMPLE = '?p written_by ?a; ?p about "dark matter"'
RULE_EXAMPLE = "?a extends ?b, ?b extends ?c => ?a builds_on ?c"

_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r]+)|(?P<end>[;,\n])|(?P<arrow>=>)
    |\?(?P<variable>\w+)(?::(?P<kind>\w+))?
    |"(?P<double>(?:[^"\\]|\\.)*)"|“(?P<curly>[^”]*)”|'(?P<single>(?:[^'\\]|\\.)*)'
    |(?P<bare>[^\s;,"“”'?=][^\s;,"“”]*)""",
    re.VERBOSE,
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Variable:
    """A place left open; `kind` is what its node must be, where that is said."""

    name: str
    kind: str | None = None

    def __str__(self) -> str:
        return f"?{self.name}" + (f":{self.kind}" if self.kind else "")


@dataclass(frozen=True, slots=True)
class Named:
    """Something that the person names."""

    text: str

    def __str__(self) -> str:
        escaped = self.text.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'


Term = Variable | Named


@dataclass(frozen=True, slots=True)
class Triple:
    """An edge of a pattern."""

    subject: Term
    predicate: str
    object: Term

    @property
    def variables(self) -> frozenset[str]:
        """The names of its variables."""
        return frozenset(
            term.name for term in (self.subject, self.object) if isinstance(term, Variable)
        )

    def __str__(self) -> str:
        return f"{self.subject} {self.predicate} {self.object}"


@dataclass(frozen=True, slots=True)
class Rule:
    """What follows from what."""

    body: tuple[Triple, ...]
    head: Triple

    def __str__(self) -> str:
        return f"{', '.join(map(str, self.body))} => {self.head}"


def parse_pattern(text: str) -> tuple[Triple, ...]:
    """The edges of a pattern, as text or as JSON.

    Raises:
        UsageError: it is none; the message says where.
    """
    triples = _triples(text, EXAMPLE)
    return _checked(triples)


def parse_rule(text: str) -> Rule:
    """A rule as text, or as JSON: {"if": [edges], "then": edge}.

    Raises:
        UsageError: it is none, or what follows has a variable that nothing binds.
    """
    body, head = _rule_parts(text)
    if len(head) != 1:
        raise _wrong("A rule ends in one edge that follows.", RULE_EXAMPLE)
    rule = Rule(_checked(body), head[0])
    bound = frozenset[str]().union(*(triple.variables for triple in rule.body))
    ends = (rule.head.subject, rule.head.object)
    if not all(isinstance(end, Variable) and end.name in bound for end in ends):
        raise _wrong(
            "Both ends of what follows must be variables of the edges before.", RULE_EXAMPLE
        )
    if ends[0] == ends[1]:
        raise _wrong("What follows would join a thing to itself.", RULE_EXAMPLE)
    return rule


def _rule_parts(text: str) -> tuple[list[Triple], list[Triple]]:
    text = _sized(text, RULE_EXAMPLE)
    if text.lstrip().startswith("{"):
        given = _json(text, RULE_EXAMPLE)
        if not isinstance(given, dict) or set(given) != {"if", "then"}:
            raise _wrong('A rule in JSON is {"if": [edges], "then": edge}.', RULE_EXAMPLE)
        return _from_json(given["if"]), _from_json([given["then"]])
    before, arrow, behind = text.partition("=>")
    if not arrow:
        raise _wrong("A rule has `=>` between what is known and what follows.", RULE_EXAMPLE)
    return _from_text(before, RULE_EXAMPLE), _from_text(behind, RULE_EXAMPLE)


def _triples(text: str, example: str) -> list[Triple]:
    text = _sized(text, example)
    if text.lstrip().startswith("["):
        return _from_json(_json(text, example))
    return _from_text(text, example)


def _sized(text: str, example: str) -> str:
    text = clean_text(text)
    if len(text) > MOST_CHARACTERS:
        raise _wrong(f"A pattern has at most {MOST_CHARACTERS:,} characters.", example)
    return text


def _json(text: str, example: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _wrong(f"That is no JSON: {error}.", example) from None


def _from_json(given: Any) -> list[Triple]:
    if not isinstance(given, list):
        raise _wrong("In JSON a pattern is a list of edges.", '[["?p", "cites", "0704.0001"]]')
    found = []
    for number, each in enumerate(given, start=1):
        if isinstance(each, dict) and set(each) == {"subject", "predicate", "object"}:
            each = [each["subject"], each["predicate"], each["object"]]
        if not (
            isinstance(each, list) and len(each) == 3 and all(isinstance(x, str) for x in each)
        ):
            raise _wrong(
                f"Edge {number} is no list of three texts.", '["?p", "cites", "0704.0001"]'
            )
        subject, predicate, object_ = each
        found.append(Triple(_term(subject), _predicate(predicate), _term(object_)))
    return found


def _term(text: str) -> Term:
    """A place in JSON: a variable, or else a name as it stands."""
    match = re.fullmatch(r"\?(\w+)(?::(\w+))?", text.strip())
    return Variable(match[1], match[2]) if match else _named(clean_text(text))


def _from_text(text: str, example: str) -> list[Triple]:
    found: list[Triple] = []
    parts: list[Term | str] = []
    for token, at in _tokens(text, example):
        if token is not None:
            parts.append(token)
            if len(parts) > 3:
                raise _wrong(
                    f"An edge has three parts; a fourth begins at {_at(text, at)}.", example
                )
        elif parts:
            found.append(_triple(parts, text, at, example))
            parts = []
    return found


def _triple(parts: list[Term | str], text: str, at: int, example: str) -> Triple:
    if len(parts) != 3:
        raise _wrong(
            f"The edge that ends at {_at(text, at)} has {len(parts)} parts, not 3.", example
        )
    subject, predicate, object_ = parts
    if not isinstance(predicate, str):
        raise _wrong(f"The predicate of an edge is a word, not {predicate}.", example)
    return Triple(_place(subject), _predicate(predicate), _place(object_))


def _place(part: Term | str) -> Term:
    return _named(part) if isinstance(part, str) else part


def _named(text: str) -> Named:
    text = " ".join(text.split())
    if not text or len(text) > LONGEST_NAME:
        raise _wrong(f"A name has 1 to {LONGEST_NAME} characters.", EXAMPLE)
    return Named(text)


def _predicate(text: str) -> str:
    predicate = predicate_key(text)
    if not predicate:
        raise _wrong(f"{text[:40]!r} is no predicate.", EXAMPLE)
    return predicate


def _tokens(text: str, example: str) -> Iterator[tuple[Term | str | None, int]]:
    """Each part of an edge with its place; None at the end of an edge."""
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup == "arrow":
            raise _wrong(f"That can't be read at {_at(text, at)}.", example)
        if match["variable"]:
            yield Variable(match["variable"], match["kind"]), at
        elif match.lastgroup in ("double", "single"):
            yield _named(_ESCAPED.sub(r"\1", match[match.lastgroup])), at
        elif match.lastgroup == "curly":
            yield _named(match["curly"]), at
        elif match.lastgroup == "bare":
            yield match["bare"], at
        elif match.lastgroup == "end":
            yield None, at
        at = match.end()
    yield None, at


def _checked(triples: list[Triple]) -> tuple[Triple, ...]:
    if not triples:
        raise _wrong("The pattern is empty.", EXAMPLE)
    if len(triples) > MOST_EDGES:
        raise _wrong(f"A pattern has at most {MOST_EDGES} edges.", EXAMPLE)
    return tuple(dict.fromkeys(triples))


def _at(text: str, at: int) -> str:
    return f"“{text[at : at + 20].strip()}”" if text[at:].strip() else "the end"


def _wrong(cause: str, example: str) -> UsageError:
    return UsageError(cause, f"For example: {example}")
