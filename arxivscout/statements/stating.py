"""How a person states a fact of themselves: patterns, each with the relation that it tells of.

A pattern stands at the start of a clause of the person's own words. Its group `what` is what they
are related to. English first; the commonest turns of phrase in four more languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from arxivscout.statements.ending import ENDED, OFTEN, WE
from arxivscout.statements.names import GIVEN_NAME, is_coined, is_organisation
from arxivscout.statements.working import GROUP, ROLE, WORKING

_WE, _OFTEN = WE, OFTEN
_GROUP, _ROLE = GROUP, ROLE
# What is of no use to know later, though it is said of oneself.
_FLEETING = (
    r"(?:question|questions|problem|point|guess|bad|mistake|apologies|thanks|answer|message|last"
    r"|previous|first|second|next|other|own|understanding|impression|feeling|idea|concern|worry"
    r"|request|query|favou?rite (?:joke)|head|mind|turn|fault)"
)


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way to state something; `predicate` of the edge from the person, "" for none.

    `kind`: of the thing at its other end, "" where its name tells.
    """

    words: re.Pattern[str]
    predicate: str = ""
    kind: str = ""

    @property
    def is_of_people(self) -> bool:
        """Whether it may as well tell of who moves as of what they move to."""
        return self.kind == "somebody"


@dataclass(frozen=True, slots=True)
class Told:
    """A relation that a clause states: the person, `predicate`, the words for what."""

    predicate: str
    kind: str
    what: str


