"""What a statement of oneself, or a question for one, is about: a home, a tool, a supervisor.

Told by words that stand in both: "Where do I live?" and "I moved to Munich" are both of a home.
English and Italian, and the commonest words of German, French and Spanish.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from arxivscout.statements.names import GIVEN_NAME

_I = re.IGNORECASE
ROLE = (
    r"(?:student(?:e|i|essa)?|dottorand\w+|doktorand\w*|doctorant\w*|postdoc\w*|phd|professor\w*"
    r"|lecturer|researcher|ricercat\w+|scientist|engineer|ingegner\w+|teacher|insegnante|fellow"
    r"|intern|candidate|undergraduate|graduate|master'?s|technician|developer|programmer"
    r"|physician|doctor|nurse|librarian|journalist|manager|retired|unemployed|self-employed"
    r"|freelance\w*|\w+(?:icist|ologist|onomer|ematician|istician|emist|opher|omist))"
)
_BOSS = (
    r"(?:supervisors?|advis[eo]rs?|boss(?:es)?|mentors?|promoters?|line manager|pi|relator\w+"
    r"|supervisor\w|tutor\w*|capo|betreuer\w*|doktorvater|chef\w*|director|directeur|directrice"
    r"|encadrante?|superviseur|jefe|jefa)"
)
_LIKING = (
    r"lik(?:e|es|ed|ing)|lov(?:e|es|ed|ing)|enjoy\w*|prefer(?!enc)\w*|favou?r\w*|fond of|fans? of"
    r"|keen on|ador\w+|(?:really |very )?into|care (?:for|about)|piac\w+"
    r"|amo|amavo|preferi\w+|mag|liebe|bevorzug\w+|aime|aimais|préfère|gusta\w*"
    r"|encanta\w*|prefiero"
)
_DISLIKING = (
    r"dislik\w+|hat(?:e|es|ed|ing)|avoid\w*|detest\w*|can(?:'|’)?t stand|cannot stand|loath\w+"
    r"|despis\w+|(?:sick|tired) of|odi(?:o|avo|are)|evit(?:o|avo|are|a)|hasse|meide|vermeide"
    r"|déteste|évite|steer clear|stay away"
)
_TOOL_ENDS = (
    r"drop(?:s|ped|ping)?|abandon\w*|ditch\w*|(?:g[ai]ve|given|giving) up|(?:get|got) rid of"
    r"|stop(?:s|ped|ping)?|quit|ceas\w+|replac\w+|swap\w*|smesso|lasciat\w|abbandonat\w|aufgegeben"
    r"|aufgehört|abgeschafft|arrêté|abandonné|dejé|dejado|abandoné"
)


@dataclass(frozen=True, slots=True)
class Aspect:
    """What is told by `words`, anywhere in a text. `single`: one of it holds at a time.

    `values` catches what a statement gives for it, where a pattern can: "Munich".
    """

    name: str
    words: str
    single: bool = False
    values: str = ""


_BY = r"(?: (?:\w+ly|now|still|also|always|currently|adesso|ora|ancora))*"
_X = r"(?P<value>.+)"
ASPECTS = (
    Aspect("home", r"liv(?:e|es|ed|ing)(?! (?:with|on|off|without)\b)|resid(?:e|es|ed|ing|ence)"
           r"|home ?town|home address|(?:my|mio|mia) (?:home|flat|apartment|address|house|casa"
           r"|indirizzo)|based in|reloca\w+|mov(?:e|ed|ing) (?:house|out|away|(?:back )?(?:to"
           r"|from) (?=\w)(?!use\b|now\b))"
           r"|(?:when|how long ago) (?:did|have) i(?: \w+ly)? moved?(?=\W*$)"
           r"|where (?:did|have|am|was) i(?: \w+ly)?(?: (?:move|moved))?\b(?! (?:work|use|stud))"
           r"|viv[oei]|vivevo|viviamo|vivere|abit(?:o|i|a|avo|iamo|are)|trasferit\w|mi trasferisco"
           r"|wohne|wohnte|lebe|lebte|umgezogen|j['’]habit\w+|habité|je vis|vivo en|vivía"
           r"|(?:what|which) (?:city|town|country|place)",
           single=True,
           values=r"(?:live|lived|living|reside|residing|based|located|moved|moving|relocated|vivo"
           r"|vivevo|abito|abitavo|trasferit\w)(?:(?: back| over)?(?: (?:from|da) .{1,60}?)?"
           r" (?:in|at|near|to|a|ad|in|nel|nella))? " + _X),
    Aspect("employer", r"(?:work|works|worked|working)(?:" + _BY + r") (?:at|for)\b(?! home)"
           r"|employ(?:ed|er|ers|ee)|affiliat\w+|(?:new |old )?jobs?|join(?:ed|ing)?\b|hired"
           r"|(?:i am|i'm|am i|was i|i was)" + _BY + r" at (?:the )?(?=(?-i:[A-Z]))"
           r"|left (?:the )?(?=(?-i:[A-Z]))|(?:lavor\w+) (?:a|ad|al|alla|all['’]|presso|per|in)\b"
           r"|datore|impiegat\w|assunt\w|arbeite\w* (?:am|bei|beim|für)|travaill\w+ (?:à|au|chez"
           r"|pour)|trabaj\w+ (?:en|para)|where (?:do|did|am|was|have|had) i" + _BY
           + r" (?:been )?work\w*|where (?:was|am) i\b|where i" + _BY + r" work\w*"
           r"|dove (?:lavor\w+|ho lavorato)"
           r"|wo (?:arbeite\w*) ich|what institut\w+",
           single=True,
           values=r"(?:work|worked|working|employed|based|position|job|postdoc|student|researcher"
           r"|professor|engineer|am|'m|affiliated|lavoro|lavoravo|lavorato)(?: now)? (?:at|for|by"
           r"|with|a|ad|al|alla|all['’]|presso|per) ?" + _X + r"|(?:joined|left) " + _X.replace(
               "value", "value2")),
    Aspect("supervisor", rf"(?:my|our|mio|mia|nostro|mein\w*|mon|ma|mi) (?:[\w-]+ ){{0,2}}{_BOSS}"
           rf"|supervis(?:es|ed) (?:me|my|by)|advis(?:es|ed) (?:me|by)|mentored by|i work under"
           rf"|(?:who|whom)(?: is| was|'s)? (?:supervis\w+|advis\w+|mentor\w*|leads?) (?:me|my|us)"
           r"|mi segue|mi supervisiona",
           single=True,
           values=rf"{_BOSS}(?: at [\w ]+?)?(?: is| was|'s name is| è| era|:)(?: now| called)? "
           + _X + r"|(?P<value2>.+?) (?:supervises|advises|supervised|advised|mi segue)\b"
           r"|(?:supervised|advised|mentored) by (?P<value3>.+)"),
    Aspect("status", rf"(?:i am|i'm|am i|i was|was i|i became|i've become|sono|ero|ich bin|bin ich"
           rf"|je suis|soy)(?: [\w-]+){{0,4}}? {ROLE}|(?:my|mio|mia) (?:position|profession|job"
           r" title|occupation|career stage|professione)|what do i do for a living",
           single=True,
           values=r"(?:i am|i'm|i became|i've become|sono|ich bin|je suis|soy)(?: now| still"
           r"| currently)? " + _X),
    Aspect("deadline", r"deadlines?|due(?: date)?|scad(?:e|enza|enze)|consegna|abgabe\w*|frist"
           r"|échéance|date limite|fecha límite|plazo",
           single=True,
           values=r"(?:deadline|due date|submission|scadenza|consegna)(?: for [\w ]+?| is| was| è"
           r"| are| now| moved| to| on| due| ora| il)* " + _X),
    Aspect("name", r"my (?:own |full |first |last )?name|call me|i am called|i'm called|mi chiamo"
           r"|il mio nome|ich heiße|je m['’]appelle|me llamo|heiße ich"
           rf"|(?:i am|i'm|sono|je suis|soy) {GIVEN_NAME}(?=\W*$)",
           single=True,
           values=r"(?:my (?:full |first )?name is|call me|mi chiamo|ich heiße|je m['’]appelle"
           r"|me llamo|i'm called|i am called|i'm|i am|sono|je suis|soy) " + _X),
    Aspect("task", r"to do(?=:)|to-?do lists?|to-?dos?|tasks?(?= \w*\W*$)"
           r"|(?:(?:have|need)(?: still)?|left(?: for me)?) to do|da fare",
           values=r"to do: " + _X),
    Aspect("age", r"how old am i|quanti anni ho|(?:i am|i'm|i turned) \d{1,3}(?: years old)?"
           r"(?=\W*$)|\d{1,3} years old|ho \d{1,3} anni|my age",
           single=True,
           values=r"(?:i am|i'm|i turned|ho|age is) (?P<value>\d{1,3}(?: years old| anni)?)"),
    Aspect("colleague", r"(?:work|works|worked|working|collaborat\w+|cooperat\w+)" + _BY + r" with"
           r"|collaborat(?:e|es|ed|ing|ors?|ion)|colleagues?|co-?authors?|collabor(?:o|avo|iamo)"
           r"|collegh?[aei]|lavor\w+ con|arbeite\w* (?:\w+ )?mit|travaill\w+ avec|trabaj\w+ con"
           r"|(?:who|whom)\b.* work\w*(?: \w+)? with|with whom\b.* work|con chi lavor\w+",
           values=r"(?:with|con) " + _X),
    Aspect("topic", r"(?:work|works|worked|working)" + _BY + r" on|stud(?:y|ied|ying)|research\w*"
           r"|investigat\w+|(?:research |my )topic|(?:my|research) field|focus\w*|lavor\w+ su\w*"
           r"|studi(?:o|avo|amo)|mi occup\w+|argomento|forsch\w+|étudi\w+|estudi\w+|investigo",
           values=r"(?:on|study|studied|studying|researching|research|investigate|su|sul|sulla|sui"
           r"|sulle|studio|occupo di|field is|topic is) " + _X),
    Aspect("tool", r"us(?:e|es|ed|ing)(?! to\b)|utili[sz]\w+|rel(?:y|ied|ies|ying) on|cod(?:e|es"
           r"|ed|ing) in|programm?\w* in|writ(?:e|es|ing) (?:[\w-]+ ){0,3}in|(?:work|works|worked"
           r"|working) with (?=(?-i:[A-Z]))|switch\w*|migrat\w+|adopt\w*|uso|usavo|usat\w|usiamo"
           r"|usare|usavamo|passat\w|benutz\w+|verwend\w+|nutz\w+|umgestiegen|gewechselt"
           r"|j['’]emploie"
           r"|usé|usaba|usamos|cambi(?:é|ado|ato)|changé|passé" + f"|{_TOOL_ENDS}",
           values=r"(?:switched|moved|migrated|changed) (?:over )?(?:from .{1,60}? )?to " + _X
           + r"|(?:passat\w) (?:da .{1,60}? )?a (?P<value2>.+)"
           r"|(?:replaced|swapped) .{1,60}? (?:by|with|for) (?P<value3>.+)"
           r"|(?:use|used|using|uso|usavo|usato|utilizzo|rely on|code in|program in|adopted"
           r"|benutze|verwende|utilise|utilizo)" + _BY + r" (?P<value4>.+)"),
    Aspect("taste", f"{_LIKING}|{_DISLIKING}|(?:do|does|did)(?:n['’]t| not) want",
           values=rf"(?:{_LIKING}|{_DISLIKING}) (?:to )?" + _X),
    Aspect("interest", r"interested|interests?|curious|interess\w+",
           values=r"(?:interested in|interests? (?:is|are)|curious about|interessato (?:a|alla|al)"
           r"|mi interessa(?:no)?) " + _X),
    Aspect("belief", r"believ\w+|belief\w*|think|thought|suspect\w*|assum\w+|convinced|opinions?"
           r"|doubt\w*|suppos\w+|cred(?:o|evo|uto|ere)|pens(?:o|avo|ato)|riten(?:go|evo)|convint\w"
           r"|glaub\w+|crois|croyais|creo|creía",
           values=r"(?:believe|think|suspect|assume|convinced|suppose|credo|credevo|penso|pensavo"
           r"|ritengo) (?:in |that |che )?" + _X),
    Aspect("decision", r"decid\w*|decisions?|agreed?|chose|chosen|choose|choices?|settled?|opted"
           r"|commit(?:ted)?|go(?:ing)? with|went with|decis\w+|deciso|scelt\w+|concordat\w"
           r"|entschieden|beschlossen|gewählt|décid\w+|choisi|elegí\w*|elegid\w",
           values=r"(?:decided|agreed|chose|chosen|settled|opted|committed|going with|went with"
           r"|deciso|scelto|choice is|decision is)(?: (?:to use|di usare|to go with|on|for"
           r"|that|di|che))? " + _X),
    Aspect("teaching", r"teach(?:es|ing)?|taught|lecture[sd]?|insegn(?:o|avo|are)|unterrichte|lehre"
           r"|enseign\w+|enseño", values=r"(?:teach|taught|teaching|insegno|insegnavo) " + _X),
    Aspect("speaking", r"speak(?:s|ing)?|spoken|spoke|fluent|native|parl(?:o|avo|are)|spreche"
           r"|je parle|hablo", values=r"(?:speak|spoke|fluent in|parlo|parlavo) " + _X),
    Aspect("possession", r"(?:i|we|do i|did i|i've|we've)(?: \w+ly| still| now| also| only)* "
           r"(?:have|had|own|owned|got)\b(?! (?:to|never|ever|already|been|\w+ed)\b)|i (?:own"
           r"|possess)|access to|posso usare"
           r"|(?:^|\W)ho (?:un|una|uno|dei|delle|due|tre|quattro|accesso)\b|possiedo|ich habe"
           r"|habe ich|j['’]ai|ai-je|tengo",
           values=r"(?:have|had|own|got|ho|possiedo)(?: only| access to| accesso a)* " + _X),
)  # fmt: skip
_POSITION = re.compile(
    r"\b(?:my|mio|mia) (?:current )?(?:position|profession|job title|occupation|career stage"
    r"|professione)\b",
    _I,
)
EMPLOYER = next(each for each in ASPECTS if each.name == "employer")


@dataclass(frozen=True, slots=True)
class _Read:
    words: re.Pattern[str]
    values: re.Pattern[str] | None


@cache
def _compiled(aspect: Aspect) -> _Read:
    """Compiled when it is first needed: most turns ask for nothing of this."""
    return _Read(
        re.compile(rf"(?:(?<![\w'’])|(?<=j['’]))(?:{aspect.words})(?:(?<= )|(?!\w))", _I),
        re.compile(rf"(?<![\w])(?:{aspect.values})", _I) if aspect.values else None,
    )


def aspects_of(text: str) -> tuple[Aspect, ...]:
    """What a text is about, in the order of `ASPECTS`."""
    return tuple(each for each in ASPECTS if _compiled(each).words.search(text))


def without_aspects(text: str) -> str:
    """The text without the words that tell what it is about; a role is asked for by itself."""
    for aspect in ASPECTS:
        if aspect.name != "status":
            text = _compiled(aspect).words.sub(" ", text)
    return _POSITION.sub(" ", text)


def value_of(aspect: Aspect, statement: str) -> str:
    """What a statement says for an aspect ("Munich"), in its words; "" if it can't be told."""
    values = _compiled(aspect).values
    found = values.search(statement) if values else None
    return next((each for each in found.groups() if each), "").strip(" .,;:") if found else ""


_LIKED = re.compile(rf"(?<!\w)(?:(?P<bad>{_DISLIKING})|(?:{_LIKING}))(?!\w)", _I)
_NOT = re.compile(
    r"(?:\b(?:not|never|cannot|no longer|non|nicht|nie|jamais|no|nunca)|n['’]t)"
    r"(?: [\w'’]+){0,2} ?$",
    _I,
)


def sign_of(text: str) -> int:
    """1 for what tells of liking, -1 for the contrary, 0 for neither; "not" turns it round."""
    found = _LIKED.search(text)
    if found is None:
        return -1 if re.search(r"n['’]t want\b|\bnot want\b", text, _I) else 0
    sign = -1 if found["bad"] else 1
    return -sign if _NOT.search(text[: found.start()]) else sign
