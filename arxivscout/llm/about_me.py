"""Questions of what the person themselves said: what they decided, use, work on, left open.

Each names a kind that `recall_memory` lists, so that all of it is at hand and not only what lies
near to the question's words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Literal

from arxivscout.llm.extractive_reading import Item
from arxivscout.llm.terms import content_terms, overlap
from arxivscout.statements.answering import answer, nothing_told
from arxivscout.statements.asking import OwnQuestion, perhaps_own
from arxivscout.statements.aspects import aspects_of
from arxivscout.statements.bearing import Said
from arxivscout.statements.declaring import declares, wants
from arxivscout.statements.kinds_of_tools import names_of
from arxivscout.statements.own_words import TO_DO, own_clauses
from arxivscout.statements.saying import kind_said
from arxivscout.statements.stating import states

AboutMe = Literal["then", "questions", "relations", "said", "me"]

_TIME = (
    r"\b(?:(?:back )?in (?:19|20)?\d\d\b|(?:in|on|until|by|at the end of|nel|a|in) (?:\d|january"
    r"|february|march|april|may|june|july|august|september|october|november|december|gennaio"
    r"|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre)"
    r"|last (?:week|month|year|\w+day)|yesterday|\w+ (?:days?|weeks?|months?|years?) ago)"
)
_ASKED: dict[AboutMe, re.Pattern[str]] = {
    "then": re.compile(
        r"\bwhat (?:did|had) (?:i|we) (?:\w+ly )?(?:believed?|think|thought|assumed?|prefer(?:red)?"
        r"|wan(?:t|ted)|held?|hold|know)\b.*?" + _TIME + r"|\b(?:what|who|which|where|how many) "
        r"(?:was|were) (?:my|our)\b.*?" + _TIME + r"|\bcosa (?:pensavo|credevo|preferivo|volevo)\b"
        r".*?" + _TIME,
        re.IGNORECASE,
    ),
    "questions": re.compile(
        r"\b(?:what|which) (?:are|were|is|was)? ?(?:my|our) (?:still )?open (?:questions?|issues?"
        r"|problems?)\b|\b(?:what|which) (?:questions?|issues?|points?) (?:are|remain|is) (?:still "
        r")?(?:open|unanswered|unresolved)\b|\bwhat (?:do|did) (?:i|we) (?:still |yet )?not (?:yet "
        r")?know\b|\bwhat (?:don't|didn't) (?:i|we) (?:yet )?know(?: yet)?\b|\b(?:list|show)(?: "
        r"me)? (?:all )?(?:my|our) open (?:questions|issues)\b|\bquali domande (?:ho|sono) "
        r"(?:ancora )?aperte\b",
        re.IGNORECASE,
    ),
    "relations": re.compile(
        r"\b(?:what|which)(?: \w+){0,3}? (?:do|did|does) (?:i|we|my (?:group|team|lab)) (?:\w+ly "
        r"|still |now )?(?:use|avoid|work (?:on|with|in)|study|research|rely on)\b(?!.*\bknow\b)"
        r"|\bwhere (?:do|did|am) (?:i|we) (?:work|working|employed|based)\b|\bwho (?:do|am) (?:i"
        r"|we) (?:work|working|collaborate) with\b|\bwhat (?:am|are) (?:i|we) (?:working on"
        r"|interested in|using)\b|\bcosa uso\b|\bsu cosa lavoro\b|\bdove lavoro\b|\bworan arbeite "
        r"ich\b|\bwo arbeite ich\b|\boù est-ce que je travaille\b|\bdónde trabajo\b",
        re.IGNORECASE,
    ),
}
_TITLES: dict[AboutMe, str] = {
    "then": "What held for you then",
    "questions": "What you left open",
    "relations": "What you told me of yourself",
}
MOST = 12  # statements of a list
_OF_ME = (
    ("fact", "Of yourself"),
    ("task", "What you have to do"),
    ("preference", "What you prefer"),
    ("decision", "What you decided"),
    ("question", "What you left open"),
    ("correction", "What you corrected"),
)
_ONLY = {
    "preference": re.compile(r"\b(?:preferences?|wishes|preferenze)\b", re.IGNORECASE),
    "task": re.compile(r"\b(?:to-?dos?|to do|tasks?|to-do list|fare)\b", re.IGNORECASE),
}
_NOTHING_OF_ME = {
    "": "You have told me nothing of yourself yet. “I work on …” or “I prefer …” lets me know.",
    "preference": "You have told me of no preference. “I prefer …” lets me know.",
    "task": "You have told me of nothing to do. “TODO: …” or “Remind me to …” lets me know.",
}
_FIRST_OF_ALL = ("name", "status", "employer", "supervisor", "home", "topic", "tool", "deadline")
_NOTHING: dict[AboutMe, str] = {
    "then": "Nothing that you told me held then{}.",
    "questions": "You have told me of no open question{}. “Open: …” lets me know.",
    "relations": "You have told me nothing on that{}. “I use …” or “I work at …” lets me know.",
}
# What such a question says beside its subject.
_ITS_WORDS = frozenset(
    content_terms(
        "decide decided decision decisions agree agreed choose chose chosen settle settled open "
        "question questions issue issues problem problems point points know list show remain "
        "unanswered unresolved already still last we team group lab main current work works "
        "working use using used tool tools software data set sets dataset datasets method methods "
        "library libraries framework frameworks language languages package packages study research "
        "rely interested avoid avoids avoiding employed based collaborate believe believed think "
        "thought assume prefer hold held know ago january february march april may june july "
        "august september october november december pensavo credevo preferivo volevo"
    )
)
# "I still don't know whether …"
_LEFT_OPEN = re.compile(
    r"^.*?\b(?:whether|if|why|how|what|which|se|perché|come|ob|warum|wie|si|pourquoi|comment"
    r"|por qué|cómo)\s+",
    re.IGNORECASE,
)
# Which relations answer, by the question's verb; and which kind of thing, by its noun.
_BY_VERB = (
    (re.compile(r"\bavoid", re.I), ("avoids",)),
    (re.compile(r"\bwhere\b|\bdove\b|\bwo\b|\boù\b|\bdónde\b", re.I), ("works_at",)),
    (re.compile(r"\bwho\b|\bwork with\b", re.I), ("works_with",)),
    (re.compile(r"\b(?:did) (?:i|we) (?:use)\b", re.I), ("uses", "used_before")),
    (re.compile(r"\buse|\bus(?:e|ing|o)\b|\brely\b", re.I), ("uses",)),
    (re.compile(r"\binterested\b", re.I), ("interested_in", "works_on")),
    (re.compile(r"", re.I), ("works_on",)),
)
_BY_NOUN = (
    (re.compile(r"\bdata ?sets?\b|\bbenchmarks?\b|\bcorp(?:us|ora)\b", re.I), "dataset"),
    (re.compile(r"\bmethods?\b|\balgorithms?\b", re.I), "method"),
    (re.compile(r"\btools?\b|\bsoftware\b|\blibrar|\bframeworks?\b|\bpackages?\b", re.I), "tool"),
)


def asks_about_me(question: str) -> tuple[AboutMe, bool] | None:
    """What of the person's own is asked for, and whether it can be asked of nothing else."""
    own = perhaps_own(question)
    found = next((kind for kind, words in _ASKED.items() if words.search(question)), None)
    if found == "then" and own and (own.about or (own.aspects and not _believes(own))):
        found = None
    narrow = own and (own.about or own.before or own.instead or own.day or names_of(own.kind_of))
    if found == "relations" and narrow:
        found = None
    if found:
        return found, True
    if own and not own.about and any(each.name == "task" for each in own.aspects):
        return "me", True
    return ("said", own.sure) if own else None


