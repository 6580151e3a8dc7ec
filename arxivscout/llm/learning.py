"""What a chat model makes of a turn, read strictly: JSON whose quotes stand in what it was shown.

Nothing of it is taken on trust: what is broken, too long, of an unknown kind or without a true
quote is dropped, and told why.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

MOST_REPLY = 20_000  # characters; what is longer is no answer to what was asked
MOST_EACH = 10

Kind = Literal["fact", "finding", "decision", "question"]
ThingKind = Literal["person", "author", "method", "dataset", "concept", "tool", "organisation"]
_Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=2, max_length=500)]
_Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80)]
_Predicate = Annotated[
    str,
    StringConstraints(strip_whitespace=True, to_lower=True, pattern=r"^[a-zA-Z][a-zA-Z _-]{1,30}$"),
]
_WORD = re.compile(r"\w+")
# With these a quote is told in another person or made a sentence.
_TELLING = frozenset(
    "i me my mine we our us the a an is are was were am be of to in on at for and or that this it "
    "as with by from researcher researchers they their them he she his her user person uses use "
    "has have had do does will 's s".split()
)


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    quote: _Line
    source: str | None = None


P = TypeVar("P", bound=_Part)


class Statement(_Part):
    """Something stated by the person, or by the paper `source`."""

    kind: Kind
    text: _Line
    reason: str | None = None


class Relation(_Part):
    """`subject` is "me" for the person, else a name that the quote has, as `object` is."""

    subject: _Name
    predicate: _Predicate
    object: _Name
    kind: ThingKind = "concept"


@dataclass(slots=True)
class Told:
    """What holds of a reply, and why each other part does not."""

    statements: list[Statement] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)


def read_reply(reply: str, words: str, papers: Mapping[str, str]) -> Told:
    """The statements and relations of `reply` whose quotes are true; never raises.

    Args:
        words: what the person said.
        papers: arXiv id → the text that the model was shown of the paper.
    """
    told = Told()
    if len(reply) > MOST_REPLY:
        told.dropped.append(f"a reply of {len(reply):,} characters")
        return told
    given = _json(reply)
    if given is None:
        told.dropped.append("no JSON")
        return told
    for part in _parts(given, "statements"):
        statement = _valid(Statement, part, told)
        if statement and _is_quoted(statement, words, papers, told):
            told.statements.append(_in_its_words(statement))
    for part in _parts(given, "relations"):
        relation = _valid(Relation, part, told)
        if relation and _is_quoted(relation, words, papers, told):
            names = [relation.object] + [relation.subject] * (relation.subject.lower() != "me")
            if all(_stands_in(name, relation.quote) for name in names):
                told.relations.append(relation)
            else:
                told.dropped.append("a name that its quote does not have")
    return told


def _json(reply: str) -> dict[str, Any] | None:
    start, end = reply.find("{"), reply.rfind("}")
    if start < 0 or end < start:
        return None
    try:
        given = json.loads(reply[start : end + 1])
    except (ValueError, RecursionError):
        return None
    return given if isinstance(given, dict) else None


def _parts(given: Mapping[str, Any], name: str) -> list[Any]:
    parts = given.get(name)
    return parts[:MOST_EACH] if isinstance(parts, list) else []


def _valid(shape: type[P], part: Any, told: Told) -> P | None:
    try:
        return shape.model_validate(part)
    except ValidationError as error:
        told.dropped.append(str(error.errors()[0]["msg"])[:200])
        return None


def _is_quoted(part: _Part, words: str, papers: Mapping[str, str], told: Told) -> bool:
    if part.source is not None and part.source not in papers:
        told.dropped.append("a paper that was not shown")
        return False
    text = words if part.source is None else papers[part.source]
    if isinstance(part, Statement) and part.kind == "finding" and part.source is None:
        told.dropped.append("a finding of no paper")
        return False
    if _stands_in(part.quote, text):
        return True
    told.dropped.append("a quote that stands nowhere")
    return False


def _in_its_words(statement: Statement) -> Statement:
    """With the quote for its text where the text says more, or leaves out a "not" or a number."""
    said, quoted = set(_words(statement.text)), set(_words(statement.quote))
    kept = {word for word in quoted if word in _TURNING or word.isdigit()}
    faithful = said - _TELLING <= quoted and kept <= said
    reason = statement.reason
    if reason is not None and not _stands_in(reason, statement.quote):
        reason = None
    text = statement.text if faithful else statement.quote
    return statement.model_copy(update={"text": text, "reason": reason})


_TURNING = frozenset(
    "not no never without nor neither cannot don't doesn't didn't isn't aren't wasn't won't can't "
    "non nicht kein keine nie pas jamais no nunca".split()
)


def _words(text: str) -> list[str]:
    joined = unicodedata.normalize("NFKC", text).lower().replace("’", "'")
    return re.findall(r"[\w']+", joined)


def _stands_in(words: str, text: str) -> bool:
    """Whether these words, and there are any, follow each other in `text`."""
    plain = _plain(words)
    return bool(plain) and f" {plain} " in f" {_plain(text)} "


def _plain(text: str) -> str:
    """Its words alone, so that a quote may have other blanks and marks."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_WORD.findall(folded))
