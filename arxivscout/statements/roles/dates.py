"""When something is: a deadline, a meeting, a defence. It may be moved, and is then at one time."""

from __future__ import annotations

import re

from arxivscout.papers import fold_accents
from arxivscout.statements.roles.role import Role, key_of, of_what

EVENT = (
    r"deadline|due date|submission date|cut-?off|closing date|meeting|group meeting|call|talk"
    r"|seminar"
    r"|defen[cs]e|viva|exam|interview|presentation|review|workshop|conference|visit|appointment"
    r"|lecture|retreat|kick-?off|launch|submission|rebuttal|camera-ready|release|start date|flight"
    r"|scadenza|riunione|discussione|frist|abgabe\w*|besprechung|treffen|vortrag|échéance"
    r"|date limite|réunion|soutenance|fecha límite|plazo|reunión"
)
_DEADLINES = frozenset(
    {"deadline", "due date", "submission date", "cutoff", "cut-off", "closing date", "scadenza"}
    | {"frist", "abgabe", "abgabetermin", "échéance", "date limite", "fecha límite", "plazo"}
)
_MONTH = (
    r"jan(?:uary|\.)?|feb(?:ruary|\.)?|mar(?:ch|\.)?|apr(?:il|\.)?|may|june?|july?|aug(?:ust|\.)?"
    r"|sep(?:t(?:ember|\.)?|\.)?|oct(?:ober|\.)?|nov(?:ember|\.)?|dec(?:ember|\.)?|gennaio|febbraio"
    r"|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre|januar|februar"
    r"|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre"
    r"|octobre|novembre|décembre|enero|febrero|abril|mayo|junio|julio|septiembre|octubre|noviembre"
    r"|diciembre"
)
_DAY = (
    rf"(?:(?:\d{{1,2}}(?:st|nd|rd|th|\.)? (?:of |de )?)?(?:{_MONTH})\b(?: \d{{1,2}}(?:st|nd|rd"
    rf"|th)?)?"
    r"|\d{4}-\d\d(?:-\d\d)?|\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?"
    r"|(?:(?:next|this|on) )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?|luned[iì]|marted[iì]"
    r"|mercoled[iì]|gioved[iì]|venerd[iì]|sabato|domenica|montags?|dienstags?|mittwochs?"
    r"|donnerstags?"
    r"|freitags?|lundi|mardi|mercredi|jeudi|vendredi|lunes|martes|miércoles|jueves|viernes|tomorrow"
    r"|today|tonight|next (?:week|month|year)|(?:in )?(?:19|20)\d\d|(?:the )?end of|(?:early|mid"
    r"|late)"
    r"[- ]|(?:in )?(?:\d+|two|three|four|six) (?:days|weeks|months))"
)
_CLOCK = r"(?:\d{1,2}(?::\d\d)? ?(?:am|pm|o'clock|uhr)|\d{1,2}:\d\d|noon|midnight)"
_MOVED = (
    r"(?:(?:has|have|had|was|were|got|is|are) (?:now |just |been )*(?:moved|changed|extended"
    r"|postponed"
    r"|pushed(?: back)?|shifted|delayed|rescheduled|set|brought forward|put off|fixed)|moved"
    r"|changed"
    r"|shifted|slipped)(?: (?:back|forward|from .{1,30}?))?"
)
_DATED = re.compile(
    rf"(?:(?:my|our|the|il|la|lo|die|der|das|mein\w*|unser\w*|le|ma|mon|notre|el|mi)"
    rf" )?(?P<of>(?:[\w'’/&-]"
    rf"+ ){{0,4}}?)(?P<noun>{EVENT})(?P<of2>(?: (?:for|of|of the|to submit|with|in|at|per|für|du"
    rf"|de) (?:[\w'’/"
    r"&-]+ ?){1,5}?)?) ?(?:\b(?:is|are|was|will be|takes place|falls|è|ist|est|es|sono|'s)\b|"
    rf"{_MOVED})(?: (?:now|actually|currently|due|ora|jetzt|maintenant|ahora|set|planned"
    rf"|scheduled))*"
    rf"(?: (?:on|at|in|by|to|for|until|till|il|al|am|den|der|le|el|auf|au)(?: the)?)?"
    rf" (?P<when>.+)$",
    re.I,
)
# "I have a meeting with Bhuvnesh on Thursday at 3pm"
_HAVE = re.compile(
    rf"(?:i|we) have (?:an?|the|my|our) (?P<of>(?:[\w'’/&-]+ ){{0,3}}?)(?P<noun>{EVENT})"
    r"(?P<of2>(?: (?:for|of|with|in|at) [\w'’/&-]+(?: [\w'’/&-]+){0,3}?)?) (?:on|at|in)"
    r" (?P<when>.+)$",
    re.I,
)
_DUE = re.compile(
    r"(?:(?:my|our|the) )?(?P<of>(?:[\w'’/&-]+ ){1,5}?)(?:is|are) (?:now |actually )*due (?:on "
    r"|by |at"
    r" |in |before )?(?P<when>.+)$",
    re.I,
)
_CANCELLED = re.compile(
    r"(?:(?:my|our|the|il|la|lo|il mio|la mia|die|der|das|mein\w*|unser\w*|le|ma|mon|notre|el|mi)"
    r" )?"
    rf"(?P<of>(?:[\w'’/&-]+ ){{0,4}}?)(?P<noun>{EVENT})"
    r"(?P<of2>(?: (?:for|of|of the|with|in|at) (?:[\w'’/&-]+ ?){1,5}?)?) ?"
    r"(?:(?:has|have|had|was|were|got|is|are|been|è|sono|stat[oa]|ist|wurde|worden|est|été|a|ha|sido"
    r"|now|just) )*"
    r"(?:cancell?ed|called off|annullat[oa]|cancellat[oa]|abgesagt|annulé\w*|cancelad[oa])\b",
    re.I,
)
_WHEN = re.compile(rf"(?P<clock>{_CLOCK})|(?P<day>{_DAY})", re.I)