def _believes(own: OwnQuestion) -> bool:
    """What one believed, wanted or preferred at a time may be any statement of then."""
    return all(each.name in ("belief", "taste") for each in own.aspects)


def about_me(question: str, kind: AboutMe, items: Sequence[Item]) -> str:
    """What answers of the items: those on what the question names, if it does."""
    if kind == "relations":
        wanted = next(names for words, names in _BY_VERB if words.search(question))
        noun = next((noun for words, noun in _BY_NOUN if words.search(question)), None)
        items = [item for item in items if item.about[:1] and item.about[0] in wanted]
        of_kind = [item for item in items if noun in item.about]
        items = of_kind if noun and of_kind else items
    if kind == "then":  # the time is not what it is about
        question = re.sub(r"\d[\d-]*", " ", question)
    terms = [term for term in content_terms(question) if term not in _ITS_WORDS]
    fitting = [item for item in items if overlap(terms, frozenset(content_terms(item.text))) > 0.3]
    if terms:
        items = fitting
    if not items:
        return _NOTHING[kind].format(" on that" if terms and kind != "relations" else "")
    title = _TITLES[kind]
    if kind == "relations":
        names = dict.fromkeys(item.text.partition(" | said: ")[0] for item in items)
        title = f"{', '.join(names)}. You said"
        items = [
            replace(item, text=item.text.partition(" | said: ")[2] or item.text) for item in items
        ]
    lines = dict.fromkeys(f"- {item.date}: {item.text}" for item in items)
    return "\n".join([f"{title}:", *list(lines)[:MOST]])