# The first that fits says what a clause is; those without a predicate make it a fact and no more.
_STATED = (
    # who moved from one thing to another uses the second
    ("moved", "somebody", rf"{_WE}(?:'ve| have|'m| am)?{_OFTEN} (?:moved|moving|relocated"
     "|transferred|gone)"
     r"(?: over)? from (?P<old>.{1,60}?) (?:over )?to (?P<what>.+)"),
    ("moved", "somebody", rf"{_WE}(?:'ve| have)?{_OFTEN} (?:moved|relocated|transferred) to"
     " (?P<what>.+)"),
    ("moved", "", rf"{_WE}(?:'ve| have)?{_OFTEN} (?:switched|migrated|changed|converted"
     rf"|ported"
     r"(?: \w+){0,3}?) (?:over )?from (?P<old>.{1,60}?) (?:over )?to (?P<what>.+)"),
    ("moved", "", rf"{_WE}(?:'ve| have)?{_OFTEN} (?:replaced|dropped|swapped) (?P<old>.{{1,60}}?)"
     r" (?:by|with|for|in favou?r of) (?P<what>.+)"),
    ("moved", "", rf"{_WE}(?:'ve| have)?{_OFTEN} (?:switched|migrated|moved over) to (?P<what>.+)"),
    ("moved", "", r"(?:sono|siamo) passat[oaie] da (?P<old>.{1,60}?) a (?P<what>.+)"),
    ("moved", "", r"(?:ich bin|wir sind) von (?P<old>.{1,60}?) (?:auf|zu) (?P<what>.+?)"
     r" (?:umgestiegen|gewechselt)"),
    ("moved", "", r"(?:je suis passé|nous sommes passé|je suis passée)e?s? de (?P<old>.{1,60}?)"
     r" à (?P<what>.+)"),
    ("moved", "", r"(?:me|nos) (?:pasé|cambié|pasamos|cambiamos) de (?P<old>.{1,60}?)"
     r" a (?P<what>.+)"),
    # what is no longer so: what was said of it before ends
    *ENDED,
    # what was so before
    ("", "", rf"{_WE}{_OFTEN} used to{_OFTEN} (?:work|study|teach|live|lead|research|be(?= (?:an?"
     r"|the|at|in|with) )|program|code|write|supervise|collaborate|own|have|train|maintain) .+"),
    ("", "", rf"{_WE}(?:'ve| have)?{_OFTEN} (?:worked|studied|lived) (?:at|for|in|with|on)"
     r"(?! (?:it|that|this|them|a lot|vain)\b) .+"),
    ("", "", rf"{_WE}{_OFTEN} was an? (?:[\w-]+ ){{0,4}}?{_ROLE} .+"),
    ("", "", rf"{_WE} (?:don't|do not|never|can't|cannot|no longer|hardly|rarely|barely) (?:ever )?"
     r"(?:use|have|work|run|trust|rely|teach"
     r"|need|speak|code|train|own) .+"),
    ("", "", r"(?:non (?:uso|ho|lavoro)|ich (?:benutze|verwende|nutze|habe) (?:kein\w*|nicht|nie)"
     r"|je n'(?:utilise|ai) p(?:as|lus)|je ne travaille p(?:as|lus)|no (?:uso|utilizo|tengo"
     r"|trabajo)) .+"),
    # where, with whom and on what
    *WORKING,
    # what with
    ("uses", "", rf"(?:{_WE}(?:'ve| have)?{_OFTEN} (?:use|been using|started using|adopted|rely on"
     rf"|depend on|(?:code|program|write everything|write all my code|implement everything) in)"
     rf"|(?:i'm|i am|we're|we are){_OFTEN} (?:using|relying on)) (?P<what>.+)"),
    ("uses", "", rf"{_GROUP}{_OFTEN} (?:uses?|relies on|runs on|is (?:written|implemented) in"
     rf"|depends"
     r" on) (?P<what>.+)"),
    ("uses", "", rf"{_WE}{_OFTEN} (?:train|run|test|evaluate|benchmark|simulate)(?:ed)?(?: [\w-]+)"
     r"{0,4}? (?:with|on|in) (?P<what>.+)"),
    ("uses", "", r"(?:uso|usiamo|utilizzo|utilizziamo|programmo in) (?P<what>.+)"),
    ("uses", "", r"(?:ich|wir) (?:benutzen?|verwenden?|nutzen?|programmieren? in) (?P<what>.+)"),
    ("uses", "", r"(?:j'utilise|nous utilisons|je programme en|on utilise) (?P<what>.+)"),
    ("uses", "", r"(?:utilizo|utilizamos|usamos|programo en) (?P<what>.+)"),
    # and the rest, as it stands
    ("", "", rf"(?:i'm|i am|we're|we are){_OFTEN} (?:(?:an?|the|one of the)? ?(?:[\w'-]+ "
     rf"){{0,4}}?{_ROLE}"
     r"\b|(?:writing|preparing|finishing|moving|living|located|affiliated|supervised|funded"
     r"|responsible|allergic|colou?r-?blind|from|based|training|teaching|supervising|organi[sz]ing"
     r"|planning to|new to|limited to|running|leaving|joining) ?).*"),
    ("", "", rf"(?:i'm|i am|we're|we are){_OFTEN} (?:not )?(?:allowed|permitted|authori[sz]ed"
     r"|entitled) to (?:use|access|run|work|publish|share|store|submit|book|enter|travel|have)\b"
     r" .+|(?:ho|abbiamo) (?:il permesso|accesso) .+|ich darf (?:nicht )?.+|(?:j'ai|nous avons)"
     r" (?:le droit|accès) .+|(?:tengo|tenemos) (?:permiso|acceso) .+"),
    ("", "", rf"{_WE}(?:'ve| have)?{_OFTEN} (?:teach|supervise|live|speak|lead|maintain|own"
     rf"|collaborate"
     r"|speciali[sz]e|moved to|left|graduated|defended|submitted|published|finished my|started "
     r"(?:my|a)|wrote (?:my|a|the)|built|trained|measured|tested|bought|installed|need to (?:submit"
     r"|finish|hand in|deliver)|have to (?:submit|finish|hand in|deliver)|plan to|received"
     r"|won|earned) .+"),
    ("", "", rf"{_WE}(?: (?:only|still|now|currently))? have (?:access to|an? |one |two |three "
     rf"|four"
     r" |eight |\d[\d,.]* |no |only |until )(?!.{0,30}\b(?:questions?|doubts?|problems?|look"
     r"|feeling"
     r"|idea|hunch|minutes?|go|request|suggestion|favou?r|issue|clue|choice|point|time)\b).+"),
    ("", "", rf"(?:my|our) (?!{_FLEETING}\b)(?:[\w'’-]+ ){{1,5}}?(?:is|are|was|were|will be|has"
     rf"|have"
     r"|ends?|starts?|moved|runs|takes place|consists)(?: (?:called|named|on|at|in|to|due))* .+"),
    ("", "", rf"{_WE}(?:'ve| have)?{_OFTEN} (?:found|discovered|noticed|observed|confirmed|showed"
     r"|established|ruled) (?:that|out) .+"),
    ("", "", r"(?:call me|my name is) .+"),
    ("", "", r"to do: .+|(?:i'm |i am )?done(?: with|:) .+"),
    ("", "", rf"(?:i'm|i am|sono|je suis|soy) {GIVEN_NAME}"),
    ("", "", r"(?:mi chiamo|sono (?:un[oa']? ?)?(?:dottorand|studen|ricerca|professor|fisic"
     r"|matemati|ingegner)\w*|(?:il mio|la mia|i miei|le mie) (?:[\w'’-]+ ){1,4}?(?:è|sono"
     r"|scade|si chiama) ?).*"),
    ("", "", r"(?:ich heiße .+|ich bin (?:ein(?:e)? )?(?:doktorand|student|professor|forscher"
     r"|physiker"
     r"|mathematiker|postdoc)\w*.*|(?:meine?|unsere?) (?:[\w-]+ ){1,4}?(?:ist|sind|heißt|war) .+)"),
    ("", "", r"(?:je m'appelle .+|je suis (?:une? )?(?:doctorant|étudiant|cherch|profess|physicien"
     r"|mathématicien|postdoc)\w*.*|(?:mon|ma|mes|notre) (?:[\w'’-]+ ){1,4}?(?:est|sont"
     r"|s'appelle) .+)"),
    ("", "", r"(?:me llamo .+|soy (?:una? )?(?:doctorand|estudiante|investigador|profesor|físic"
     r"|matemátic|postdoc)\w*.*|(?:mi|nuestr[oa]) (?:[\w-]+ ){1,4}?(?:es|son|se llama) .+)"),
)  # fmt: skip
_CHANGES = frozenset({"moved", *(predicate for predicate, _, _ in ENDED)})
# "I work at CERN and use ROOT": a second relation whose "I" is understood.
_ELIDED = re.compile(
    r"\s*,?\s+(?:and|but)\s+(?:(?:also|mostly|mainly|now|currently|then|only|still)\s+)*(?=(?:use"
    r"|work|study|research|focus|teach|live|rely|code|program|run|train|own|have|supervise|lead"
    r"|collaborate|speak|moved|left|joined|switched|stopped|started|dropped|am|was|prefer|avoid"
    r"|like|love|hate|dislike|enjoy"
    r"|no longer|do not|don't|never)\b)|\s+(?:e|ed)\s+(?=(?:uso|lavoro|studio|utilizzo|usiamo|mi "
    r"occupo|vivo|abito|insegno|programmo|non|evito|preferisco|odio|amo|sono|ho)\b)"
    r"|\s+und\s+(?=(?:benutze|verwende|nutze|arbeite|forsche|wohne|lebe|lehre|programmiere"
    r"|vermeide|bevorzuge|mag|hasse|habe|bin)\b)"
    r"|\s+et\s+(?=(?:j'|utilise|travaille|habite|vis|enseigne|évite|préfère|déteste|suis))"
    r"|\s+y\s+(?=(?:uso|utilizo|trabajo|estudio|vivo|enseño|evito|prefiero|odio|soy|no)\b)",
    re.I,
)
# "I plan to use JAX and work on axions": what the second verb goes on from is no "I".
_GOVERNS = re.compile(
    r"\b(?:to(?= [a-z])|can|will|could|must|should|shall|let's|\w+'ll|di(?= \w+re\b)|zu(?="
    r" \w+en\b))",
)
_NOW_ABROAD = re.compile(
    r"(?<=\w) (?:jetzt|nun|inzwischen|mittlerweile|zurzeit|derzeit|maintenant|désormais"
    r"|actuellement|ahora|actualmente|adesso|attualmente|ora)(?=\s)",
    re.I,
)
_OWN = re.compile(r"(?:i|we)\b(?!')", re.I)
_ITS_SUBJECT = {"und": "ich ", "et": "je ", "and": "I ", "but": "I "}
# "I use the word loosely", "I work too much": nothing is named.
_NOTHING = re.compile(
    r"(?:it|that|this|them|these|those|you|your|the (?:word|term|same|following|above|phrase"
    r"|notation|abbreviation|symbol|name)|hard|too|well|a lot|late|alone|from home|casa|here|there"
    r"|something|anything|everything|nothing|all (?:of )?(?:it|this|them)|for|as|to)\b",
    re.I,
)


