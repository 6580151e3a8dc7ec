"""What a query holds that looks like an operator and is none: told, for it is searched as words."""

from __future__ import annotations

import difflib
import re
from dataclasses import replace

from arxivscout.errors import UsageError
from arxivscout.papers.dates import day_named
from arxivscout.papers.ids import PaperId
from arxivscout.papers.query import PaperQuery

OPERATORS = ("author", "title", "cat", "year", "since", "until", "id", "like")
_ALL = ", ".join(f"{name}:" for name in OPERATORS)
_SAME = {"au": "author", "ti": "title", "category": "cat"}
# A short word with something right behind its colon, and no scheme of an address.
_LOOKS_LIKE_ONE = re.compile(r"\(?-?(?P<name>[A-Za-z]{2,12}):(?=[\w\"“„«])(?P<value>\S+)")
_SCHEMES = frozenset("http https ftp doi arxiv mailto urn info std".split())
_LEFT_OUT = ("NOT", "ANDNOT")


def notes_on(query: PaperQuery) -> list[str]:
    """A line for each operator that can't be used, and for what seems to be meant as one."""
    notes = [f"{typed}: {_why(typed)}" for typed in query.ignored]
    text = query.text
    for phrase in query.phrases:
        text = text.replace(phrase, " ", 1)
    words = [*text.split(), *(f"-{word}" for word in query.without)]
    operators = replace(query, text="", phrases=(), ignored=()) != PaperQuery()
    for word in dict.fromkeys(words):
        match = _LOOKS_LIKE_ONE.fullmatch(word)
        if match and word.rstrip(",;") not in query.ignored:
            notes += _unknown(word, match["name"])
        elif word == "OR" and operators:
            notes.append("OR: of several operators all must hold")
        elif word in _LEFT_OUT and text.upper() != text:  # else capitals tell nothing
            notes.append(f"{word}: what is to be left out has a minus, -word")
    return notes


def check_asks(query: PaperQuery) -> None:
    """See that something is asked for besides what can't be used.

    Raises:
        UsageError: nothing is; words such as `like:9999.99999` find papers that have nothing to do
            with it.
    """
    if query.asks_nothing:
        raise UsageError(f"{'; '.join(notes_on(query))}.")


def _why(typed: str) -> str:
    """Why the value of an operator can't be used."""
    name, _, value = typed.lower().partition(":")
    name, left_out = name.lstrip("-"), name.startswith("-")
    name = _SAME.get(name, name)
    if left_out and name in ("year", "since", "until", "like"):
        return "words, authors, titles, categories and ids can be left out"
    match name:
        case "id" | "like":
            return _no_id(value)
        case "cat":
            return "one category each" if "," in value else "arXiv has no such category"
        case "year" | "since" | "until":
            return _no_day(value)
    return (
        "its quote is not closed" if re.search(r"\w", value or name) else "there is no word in it"
    )


def _no_id(value: str) -> str:
    for each in value.split(","):
        try:
            PaperId.parse(each)
        except ValueError as error:
            return str(error)
    return "no arXiv id"


def _no_day(value: str) -> str:
    if re.fullmatch(r"\d{4}(-\d{2}){1,2}", value) and not day_named(value):
        return "there is no such day"
    return "days are written 2024, 2024-06 or 2024-06-30"


def _unknown(word: str, name: str) -> list[str]:
    small = name.lower()
    known = (*OPERATORS, *_SAME)
    if small in _SCHEMES:
        return []
    if small in known:  # Author:Shi, (author:Shi
        return [f"{word}: an operator is written {small}: and stands alone"]
    near = difflib.get_close_matches(small, known, 1, 0.7)
    others = f"is {near[0]}: meant?" if near else f"there are {_ALL}"
    return [f"{word}: there is no operator {name}:, {others}"]