def all_of_me(question: str, items: Sequence[Item]) -> str:
    """All that the person told of themselves: who they are first, then wishes, decisions, the rest.

    Args:
        items: `recall_memory`'s, with their kind in front of what they are about.
    """
    parts = []
    only = next((kind for kind, words in _ONLY.items() if words.search(question)), "")
    for kind, title in _OF_ME:
        if only and kind != only:
            continue
        told = [item for item in items if _kind_of(item) == kind]
        if title == _OF_ME[0][1]:
            told.sort(key=lambda item: _place(item.text))
        lines = list(dict.fromkeys(f"- {_bare(item.text)} ({item.date})" for item in told))
        if lines:
            more = f"- and {len(lines) - MOST} more" if len(lines) > MOST else ""
            parts.append("\n".join([f"{title}:", *lines[:MOST], *filter(None, [more])]))
    if not parts:
        return _NOTHING_OF_ME[only]
    return "\n\n".join([*parts, "`arxivscout memory show` lists all that is remembered."])


def _bare(text: str) -> str:
    return text.removeprefix(TO_DO).rstrip(". ")


def _kind_of(item: Item) -> str:
    return "task" if item.text.startswith(TO_DO) else "".join(item.about[:1])


def _place(statement: str) -> int:
    """Who one is and where stands before what else is said."""
    names = [each.name for each in aspects_of(statement)]
    return min((_FIRST_OF_ALL.index(each) for each in names if each in _FIRST_OF_ALL), default=99)


def said_of_oneself(question: str, told: str, items: Sequence[Item]) -> str:
    """The answer that `recall_memory` gave, or one from the items at hand; it leads.

    Where nothing was said of it, one line says so.
    """
    answered, _, _ = told.partition("\n\n")
    if answered and not answered.startswith("- "):
        return answered
    own = perhaps_own(question)
    at_hand = [
        Said(item.text, day, reason=item.reason) for item in items if (day := _day(item.date))
    ]
    text = answer(own, at_hand)[0] if own else ""
    return text or f"{nothing_told(own)}"


def _day(given: str) -> date | None:
    try:
        return date.fromisoformat(given[:10])
    except ValueError:
        return None


def open_question(message: str) -> str:
    """What a message leaves open, without the words that say so; "" if that is not all it says."""
    clauses = list(own_clauses(message))
    if len(clauses) != 1 or kind_said(clauses[0].text) != "question":
        return ""
    return _LEFT_OPEN.sub("", clauses[0].text, count=1)


def stated(message: str) -> tuple[str, str]:
    """The sentences of a message that state something of the person, and what is left of it."""
    rest = " ".join(message.split())
    said: list[str] = []
    for clause in own_clauses(message):
        kind = kind_said(clause.text) or clause.announced
        tells = not kind and (states(clause.text) or declares(clause.text))
        if kind in ("decision", "correction") or tells:
            is_task = clause.text.startswith(TO_DO)  # "I need to …" wants nothing of a search
            asks = clause.sentence.endswith("?") or (not is_task and wants(clause.sentence))
            if not asks and clause.sentence in rest:
                said.append(clause.sentence)
                rest = rest.replace(clause.sentence, " ", 1)
    return " ".join(said), " ".join(rest.split()).strip(" ,;:–—-")
