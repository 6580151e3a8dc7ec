"""What a person types into the paper search: words, and operators that narrow it.

query     = piece { blank piece }             all that is no operator is text
piece     = phrase | "-" (word | phrase) | [ "-" ] name ":" value | text
phrase    = quote words quote                 "…", “…”, „…“ or «…»; an unclosed quote is text
author:, au:, title:, ti:                     a word or a phrase
cat:, category:                               cs.CL; cs or cs.* for all of an archive
id:                                           0712.2288, hep-th/9901001v2, arXiv:…, or some
                                              with commas between
year:                                         day, day..day, day.. or ..day; 2019-2023
since:, until:                                a day: YYYY, YYYY-MM or YYYY-MM-DD
like:                                         as id: papers to find others like them
A name is all small or all large, its value follows at once; `-` stands before a letter, a
phrase, or the name of one of the first three. Of days the narrowest hold. A value that can't be
used stays in the text. Nothing but AND between operators is no text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace

from arxivscout.papers.dates import day_named
from arxivscout.papers.ids import OLD_ARCHIVES, PaperId
from arxivscout.papers.taxonomy import known_category
from arxivscout.papers.text import one_line

_NAMES = {
    "author": "authors", "au": "authors", "title": "titles", "ti": "titles",
    "cat": "categories", "category": "categories", "id": "ids",
    "like": "like", "year": "years", "since": "since", "until": "until",
}  # fmt: skip
_NEGATED = {
    "authors": "without_authors", "titles": "without_titles",
    "categories": "without_categories", "ids": "without_ids",
}  # fmt: skip
_LISTED = ("without", "authors", "titles", "categories", "ids", "like", *_NEGATED.values())
_QUOTABLE = frozenset(
    {"phrases", "without", "authors", "titles", "without_authors", "without_titles"}
)
_QUOTES = '"“”„«»'
# A quote opens before a word and closes after one: 5" is an inch, and "a"b doesn't close within.
# So there is always a word between the two, and no quote is both.
_OPENS = rf"[{_QUOTES}][^\w\s]*\w"
_ENDS = rf"(?=[^\w\s{_QUOTES}]*+(?:\s|\Z))"
_STRAIGHT, _CURLY, _ANGLED = (re.compile(rf"[{each}]{_ENDS}") for each in ('"', "“”", "«»"))
_CLOSING = {'"': _STRAIGHT, **dict.fromkeys("“”„", _CURLY), **dict.fromkeys("«»", _ANGLED)}
_OPENING = re.compile(_OPENS)
_NAME = re.compile(rf"(?P<name>{'|'.join((*_NAMES, *map(str.upper, _NAMES)))}):(?=\S)")
_MARK = re.compile(rf"(?P<minus>-)?{_NAME.pattern}|-(?=[^\W\d_]|{_OPENS})")
_PLAIN = re.compile(r"[^\W\d_][\w.'’-]*")
# `2019-12` is a month.
_YEARS = re.compile(r"(?P<first>\d{4})(?:[-–—]|\.{3}|…)(?P<last>\d{4})")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperQuery:
    """What is searched for. All that is given must hold, of several ids one; `like` bounds nothing.

    `text`: what is searched by meaning and words: all but the operators, phrases without their
    quotes. `phrases`, `without`, `authors`, `titles`: as typed. `categories`: as arXiv writes them,
    an archive bare (`cs`). `since`, `until`: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, both inclusive.
    `ids` and `like`: canonical, with the version that was typed. `without_…`: the same, of what
    none may be found. `ignored`: operators whose value can't be used, as typed, in the text's
    order; the text holds them too.
    """

    text: str = ""
    phrases: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    ids: tuple[str, ...] = ()
    like: tuple[str, ...] = ()
    without_authors: tuple[str, ...] = ()
    without_titles: tuple[str, ...] = ()
    without_categories: tuple[str, ...] = ()
    without_ids: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()

    @property
    def asks_nothing(self) -> bool:
        """Whether all that is in it are operators whose value can't be used."""
        words = {word.rstrip(",;") for word in self.text.split()}
        others = replace(self, text="", ignored=())
        return bool(words) and words <= set(self.ignored) and others == PaperQuery()


def parse_query(text: str) -> PaperQuery:
    """The query that any text is, in time linear in its length; cleaned to one line first."""
    words: list[str] = []
    refused: set[str] = set()
    fields = (*_QUOTABLE, *_NAMES.values(), *_NEGATED.values())
    found: dict[str, list[str]] = {name: [] for name in fields}
    for name, value, typed in _pieces(one_line(text), set()):
        usable = _usable(name, value) if name != "text" else []
        for field, each in usable:
            found[field].append(each)
        if name == "phrases" or not usable:
            words.append(value if usable else typed)
        if name != "text" and not usable:
            refused.add(typed)
    if any(found.values()) and not found["phrases"] and set(words) == {"AND"}:
        words = []
    line = " ".join(words)
    ignored = [word.rstrip(",;") for word in line.split() if word in refused]
    once = {name: tuple(dict.fromkeys(found[name])) for name in found}
    return PaperQuery(
        text=line,
        phrases=tuple(found["phrases"]),  # each as often as the text holds it
        **{name: once[name] for name in _LISTED},
        since=max(found["since"], key=_day, default=None),
        until=min(found["until"], key=lambda each: _day(each, end=True), default=None),
        ignored=tuple(dict.fromkeys(ignored)),
    )


