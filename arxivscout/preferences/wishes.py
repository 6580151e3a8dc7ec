"""From a list of preferences to what holds now, and to why a paper is unwanted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import Protocol

from arxivscout.papers.categories import within
from arxivscout.preferences.finding import find_preferences
from arxivscout.preferences.values import OPPOSITE_STYLES, Preference, Wishes


class PaperLike(Protocol):
    """What `applies` reads of a paper; `published` is an ISO date, a month, a year or None."""

    @property
    def title(self) -> str: ...
    @property
    def abstract(self) -> str: ...
    @property
    def authors(self) -> tuple[str, ...]: ...
    @property
    def categories(self) -> tuple[str, ...]: ...
    @property
    def published(self) -> str | None: ...


def wishes_from_texts(texts: Iterable[str], *, today: date | None = None) -> Wishes:
    """The wishes that statements in time order (oldest first) amount to, read on `today`."""
    return effective_wishes(one for text in texts for one in find_preferences(text, today=today))


def effective_wishes(preferences: Iterable[Preference]) -> Wishes:
    """Merge preferences in time order, oldest first: later wins, lifts take back.

    A new bound on dates replaces the older one on its side, and the other side too if both
    together left nothing. A term that is wanted leaves `unwanted`, and the other way round.
    """
    since: str | None = None
    until: str | None = None
    language: str | None = None
    styles: dict[str, None] = {}
    liked: dict[str, dict[str, str]] = {"terms": {}, "authors": {}}
    disliked: dict[str, dict[str, str]] = {"terms": {}, "authors": {}}
    kind_of: dict[str, str] = {}
    categories = Wishes()
    for one in preferences:
        if one.kind == "dates":
            if one.lifts:
                since = until = None
                continue
            since, until = one.since or since, one.until or until
            if since and until and since > until:
                since, until = one.since, one.until
        elif one.kind == "language":
            if one.lifts or language in one.unwanted:
                language = None
            language = one.language or language
        elif one.kind == "categories":
            categories = _with_categories(categories, one)
        elif one.kind == "style":
            for style in one.style or (tuple(styles) if one.lifts else ()):
                styles.pop(style, None)
                if not one.lifts:
                    styles.pop(OPPOSITE_STYLES[style], None)
                    styles[style] = None
        else:
            group = "authors" if one.kind == "authors" else "terms"
            good, bad = liked[group], disliked[group]
            if one.lifts:
                named = {_key(term) for term in (*one.wanted, *one.unwanted)}
                for terms in (good, bad):
                    for key in [
                        k for k in terms if k in named or (not named and kind_of[k] == one.kind)
                    ]:
                        del terms[key]
                continue
            for term in one.wanted:
                bad.pop(_key(term), None)
                good[_key(term)] = term
                kind_of[_key(term)] = one.kind
            for term in one.unwanted:
                good.pop(_key(term), None)
                bad[_key(term)] = term
                kind_of[_key(term)] = one.kind
    return Wishes(
        since=since,
        until=until,
        wanted=tuple(liked["terms"].values()),
        unwanted=tuple(disliked["terms"].values()),
        authors_wanted=tuple(liked["authors"].values()),
        authors_unwanted=tuple(disliked["authors"].values()),
        categories=categories.categories,
        categories_wanted=categories.categories_wanted,
        categories_unwanted=categories.categories_unwanted,
        language=language,
        style=tuple(sorted(styles)),
    )


def _with_categories(wishes: Wishes, one: Preference) -> Wishes:
    """The wishes with one on categories: a new limit replaces the older one."""
    if one.lifts and not one.wanted:
        return Wishes()
    named = {*one.wanted, *one.unwanted}
    only, wanted, unwanted = (
        tuple(each for each in kept if each not in named)
        for kept in (wishes.categories, wishes.categories_wanted, wishes.categories_unwanted)
    )
    if one.lifts:
        return Wishes(categories=only, categories_wanted=wanted, categories_unwanted=unwanted)
    if one.only:
        only = one.wanted
    else:
        wanted = (*wanted, *one.wanted)
    return Wishes(
        categories=only,
        categories_wanted=wanted,
        categories_unwanted=(*unwanted, *one.unwanted),
    )


def overridden(texts: Sequence[str], new: str, *, today: date | None = None) -> list[int]:
    """Places of those `texts` (oldest first) that change nothing any more once `new` is said.

    What no rule reads is not judged, and neither is what a lift still takes back.
    """
    read = [find_preferences(text, today=today) for text in texts]
    last = find_preferences(new, today=today)
    said = effective_wishes(last)
    gone: list[int] = []
    for at, own in enumerate(read):
        covered = effective_wishes(own) and effective_wishes([*own, *last]) == said
        if covered and _merged(read, gone, last) == _merged(read, [*gone, at], last):
            gone.append(at)
    return gone


def _merged(
    read: Sequence[list[Preference]], without: Sequence[int], last: list[Preference]
) -> Wishes:
    kept = (own for at, own in enumerate(read) if at not in without)
    return effective_wishes(one for own in (*kept, last) for one in own)


def applies(preferences: Sequence[Preference] | Wishes, paper: PaperLike) -> str | None:
    """Why a paper is unwanted, as a phrase that follows "left out: ", or None when it is not.

    A list of preferences is merged first. What is merely preferred excludes nothing, and what a
    record does not tell (no date, no authors) is not held against it.
    """
    wishes = preferences if isinstance(preferences, Wishes) else effective_wishes(preferences)
    published = paper.published or ""
    # Compared on the shorter of both, so that a paper known as "2015" is not before 2015-03-01.
    if published and wishes.since and published < wishes.since[: len(published)]:
        return f"published {published}, before {wishes.since}"
    if published and wishes.until and published > wishes.until[: len(published)]:
        return f"published {published}, after {wishes.until}"
    for name in wishes.authors_unwanted:
        for author in paper.authors:
            if same_author(name, author):
                return f"written by {author}"
    if paper.categories:  # a record that names none is not held against it
        for category in wishes.categories_unwanted:
            if within(paper.categories, category):
                return f"in {category}"
        if wishes.categories and not any(within(paper.categories, c) for c in wishes.categories):
            return f"not in {' or '.join(wishes.categories)}"
    text = f"{paper.title}\n{paper.abstract}"
    for term in wishes.unwanted:
        if mentions(text, term):
            return f"about {term}"
    return None


def same_author(wish: str, author: str) -> bool:
    """Whether a name as a person says it ("Noether", "E. Noether") may be this author's."""
    said, held = _name_parts(wish), _name_parts(author)
    if not said or not held or said[-1] != held[-1]:
        return False
    return all(
        any(own.startswith(part) or part.startswith(own) for own in held[:-1]) for part in said[:-1]
    )