def states(clause: str) -> bool:
    """Whether a clause of the person's own words states a fact of them that is worth keeping."""
    found = matched(clause)
    return found is not None and not _empty(*found)


def coordinated(clause: str) -> list[str]:
    """The statements of a clause, each with its subject; itself where it is one, or none."""
    parts = list(_parts(clause))
    if len(parts) < 2 or _GOVERNS.search(parts[0]) or not states(parts[0]):
        return [clause]
    return parts


def tells_where(clause: str) -> bool:
    """Whether a clause tells of a place or a person: what is said of them behind is no reason."""
    found = matched(clause)
    return found is None or found[0].predicate in ("", "works_at", "works_with")


def tells_of_change(clause: str) -> bool:
    """Whether a statement says that something is no longer so, or took another's place."""
    found = matched(clause.strip(" .!"))
    return found is not None and found[0].predicate in _CHANGES


def told(clause: str) -> Iterator[Told]:
    """The relations that a clause states, each part of it for itself."""
    for part in _parts(clause):
        found = matched(part)
        if found is None or _empty(*found) or not found[0].predicate:
            continue
        pattern, match = found
        what = _what(match)
        if pattern.predicate == "moved":
            yield from _moved(match.groupdict().get("old") or "", what, pattern.is_of_people)
        else:
            yield Told(pattern.predicate, pattern.kind, what)


