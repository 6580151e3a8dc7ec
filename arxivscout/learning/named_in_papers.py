"""Methods, data sets and tools that a paper names, told by how authors name things.

"X: a …" titles, "long form (LF)", "we propose X", "on the X benchmark", "the X library": patterns
only, so that what is found stands in the paper's own words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from arxivscout.learning.things import kind_of
from arxivscout.papers import Paper

MOST_NAMED = 12  # of one paper
# A name as authors coin them: capitals inside, digits or all capitals; "The" and "CP" are none.
_NAME = (
    r"(?:[A-Z][a-z]+(?:[A-Z][A-Za-z]*|\d)[\w+-]*|[A-Z]{2,}[\w+-]*|[a-z]+[A-Z][\w+-]*"
    r"|[A-Z][a-z]+-\d\w*)"
)
_SOFT_NAME = rf"(?:{_NAME}|[A-Z][a-z]{{2,}}(?:-[A-Z]\w+)*)"
_TITLE = re.compile(rf"^(?P<name>{_SOFT_NAME}(?:[ -]{_SOFT_NAME}){{0,2}})\s*:\s+(?P<rest>\S.*)$")
_A_THING = re.compile(r"(?:an?|the)\b", re.I)
_SHORT_FORM = re.compile(
    r"(?P<long>(?:[A-Za-z][\w'’]*[ -]){1,7}[A-Za-z][\w'’]*)\s+\((?P<short>[A-Za-z][\w-]{1,11})\)"
)
_COINED = re.compile(
    rf"\b(?:we|this (?:paper|work|article)|authors)(?: \w+ly| then| also| therefore)? (?:propose"
    rf"|introduce|present|develop|release|describe|call|name|dub|design)s?(?: (?:a|an|the|our|it"
    rf"|this|new|novel|method|model|approach|called|named)){{0,5}} (?P<name>{_NAME})(?![\w-])"
    rf"|\b(?:called|named|dubbed|termed) (?P<name2>{_NAME})(?![\w-])"
)
_DATASET = re.compile(
    rf"\b(?:on|using|from|with|over|of)(?: the| both)? (?P<names>{_SOFT_NAME}(?:(?:, | and |, and "
    rf"){_SOFT_NAME}){{0,6}}) (?:data ?sets?|benchmarks?|corp(?:us|ora)|leaderboards?|test sets?"
    rf"|test suites?|catalogue?s?|surveys?(?= data\b))"
)
_EVALUATED = re.compile(
    rf"\b(?:evaluat\w+|test\w*|experiment\w*|benchmark\w*|results?|score\w*|accuracy"
    rf"|state[- ]of[- ]the[- ]art)[^.]{{0,60}}? on (?P<names>{_NAME}(?:(?:, | and |, and "
    rf"){_NAME}){{0,6}})(?![\w-])"
)
_TOOL = re.compile(
    rf"\b(?:the|our|a|an)? ?(?P<name>{_SOFT_NAME}) (?:library|toolkit|(?:software )?package"
    rf"|software|simulator|code package|compiler)\b"
)
_EXTENDS = re.compile(
    rf"\b(?:extend(?:s|ing)?|build(?:s|ing)? (?:up)?on|generali[sz](?:es?|ing)|based on"
    rf"|improv(?:es?|ing) (?:up)?on|variants? of|extension of)(?: the)? (?P<name>{_NAME})(?![\w-])"
)
_KIND_OF = re.compile(r"-(?:based|style|like|driven|aware|free|only|specific|type|level|guided)$")
# Capitalised words that begin a sentence or name no method.
_COMMON = frozenset(
    "the a an this that these those we our it its they in on of for and or not can new novel large "
    "small deep recent many most two three four several both all each such here there however "
    "while when where standard existing public open real synthetic various different multiple "
    "popular common challenging large-scale small-scale high low first second third state results "
    "experiments code data model models method methods training test validation english chinese "
    "german french comment reply erratum review notes note lecture introduction survey proceedings "
    "part usa uk eu us i ii iii iv v vs phd nlp ai ml cv doi http https www arxiv pdf source "
    "open-source learning python".split()
)


@dataclass(frozen=True, slots=True)
class Named:
    """A thing that a paper names; `predicate` joins the paper to it, as `quote` says."""

    name: str
    kind: str
    predicate: str
    quote: str
    aliases: tuple[str, ...] = ()


def named_in(paper: Paper) -> list[Named]:
    """What the paper's title and abstract name, what it brings itself first, each once."""
    found: dict[str, Named] = {}
    for named in _each(paper):
        key = named.name.casefold()
        held = found.get(key)
        if held is None:
            found[key] = named
        elif named.aliases and not held.aliases:
            found[key] = Named(held.name, held.kind, held.predicate, held.quote, named.aliases)
    # Both names of one thing are one thing.
    aliases = {alias.casefold() for named in found.values() for alias in named.aliases}
    return [named for key, named in found.items() if key not in aliases][:MOST_NAMED]