_WHEN_DAY = re.compile(_DAY, re.I)
DATE = "@ "
_MONTHS = (
    ("jan", "gen", "ene"), ("feb", "fev"), ("mar",), ("apr", "avr", "abr"), ("may", "mag", "mai"),
    ("jun", "giu", "juin"), ("jul", "lug", "juil"), ("aug", "ago", "aou"), ("sep", "set"),
    ("oct", "ott", "okt"), ("nov",), ("dec", "dic", "dez"),
)  # fmt: skip
_ISO = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_MONTH_NAME = re.compile(fold_accents(_MONTH), re.I)


def dates(said: str) -> list[Role]:
    if match := _CANCELLED.match(said):
        of = of_what(f"{match['of']} {match['of2']}")
        return [Role(_noun(match["noun"]), of, f"{DATE}cancelled", changed=True)]
    match = _DUE.match(said) or _DATED.match(said) or _HAVE.match(said)
    if match is None:
        return []
    when = _WHEN.search(match["when"])
    groups = match.groupdict()
    if when is None or when.start() > 30:
        return []
    noun = _noun(groups.get("noun") or "deadline")
    of = of_what(f"{groups.get('of') or ''} {groups.get('of2') or ''}")
    sort = " at" if when["clock"] and not _WHEN_DAY.search(match["when"]) else ""
    return [Role(noun + sort, of, DATE + _date(match["when"]))]


def _noun(words: str) -> str:
    return "deadline" if words.casefold() in _DEADLINES else words.casefold()


def _date(words: str) -> str:
    """The parts of a date in one spelling and order: "3 may", "May 3rd" and "3 maggio"."""
    parts = []
    words = _ISO.sub(lambda at: f"{at[3]} {_MONTHS[int(at[2]) % 12 - 1][0]} {at[1]}", words)
    for word in key_of(words).split():
        number = re.fullmatch(r"0?(\d+)(?:st|nd|rd|th)?", word)
        month = next((at for at, begun in enumerate(_MONTHS, 1) if word.startswith(begun)), 0)
        if number:
            parts.append(number[1])
        elif month and _MONTH_NAME.fullmatch(word):
            parts.append(f"m{month}")
        elif _WHEN_DAY.fullmatch(word) or re.fullmatch(r"am|pm|noon|midnight|week|month|end", word):
            parts.append(word.removesuffix("s"))
    return " ".join(sorted(set(parts)))