def _moved(old: str, new: str, of_people: bool) -> Iterator[Told]:
    """From one tool or employer to another; who moves to another town tells of neither."""
    if any(is_organisation(each) for each in (old, new)) and of_people:
        before, now, kind = "worked_at", "works_at", "organisation"
    elif of_people and not any(is_coined(each) for each in (old, new)):
        return
    else:
        before, now, kind = "used_before", "uses", ""
    if old:
        yield Told(before, kind, old)
    yield Told(now, kind, new)


@cache
def _patterns() -> tuple[Pattern, ...]:
    """Compiled when something is first stated: most of what is asked states nothing."""
    return tuple(
        Pattern(re.compile(rf"(?:{words})", re.I), predicate, kind)
        for predicate, kind, words in _STATED
    )


def matched(clause: str) -> tuple[Pattern, re.Match[str]] | None:
    """The pattern that a clause is of, and how; None of none.

    "Ich arbeite jetzt am CERN" is matched without its adverb: the match has its own `string`.
    """
    for text in dict.fromkeys((clause, _NOW_ABROAD.sub("", clause))):
        for pattern in _patterns():
            if match := pattern.words.fullmatch(text):
                return pattern, match
    return None


def _empty(pattern: Pattern, match: re.Match[str]) -> bool:
    return bool(pattern.predicate) and bool(_NOTHING.match(_what(match) or "it"))


def _what(match: re.Match[str]) -> str:
    """The words for what the person is related to, whichever turn of phrase has them."""
    named = (words for name, words in match.groupdict().items() if name.startswith("what"))
    return next(filter(None, named), "")


def _parts(clause: str) -> Iterator[str]:
    start, link = 0, ""
    subject = _OWN.match(clause)
    for cut in _ELIDED.finditer(clause):
        yield link + clause[start : cut.start()]
        words = cut[0].strip(" ,").split()
        link, start = _ITS_SUBJECT.get(words[0].lower(), ""), cut.end()
        if link == "I " and subject:
            link = f"{subject[0]} "
        if len(words) > 1:  # "and now use": when it is so belongs to it
            link += " ".join(words[1:]) + " "
        if clause[start:].lower().startswith("j'"):
            link = ""
    yield link + clause[start:]