def _each(paper: Paper) -> Iterator[Named]:
    if (title := _TITLE.match(paper.title)) and _coined(title["name"]):
        name, rest = title["name"].split(), title["rest"]
        # "Whisper: A …" has a name in front, "Condensed Matter: …" a subject.
        if re.search(_NAME, title["name"]) or (len(name) == 1 and _A_THING.match(rest)):
            kind = _kind(rest.partition(" for ")[0].partition(" of ")[0], rest)
            yield Named(title["name"], kind, "introduces", paper.title)
    for text in (paper.title, "" if paper.is_summary else paper.abstract):
        for found in _SHORT_FORM.finditer(text):
            if long_form := _long_form(found["long"], found["short"]):
                kind = kind_of(long_form.split("(")[0])
                yield Named(
                    long_form, kind, "mentions", _around(text, found), aliases=(found["short"],)
                )
    if paper.is_summary:
        return  # a text of ours stands in the abstract's place
    abstract = paper.abstract
    for found in _COINED.finditer(abstract):
        name = found["name"] or found["name2"]
        if _coined(name):
            quote = _around(abstract, found)
            yield Named(name, _kind("", quote[quote.find(name) :][:80]), "introduces", quote)
    for found in (*_DATASET.finditer(abstract), *_EVALUATED.finditer(abstract)):
        for name in re.split(r", and |, | and ", found["names"]):
            if _coined(name):
                yield Named(name, "dataset", "evaluated_on", _around(abstract, found))
    for found in _TOOL.finditer(abstract):
        if _coined(found["name"]):
            yield Named(found["name"], "tool", "uses", _around(abstract, found))
    for found in _EXTENDS.finditer(abstract):
        if _coined(found["name"]):
            yield Named(found["name"], "method", "extends", _around(abstract, found))


def _coined(name: str) -> bool:
    words = name.split()
    common = any(word.casefold() in _COMMON for word in words)
    return len(name) > 1 and not common and not _KIND_OF.search(name)


def _kind(head: str, rest: str) -> str:
    """What a coined name stands for, by the words that follow it."""
    words = rest[:120].lower()
    if re.search(r"\b(?:data ?set|benchmark|corpus|test ?suite|collection|catalogue?)\b", words):
        return "dataset"
    if re.search(r"\b(?:library|toolkit|package|software|toolbox|simulator|platform)\b", words):
        return "tool"
    return "dataset" if head and kind_of(head) == "dataset" else "method"


def _long_form(words: str, short: str) -> str:
    """The words whose initials the short form has, "" if they are not its long form."""
    letters = [c.lower() for c in short.rstrip("s") if c.isalpha()]
    if sum(c.isupper() for c in short) < 2 or len(letters) < 2:
        return ""
    parts = [part for part in re.split(r"[ -]", words) if part]
    for count in range(len(parts), 0, -1):
        tail = parts[-count:]
        initials = [part[0].lower() for part in tail if part.lower() not in _SMALL]
        if initials == letters and tail[0].lower() not in _SMALL:
            start = words.rfind(tail[0], 0, len(words) - len(" ".join(tail[1:])))
            return words[start:] if start >= 0 else " ".join(tail)
    return ""


_SMALL = frozenset("of the for and in on with a an to by from".split())


def _around(text: str, found: re.Match[str]) -> str:
    """The sentence in which a match stands."""
    start = max(text.rfind(". ", 0, found.start()) + 2, 0) if ". " in text[: found.start()] else 0
    end = text.find(". ", found.end())
    return text[start : end + 1 if end >= 0 else len(text)].strip()[:500]