def mentions(text: str, term: str) -> bool:
    """Whether `text` names `term` as a whole word, in singular or plural, and does not deny it."""
    return any(
        not _DENIED.search(text[max(0, found.start() - 40) : found.start()])
        for found in _pattern(term).finditer(text)
    )


_DENIED = re.compile(
    r"\b(?:without|no|non|not|unlike|beyond|instead of|rather than|avoid\w*"
    r"|senza)\s+(?:\w+\s+){0,2}$",
    re.I,
)


@lru_cache(maxsize=512)
def _pattern(term: str) -> re.Pattern[str]:
    words = [re.escape(_stem(word)) for word in term.split()]
    return re.compile(r"\b" + r"(?:s|es|ies|y)?[\s-]+".join(words) + r"(?:s|es|ies|y)?(?!\w)", re.I)


def _stem(word: str) -> str:
    for ending in ("ies", "s", "y"):
        if (
            len(word) > len(ending) + 3
            and word.lower().endswith(ending)
            and not word.lower().endswith("ss")
        ):
            return word[: -len(ending)]
    return word


def _key(term: str) -> str:
    return " ".join(_stem(word) for word in term.lower().split())


def _name_parts(name: str) -> list[str]:
    if "," in name:
        last, _, first = name.partition(",")
        name = f"{first} {last}"
    return [part for part in re.split(r"[\s.]+", name.casefold()) if part]
