"""Authors' names as people type them, as what the words of papers' authors are asked for.

A name's words must stand in one author's name: `Yu Shi` is not found where Yu Chen and Lin Shi
wrote. A given name may be an initial on either side (`G. Hinton`, `Geoffrey Hinton`), the family
name comes first or last (`Shi, Yu`), and what is left out between does not matter. `Müller` and
`Mueller` are one. One word alone is any part of a name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from arxivscout.memory.graph.node import name_key
from arxivscout.papers.search_form import search_form

MOST_NAMES = 20
MOST_WORDS = 12  # of a name
_BETWEEN_NAMES = re.compile(r"\s*;\s*")
_UMLAUTS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Ø": "Oe"}
)
# In Mueller and Goedel, not in Michael and Samuel.
_TAKEN_APART = re.compile(r"(?<=[b-df-hj-np-tv-z])([aou])e(?=[b-df-hj-np-tv-z])(?!l$)")


@dataclass(frozen=True, slots=True)
class AuthorQuery:
    """What the authors of a paper are asked for.

    Attributes:
        words: as a `tsquery`, what the words of all their names fulfil.
        names: regular expressions of PostgreSQL for their keys in lines (`paper_author`).
    """

    words: str
    names: list[str]


def by_all(text: str) -> AuthorQuery:
    """Papers by each of the names, with `;` between; all of `words` and of `names` must hold.

    What has no letter in it is nobody's name.
    """
    typed = _names(text)
    words = [_any_of(forms) for name in typed for forms in _indexed(name)]
    # One word alone stands in a name wherever the index has it.
    return AuthorQuery(" & ".join(words), [_pattern(name) for name in typed if len(name) > 1])


def by_words(text: str) -> AuthorQuery:
    """Papers by all whom a text of names names, one or several; an initial tells that it is one."""
    words = _words(text)
    if any(len(forms[0]) == 1 for forms in words):
        return by_all(text)
    return AuthorQuery(" & ".join(map(_any_of, words)), [])


def by_any(names: Sequence[str], *, exactly: bool = False) -> AuthorQuery:
    """Papers by one of the names; `words` and one of `names` must hold.

    Args:
        exactly: no initial stands for a name that is typed out: the Milky Way is not by M. Way.
    """
    typed = [words for each in names for words in _names(each)][:MOST_NAMES]
    asked = [_indexed(name, exactly=exactly) for name in typed]
    whole = ["(" + " & ".join(map(_any_of, each)) + ")" for each in asked]
    return AuthorQuery(" | ".join(whole), [_pattern(name, exactly=exactly) for name in typed])


def _names(text: str) -> list[list[list[str]]]:
    names = []
    for name in _BETWEEN_NAMES.split(text)[:MOST_NAMES]:
        family_first, comma, given = name.partition(",")
        words = _words(f"{given} {family_first}" if comma else name)
        # Hinton G, as some indexes write: initials behind stand for what is in front elsewhere.
        while len(words) > 1 and len(words[-1][0]) == 1 and any(len(w[0]) > 1 for w in words):
            words = [words[-1], *words[:-1]]
        if words:
            names.append(words)
    return names


def _words(name: str) -> list[list[str]]:
    """The words of a name in order, each in the forms that it is written in."""
    plain = name_key(search_form(name)).split()
    taken_apart = name_key(search_form(name.translate(_UMLAUTS))).split()
    both = zip(plain, taken_apart, strict=False) if len(plain) == len(taken_apart) else ()
    spelled = [list(pair) for pair in both] or [[word] for word in plain]
    return [
        list(dict.fromkeys([*forms, _TAKEN_APART.sub(r"\1", forms[0])]))
        for forms in spelled[:MOST_WORDS]
    ]


def _indexed(typed: list[list[str]], *, exactly: bool = False) -> list[list[str]]:
    """The words that the index is asked for: an initial may stand for any word."""
    *given, family = typed
    known = [forms for forms in given if len(forms[0]) > 1]
    return [*(forms if exactly else [*forms, forms[0][0]] for forms in known), family]


def _any_of(forms: list[str]) -> str:
    return "(" + " | ".join("'" + form.replace("'", "''") + "'" for form in forms) + ")"


def _pattern(typed: list[list[str]], *, exactly: bool = False) -> str:
    *given, family = typed
    gap = r" (?:[^\n]* )?"
    whole = [_whole(forms) if len(forms[0]) > 1 else _given(forms) for forms in given]
    begins = whole if exactly else [_given(forms) for forms in given]
    forward = gap.join([*begins, _whole(family)])
    backward = gap.join([_whole(family), *whole])
    return rf"(?:^|[ \n])(?:{forward}|{backward})(?=$|[ \n])"


def _whole(forms: list[str]) -> str:
    return "(?:" + "|".join(map(re.escape, forms)) + ")"


def _given(forms: list[str]) -> str:
    """A given name, or its initial; an initial typed is the beginning of one."""
    if len(forms[0]) == 1:
        return rf"{re.escape(forms[0])}[^ \n]*"
    return "(?:" + "|".join(map(re.escape, [*forms, forms[0][0]])) + ")"
