"""The rules: which clauses state a standing wish, of which kind, with what effect.

A clause counts only when it begins with a head, that is, the person's own "I …" or an imperative;
"the authors prefer …" has none. What follows the head says the kind: an author's name, a time, the
manner of answers, a method, or else a topic.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from arxivscout.papers.categories import find_categories
from arxivscout.preferences.dates import Period, find_period
from arxivscout.preferences.heads import (
    Head,
    coordinated,
    find_head,
    is_object,
    objects,
    with_subject,
)
from arxivscout.preferences.lifts import find_lift
from arxivscout.preferences.manner import find_language, find_style
from arxivscout.preferences.sentences import Sentence
from arxivscout.preferences.terms import (
    find_authors,
    find_terms,
    is_about_topic,
    names_papers,
    names_papers_about,
)
from arxivscout.preferences.values import Kind, Preference

_PERSONAL = re.compile(
    r"(?:i|i'm|i'd|i've|my|io|mi|non mi|ho|il mio|la mia|leave|evita\w+)\b", re.I
)
_WEAK = re.compile(r"(?:no|nothing|only|niente|nessun\w*|nulla|solo|soltanto)\b", re.I)
# "Our method is fast, without any simulation": what goes on from a statement that is no wish
# belongs to it. A clause that may state a wish all the same:
_BEGINS_ANEW = re.compile(
    r"(?:i|i'm|i'd|my|don't|do not|never|always|keep (?:your|the|all|answers|it)|use"
    r"|nothing (?:published |from )?(?:before|after|older|newer)|answer|reply|respond|preferisco"
    r"|mi|non m\w+|rispond\w+|evita)\b",
    re.I,
)

# What somebody works on is a fact of them, unless they say that they want nothing else.
_WORK = re.compile(
    r"(?:i|i'm|i am)(?: (?!only\b)(?:\w+ly|just|now|also|still|always))*"
    r" (?:(?:work|working|do (?:my )?research|speciali[sz]e) (?:on|in)|study|studying|research"
    r"|researching)\b|lavoro\b|studio\b|faccio ricerca\b|(?:io )?mi occupo\b",
    re.I,
)
# What they do not use or work on is one, too: it says nothing of papers on it.
_DOES_NOT = re.compile(
    r"(?:i|we)(?: (?:have|\w+ly|just|also|still))* (?:(?:do not|don't|dont|never|no longer|can't"
    r"|cannot|can not|won't|hardly|rarely|barely|seldom|stopped|quit)(?: (?:\w+ly|ever|even|yet"
    r"|normally))*) (?:us(?:e|ing)|runn?(?:ing)?|rely(?:ing)? on|work(?:ing)?|program(?:ming)?"
    r"|cod(?:e|ing)|collaborat(?:e|ing))\b"
    r"|(?:i|we)(?:'m| am|'re| are)(?: \w+ly)* (?:done|through|finished|allergic) (?:with|to)\b"
    r"|(?:io |noi )?non (?:uso|usiamo|utilizzo|utilizziamo|lavoro|lavoriamo|programmo)\b",
    re.I,
)

# What a polite "drop …" is of, to be a topic: plain words, and nothing that stands before one's
# eyes ("the last column").
_PLAIN = re.compile(
    r"(?!(?:the|this|that|these|those)\b(?! (?:topic|subject|field|area) of\b))"
    r"[^\W_]+(?:[ ,'/-]+[^\W_]+){0,9}[ ,'-]*",
    re.I,
)


_BESIDE_CATEGORIES = re.compile(
    r"\b(?:papers?|articles?|works?|preprints?|results?|anything|stuff|ones?|from|in|of|on|under"
    r"|the"
    r"|categor(?:y|ies)|archives?|arxiv|and|or|please|only|just|to see|see|read|with|listed"
    r"|from now on|articol[io]|di|da|nella|nelle|in|e|o|categori[ae]|per favore|solo|soltanto)\b",
    re.I,
)
_ONLY = re.compile(r"\b(?:only|just|nothing but|limit\w*|restrict\w*|stick|solo|soltanto)\b", re.I)


def read_sentence(
    sentence: Sentence, quote: str, today: date, *, of_work: bool = True
) -> list[Preference]:
    """The wishes that one sentence states, with `quote` as its words; one of a kind at most.

    Args:
        of_work: also what is said of one's work alone, which is rather a fact of the person.
    """
    return _merge_styles(_read_clauses(sentence, quote, today, of_work=of_work))


def _read_clauses(
    sentence: Sentence, quote: str, today: date, *, of_work: bool = True
) -> list[Preference]:
    lifts = [
        lift for clause in sentence.clauses for lift in find_lift(clause, sentence.changed_mind)
    ]
    if lifts:
        # "… older than 2000 any more, forget the 2015 limit": what is said anew of the same kind
        # holds from here on.
        again = [
            stated
            for clause in sentence.clauses
            if not find_lift(clause, sentence.changed_mind)
            and (stated := _read_clause(clause, sentence, today, follows=False))
            and stated.kind in {lift.kind for lift in lifts}
        ]
        return [replace(one, quote=quote, reason=sentence.reason) for one in (*lifts, *again)]
    read: list[Preference] = []
    barren = False
    weak = False
    follows = False
    for clause in _each_its_own(sentence, today):
        if barren and not _BEGINS_ANEW.match(clause):
            continue
        preference = _read_clause(clause, sentence, today, follows=follows)
        follows = follows or bool(preference)
        if preference and not of_work and _is_of_work(clause, sentence):
            continue
        if preference:
            read.append(replace(preference, quote=quote, reason=sentence.reason))
            weak = weak or (len(read) == 1 and bool(_WEAK.match(clause)))
        elif not _PERSONAL.match(clause):
            barren = True
    # "No model is exact, only ours": a bare "no" or "only" wants a sentence that is all wish.
    if weak and barren:
        return []
    # "Don't answer in English, answer in Portuguese": the language that is wanted says it all.
    if any(one.language for one in read):
        read = [one for one in read if one.kind != "language" or one.language]
    return read


def _each_its_own(sentence: Sentence, today: date) -> Iterator[str]:
    """The clauses, with those that state two wishes parted; a part alone must state one."""
    own = False  # the clause before is a wish of one's own, so that its "I" may go on
    wanted = ""  # the head of the clause before, which papers or answers named next may go on from
    for clause in sentence.clauses:
        clause = with_subject(clause) if own else clause
        if wanted and is_object(clause) and not _read_clause(clause, sentence, today, follows=True):
            more = f"{wanted} {clause}"
            clause = more if _read_clause(more, sentence, today, follows=True) else clause
        parts = coordinated(clause)
        wishes = [
            _read_clause(part, sentence, today, follows=at > 0) for at, part in enumerate(parts)
        ]
        own = bool(wishes[0]) and bool(_PERSONAL.match(clause))
        head = find_head(clause, standing=sentence.standing)
        if wishes[0] and head and head.polarity > 0:
            wanted = head.said.strip()
        if len(parts) > 1 and all(wishes):
            yield from parts
            continue
        parts = objects(clause, head) if head else [clause]
        wishes = [_read_clause(part, sentence, today, follows=False) for part in parts]
        kinds = {wish.kind for wish in wishes if wish}
        yield from parts if len(kinds) == len(parts) else (clause,)


def _is_of_work(clause: str, sentence: Sentence) -> bool:
    """Whether a clause says what the person works on, or does not: a fact of them."""
    return _is_not_done(clause) or (not sentence.standing and bool(_WORK.match(clause)))


def _is_not_done(clause: str) -> bool:
    """Whether a clause says what the person does not use or work on, be it no papers."""
    found = _DOES_NOT.match(clause)
    return found is not None and not names_papers(clause[found.end() :])


def unread(sentence: Sentence, today: date) -> list[str]:
    """What a sentence that states a wish says of papers or answers besides, and no rule reads."""
    if not _read_clauses(sentence, "", today):
        return []
    left = []
    for clause in _each_its_own(sentence, today):
        head = find_head(clause, standing=sentence.standing)
        parts = objects(clause, head) if head else [clause]
        for part in parts if len(parts) > 1 or is_object(clause) else ():
            if not _read_clause(part, sentence, today, follows=False):
                left.append(part.removeprefix(head.said).strip() if head else part)
    return left


def _read_clause(
    clause: str, sentence: Sentence, today: date, *, follows: bool
) -> Preference | None:
    spoken = find_language(clause, standing=sentence.standing)
    if spoken:
        language, is_wanted = spoken
        if is_wanted:
            return Preference(kind="language", quote="", language=language)
        return Preference(kind="language", quote="", unwanted=(language,))
    head = find_head(clause, standing=sentence.standing, follows=follows)
    style = find_style(
        clause, polarity=head.polarity if head else 0, body=head.body if head else ""
    )
    if style:
        return Preference(kind="style", quote="", style=style)
    if head is None or (sentence.search and not sentence.standing):
        return None
    return _read_body(head, sentence, today, follows=follows)


def _read_body(head: Head, sentence: Sentence, today: date, *, follows: bool) -> Preference | None:
    is_wanted = head.polarity > 0
    # "drop the first term", "skip to the proof": steps of some work, not wishes
    unsure = head.weak and not (
        (follows or sentence.standing or sentence.polite) and _PLAIN.fullmatch(head.body)
    )
    if unsure and not names_papers(head.body):
        return None
    categories, rest = find_categories(head.body)
    if categories and not _BESIDE_CATEGORIES.sub("", rest).strip(" .,!"):
        if not is_wanted:
            return Preference(kind="categories", quote="", unwanted=categories)
        only = bool(_ONLY.search(f"{head.said} {head.body}"))
        return Preference(kind="categories", quote="", wanted=categories, only=only)
    authors = find_authors(head.body, bare=head.takes_names)
    if authors:
        return _named("authors", authors, is_wanted)
    period = find_period(head.body, today)
    if period:
        # "only show me papers since 2020 on graphs" is a filter for one search
        if is_about_topic(head.body) and not sentence.standing:
            return None
        return _dates(period if is_wanted else period.without())
    if head.only_dates or (unsure and not names_papers_about(head.body)):
        return None
    kind, terms = find_terms(head.body, methods=head.trusts)
    if not terms or (head.likes and kind == "topics" and not names_papers(head.body)):
        return None
    return _named(kind, terms, is_wanted)


def _named(kind: Kind, terms: tuple[str, ...], is_wanted: bool) -> Preference:
    if is_wanted:
        return Preference(kind=kind, quote="", wanted=terms)
    return Preference(kind=kind, quote="", unwanted=terms)


def _dates(period: Period) -> Preference:
    return Preference(
        kind="dates",
        quote="",
        since=period.since.isoformat() if period.since else None,
        until=period.until.isoformat() if period.until else None,
    )


def _merge_styles(read: list[Preference]) -> list[Preference]:
    """One sentence is one statement of a kind: join what its clauses say."""
    merged: list[Preference] = []
    for one in read:
        same = next(
            (
                at
                for at, other in enumerate(merged)
                if (other.kind, other.lifts) == (one.kind, one.lifts)
            ),
            None,
        )
        if same is None:
            merged.append(one)
            continue
        other = merged[same]
        merged[same] = replace(
            other,
            since=other.since or one.since,
            until=other.until or one.until,
            wanted=tuple(dict.fromkeys(other.wanted + one.wanted)),
            unwanted=tuple(dict.fromkeys(other.unwanted + one.unwanted)),
            language=one.language or other.language,
            style=tuple(sorted({*other.style, *one.style})),
        )
    return merged
