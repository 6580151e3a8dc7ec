"""What a question of oneself asks for: whether, why, since when; what is, was, or came instead."""

from __future__ import annotations

import re
from typing import Literal

Asks = Literal["whether", "why", "when", "how long", "what"]
_I = re.IGNORECASE

BEFORE = re.compile(
    r"\b(?:before|formerly|previously|originally|earlier|initially|at first|in the past|used? to"
    r"|prior to|until then|prima|in precedenza|un tempo|all'inizio|originariamente|usavo|usavamo"
    r"|utilizzavo|lavoravo|preferivo|vor|vorher|davor|zuvor|früher|ursprünglich|anfangs|avant"
    r"|auparavant|autrefois|précédemment|au début|utilisais|travaillais|antes|anteriormente"
    r"|previamente|antiguamente|originalmente|al principio|usaba|usábamos|utilizaba|trabajaba)\b",
    _I,
)
_WORDS: dict[Asks, str] = {
    "why": r"why|how come|what(?: was)? (?:the|my) reasons?|for what reason|perché|come mai|warum"
    r"|weshalb|wieso|pourquoi|por qué",
    "how long": r"since (?:when|what|which)|how long|da quando|da quanto|per quanto|seit wann"
    r"|wie lange|depuis quand|combien de temps|desde cuándo|cuánto tiempo",
    "when": r"when|(?:on |in )?(?:what|which) (?:day|date|year|month)|quando|in che (?:anno|mese"
    r"|giorno|data)|wann|quand|cuándo",
    "what": r"what|which|who|whom|whose|where|how (?:many|much|often|old)|chi|cosa|che(?= \w+ \w)"
    r"|qual[ei]?|dove"
    r"|quant[oaie]|wer|wen|wem|was(?! (?:i|my|it)\b)|wo|wohin|womit|woran|wofür|welche\w*|qui"
    r"|(?<!est-ce )que"
    r"|quoi|où|quels?"
    r"|quelles?|sur quoi|qu['’]est-ce|qué|quién|cuál(?:es)?|dónde|what's|who's"
    r"|(?:come|wie|comment|cómo)(?= .{0,20}(?:chiam|hei(?:ß|ss)|appel|llam))",
}
ASKS = tuple((asks, re.compile(rf"\b(?:{words})(?![\w])", _I)) for asks, words in _WORDS.items())
PAST = re.compile(
    r"\b(?:did|had|was|were|have i (?:ever|never)|ever|used to|mai|ho|avevo|ero|usavo|lavoravo"
    r"|vivevo|abitavo|pensavo|credevo|preferivo|hatte|habe|war|ai-je|étais|usaba|he)\b",
    _I,
)
INSTEAD = re.compile(
    r"\b(?:instead of|in place of|rather than|(?:as a )?replace\w* (?:for|of)|al posto d\w+"
    r"|invece d\w+|statt|anstelle|au lieu d\w+|à la place|en (?:vez|lugar) de)\b",
    _I,
)
# "Do I avoid RL?", "Did I drop Julia?": what is so when the thing is not liked, or over.
OVER = re.compile(
    r"\b(?:drop(?:ped)?|stop(?:ped)?|quit|abandon(?:ed)?|give up|given up|g[ae]ve up|le(?:ave|ft)"
    r"|get rid|got rid|reject(?:ed)?|discard(?:ed)?|smesso|lasciato|abbandonato|aufgegeben"
    r"|aufgehört|abandonné|arrêté|quitté|dejé|abandoné|no longer|any ?more)\b",
    _I,
)
TYPE = re.compile(
    r"\b(?:what|which|qual[ei]?|che|how (?:many|much)|quant[ei]|welche\w*|quels?|quelles?|qué)"
    r"((?: (?!(?:do|did|does|have|had|am|was|is|are|were|i|we|my|of|used?|ho|uso|mi)\b)[\w-]+)"
    r"{1,3})"
    r"(?= (?:do|did|does|have|had|am|was|is|are|were|i|we|my|of|used?|ho|uso|mi)\b|\s*\?)",
    _I,
)
# A time that is named: days are written in too many ways to be looked up as words.
DAY = re.compile(
    r"\b(?:\d{4}-\d\d(?:-\d\d)?"
    r"|(?:\d{1,2}(?:st|nd|rd|th|º|er|\.)? (?:of |de )?)?(?:january|february|march"
    r"|april|may(?! i\b| we\b)|june|july|august|september|october|november|december|gennaio"
    r"|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre"
    r"|januar|februar|märz|juni|juli|oktober|dezember|janvier|février|avril|juin|juillet|août"
    r"|septembre|octobre|novembre|décembre|enero|febrero|abril|junio|julio|septiembre|octubre"
    r"|noviembre|diciembre|(?<=\d )mars|(?<=\d )mai|(?<=\. )mai|(?<=de )mayo)"
    r"(?: \d{1,2}(?:st|nd|rd|th)?)?(?:,?(?: de)? (?:19|20)\d\d)?|(?:19|20)\d\d"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|lunedì|martedì|mercoledì|giovedì|venerdì"
    r"|sabato|domenica|tomorrow"
    r"|yesterday|tonight|ieri|domani|(?:last|next|this|past) (?:week|month|year|summer|winter"
    r"|spring|autumn|fall)|(?:\w+) (?:days?|weeks?|months?|years?) ago|\w+ \w+ fa|(?:settimana"
    r"|mese|anno) scors[oa])\b",
    _I,
)
CONTRAST = re.compile(r"\b(?:called|named|name|names|instead|place|rather|than|si chiama)\b", _I)
CHANGE = re.compile(
    r"\b(?:chang\w+|switch\w*|mov\w+|migrat\w+|replac\w+|decid\w+|cambiat?o?|passat\w|deciso"
    r"|gewechselt|umgestiegen|geändert|changé|passé|cambié|cambi\w+)\b",
    _I,
)