def query_text(query: PaperQuery) -> str:
    """The text that `parse_query` reads as `query`, which it has given: operators, then words."""
    # Operators stand first: behind an unclosed quote of the text theirs would close it.
    parts = [
        *(f"author:{_value(each)}" for each in query.authors),
        *(f"title:{_value(each)}" for each in query.titles),
        *(f"-{_value(each)}" for each in query.without),
        *(f"-author:{_value(each)}" for each in query.without_authors),
        *(f"-title:{_value(each)}" for each in query.without_titles),
        *(f"-cat:{each}" for each in query.without_categories),
        *(f"-id:{each}" for each in query.without_ids),
        *(f"cat:{each}" for each in query.categories),
        *([f"since:{query.since}"] if query.since else []),
        *([f"until:{query.until}"] if query.until else []),
        *(f"id:{each}" for each in query.ids),
        *(f"like:{each}" for each in query.like),
    ]
    line, at, unclosed = f" {query.text} ", 0, set[re.Pattern[str]]()
    for phrase in query.phrases:
        # The first place will do: the same words stand at both, once as a phrase and once not.
        place = line.find(f" {phrase} ", at)
        if place < 0:
            continue  # not as parsed
        before = line[at:place].strip()
        list(_pieces(before, unclosed))  # tells which quotes stay open
        parts += [before, _quoted(phrase, unclosed)]
        at = place + len(phrase) + 1
    return " ".join(part for part in (*parts, line[at:].strip()) if part)


def _pieces(text: str, unclosed: set[re.Pattern[str]]) -> Iterator[tuple[str, str, str]]:
    """Each piece of one line: its field (or `text`), its value, and how it stands in the line.

    `unclosed` gathers the kinds of quotes of which one stays open: none is looked for twice.
    """
    at = 0
    while at < len(text):
        mark = _MARK.match(text, at)
        start, key = (mark.end(), mark["name"]) if mark else (at, None)
        name = _NAMES[key.lower()] if key else "without" if mark else "phrases"
        if mark and mark["minus"]:
            name = _NEGATED.get(name, "unknown")
        close = _closing(text, start, unclosed) if name in _QUOTABLE else None
        end = (text.find(" ", close or start) + 1 or len(text) + 1) - 1
        typed = text[at:end]
        if close:
            yield name, text[start:close].strip(_QUOTES + " "), typed
            if name == "phrases" and close + 1 < end:
                yield "text", "", text[close + 1 : end]
        elif mark:
            value = text[start:end].rstrip(",;" + _QUOTES)
            wrong = value[:1] in _CLOSING and name in _QUOTABLE
            yield name, "" if wrong else value, typed
        else:
            yield "text", "", typed
        at = end + 1


def _closing(text: str, at: int, unclosed: set[re.Pattern[str]]) -> int | None:
    """Where the quotation ends that begins here; None if none does."""
    closing = _CLOSING.get(text[at : at + 1])
    if closing and closing not in unclosed and _OPENING.match(text, at):
        if found := closing.search(text, at + 1):
            return found.start()
        unclosed.add(closing)
    return None


def _usable(name: str, value: str) -> list[tuple[str, str]]:
    """The fields that an operator fills, with what; none if its value can't be used."""
    if name in _QUOTABLE:
        return [(name, value)] if re.search(r"\w", value) else []
    value = value.lstrip(_QUOTES)
    if name == "years":
        return _years(value)
    if name in ("since", "until"):
        return [(name, value)] if day_named(value) else []
    if name in ("categories", "without_categories"):
        bare = value.removesuffix(".*")
        category = known_category(bare) or (bare.lower() if bare.lower() in OLD_ARCHIVES else None)
        known = category and (bare == value or "." not in category)
        return [(name, category)] if category and known else []
    if name in ("ids", "like", "without_ids"):
        try:
            return [(name, str(PaperId.parse(each))) for each in value.split(",")]
        except ValueError:
            return []
    return []


def _years(value: str) -> list[tuple[str, str]]:
    value = _YEARS.sub(r"\g<first>..\g<last>", value)
    first, dots, last = value.partition("..")
    bounds = {"since": first, "until": last if dots else first}
    bounds = {name: day for name, day in bounds.items() if day}
    if not all(day_named(day) for day in bounds.values()):
        return []
    if len(bounds) == 2 and _day(first) > _day(bounds["until"], end=True):
        bounds = {"since": last, "until": first}
    return list(bounds.items())


def _day(text: str, *, end: bool = False) -> str:
    return str(day_named(text, end=end))


def _value(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else _quoted(text, frozenset())


def _quoted(text: str, unclosed: Set[re.Pattern[str]]) -> str:
    """`text` in quotes that nothing in it, and nothing open before it, takes for others."""
    for opening, ending in ('""', "“”", "«»"):
        end = _CLOSING[opening].search(text + ending)
        if end and end.start() == len(text) and end.re not in unclosed:
            break
    return f"{opening}{text}{ending}"
